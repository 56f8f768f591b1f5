package proposal

import (
	"coauthor/agent/event"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"context"
	"slices"
)

// Sent tells what was delivered of the proposals of a root and what became of that. It is safe for concurrent use.
type Sent struct{ book *ledger }

// LastApplied returns the turn whose change of path came last and is still there.
func (s *Sent) LastApplied(path string) (turn string, ok bool) {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	for _, d := range slices.Backward(s.book.sent.list) {
		if d.op == opUndo || d.pieceBack() {
			continue
		}
		for i := range d.files {
			if d.live(i) && slices.Contains(touched(d.files[i].change), path) {
				return d.turn, true
			}
		}
	}
	return "", false
}

// LastUndone returns the turn that was taken back last and can be brought back, when it touched path.
func (s *Sent) LastUndone(path string) (turn string, ok bool) {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	last := s.book.sent.lastTurn(opRedo)
	for _, d := range slices.Backward(s.book.sent.list) {
		if d.turn != last || d.pieceBack() {
			continue
		}
		if d.op != opUndo {
			if anyLive(d) {
				return "", false // something was applied after the last undo
			}
			continue
		}
		for i := range d.files {
			if d.live(i) && slices.Contains(touched(d.files[i].change), path) {
				return d.turn, true
			}
		}
	}
	return "", false
}

// Settle tells what a file was seen to read, for the deliveries that did not know yet whether they
// arrived. It only ever finds that something has: what is missing may be on its way. It costs
// nothing when there is nothing to settle, and little while the user types elsewhere in the file, so
// it may be called for every change of a document.
func (s *Sent) Settle(path, text string) {
	s.settle(func(f *delivered) (LandState, *string) {
		c := f.change
		switch {
		case c.Op == edits.OpRename && c.To == path && f.look.again(&c, text):
			return Check(c, nil, &text)
		case c.Op != edits.OpRename && c.Path == path && f.look.again(&c, text):
			return Check(c, &text, nil)
		}
		return LandUnknown, nil
	}, func(found LandState) bool { return found == LandLanded })
}

// Unsettled says whether it is unknown of any file what became of it. It costs nothing.
func (s *Sent) Unsettled() bool { return s.book.sent.unsettled.Load() > 0 }

// Told tells that the editor has sent what path reads in a snapshot after all of its deliveries were
// answered. So what is awaited of that file and is not there was not done.
func (s *Sent) Told(path string, now *workspace.Snapshot) {
	s.settle(func(f *delivered) (LandState, *string) {
		if !f.awaited || !slices.Contains(touched(f.change), path) {
			return LandUnknown, nil
		}
		return look(f.change, now)
	}, func(LandState) bool { return true })
}

// SettleFrom compares everything that is not known yet with what the user has now and believes what
// it finds. It must only be called with a snapshot from well after the last delivery, such as that
// of the user's next request.
func (s *Sent) SettleFrom(now *workspace.Snapshot) {
	s.settle(func(f *delivered) (LandState, *string) {
		return look(f.change, now)
	}, func(LandState) bool { return true })
}

// look compares a change with a snapshot; a file that cannot be read is Unknown.
func look(c edits.Change, now *workspace.Snapshot) (LandState, *string) {
	path, err := now.Text(c.Path)
	if err != nil {
		return LandUnknown, nil
	}
	var to *string
	if c.Op == edits.OpRename {
		if to, err = now.Text(c.To); err != nil {
			return LandUnknown, nil
		}
		if to != nil && now.Unsaved(c.Path) && !now.Unsaved(c.To) {
			path = nil // the file was moved on disk, and its document is still open
		}
	}
	return Check(c, path, to)
}

func (s *Sent) settle(find func(*delivered) (LandState, *string), believe func(LandState) bool) {
	if s.book.sent.unsettled.Load() == 0 {
		return
	}
	var changed []Proposal
	landed := false
	s.book.mu.Lock()
	for _, d := range s.book.sent.list {
		hit := false
		for i := range d.files {
			f := &d.files[i]
			if f.state != LandUnknown && f.state != LandDiffers || f.reversed || s.book.inFlight == d {
				continue
			}
			found, text := find(f)
			if found == LandUnknown || found == f.state || !believe(found) {
				continue
			}
			s.book.sent.count(f, found)
			f.accept(text)
			// What was moved without its edit can be edited still.
			f.awaited = f.awaited && found == LandDiffers && f.change.Op == edits.OpRename
			hit, landed = true, landed || found == LandLanded
		}
		if !hit {
			continue
		}
		s.book.records.note(d)
		if e := s.book.resolve(d); e != nil {
			changed = append(changed, e.now.clone())
		}
	}
	s.book.mu.Unlock()
	if landed {
		s.book.tellLandings()
	}
	for _, p := range changed {
		s.book.changed(p)
	}
	if landed && s.book.reviewing.Load() {
		s.book.tellReview()
	}
}

