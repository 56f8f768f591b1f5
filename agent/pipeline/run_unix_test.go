//go:build unix

package pipeline_test

import (
	"strings"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
)

// The script runs after a question that shows it, in a copy of the folder with the change; what it writes is gone with it.
func TestRunAfterGenerate(t *testing.T) {
	b := newBench(t, map[string]string{"data.txt": "mine\n", ".env": "KEY=hidden\n"}, "hi.sh\n```\necho hi from $(cat data.txt)\n```\n",
		"```sh\nsh hi.sh\nls -a | grep -c env\npwd > data.txt\nread x || echo no input\nexit 3\n```\n")
	r := b.run("generate", agent.Call{Text: "Say hi."})
	if r.State != event.TurnProposed || r.Then == nil {
		t.Fatalf("%s %v", r.State, r.Err)
	}
	b.answers = []event.Answer{{Choice: "run"}}
	r = b.start(*r.Then)
	if r.State != event.TurnAnswered || r.Proposal != nil || !strings.Contains(r.Answer, "hi from mine\n0\nno input\n") || !strings.Contains(b.notes(), "run.sh: exit status 3") {
		t.Errorf("%s %v %q\n%s", r.State, r.Err, r.Answer, b.notes())
	}
	if q := b.asked[0]; !strings.Contains(q.Text, "sh hi.sh\n") || q.Default != "skip" {
		t.Errorf("asked %+v", q)
	}
	same(t, onDisk(t, b.root), map[string]string{"data.txt": "mine\n", ".env": "KEY=hidden\n"})
}

// Without a yes nothing runs: also where nobody answers.
func TestNotRunUnasked(t *testing.T) {
	for _, answers := range [][]event.Answer{nil, {{Choice: "skip"}}, {{Choice: "run", Defaulted: true}}} {
		b := newBench(t, nil, twoFiles, "```sh\necho ran\n```\n")
		r := b.run("generate", agent.Call{Text: "Say hi."})
		b.answers = answers
		if r = b.start(*r.Then); r.Answer != "run.sh was not run." || len(b.asked) != 1 {
			t.Errorf("%v: %q", answers, r.Answer)
		}
	}
}

// A program without an end is ended.
func TestRunHasAnEnd(t *testing.T) {
	b := newBench(t, nil, twoFiles, "```sh\necho begun\nsleep 1000 &\nsleep 1000\n```\n")
	b.settings.Pipeline.RunTimeout = time.Second
	r := b.run("generate", agent.Call{Text: "Say hi."})
	b.answers = []event.Answer{{Choice: "run"}}
	if r = b.start(*r.Then); !strings.Contains(r.Answer, "stopped, because it took longer than 1 s") || !strings.Contains(r.Answer, "begun") {
		t.Errorf("%s %v %q", r.State, r.Err, r.Answer)
	}
}
