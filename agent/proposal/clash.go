package proposal

import (
	"fmt"
	"slices"

	"coauthor/agent/workspace"
	"coauthor/edits"
)

// Clash is a file of a proposal that cannot be applied as it is, because the user has changed what it changes.
type Clash struct {
	Path   string // as Selector.Files names it
	Op     edits.Op
	Hunks  []int  // of an update, those that clash; none is the whole file
	Reason string // for the user
	// Places are where both sides have changed the same lines; none for what is no matter of lines, such as a new file
	// whose path is taken.
	Places []edits.Conflict
}

// Lines names the place of a conflict in what the user has now.
func (c *Clash) Lines(i int) string { return oursLines(c.Places[i]) }

// Clashes returns what of a selection would be refused now, and the proposal that is meant.
func (s *Store) Clashes(sel Selector, now *workspace.Snapshot) (Proposal, []Clash, error) {
	s.book.mu.Lock()
	e, parts, err := s.book.proposals.choose(sel)
	if err != nil {
		s.book.mu.Unlock()
		return Proposal{}, nil, err
	}
	p := e.now.clone()
	s.book.mu.Unlock()
	var list []Clash
	for _, part := range parts {
		c, err := p.Files[part.file].clash(part.units, now)
		if err != nil {
			return p, nil, err
		}
		if c != nil {
			list = append(list, *c)
		}
	}
	return p, list, nil
}

// clash says how some units of a file clash with what the user has now; nil when they do not.
func (f *File) clash(units []int, now *workspace.Snapshot) (*Clash, error) {
	reason, w, err := f.refused(units, now)
	if err != nil || reason == "" {
		return nil, err
	}
	c := &Clash{Path: f.Path(), Op: f.Change.Op, Reason: reason}
	if w.Op == edits.OpUpdate || w.Op == edits.OpRename {
		text, err := now.Text(w.Path)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", w.Path, err)
		}
		if text != nil {
			_, c.Places = edits.Merge(w.Before, *text, w.After)
		}
	}
	if f.Change.Op != edits.OpUpdate || len(c.Places) == 0 {
		return c, nil
	}
	for _, n := range units {
		if reason, _, err := f.refused([]int{n}, now); err == nil && reason != "" {
			c.Hunks = append(c.Hunks, n)
		}
	}
	if len(c.Hunks) == 0 { // each would do alone
		c.Hunks = slices.Clone(units)
	}
	return c, nil
}

// refused says why some units of a file would be refused now; "" when they would not.
func (f *File) refused(units []int, now *workspace.Snapshot) (reason string, w edits.Change, err error) {
	if w, err = f.meant(units); err != nil {
		return "", w, err
	}
	reason, err = newPlanner(now, TakeNeither).apply(w)
	return reason, w, err
}
