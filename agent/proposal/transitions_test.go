package proposal

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"coauthor/agent/event"
	"coauthor/edits"
)

// transitions is the state machine of a proposal.
func transitions() []event.ProposalTransition {
	var rows []event.ProposalTransition
	add := func(on event.UserAction, from event.ProposalState, to ...event.ProposalState) {
		for _, one := range to {
			rows = append(rows, event.ProposalTransition{From: from, On: on, To: one})
		}
	}
	for _, from := range []event.ProposalState{event.ProposalPending, event.ProposalPartial, event.ProposalConflict, event.ProposalUnverified} {
		add(event.ActionApply, from, event.ProposalApplying)
		add(event.ActionAmend, from, event.ProposalPending)
	}
	add(event.ActionAnswer, event.ProposalApplying, event.ProposalApplied, event.ProposalPartial, event.ProposalConflict, event.ProposalUnverified,
		event.ProposalPending) // nothing has arrived

	// What is left when a part is dropped decides.
	add(event.ActionDiscard, event.ProposalPending, event.ProposalPending, event.ProposalDiscarded)
	add(event.ActionDiscard, event.ProposalPartial, event.ProposalPartial, event.ProposalApplied)
	add(event.ActionDiscard, event.ProposalConflict, event.ProposalPending, event.ProposalPartial, event.ProposalDiscarded, event.ProposalApplied)
	add(event.ActionDiscard, event.ProposalUnverified, event.ProposalUnverified)

	// A document shows, later than the editor's answer, what has arrived.
	add(event.ActionView, event.ProposalUnverified, event.ProposalApplied, event.ProposalPartial, event.ProposalPending)

	// What is open stays so when the rest is taken back, but the proposal is not decided on again. Of what is taken back, too,
	// it may be unknown whether that arrived, until a document shows that it has, or that it has not.
	for _, from := range []event.ProposalState{event.ProposalApplied, event.ProposalPartial, event.ProposalConflict} {
		add(event.ActionUndo, from, event.ProposalUndone, event.ProposalUnverified)
	}
	add(event.ActionUndo, event.ProposalUnverified, event.ProposalUndone, event.ProposalApplied, event.ProposalPartial, event.ProposalConflict)
	add(event.ActionRedo, event.ProposalUndone, event.ProposalApplied, event.ProposalPartial, event.ProposalConflict, event.ProposalUnverified)
	add(event.ActionRedo, event.ProposalUnverified, event.ProposalUndone, event.ProposalPartial, event.ProposalApplied)
	return rows
}

// tableOf is the state machine of a proposal, as a set.
func tableOf() map[event.ProposalTransition]bool {
	rows := map[event.ProposalTransition]bool{}
	for _, row := range transitions() {
		rows[row] = true
	}
	return rows
}

// allows says whether the table has a row for an action in a state.
func allows(from event.ProposalState, on event.UserAction) bool {
	return slices.ContainsFunc(transitions(), func(row event.ProposalTransition) bool { return row.From == from && row.On == on })
}

// watcher notes the transitions of a store and complains of those that are no row.
type watcher struct {
	mu    sync.Mutex
	rows  map[event.ProposalTransition]bool
	seen  map[event.ProposalTransition]string // by whom first
	wrong map[event.ProposalTransition]string
}

func (w *watcher) watch(s *Store, who func() string) {
	s.book.watch = func(tr event.ProposalTransition) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if tr.From == tr.To && !w.rows[tr] {
			return // nothing of it came
		}
		if w.seen[tr] == "" {
			w.seen[tr] = who()
		}
		if !w.rows[tr] && w.wrong[tr] == "" {
			w.wrong[tr] = who()
		}
	}
}

