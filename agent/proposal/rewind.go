package proposal

import (
	"context"
	"slices"
)

// Rewind takes back everything that some turns have changed, the oldest first in the list, as one change of all
// their files, and keeps what the user typed since. A conflict refuses all of it with a reason. Redo of the
// oldest turn that had changed something brings all of it back. Where they have changed nothing that is still
// there, the error is ErrNotUndone.
func (s *Store) Rewind(ctx context.Context, turns []string, port Delivery) (Outcome, error) {
	return s.takeBack(ctx, port, opUndo, func() (*run, error) { return s.book.sent.rewinding(turns) })
}

// rewinding finds what is to be taken back, the last first. The caller holds mu.
func (ds *deliveries) rewinding(turns []string) (*run, error) {
	r := &run{}
	for _, d := range slices.Backward(ds.list) {
		if d.op == opUndo || !slices.Contains(turns, TurnOf(d.turn)) {
			continue
		}
		for i := range d.files {
			if !d.live(i) {
				continue
			}
			r.jobs = append(r.jobs, d.takenBack(i))
			r.turn, r.proposal, r.revision = d.turn, d.proposal, d.revision
			r.label = title(opUndo) + d.bare()
		}
	}
	if len(r.jobs) == 0 {
		return nil, refuse(ErrNotUndone, "these requests have no changes to undo")
	}
	return r, nil
}

// Drop discards what some turns propose and nobody has decided on yet. It returns how many proposals that were.
func (s *Store) Drop(turns []string) int {
	n := 0
	for _, p := range s.Pending() {
		if !slices.Contains(turns, TurnOf(p.Turn)) {
			continue
		}
		if _, err := s.Discard(Selector{Proposal: p.ID, Revision: p.Revision}); err == nil {
			n++
		}
	}
	return n
}

// AppliedElsewhere says whether what some turns have changed, and what is still there, was applied by another program
// that runs, or on another machine: only there can it be taken back.
func (s *Sent) AppliedElsewhere(ctx context.Context, turns []string) (bool, error) {
	if s.book.o.Journal == nil {
		return false, nil
	}
	if err := s.book.adopted(ctx); err != nil { // what the dead have left is not elsewhere
		return false, err
	}
	records, err := s.book.o.Journal.others()
	for _, d := range replay(records, s.book.root) {
		if d.op != opUndo && slices.Contains(turns, d.turn) && anyLive(d) {
			return true, nil
		}
	}
	return false, err
}
