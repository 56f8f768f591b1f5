package agent_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/chosen"
	"coauthor/agent/command"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// onDisk delivers to the bench's folder what still stands there as it was planned on.
type onDisk struct{ b *bench }

func newDisk(b *bench) proposal.Delivery { return onDisk{b} }

func (d onDisk) Current() *workspace.Snapshot { return d.b.ws.Snapshot() }

func (d onDisk) Deliver(_ context.Context, _ string, plan []proposal.Step) (list []proposal.Landed, err error) {
	for _, step := range plan {
		c := step.Change
		landed := proposal.Landed{Path: c.Path, State: proposal.LandLanded}
		switch {
		case c.Op != edits.OpCreate && d.b.disk(c.Path) != c.Before:
			landed.State, landed.Stale = proposal.LandAbsent, true
		case c.Op == edits.OpDelete:
			err = os.Remove(filepath.Join(d.b.root, c.Path))
		default:
			d.b.put(c.Path, c.After)
		}
		list = append(list, landed)
	}
	return list, err
}

// disk is what a file of the bench's folder reads.
func (b *bench) disk(path string) string {
	text, err := os.ReadFile(filepath.Join(b.root, path))
	if err != nil {
		return "absent"
	}
	return string(text)
}

// toFour is a model that makes x two, three and four, one step a turn.
const toFour = "-- 1.md --\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n" +
	"-- 2.md --\na.py\n```\n<<<<<<< SEARCH\nx = 2\n=======\nx = 3\n>>>>>>> REPLACE\n```\n\nb.py\n```\n<<<<<<< SEARCH\n=======\nb = 1\n>>>>>>> REPLACE\n```\n" +
	"-- 3.md --\na.py\n```\n<<<<<<< SEARCH\nx = 3\n=======\nx = 4\n>>>>>>> REPLACE\n```\n" +
	"-- 4.md --\nFine.\n-- 5.md --\nFine.\n-- 6.md --\nFine.\n"

// makeFour runs three editing turns and applies each.
func (b *bench) makeFour(port proposal.Delivery) (turns []string) {
	b.t.Helper()
	for _, said := range []string{"Make x two.", "Make x three.", "Make x four."} {
		r, _ := b.run(agent.Request{Instruction: said, Files: []string{"a.py"}})
		if r.State != event.TurnProposed {
			b.t.Fatalf("%s: %+v", said, r)
		}
		b.session.Proposals.MarkShown(r.Proposal.ID, r.Proposal.Revision)
		if _, err := b.session.Proposals.Apply(b.t.Context(), proposal.Selector{Proposal: r.Proposal.ID, Revision: r.Proposal.Revision}, port); err != nil {
			b.t.Fatal(err)
		}
		turns = append(turns, r.Turn)
	}
	return turns
}

// Going back to before a request takes back, in one step, what it and all later ones did to the files and what was
// said; what the user typed since stays, and where it is in the way nothing is changed.
func TestRewind(t *testing.T) {
	for name, c := range map[string]struct {
		to          func(turns []string) string
		typed       string // into a.py, before
		files       string // a.py and b.py, afterwards
		said, gone  string // what the model is and is not shown next
		done, start bool   // it is done; the program is started again before
		fails       string
	}{
		"the last one":    {to: func([]string) string { return "" }, files: "x = 3\ny = 1\n|b = 1\n", said: "Make x three.", gone: "Make x four.", done: true},
		"by number":       {to: func([]string) string { return "2" }, files: "x = 2\ny = 1\n|absent", said: "Make x two.", gone: "Make x three.", done: true},
		"by turn":         {to: func(turns []string) string { return turns[0] }, files: "x = 1\ny = 1\n|absent", gone: "Make x two.", done: true},
		"after a restart": {to: func([]string) string { return "2" }, files: "x = 2\ny = 1\n|absent", said: "Make x two.", gone: "Make x three.", done: true, start: true},
		"typed elsewhere": {to: func([]string) string { return "1" }, typed: "x = 4\ny = 1\nz = 1\n", files: "x = 1\ny = 1\nz = 1\n|absent", gone: "Make x two.", done: true},
		"typed there":     {to: func([]string) string { return "1" }, typed: "x = 5\ny = 1\n", files: "x = 5\ny = 1\n|b = 1\n", said: "Make x four."},
		"no such number":  {to: func([]string) string { return "9" }, files: "x = 4\ny = 1\n|b = 1\n", said: "Make x four.", fails: "1 to 3"},
		"no such turn":    {to: func([]string) string { return "t0" }, files: "x = 4\ny = 1\n|b = 1\n", said: "Make x four.", fails: "t0"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, toFour, map[string]string{"a.py": "x = 1\ny = 1\n"})
			state := b.keeping(settings.History{Mode: settings.HistoryRestore})
			port := newDisk(b)
			turns := b.makeFour(port)
			if c.typed != "" {
				b.put("a.py", c.typed)
			}
			if c.start {
				b.again(state)
			}
			back, err := b.session.Rewind(t.Context(), c.to(turns), port)
			if (err != nil) != (c.fails != "") || err != nil && !strings.Contains(err.Error(), c.fails) {
				t.Fatalf("%+v, %v", back, err)
			}
			if err == nil && (back.Done != c.done || !c.done && (back.Outcome.Status != proposal.StatusConflict || !strings.Contains(back.String(), "a.py"))) {
				t.Errorf("%s: %+v", back, back)
			}
			if got := b.disk("a.py") + "|" + b.disk("b.py"); got != c.files {
				t.Errorf("the files are %q, want %q", got, c.files)
			}
			for _, again := range []bool{false, true} { // in this session, and in the next one
				if again {
					b.again(state)
				}
				b.run(agent.Request{Instruction: "And now?", Coder: "ask"})
				if sent := lastSent(b.server); c.gone != "" && strings.Contains(sent, c.gone) || !strings.Contains(sent, c.said) {
					t.Errorf("the next start %v: sent\n%s", again, sent)
				}
			}
		})
	}
}

