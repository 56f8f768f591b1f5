package proposal

import (
	"fmt"
	"slices"

	"coauthor/edits"
)

// Attempt is a state that a turn has come to on its way: what all changes were by then. Each is whole, and does not build
// upon others of the list, so that the user can take any of them in the place of the last one.
type Attempt struct {
	Label   string // what came of it, in a few words
	Changes []edits.Change
}

// TakeAttempt makes one of the attempts of a pending proposal its content, as its next revision, which has not been
// shown yet. n counts from 1.
func (s *Store) TakeAttempt(sel Selector, n int) (Proposal, error) {
	s.mu.Lock()
	e, err := s.named(sel)
	if err == nil {
		err = e.open()
	}
	if err != nil {
		s.mu.Unlock()
		return Proposal{}, err
	}
	switch {
	case len(e.attempts) == 0:
		err = refuse(ErrNone, "this change has no attempts to choose from")
	case n < 1 || n > len(e.attempts):
		err = refuse(ErrNone, "there is no attempt %d: this change has those from 1 to %d", n, len(e.attempts))
	case slices.ContainsFunc(e.now.Files, func(f File) bool { return f.Landed() || len(f.with(HunkSent)) > 0 }):
		err = refuse(ErrNone, "a part of this change is applied already: undo it before you take another attempt")
	}
	if err != nil {
		s.mu.Unlock()
		return Proposal{}, err
	}
	id, turn, label, base := e.now.ID, e.now.Turn, e.now.Label, bases(e.now.Files)
	attempts := e.attempts
	s.mu.Unlock()
	one := attempts[n-1]
	files, err := s.cut(one.Changes, nil)
	if err != nil {
		return Proposal{}, err
	}
	for i := range files { // what is there was seen when the turn began
		files[i].Base = base[files[i].Change.Path]
	}
	p, err := s.supersede(id, turn, label, files, Checked{Verdict: fmt.Sprintf("attempt %d of %d: %s", n, len(attempts), one.Label), Attempts: attempts})
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

// labels are those of attempts.
func labels(attempts []Attempt) []string {
	var list []string
	for _, a := range attempts {
		list = append(list, a.Label)
	}
	return list
}
