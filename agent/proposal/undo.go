package proposal

import (
	"context"
	"slices"
)

// Undo takes back everything that a turn has changed, over all its files, and keeps what the user
// typed since; an empty turn is the last one that changed anything. A conflict refuses all of it
// with a reason. Created files are deleted when they are untouched.
func (s *Store) Undo(ctx context.Context, turn string, port Delivery) (Outcome, error) {
	return s.takeBack(ctx, port, opUndo, func() (*run, error) { return s.book.sent.reversal(turn, opUndo) })
}

// Redo brings back what the last undo of a turn took away, in the same manner.
func (s *Store) Redo(ctx context.Context, turn string, port Delivery) (Outcome, error) {
	return s.takeBack(ctx, port, opRedo, func() (*run, error) { return s.book.sent.reversal(turn, opRedo) })
}

// takeBack carries out the jobs that find makes while it holds mu.
func (s *Store) takeBack(ctx context.Context, port Delivery, op operation, find func() (*run, error)) (Outcome, error) {
	if err := s.book.adopted(ctx); err != nil { // what is to be undone may be another server's
		return Outcome{}, err
	}
	end, err := s.book.begin(ctx)
	if err != nil {
		return Outcome{}, err
	}
	defer end()
	now := port.Current()
	s.Sent.SettleFrom(now)
	s.Reviews.At(now) // hunks are taken back where they stand now

	s.book.mu.Lock()
	r, err := find()
	s.book.mu.Unlock()
	if err != nil {
		return Outcome{}, err
	}
	r.book, r.port, r.op = s.book, port, op
	err = r.all(ctx)
	out := r.outcome()
	s.Reviews.At(port.Current())

	s.book.mu.Lock()
	var of []string // the proposals
	for _, j := range r.jobs {
		d := s.book.sent.byID(j.back.Delivery)
		if d == nil {
			continue
		}
		if j.state == LandLanded && j.delivery == nil {
			s.book.sent.tookBack(d, j.back) // the user has taken it back by hand
			s.book.records.note(d)
		}
		if !slices.Contains(of, d.proposal) {
			of = append(of, d.proposal)
		}
	}
	var told []Proposal
	for _, id := range slices.Backward(of) {
		if e := s.book.proposals.byID(id); e != nil {
			e.undone, e.uncertain = s.book.sent.standing(e)
			e.now.Reason = out.Reason
			s.book.restate(e, op.action())
			told = append(told, e.now.clone())
		}
	}
	s.book.mu.Unlock()
	s.book.tellLandings()
	for _, p := range told {
		s.book.changed(p)
	}
	if s.book.reviewing.Load() {
		s.book.tellReview()
	}
	return out, err
}

// reversal finds what is to be taken back, the last first. The caller holds mu.
func (ds *deliveries) reversal(turn string, op operation) (*run, error) {
	if turn == "" {
		turn = ds.lastTurn(op)
	} else {
		turn = ds.lastRound(turn, op)
	}
	r := &run{turn: turn}
	known, act := false, ""
	for _, d := range slices.Backward(ds.list) {
		if d.turn != turn || d.pieceBack() {
			continue
		}
		known = true
		if (op == opRedo) != (d.op == opUndo) {
			if op == opRedo && anyLive(d) {
				break // something was applied after the last undo
			}
			continue
		}
		if op == opRedo && len(r.jobs) > 0 && (d.piece || r.piece) && d.act != act {
			if r.piece {
				break // one decision at a time
			}
			continue // what was taken back piece by piece before the rest
		}
		for i := range d.files {
			if !d.live(i) {
				continue
			}
			if len(r.jobs) == 0 && op == opRedo {
				r.piece, act = d.piece, d.act
			}
			r.review = r.review || d.review
			r.jobs = append(r.jobs, d.takenBack(i))
			r.proposal, r.revision = d.proposal, d.revision
			r.label = title(op) + d.bare()
		}
	}
	switch {
	case len(r.jobs) > 0:
		return r, nil
	case turn == "" && op == opRedo:
		return nil, refuse(ErrNotUndone, "nothing to redo: no change was undone")
	case turn == "":
		return nil, refuse(ErrNotUndone, "nothing to undo: no change was applied in this folder")
	case !known:
		return nil, refuse(ErrNotUndone, "that request did not change any files")
	case op == opRedo:
		return nil, refuse(ErrNotUndone, "cannot redo a change that is not undone")
	}
	return nil, refuse(ErrNotUndone, "that change is already undone")
}

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

// lastTurn returns the turn of the latest delivery that op could take back.
func (ds *deliveries) lastTurn(op operation) string {
	for _, d := range slices.Backward(ds.list) {
		if (op == opRedo) == (d.op == opUndo) && anyLive(d) && !d.pieceBack() {
			return d.turn
		}
	}
	return ""
}

func anyLive(d *delivery) bool {
	for i := range d.files {
		if d.live(i) {
			return true
		}
	}
	return false
}

func title(op operation) string {
	switch op {
	case opUndo:
		return "undo: "
	case opRedo:
		return "redo: "
	case opApply:
	}
	return ""
}

// bare returns the label without what an earlier undo put before it.
func (d *delivery) bare() string { return d.label[len(title(d.op)):] }