// What nobody has decided on is discarded with its request, and before the first one there is nothing.
func TestRewindDiscardsWhatPends(t *testing.T) {
	b := newBench(t, "-- 1.md --\n"+xIsTwo+"-- 2.md --\nFine.\n", map[string]string{"a.py": "x = 1\n"})
	b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
	back, err := b.session.Rewind(t.Context(), "", newDisk(b))
	if err != nil || !back.Done || back.Dropped != 1 || len(b.session.Proposals.Pending()) != 0 || b.disk("a.py") != "x = 1\n" {
		t.Errorf("%+v, %v", back, err)
	}
	if _, err := b.session.Rewind(t.Context(), "", newDisk(b)); err == nil || !strings.Contains(err.Error(), "no requests") {
		t.Errorf("there is something before nothing: %v", err)
	}
}

// Redo of the oldest request brings back what a rewind took from all of them.
func TestRedoOfARewind(t *testing.T) {
	b := newBench(t, toFour, map[string]string{"a.py": "x = 1\ny = 1\n"})
	port := newDisk(b)
	turns := b.makeFour(port)
	if back, err := b.session.Rewind(t.Context(), "2", port); err != nil || !back.Done {
		t.Fatalf("%+v, %v", back, err)
	}
	if p := b.session.Proposals.Pending(); len(p) != 0 {
		t.Errorf("pending: %+v", p)
	}
	if _, err := b.session.Proposals.Redo(t.Context(), turns[1], port); err != nil {
		t.Fatal(err)
	}
	if got := b.disk("a.py") + "|" + b.disk("b.py"); got != "x = 4\ny = 1\n|b = 1\n" {
		t.Errorf("the files are %q", got)
	}
}

// While a request runs nothing is gone back to.
func TestNoRewindWhileATurnRuns(t *testing.T) {
	b := newBench(t, held(xIsTwo), map[string]string{"a.py": "x = 1\n"})
	started, _ := b.start(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
	b.held()
	if _, err := b.session.Rewind(t.Context(), "", newDisk(b)); !errors.Is(err, agent.ErrRunning) {
		t.Errorf("the error is %v", err)
	}
	b.server.Release()
	b.wait(started.Turn)
}

// A cleared conversation is not gone on with, by this session and the next ones; a reset takes the files too.
func TestClearAndReset(t *testing.T) {
	for _, reset := range []bool{false, true} {
		b := newBench(t, replies("One.", "Two.", "Three."), map[string]string{"a.py": "x = 1\n"})
		state := b.keeping(settings.History{Mode: settings.HistoryRestore})
		if _, err := b.session.Choose(chosen.Choice{Files: []string{"a.py"}}); err != nil {
			t.Fatal(err)
		}
		b.run(agent.Request{Instruction: "What is x?", Coder: "ask"})
		if reset {
			b.session.Chosen.Clear()
		}
		if n := b.session.Conversation.Clear(); n != 1 || (len(b.session.Chosen.Get().Files) == 0) != reset {
			t.Errorf("reset %v: %d, %+v", reset, n, b.session.Chosen.Get())
		}
		b.run(agent.Request{Instruction: "And y?", Coder: "ask"})
		if sent := lastSent(b.server); strings.Contains(sent, "What is x?") || strings.Contains(sent, "x = 1") == reset {
			t.Errorf("reset %v: sent\n%s", reset, sent)
		}
		b.again(state)
		b.run(agent.Request{Instruction: "And z?", Coder: "ask"})
		if sent := lastSent(b.server); strings.Contains(sent, "What is x?") || !strings.Contains(sent, "And y?") {
			t.Errorf("reset %v, the next start: sent\n%s", reset, sent)
		}
		report, err := command.Conversation(t.Context(), b.session.Conversation, b.session.Proposals.Sent.Became)
		if err != nil || len(report.Requests) != 2 || report.Requests[0].Number != 1 || !strings.Contains(report.Text, "And z?") || report.File == "" {
			t.Errorf("%+v, %v", report, err)
		}
	}
}
