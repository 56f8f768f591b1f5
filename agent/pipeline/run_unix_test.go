//go:build unix

package pipeline_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/pipeline"
)

// The script runs after a question that shows it, in a copy of the folder with the change; what it writes is gone with it.
func TestRunAfterGenerate(t *testing.T) {
	b := newBench(t, map[string]string{"data.txt": "mine\n", ".env": "KEY=hidden\n"}, "hi.sh\n```\necho hi from $(cat data.txt)\n```\n",
		"```sh\nsh hi.sh\nls -a | grep -c env\npwd > data.txt\nread x || echo no input\nexit 3\n```\n")
	r := b.run("generate", pipeline.Args{Instruction: "Say hi."})
	if r.State != event.TurnProposed || r.Then == nil {
		t.Fatalf("%s %v", r.State, r.Err)
	}
	b.accept(r)
	b.answers = []event.Answer{{Choice: "run"}}
	made := onDisk(t, b.root)
	r = b.start(*r.Then)
	if r.State != event.TurnAnswered || r.Proposal != nil || !strings.Contains(r.Answer, "hi from mine\n0\nno input\n") || !strings.Contains(b.notes(), "run.sh failed: exit status 3") {
		t.Errorf("%s %v %q\n%s", r.State, r.Err, r.Answer, b.notes())
	}
	if q := b.asked[0]; !strings.HasPrefix(q.Body, "sh hi.sh\n") || q.Default != "skip" {
		t.Errorf("asked %+v", q)
	}
	same(t, onDisk(t, b.root), made)
}

// Without a yes nothing runs: also where nobody answers.
func TestNotRunUnasked(t *testing.T) {
	for _, answers := range [][]event.Answer{nil, {{Choice: "skip"}}, {{Choice: "run", Defaulted: true}}} {
		b := newBench(t, nil, twoFiles, "```sh\necho ran\n```\n")
		r := b.run("generate", pipeline.Args{Instruction: "Say hi."})
		b.accept(r)
		b.answers = answers
		if r = b.start(*r.Then); r.Answer != "" || !strings.Contains(b.notes(), "run.sh was not run.") || len(b.asked) != 1 {
			t.Errorf("%v: %q", answers, r.Answer)
		}
	}
}

// A server works when it still runs after the time that the setting says.
func TestRunOfAServer(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, twoFiles, "```sh\nsleep 1000\n```\n")
	b.settings.Pipeline.StartedAfter = 1
	r := b.run("generate", pipeline.Args{Instruction: "Say hi."})
	b.accept(r)
	b.answers = []event.Answer{{Choice: "run"}}
	if r = b.start(*r.Then); !strings.HasPrefix(r.Answer, pipeline.RanWell+"it was still running after 1") {
		t.Errorf("%s %v %q", r.State, r.Err, r.Answer)
	}
}

// A program without an end is ended.
func TestRunHasAnEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, twoFiles, "```sh\necho begun\nsleep 1000 &\nsleep 1000\n```\n")
	b.settings.Checks.Timeout = 2500 * time.Millisecond
	r := b.run("generate", pipeline.Args{Instruction: "Say hi."})
	b.accept(r)
	b.answers = []event.Answer{{Choice: "run"}}
	if r = b.start(*r.Then); !strings.Contains(r.Answer, "stopped, because it took longer than 1 s") || !strings.Contains(r.Answer, "begun") {
		t.Errorf("%s %v %q", r.State, r.Err, r.Answer)
	}
}

