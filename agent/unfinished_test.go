package agent_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
)

// heard waits until a reply that holds half-way has come to the turn as far as it came.
func (b *bench) heard(rec *recorder) {
	b.t.Helper()
	b.held()
	for patience := deadline(b.t); !slices.ContainsFunc(rec.list(), func(e event.Event) bool { return e.Kind == event.KindDelta }); {
		if patience.Err() != nil {
			b.t.Fatal("nothing of the reply was told")
		}
		runtime.Gosched()
	}
}

// What was answered in a turn that came to no end is in the history with a mark, and "go on" shows it to the model: a
// reply that was stopped, one that broke off, the rounds before it, and edits that were not applied in the end.
func TestWhatCameToNoEndIsKept(t *testing.T) {
	const begun = "First I look at x. Then I go on with the rest of it, one by one.\n\n" + xIsTwo
	files := map[string]string{"a.py": "x = 1\n", "b.py": "y = 1\n"}
	for what, c := range map[string]struct {
		script   string
		cancel   bool
		coder    string
		state    event.State
		has, not string // of what the next request shows
	}{
		"an answer that is stopped": {"-- 1.yaml --\nhold: true\n-- 1.md --\n" + begun, true, "ask", event.TurnCancelled, "First I look at", "broke off"},
		"an edit that is stopped":   {"-- 1.yaml --\nhold: true\n-- 1.md --\n" + begun, true, "", event.TurnCancelled, "The user stopped the answer here", "broke off"},
		"a line that goes dead":     {"-- 1.yaml --\ncut: 60\n-- 1.md --\n" + begun, false, "", event.TurnFailed, "broke off here", "The user stopped"},
		"after a miss":              {"-- 1.md --\n" + noSuchX + "-- 2.yaml --\nstatus: 500\n", false, "", event.TurnFailed, "no such line", "The user stopped"},
		"nothing was said":          {"-- 1.yaml --\nstatus: 500\n", false, "", event.TurnFailed, "Go on.", "Nothing of it was applied"},
		"it refused":                {"-- 1.yaml --\nfinish: content_filter\n-- 1.md --\nI will not.\n", false, "", event.TurnFailed, "Go on.", "I will not"},
		"no edit could be applied":  {"-- 1.md --\n" + noSuchX + "-- 1.yaml --\nrepeat: true\nmatch: Make\n-- 2.yaml --\nrepeat: true\nmatch: not applied\n-- 2.md --\n" + noSuchX, false, "", event.TurnFailed, "no such line", "Nothing of it was applied"},
	} {
		b := newBench(t, c.script+"-- 9.yaml --\nmatch: Go on\n-- 9.md --\nFine.\n", files)
		request := agent.Request{Instruction: "Make x two.", Coder: c.coder, Files: []string{"a.py"}}
		started, rec := b.start(request)
		if c.cancel {
			b.heard(rec)
			b.session.Turns.Cancel(started.Turn)
		}
		if r := b.wait(started.Turn); r.State != c.state {
			t.Errorf("%s: %s, %v", what, r.State, r.Err)
		}
		if _, kept := b.session.Conversation.History.Find(started.Turn); kept != (c.has != "Go on.") {
			t.Errorf("%s: kept is %v", what, kept)
		}
		if n := len(b.session.Conversation.History.Done()); n > 1 {
			t.Errorf("%s: kept %d times", what, n)
		}
		r, _ := b.run(agent.Request{Instruction: "Go on.", Coder: c.coder, Files: []string{"a.py"}})
		all := b.server.Requests()
		next := shownRequest(all[len(all)-1])
		if r.State != event.TurnAnswered || !strings.Contains(next, c.has) || strings.Contains(next, c.not) {
			t.Errorf("%s: %s, and the model is sent\n%s", what, r.State, next)
		}
	}
}

// Asked for another form of edits, the model sees none of those that came to no end.
func TestWhatCameToNoEndHasNoEditsInAnotherForm(t *testing.T) {
	b := newBench(t, "-- 1.yaml --\ncut: 120\n-- 1.md --\nHere it is.\n\n"+xIsTwo+"\n"+xIsTwo+"-- 2.md --\nFine.\n", map[string]string{"a.py": "x = 1\n"})
	b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
	b.run(agent.Request{Instruction: "Go on.", Files: []string{"a.py"}, Format: "whole"})
	next := shownRequest(b.server.Requests()[1])
	if !strings.Contains(next, "Here it is.") || !strings.Contains(next, "broke off here") || strings.Contains(next, "SEARCH") {
		t.Errorf("the model is sent\n%s", next)
	}
}
