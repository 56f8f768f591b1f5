package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
)

// writer delivers to the bench's folder.
type writer struct {
	b    *bench
	late bool // it does not say what became of a step; whoever looks sees it
}

func (w writer) Current() *workspace.Snapshot { return w.b.ws.Snapshot() }

func (w writer) Deliver(_ context.Context, _ string, plan []proposal.Step) (list []proposal.Landed, err error) {
	for _, step := range plan {
		w.b.put(step.Change.Path, step.Change.After)
		if !w.late {
			list = append(list, proposal.Landed{Path: step.Change.Path, State: proposal.LandLanded})
		}
	}
	return list, nil
}

// fate is what the events tell of proposals and their landing, in order.
func fate(events []event.Event) (list []string) {
	for _, e := range events {
		switch e.Kind {
		case event.KindProposal:
			list = append(list, fmt.Sprintf("%s %d", e.Proposal.State, e.Proposal.Revision))
		case event.KindLanded:
			list = append(list, e.Landed.Action)
			for _, f := range e.Landed.Files {
				list = append(list, f.Op+" "+f.Path+f.To)
			}
		case event.KindEnded:
			list = append(list, "ended")
		case event.KindState, event.KindDelta, event.KindEdit, event.KindRound, event.KindUsage, event.KindNote:
		}
	}
	return list
}

// All that becomes of a turn is told by its events: each state of its proposal once, also after the turn's end, and what
// was seen to arrive in the user's files, with numbers that go on.
func TestEventsTellOfTheProposal(t *testing.T) {
	for _, late := range []bool{false, true} {
		b := newBench(t, "repeat: true\n-- 1.md --\n"+xIsTwo, map[string]string{"a.py": "x = 1\n"})
		started, rec := b.start(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
		r := b.wait(started.Turn)
		store := b.session.Proposals
		all := proposal.Selector{Proposal: r.Proposal.ID, Revision: 1}
		store.MarkShown(r.Proposal.ID, 1)
		settle := func() {
			if late {
				store.Sent.SettleFrom(b.ws.Snapshot())
			}
		}
		if _, err := store.Apply(t.Context(), all, writer{b, late}); err != nil {
			t.Fatal(err)
		}
		settle()
		settle() // is told once
		if _, err := store.Undo(t.Context(), r.Turn, writer{b, late}); err != nil {
			t.Fatal(err)
		}
		settle()
		if _, err := store.Redo(t.Context(), r.Turn, writer{b, late}); err != nil {
			t.Fatal(err)
		}
		settle()
		want := "pending 1, ended, applying 1, apply, update a.py, applied 1, undo, update a.py, undone 1, redo, update a.py, applied 1"
		got := strings.Join(slices.Compact(slices.DeleteFunc(fate(rec.list()), func(s string) bool { return late && s == "unverified 1" })), ", ")
		if late { // what each delivery makes of the proposal before it is seen is the store's to say
			for _, part := range []string{"apply, update a.py, applied 1", "undo, update a.py, undone 1", "redo, update a.py, applied 1"} {
				if strings.Count(got, part) != 1 {
					t.Errorf("late: %s, want %s in it once", got, part)
				}
			}
		} else if got != want {
			t.Errorf("%s, want %s", got, want)
		}
		for i, e := range rec.list() {
			if e.Seq != uint64(i+1) || e.Turn != r.Turn {
				t.Errorf("event %d is %+v", i, e)
			}
			if e.Kind == event.KindLanded && (e.Landed.Proposal != r.Proposal.ID || e.Landed.Revision != 1) {
				t.Errorf("%+v", e.Landed)
			}
			if e.Kind == event.KindProposal && e.Proposal.Label != "Make x two." {
				t.Errorf("%+v", e.Proposal)
			}
		}
	}
}

// A revision is told of by the turn that made it; the one before is superseded, and its own turn tells that.
func TestEventsTellOfRevisions(t *testing.T) {
	b := newBench(t, replies(xIsTwo, strings.NewReplacer("x = 1", "x = 2", "x = 2", "x = 3").Replace(xIsTwo)), map[string]string{"a.py": "x = 1\n"})
	first, one := b.start(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
	b.wait(first.Turn)
	second, two := b.start(agent.Request{Instruction: "No, three.", FollowUp: first.Turn})
	r := b.wait(second.Turn)
	if r.Proposal == nil || r.Proposal.Revision != 2 {
		t.Fatalf("%+v", r)
	}
	if _, err := b.session.Proposals.Discard(proposal.Selector{Proposal: r.Proposal.ID, Revision: 2}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(fate(one.list()), ", "); got != "pending 1, ended, superseded 1" {
		t.Errorf("the first tells %s", got)
	}
	if got := strings.Join(fate(two.list()), ", "); got != "pending 2, ended, discarded 2" {
		t.Errorf("the second tells %s", got)
	}
}

// What an undecided turn has to tell is told however many turns came after it.
func TestEventsOfAnOldTurn(t *testing.T) {
	b := newBench(t, "-- 1.md --\n"+xIsTwo+"-- 2.md --\nFine.\n-- 2.yaml --\nrepeat: true\n", map[string]string{"a.py": "x = 1\n"})
	started, rec := b.start(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
	r := b.wait(started.Turn)
	for range 80 {
		if got, _ := b.run(agent.Request{Instruction: "Why?", Coder: "ask"}); got.State != event.TurnAnswered {
			t.Fatalf("%+v", got)
		}
	}
	if _, err := b.session.Proposals.Discard(proposal.Selector{Proposal: r.Proposal.ID, Revision: 1}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(fate(rec.list()), ", "); got != "pending 1, ended, discarded 1" {
		t.Errorf("told %s", got)
	}
}
