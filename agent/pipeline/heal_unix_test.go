//go:build unix

package pipeline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/pipeline"
	"coauthor/agent/proposal"
)

// healing is a bench whose user lets everything run.
func healing(t *testing.T, disk map[string]string, replies ...string) *bench {
	b := improving(t, disk, replies...)
	for range 20 {
		b.answers = append(b.answers, event.Answer{Choice: "run"})
	}
	return b
}

// attempts are those of what a turn has proposed, a line each.
func attempts(r agent.Result) []string {
	var list []string
	for _, a := range r.Proposal.Attempts {
		list = append(list, a.String())
	}
	return list
}

// broken is a program that fails while its file says so.
func broken(code int, text string) map[string]string {
	return map[string]string{"run.sh": "sh main.sh\n", "main.sh": fmt.Sprintf("echo out\necho %s >&2\nexit %d\n", text, code)}
}

// becomes is a reply that replaces the program.
func becomes(from, to string) string {
	var b strings.Builder
	for line := range strings.Lines(from) {
		b.WriteString("-" + strings.TrimSuffix(line, "\n") + "\n")
	}
	for line := range strings.Lines(to) {
		b.WriteString("+" + strings.TrimSuffix(line, "\n") + "\n")
	}
	return diff("--- main.sh", "+++ main.sh", "@@ -1,9 +1,9 @@", strings.TrimSuffix(b.String(), "\n"))
}

// A program that fails twice and then works is run three times; the model is told what came of each, and all of it is one
// proposal of which each attempt can be taken. Nothing of the user's changes before that.
func TestHeal(t *testing.T) {
	const one, two, three = "echo out\necho Error: no config >&2\nexit 1\n", "echo Error: no port >&2\nexit 3\n", "echo works\n"
	b := healing(t, map[string]string{"run.sh": "sh main.sh\n", "main.sh": one, "prompt": "A program that works."}, becomes(one, two), becomes(two, three))
	r := b.run("selfHeal", pipeline.Args{Files: []string{"main.sh"}})
	if r.State != event.TurnProposed || len(r.Failures) > 0 {
		t.Fatalf("%s %v %v\n%s", r.State, r.Err, r.Failures, b.notes())
	}
	same(t, files(r), map[string]string{"main.sh": three})
	same(t, attempts(r), []string{"exit status 3, Error: no port (main.sh, +2 -3)", "it works (main.sh, +1 -3)"})
	if !strings.HasPrefix(r.Answer, "It works: exit status 0.\n\n1. changed main.sh: exit status 3, Error: no port\n2. changed main.sh: it works") {
		t.Error(r.Answer)
	}
	if left := onDisk(t, b.root); left["main.sh"] != one || len(left) != 3 {
		t.Errorf("written: %v", left)
	}
	_, messages := b.request(1)
	for _, part := range []string{"A program that works.", "```\nsh main.sh\n```", "exit status was 1", "standard output:\n\n```\nout\n```", "standard error:\n\n```\nError: no config\n```", "linux/", "1 | echo out\n"} {
		if part != "linux/" && !strings.Contains(messages[1], part) {
			t.Errorf("%q is not in\n%s", part, messages[1])
		}
	}
	_, messages = b.request(2)
	for _, part := range []string{"exit status was 3", "wrote nothing to standard output", "1. changed main.sh: exit status 3, Error: no port", "1 | echo Error: no port"} {
		if !strings.Contains(messages[1], part) {
			t.Errorf("%q is not in\n%s", part, messages[1])
		}
	}
	if len(b.asked) != 3 || b.asked[0].Body != "sh main.sh" || strings.Contains(b.asked[0].Text, "main.sh") {
		t.Fatalf("asked %+v", b.asked)
	}
	for i, diff := range []string{"-echo Error: no config >&2\n-exit 1\n+echo Error: no port >&2\n+exit 3", "-echo Error: no port >&2\n-exit 3\n+echo works"} {
		q := b.asked[i+1] // the consent was for the files as they were
		if !strings.HasSuffix(q.Text, "These files changed since you last agreed: main.sh.") || !strings.HasPrefix(q.Body, "sh main.sh\n\ndiff --git a/main.sh b/main.sh\n") || !strings.Contains(q.Body, diff) {
			t.Errorf("asked %+v", q)
		}
	}
	p, err := b.session.Proposals.TakeAttempt(proposal.Selector{}, 1)
	if err != nil || p.Files[0].Change.After != two {
		t.Errorf("%+v, %v", p, err)
	}
}

