package proposal

import (
	"fmt"
	"slices"

	"coauthor/agent/workspace"
	"coauthor/edits"
)

// Texts are both sides of one file of a proposal, for who draws the difference: the file as it is now, and as applying
// what is undecided would leave it.
type Texts struct {
	File     File
	Old, New *string // nil is no file; New is Old where Conflict says that nothing can be applied
	// Conflict says why the file as a whole cannot be applied now; "" when it can. Of an update single hunks may be in
	// conflict, and the others are in New all the same.
	Conflict string
	Hunks    []TextHunk // the undecided ones, in their order
}

// TextHunk is a hunk with its places.
type TextHunk struct {
	edits.Hunk
	OldAt, NewAt Span // bytes in Old and in New; whole lines, empty on the side that has none of them
	// Conflict: the user has edited the same lines, so that the hunk is not in New and NewAt is where it would stand.
	Conflict bool
}

// Span is a run of bytes.
type Span struct{ Start, End int }

// Texts returns both sides of a file of a proposal, named by its path before or after the change, in a snapshot of what
// the user has now.
func (s *Store) Texts(sel Selector, path string, now *workspace.Snapshot) (Proposal, Texts, error) {
	p, err := s.Find(sel)
	if err != nil {
		return p, Texts{}, err
	}
	f, found := p.File(path)
	if !found {
		return p, Texts{}, fmt.Errorf("the change does not contain %s", path)
	}
	t, err := f.texts(now)
	return p, t, err
}

// texts makes both sides of a file.
func (f *File) texts(now *workspace.Snapshot) (Texts, error) {
	old, err := now.Text(f.Change.Path)
	if err != nil {
		return Texts{}, fmt.Errorf("read %s: %w", f.Change.Path, err)
	}
	t := Texts{File: *f, Old: old, New: old}
	if len(f.Undecided()) == 0 {
		return t, nil
	}
	if f.Change.Op == edits.OpUpdate && old != nil {
		return t, t.update(now)
	}
	planned := newPlanner(now, TakeNeither)
	if t.Conflict, err = planned.apply(f.Change); err != nil {
		return t, err
	}
	if t.Conflict != "" {
		return t, nil
	}
	if t.New, err = planned.read(f.Path()); err != nil {
		return t, fmt.Errorf("read %s: %w", f.Path(), err)
	}
	if t.Old != nil || f.Change.Op == edits.OpCreate { // else the user has moved the file themselves
		t.place(f.Hunks, f.Change.Before, nil)
	}
	return t, nil
}

// update makes both sides of an update: what clashes with what the user has typed is left out of the new one.
func (t *Texts) update(now *workspace.Snapshot) error {
	f := &t.File
	open := f.Undecided()
	fit := open
	reason, _, err := f.refused(open, now)
	if err != nil {
		return err
	}
	if reason != "" {
		t.Conflict, fit = reason, nil
		for _, n := range open { // each that could be applied behind those before it
			why, _, err := f.refused(append(slices.Clone(fit), n), now)
			if err != nil {
				return err
			}
			if why == "" {
				fit = append(fit, n)
			}
		}
	}
	w, err := f.meant(fit)
	if err != nil {
		return err
	}
	merged, conflicts := edits.Merge(w.Before, *t.Old, w.After)
	if len(conflicts) > 0 {
		return fmt.Errorf("cannot merge the change to %s with your text", f.Change.Path) // refused has merged the same
	}
	t.New = &merged
	t.place(pick(f.Hunks, open), w.Before, func(n int) bool { return !slices.Contains(fit, n) })
	return nil
}

// place finds where hunks stand on both sides: before is the text that they were made on, with those that have landed.
func (t *Texts) place(hunks []edits.Hunk, before string, clashes func(number int) bool) {
	there := 0 // how much longer the hunks before have made the text that they were made on
	typed := edits.Diff(before, orEmpty(t.Old))
	grown := 0 // how much longer the hunks before make the text
	for _, h := range t.File.Hunks {
		if d := t.File.Done[h.Number]; t.File.Change.Op == edits.OpUpdate && (d == HunkLanded || d == HunkSent) {
			there += len(h.New) - len(h.Old)
			continue
		}
		if !slices.ContainsFunc(hunks, func(o edits.Hunk) bool { return o.Number == h.Number }) {
			continue
		}
		one := TextHunk{Hunk: h, OldAt: follow(typed, Span{h.OldStart + there, h.OldEnd + there}), Conflict: clashes != nil && clashes(h.Number)}
		size := one.OldAt.End - one.OldAt.Start
		one.NewAt = Span{one.OldAt.Start + grown, one.OldAt.End + grown}
		if !one.Conflict {
			one.NewAt.End = one.NewAt.Start + len(h.New)
			grown += len(h.New) - size
		}
		t.Hunks = append(t.Hunks, one)
	}
}

// follow is where a run of whole lines stands in a text that hunks have changed: what changed beside it moves it, what
// changed in it is part of it.
func follow(typed []edits.Hunk, at Span) Span {
	now := at
	for _, h := range typed {
		grown := len(h.New) - len(h.Old)
		switch {
		case h.OldEnd <= at.Start: // also what was put in right before it
			now.Start, now.End = now.Start+grown, now.End+grown
		case h.OldStart >= at.End:
		default:
			if h.OldStart < at.Start {
				now.Start -= at.Start - h.OldStart
			}
			if now.End += grown; h.OldEnd > at.End {
				now.End += h.OldEnd - at.End
			}
		}
	}
	return now
}

// orEmpty is the text of a file, or of none.
func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