// Whatever the user decides, types, takes back and does again, and however the editor answers, a proposal goes from state to
// state as the table has it; every row is gone through, and what has no row in a state is refused there and changes nothing.
func TestProposalsFollowTheirTable(t *testing.T) {
	w := &watcher{rows: tableOf(), seen: map[event.ProposalTransition]string{}, wrong: map[event.ProposalTransition]string{}}
	refused := map[string]bool{}
	for seed := range uint64(700) {
		playActions(t, w, seed, refused)
	}
	playRare(t, w)
	for tr, who := range w.wrong {
		t.Errorf("from %s on %s to %s is no row: %s", tr.From, tr.On, tr.To, who)
	}
	for tr := range w.rows {
		if w.seen[tr] == "" {
			t.Errorf("nothing goes from %s on %s to %s", tr.From, tr.On, tr.To)
		}
	}
	for _, from := range []event.ProposalState{
		event.ProposalPending, event.ProposalApplied, event.ProposalUnverified, event.ProposalPartial, event.ProposalConflict,
		event.ProposalDiscarded, event.ProposalUndone,
	} { // no proposal is found superseded; the one that is being applied is TestNothingIsDecidedWhileItIsApplied
		for _, on := range []event.UserAction{event.ActionApply, event.ActionDiscard, event.ActionAmend} {
			if key := fmt.Sprintf("%s %s", from, on); !allows(from, on) && !refused[key] {
				t.Errorf("%s was never tried, and so not refused, while %s", on, from)
			}
		}
	}
}

// playActions plays one proposal.
func playActions(t *testing.T, w *watcher, seed uint64, refused map[string]bool) {
	r := rand.New(rand.NewPCG(seed, 15))
	base := numbered(30)
	goal := strings.NewReplacer("line 3\n", "three\n", "line 15\n", "fifteen\n").Replace(base)
	files := map[string]string{"a": base, "b": "b\n"}
	changes := []edits.Change{update("a", base, goal)}
	if r.IntN(2) == 0 {
		changes = append(changes, update("b", "b\n", "B\n"))
	}
	ed := newEditor(t, files)
	s := newStore(t)
	var story []string
	w.watch(s, func() string { return fmt.Sprintf("seed %d: %s", seed, strings.Join(story, ", ")) })
	p := add(t, s, changes...)
	var lost []func() // what the editor does only later
	answers := func() {
		how := r.IntN(6)
		ed.answer = nil
		if how > 3 {
			return
		}
		ed.answer = func(step Step) (Landed, bool) {
			c := step.Change
			switch how {
			case 0:
				return Landed{State: LandAbsent}, true
			case 1:
				return Landed{State: LandRefused, Reason: "no"}, true
			case 2: // it comes, and nobody hears of it
				lost = append(lost, func() {
					if ed.text(c.Path) == c.Before {
						ed.typed(c.Path, c.After)
					}
				})
				return Landed{State: LandUnknown}, true
			}
			if r.IntN(2) == 0 {
				return Landed{State: LandAbsent}, true
			}
			return Landed{}, false
		}
	}
	for range 14 {
		now, _ := s.Get(p.ID)
		s.MarkShown(p.ID, now.Revision)
		sel := Selector{Proposal: p.ID, Revision: now.Revision}
		if r.IntN(2) == 0 {
			sel.Files = []string{"a"}
			sel.Hunks = []int{1 + r.IntN(2)}
		}
		var on event.UserAction
		var err error
		answers()
		switch r.IntN(8) {
		case 0, 1:
			on = event.ActionApply
			story = append(story, fmt.Sprintf("apply %v", sel.Hunks))
			_, err = s.Apply(context.Background(), sel, ed)
		case 2:
			on = event.ActionDiscard
			story = append(story, fmt.Sprintf("discard %v", sel.Hunks))
			_, err = s.Discard(sel)
		case 3:
			on = event.ActionAmend
			story = append(story, "amend")
			_, err = s.Supersede(p.ID, now.Turn, "again", []edits.Change{update("a", ed.text("a"), ed.text("a")+"more\n")}, nil, Checked{})
		case 4:
			story = append(story, "undo")
			_, _ = s.Undo(context.Background(), "", ed)
		case 5:
			story = append(story, "redo")
			_, _ = s.Redo(context.Background(), "", ed)
		case 6:
			story = append(story, "it comes")
			for _, f := range lost {
				f()
			}
			lost = nil
			s.Sent.Settle("a", ed.text("a"))
			s.Sent.SettleFrom(ed.Current())
		case 7:
			story = append(story, "type")
			ed.typed("a", strings.Replace(ed.text("a"), "line 3\n", "mine\n", 1))
		}
		if on == "" {
			continue
		}
		after, _ := s.Get(p.ID)
		if !allows(now.State, on) {
			refused[fmt.Sprintf("%s %s", now.State, on)] = true
			if err == nil {
				t.Errorf("seed %d: %s while %s was not refused: %v", seed, on, now.State, story)
			}
		}
		if err != nil && after.State != now.State && now.State != event.ProposalUnverified { // which is looked at first
			t.Errorf("seed %d: %s while %s was refused (%v), and it is %s: %v", seed, on, now.State, err, after.State, story)
		}
	}
}