// Nothing runs, and nobody is asked for a change, without the user's consent.
func TestHealNeedsConsent(t *testing.T) {
	b := improving(t, broken(1, "x"))
	r := b.run("selfHeal", pipeline.Args{})
	if r.State != event.TurnAnswered || len(b.server.Requests()) > 0 || !strings.Contains(b.notes(), "you did not allow it") || len(b.asked) != 1 {
		t.Errorf("%s %v\n%s", r.State, r.Err, b.notes())
	}
	if left := onDisk(t, b.root); len(left) != 2 {
		t.Errorf("%v", left)
	}
}

// A yes is for the program as it was: what a model has made of it since does not run without another one, and is proposed as
// far as it came.
func TestHealAsksAgainForAnotherProgram(t *testing.T) {
	const one, two = "exit 1\n", "touch \"$HOME/coauthor-was-here\"\n"
	b := improving(t, map[string]string{"run.sh": "sh main.sh\n", "main.sh": one}, becomes(one, two))
	b.answers = []event.Answer{{Choice: "run"}, {Choice: "skip"}}
	r := b.run("selfHeal", pipeline.Args{Files: []string{"main.sh"}})
	if r.State != event.TurnProposed || len(b.asked) != 2 || !strings.Contains(b.asked[1].Body, "+touch") || !strings.Contains(b.notes(), "you did not allow it") {
		t.Errorf("%s %v, asked %+v\n%s", r.State, r.Err, b.asked, b.notes())
	}
	if runs := strings.Count(b.logged(pipeline.LogDebug), "Ran for"); runs != 1 {
		t.Errorf("it ran %d times", runs)
	}
}

// Files that the turn has made and the user has not seen are shown before they run.
func TestWhatRunsUnseenIsShown(t *testing.T) {
	b := newBench(t, nil, "main.sh\n```\necho hi\n```\n", "```sh\nsh main.sh\n```\n")
	b.answers = []event.Answer{{Choice: "run"}}
	r := b.run("generate", pipeline.Args{Instruction: "Say hi.", SelfHeal: true})
	if r.State != event.TurnProposed || len(b.asked) != 1 {
		t.Fatalf("%s %v, asked %+v", r.State, r.Err, b.asked)
	}
	if q := b.asked[0]; !strings.Contains(q.Text, "pending changes to main.sh, run.sh.") || !strings.Contains(q.Body, "+echo hi") {
		t.Errorf("%+v", q)
	}
}

// What works already is left alone.
func TestHealOfWhatWorks(t *testing.T) {
	b := healing(t, broken(0, "x"))
	r := b.run("selfHeal", pipeline.Args{})
	if r.State != event.TurnAnswered || !strings.Contains(r.Answer, "No changes were needed") || len(b.server.Requests()) > 0 {
		t.Errorf("%s %v %q", r.State, r.Err, r.Answer)
	}
}

// The same error three times ends it, whatever changes beside it. What was changed is proposed all the same.
func TestHealStopsWhenNothingHelps(t *testing.T) {
	program := func(n int) string { return fmt.Sprintf("echo failed in line %d >&2\nexit 1\n", n) }
	b := healing(t, map[string]string{"run.sh": "sh main.sh\n", "main.sh": program(1)}, becomes(program(1), program(2)), becomes(program(2), program(3)))
	r := b.run("selfHeal", pipeline.Args{})
	if r.State != event.TurnProposed || !strings.HasPrefix(r.Answer, "Stopped: the program failed in the same way 3 times") || len(b.server.Requests()) != 2 {
		t.Errorf("%s %v %q, %d requests\n%s", r.State, r.Err, r.Answer, len(b.server.Requests()), b.notes())
	}
	same(t, len(r.Proposal.Attempts), 2)
}