// LastChange returns what a turn was asked for, and the last change of a path that it made, or that taking it back made, as
// far as that is still there.
func (s *Sent) LastChange(turn, path string) (label string, c edits.Change, ok bool) {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	for _, d := range slices.Backward(s.book.sent.list) {
		if d.turn != turn {
			continue
		}
		for i := range d.files {
			if d.live(i) && slices.Contains(touched(d.files[i].change), path) {
				return d.bare(), d.files[i].change, true
			}
		}
	}
	return "", edits.Change{}, false
}

// BecameOf is Became for what a turn has proposed, in a revision that a later turn may have replaced.
func (s *Sent) BecameOf(turn string) event.ProposalState {
	id := ""
	s.book.mu.Lock()
	for _, e := range s.book.proposals.list {
		if e.now.Turn == turn {
			id = e.now.ID
		}
		if slices.ContainsFunc(e.old, func(p Proposal) bool { return p.Turn == turn }) && e.now.Turn != turn {
			s.book.mu.Unlock()
			return event.ProposalSuperseded
		}
	}
	for _, d := range s.book.sent.list {
		if id == "" && d.turn == turn && d.op != opUndo {
			id = d.proposal
		}
	}
	s.book.mu.Unlock()
	if id == "" {
		return ""
	}
	return s.Became(id)
}

// BecameOfRounds returns the states of what a turn has proposed after its rounds, the first first; "" is a round that has
// proposed nothing. It is empty for a turn that did not propose so.
func (s *Sent) BecameOfRounds(turn string) []event.ProposalState {
	last := 0
	see := func(name string) {
		if TurnOf(name) == turn {
			last = max(last, RoundOf(name))
		}
	}
	s.book.mu.Lock()
	for _, e := range s.book.proposals.list {
		see(e.now.Turn)
		for i := range e.old {
			see(e.old[i].Turn)
		}
	}
	for _, d := range s.book.sent.list {
		see(d.turn)
	}
	s.book.mu.Unlock()
	list := make([]event.ProposalState, last)
	for i := range list {
		list[i] = s.BecameOf(RoundName(turn, i+1))
	}
	return list
}

// Became returns the state of a proposal, also of one that is forgotten but for what it changed; "" is not known.
func (s *Sent) Became(id string) event.ProposalState {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	if e := s.book.proposals.byID(id); e != nil {
		return e.now.State
	}
	state := event.ProposalState("")
	for _, d := range s.book.sent.list {
		if d.proposal != id || d.op == opUndo {
			continue
		}
		if anyLive(d) {
			return event.ProposalApplied
		}
		if slices.ContainsFunc(d.files, func(f delivered) bool { return f.reversed }) {
			state = event.ProposalUndone
		}
	}
	return state
}

// Created lists the files that turns have made, under a name of their own or by a move, and that were not taken back since:
// whatever program applied them. Some may be gone from the disk.
func (s *Sent) Created(ctx context.Context) ([]string, error) {
	if err := s.book.adopted(ctx); err != nil {
		return nil, err
	}
	var list []string
	add := func(deliveries []*delivery) {
		for _, d := range deliveries {
			if d.op == opUndo {
				continue
			}
			for i := range d.files {
				c := &d.files[i].change
				path := c.Path
				if c.Op == edits.OpRename {
					path = c.To
				} else if c.Op != edits.OpCreate {
					continue
				}
				if d.live(i) && !slices.Contains(list, path) {
					list = append(list, path)
				}
			}
		}
	}
	err := s.everywhere(add)
	return list, err
}

// everywhere calls look with what this program has sent, then with what others have. look may not use the book.
func (s *Sent) everywhere(look func([]*delivery)) error {
	s.book.mu.Lock()
	look(s.book.sent.list)
	s.book.mu.Unlock()
	if s.book.o.Journal == nil {
		return nil
	}
	records, err := s.book.o.Journal.others()
	look(replay(records, s.book.root))
	return err
}

// Made is what a turn has changed in the user's files, as far as it was not taken back since.
type Made struct {
	Turn, Label string // the label is that of its request
	Changes     []edits.Change
}

// Made lists what turns have changed: those of this program, the newest first, then those of others in the same order. A turn that was applied in parts stands
// there for each of them. What the user has done to the files since is not looked at.
func (s *Sent) Made(ctx context.Context) ([]Made, error) {
	if err := s.book.adopted(ctx); err != nil {
		return nil, err
	}
	var list []Made
	add := func(deliveries []*delivery) {
		for _, d := range slices.Backward(deliveries) {
			one := Made{Turn: d.turn, Label: d.bare()}
			for i := range d.files {
				if d.op != opUndo && !d.pieceBack() && d.live(i) {
					one.Changes = append(one.Changes, d.files[i].change)
				}
			}
			if len(one.Changes) > 0 {
				list = append(list, one)
			}
		}
	}
	err := s.everywhere(add)
	return list, err
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
