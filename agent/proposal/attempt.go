package proposal

import (
	"fmt"
	"slices"

	"coauthor/agent/event"
	"coauthor/edits"
)

// Attempt is a state that a turn has come to on its way: what all changes were by then. Each is whole, and does not build
// upon others of the list, so that the user can take any of them in the place of the last one.
type Attempt struct {
	Label    string // what came of it, in a few words
	Changes  []edits.Change
	Warnings []string // as those of a Proposal
}

// untried is the label of a content that is none of the attempts: what was changed after the last of them.
const untried = "not tried"

// came sets the attempts that the content of an entry came by; taken is the number of the one that it is, 0 where that is
// not known. The caller holds mu, or has the entry alone.
func (e *entry) came(attempts []Attempt, taken int) {
	e.attempts, e.now.Attempts, e.now.Attempt = nil, nil, 0
	if len(attempts) == 0 {
		return
	}
	e.now.Attempt = taken
	content := make([]edits.Change, 0, len(e.now.Files))
	for i := range e.now.Files {
		content = append(content, e.now.Files[i].Change)
	}
	e.attempts = slices.Clone(attempts)
	for i, a := range slices.Backward(e.attempts) {
		if e.now.Attempt == 0 && sameChanges(a.Changes, content) {
			e.now.Attempt = i + 1
		}
	}
	if e.now.Attempt == 0 { // else it were gone as soon as another one is taken
		e.attempts = append(e.attempts, Attempt{Label: untried, Changes: content, Warnings: e.now.Warnings})
		e.now.Attempt = len(e.attempts)
	}
	for _, a := range e.attempts {
		e.now.Attempts = append(e.now.Attempts, a.ref())
	}
}

// sameChanges says whether two lists change the same files in the same way.
func sameChanges(a, b []edits.Change) bool {
	key := func(c edits.Change) string { return c.Path + "\x00" + string(c.Op) + "\x00" + c.To + "\x00" + c.After }
	keys := func(list []edits.Change) []string {
		var all []string
		for _, c := range list {
			if c.Op != edits.OpUpdate || c.Before != c.After {
				all = append(all, key(c))
			}
		}
		slices.Sort(all)
		return all
	}
	return slices.Equal(keys(a), keys(b))
}

// ref is what to know of an attempt.
func (a Attempt) ref() event.AttemptRef {
	ref := event.AttemptRef{Label: a.Label, Files: []string{}}
	for _, c := range a.Changes {
		f := File{Change: c, Hunks: edits.Diff(c.Before, c.After)}
		added, removed := f.Counts()
		ref.Files, ref.Added, ref.Removed = append(ref.Files, f.Path()), ref.Added+added, ref.Removed+removed
	}
	return ref
}

// TakeAttempt makes one of the attempts of a pending proposal its content, as its next revision, which has not been
// shown yet. n counts from 1. A revision in sel must be the newest: the numbers are those of what the user saw.
func (s *Store) TakeAttempt(sel Selector, n int) (Proposal, error) {
	s.book.mu.Lock()
	e, err := s.book.proposals.named(sel)
	if err == nil {
		err = e.open()
	}
	if err == nil && sel.Revision != 0 {
		err = e.revision(sel.Revision)
	}
	if err != nil {
		s.book.mu.Unlock()
		return Proposal{}, err
	}
	switch {
	case len(e.attempts) == 0:
		err = refuse(ErrNone, "this change has no other attempts")
	case n < 1 || n > len(e.attempts):
		err = refuse(ErrNone, "no attempt %d; choose a number from 1 to %d", n, len(e.attempts))
	case slices.ContainsFunc(e.now.Files, func(f File) bool { return f.Landed() || len(f.with(HunkSent)) > 0 }):
		err = refuse(ErrNone, "this change is partly applied; undo it before you switch to another attempt")
	}
	if err != nil {
		s.book.mu.Unlock()
		return Proposal{}, err
	}
	id, turn, label, base, seen := e.now.ID, e.now.Turn, e.now.Label, bases(e.now.Files), e.now.Revision
	attempts := e.attempts
	s.book.mu.Unlock()
	one := attempts[n-1]
	files, err := s.book.cut(one.Changes, nil)
	if err != nil {
		return Proposal{}, err
	}
	for i := range files { // what is there was seen when the turn began
		files[i].Base = base[files[i].Change.Path]
	}
	verdict := fmt.Sprintf("attempt %d of %d: %s", n, len(attempts), one.Label)
	p, err := s.book.supersede(id, seen, turn, label, files, Checked{Warnings: one.Warnings, Verdict: verdict, Attempts: attempts, taken: n})
	if err != nil {
		return Proposal{}, err
	}
	return *p, nil
}

func bases(files []File) map[string]Base {
	m := map[string]Base{}
	for _, f := range files {
		m[f.Change.Path] = f.Base
	}
	return m
}