// An answer of which nothing could be taken over is no reason to run the program again.
func TestHealOfAnAnswerWithoutAChange(t *testing.T) {
	b := healing(t, broken(1, "x"), "I do not know.", "No.")
	b.settings.MaxReflections = 0
	r := b.run("selfHeal", pipeline.Args{})
	if r.State != event.TurnAnswered || !strings.HasPrefix(r.Answer, "Stopped: the program failed in the same way 3 times") || len(b.server.Requests()) != 2 {
		t.Errorf("%s %v %q, %d requests\n%s", r.State, r.Err, r.Answer, len(b.server.Requests()), b.notes())
	}
	if runs := strings.Count(b.logged(pipeline.LogDebug), "Ran for"); runs != 1 {
		t.Errorf("it ran %d times", runs)
	}
}

// After the last attempt the program is run once more.
func TestHealEndsAfterItsAttempts(t *testing.T) {
	program := func(n int) string { return fmt.Sprintf("echo %s >&2\nexit 1\n", strings.Repeat("g", n)) }
	var answers []string
	for n := 1; n <= 10; n++ {
		answers = append(answers, becomes(program(n), program(n+1)))
	}
	disk := map[string]string{"run.sh": "sh main.sh\n", "main.sh": program(1)}
	b := healing(t, disk, answers...)
	r := b.run("selfHeal", pipeline.Args{})
	if r.State != event.TurnProposed || !strings.HasPrefix(r.Answer, "Stopped after 10 attempts: ") {
		t.Fatalf("%s %v %q", r.State, r.Err, r.Answer)
	}
	if runs := strings.Count(b.logged(pipeline.LogDebug), "Ran for"); runs != 11 {
		t.Errorf("it ran %d times", runs)
	}
	b = healing(t, disk, append(answers[:9], becomes(program(10), "echo works\n"))...)
	if r := b.run("selfHeal", pipeline.Args{}); !strings.HasPrefix(r.Answer, "It works") {
		t.Errorf("the last change was not run: %q", r.Answer)
	}
}

// A program that hangs is ended, and the model is told so. A server that runs on is one that works, where the user says.
func TestHealOfAnEndlessProgram(t *testing.T) {
	t.Parallel()
	const hangs = "echo begun\nsleep 1000\n"
	b := healing(t, map[string]string{"run.sh": "sh main.sh\n", "main.sh": hangs}, becomes(hangs, "echo done\n"))
	b.settings.Checks.Timeout = 2500 * time.Millisecond
	r := b.run("selfHeal", pipeline.Args{})
	_, messages := b.request(1)
	if r.State != event.TurnProposed || !strings.HasPrefix(r.Answer, "It works") || !strings.Contains(messages[1], "it took longer than") || !strings.Contains(messages[1], "begun") {
		t.Errorf("%s %v %q\n%s", r.State, r.Err, r.Answer, messages[1])
	}
	b = healing(t, map[string]string{"run.sh": "sh main.sh\n", "main.sh": hangs})
	b.settings.Pipeline.StartedAfter = 1
	if r := b.run("selfHeal", pipeline.Args{}); r.State != event.TurnAnswered || !strings.HasPrefix(r.Answer, "It works") {
		t.Errorf("%s %v %q", r.State, r.Err, r.Answer)
	}
}

// What is run: the command of the user, else the script, else what the project's configuration says of tests.
func TestHealChoosesWhatItRuns(t *testing.T) {
	const config = "[run]\ntest = \"echo tests\"\n"
	for name, test := range map[string]struct {
		disk    map[string]string
		command string
		want    string
	}{
		"the script":  {map[string]string{"run.sh": "echo script\n", "gpt-engineer.toml": config}, "", "echo script"},
		"a command":   {map[string]string{"run.sh": "echo script\n"}, "echo command", "echo command"},
		"the tests":   {map[string]string{"a.txt": "a\n", "gpt-engineer.toml": config}, "", "echo tests"},
		"nothing":     {map[string]string{"a.txt": "a\n"}, "", ""},
		"no commands": {map[string]string{"run.sh": " \n"}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := healing(t, test.disk)
			r := b.run("selfHeal", pipeline.Args{Command: test.command})
			if test.want == "" {
				if r.Err == nil || !strings.Contains(r.Err.Error(), "coauthor entrypoint") || len(b.asked) > 0 {
					t.Errorf("%v", r.Err)
				}
				return
			}
			if !strings.HasPrefix(r.Answer, "It works") || len(b.asked) != 1 || b.asked[0].Body != test.want {
				t.Errorf("%s %v %q, asked %v", r.State, r.Err, r.Answer, b.asked)
			}
		})
	}
}