// What runs is what the user has by then: a script that they changed is the one that is shown.
func TestRunOfWhatIsThere(t *testing.T) {
	b := newBench(t, nil, twoFiles, "```sh\necho theirs\n```\n")
	r := b.run("generate", pipeline.Args{Instruction: "Say hi."})
	b.accept(r)
	if err := os.WriteFile(filepath.Join(b.root, "run.sh"), []byte("echo mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.answers = []event.Answer{{Choice: "run"}}
	if r = b.start(*r.Then); b.asked[0].Body != "echo mine" || !strings.HasPrefix(r.Answer, pipeline.RanWell+"exit status 0, after ") || !strings.Contains(r.Answer, "\nmine\n") {
		t.Errorf("asked %+v, %q", b.asked, r.Answer)
	}
}

// Of a change that was taken over without the script nothing can run.
func TestRunWithoutTheScript(t *testing.T) {
	b := newBench(t, nil, twoFiles, "```sh\necho ran\n```\n")
	then := *b.run("generate", pipeline.Args{Instruction: "Say hi."}).Then
	if r := b.start(then); r.State != event.TurnFailed || !strings.HasPrefix(r.Err.Error(), "Cannot run run.sh: the file does not exist") || len(b.asked) > 0 {
		t.Errorf("%s %v", r.State, r.Err)
	}
	b.write("run.sh", "\n")
	if r := b.start(then); r.State != event.TurnFailed || !strings.HasPrefix(r.Err.Error(), "Cannot run run.sh: the file is empty") || len(b.asked) > 0 {
		t.Errorf("%s %v", r.State, r.Err)
	}
}

// Where there is no shell, that is said, with what to do.
func TestNoShell(t *testing.T) {
	b := newBench(t, nil, twoFiles, "```sh\necho ran\n```\n")
	r := b.run("generate", pipeline.Args{Instruction: "Say hi."})
	b.accept(r)
	t.Setenv("PATH", t.TempDir())
	b.answers = []event.Answer{{Choice: "run"}}
	if r = b.start(*r.Then); r.State != event.TurnFailed || !strings.HasPrefix(r.Err.Error(), "Cannot run the script: neither bash nor sh") || !strings.Contains(r.Err.Error(), "pipeline.exec") {
		t.Errorf("%s %v %q", r.State, r.Err, r.Answer)
	}
}

// Cancelled at any time, a pipeline ends at once, and nothing of it runs on. The files that came whole are proposed, and kept
// where the command line can find them.
func TestCancel(t *testing.T) {
	long := strings.Repeat("print('and so on')\n", 50)
	for name, test := range map[string]struct {
		command string
		replies []string
		hold    int    // the reply that never comes to its end
		asks    string // what is asked when the turn is cancelled
		want    []string
	}{
		"while it writes the first file":  {command: "generate", replies: []string{"hi.py\n```\n" + long + "```\n"}, hold: 1},
		"while it writes the second file": {command: "generate", replies: []string{"hi.py\n```\nprint('hi')\n```\n\nb.py\n```\n" + long + "```\n"}, hold: 1, want: []string{"hi.py"}},
		"a file that may not be written":  {command: "generate", replies: []string{"hi.py\n```\nprint('hi')\n```\n\n../b.py\n```\nx\n```\n\nc.py\n```\n" + long + "```\n"}, hold: 1, want: []string{"hi.py"}},
		"in lite":                         {command: "generate", replies: []string{"hi.py\n```\nprint('hi')\n```\n\nb.py\n```\n" + long + "```\n"}, hold: 1, want: []string{"hi.py"}},
		"while it writes the script":      {command: "generate", replies: []string{twoFiles, aScript}, hold: 2, want: []string{"main.py", "src/greet.py"}},
		"while it looks for questions":    {command: "clarify", replies: []string{"Which language?"}, hold: 1},
		"while it asks":                   {command: "clarify", replies: []string{"Which language?"}, asks: "Which language?"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil, test.replies...)
			if test.hold > 0 {
				b.deliver(test.hold, "hold: true\n")
			}
			b.hanging = test.asks
			request, err := pipeline.Request(test.command, pipeline.Args{Instruction: "Say hi.", Lite: name == "in lite"})
			if err != nil {
				t.Fatal(err)
			}
			s := b.open()
			resolved, err := s.Resolve(request)
			if err != nil {
				t.Fatal(err)
			}
			started, err := s.Start(resolved, b.ports())
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute) // only a hang takes so long
			defer stop()
			if test.hold > 0 {
				if err = b.server.WaitHeld(ctx, 1); err == nil && strings.Contains(test.replies[0], long) {
					err = b.hears(ctx, "and so on")
				}
			} else {
				err = b.isAsked(ctx)
			}
			if err != nil {
				t.Fatal(err)
			}
			s.Turns.Cancel(started.Turn)
			r, err := s.Turns.Wait(ctx, started.Turn)
			state := event.TurnCancelled
			if test.want != nil {
				state = event.TurnProposed
			}
			made := files(r)
			if err != nil || r.State != state || !slices.Equal(slices.Sorted(maps.Keys(made)), test.want) || r.Then != nil {
				t.Errorf("%s %v, proposed %v", r.State, err, made)
			}
			if r.Proposal != nil && (len(r.Proposal.Warnings) == 0 || !strings.Contains(r.Proposal.Warnings[0], "may be incomplete")) {
				t.Errorf("it is not said that it may be incomplete: %q", r.Proposal.Warnings)
			}
			kept := b.logged(pipeline.MadeFile)
			for name, text := range made {
				if !strings.Contains(kept, name+"\n```\n"+text+"```\n") {
					t.Errorf("%s is not kept in\n%s", name, kept)
				}
			}
			if test.want == nil && kept != "" {
				t.Errorf("kept\n%s", kept)
			}
			if left := onDisk(t, b.root); len(left) > 0 {
				t.Errorf("written: %v", left)
			}
		})
	}
}

// A program that runs when the turn is cancelled is ended with all that it started, and its folder is gone.
func TestCancelEndsTheProgram(t *testing.T) {
	b := newBench(t, nil, twoFiles, "```sh\nsleep 1000 &\necho $! $PWD\nwait\n```\n")
	r := b.run("generate", pipeline.Args{Instruction: "Say hi."})
	b.accept(r)
	b.answers = []event.Answer{{Choice: "run"}}
	s := b.open()
	resolved, err := s.Resolve(*r.Then)
	if err != nil {
		t.Fatal(err)
	}
	started, err := s.Start(resolved, b.ports())
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	var dir string
	for pid == 0 {
		if t.Context().Err() != nil {
			t.Fatal("hung: the program does not begin")
		}
		b.mu.Lock()
		for _, e := range b.events {
			if e.Kind == event.KindDelta && e.Turn == started.Turn && strings.HasSuffix(e.Text, "\n") {
				_, _ = fmt.Sscan(e.Text, &pid, &dir)
			}
		}
		b.mu.Unlock()
		time.Sleep(5 * time.Millisecond)
	}
	s.Turns.Cancel(started.Turn)
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute) // only a hang takes so long
	defer stop()
	if r, err = s.Turns.Wait(ctx, started.Turn); err != nil || r.State != event.TurnCancelled {
		t.Errorf("%s %v", r.State, err)
	}
	for syscall.Kill(pid, 0) == nil {
		if ctx.Err() != nil {
			t.Fatalf("hung: the process %d runs on", pid)
		}
		time.Sleep(5 * time.Millisecond)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", dir, err)
	}
}