// playRare plays what chance comes to seldom.
func playRare(t *testing.T, w *watcher) {
	start := func(who string) (*Store, *editor, Selector) {
		base := numbered(30)
		ed := newEditor(t, map[string]string{"a": base, "b": "b\n"})
		s := newStore(t)
		w.watch(s, func() string { return who })
		p := add(t, s, update("a", base, strings.NewReplacer("line 3\n", "three\n", "line 15\n", "fifteen\n").Replace(base)), update("b", "b\n", "B\n"))
		return s, ed, Selector{Proposal: p.ID, Revision: 1}
	}
	hunk := func(sel Selector, n int) Selector {
		sel.Files, sel.Hunks = []string{"a"}, []int{n}
		return sel
	}
	s, ed, sel := start("the hunk in conflict is dropped, and another one is open")
	out, err := s.Apply(context.Background(), hunk(sel, 2), ed)
	wantOutcome(t, out, err, StatusApplied)
	ed.typed("a", strings.Replace(ed.text("a"), "line 3\n", "mine\n", 1))
	out, err = s.Apply(context.Background(), sel, ed)
	wantOutcome(t, out, err, StatusConflict)
	if _, err := s.Discard(hunk(sel, 1)); err != nil {
		t.Fatal(err)
	}

	s, ed, sel = start("a part is done again, which is seen late")
	_, _ = s.Apply(context.Background(), hunk(sel, 2), ed)
	out, err = s.Undo(context.Background(), "", ed)
	wantOutcome(t, out, err, StatusUndone)
	var goal string
	ed.answer = func(step Step) (Landed, bool) {
		goal = step.Change.After
		return Landed{State: LandUnknown}, true
	}
	_, _ = s.Redo(context.Background(), "", ed)
	ed.typed("a", goal)
	s.Sent.Settle("a", goal)
}

// While a proposal is on its way to the editor nobody can decide on it.
func TestNothingIsDecidedWhileItIsApplied(t *testing.T) {
	ed := newEditor(t, map[string]string{"a": "a\n"})
	s := newStore(t)
	p := add(t, s, update("a", "a\n", "A\n"))
	tried := false
	ed.before = func() {
		tried = true
		now, _ := s.Get(p.ID)
		if now.State != event.ProposalApplying {
			t.Errorf("it is %s", now.State)
		}
		if _, err := s.Discard(Selector{Proposal: p.ID, Revision: 1}); err == nil {
			t.Error("it was discarded")
		}
		if _, err := s.Supersede(p.ID, "t2", "again", []edits.Change{update("a", "a\n", "B\n")}, nil, Checked{}); err == nil {
			t.Error("it was amended")
		}
	}
	out, err := s.Apply(context.Background(), Selector{Proposal: p.ID, Revision: 1}, ed)
	wantOutcome(t, out, err, StatusApplied)
	for _, on := range []event.UserAction{event.ActionApply, event.ActionDiscard, event.ActionAmend} {
		if allows(event.ProposalApplying, on) {
			t.Errorf("the table lets users %s what is on its way", on)
		}
	}
	if !tried {
		t.Error("nothing was sent")
	}
}
