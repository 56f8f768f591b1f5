package edits

import "slices"

// Compose returns the net effect of one set of changes after another: one change for each file
// that is different from what it was before the first. The changes of a set happen at once: two files
// may take each other's place.
func Compose(first, then []Change) []Change {
	set := newChangeSet()
	for _, c := range first {
		set.load(c)
	}
	goes := map[string]Change{}
	for _, c := range then {
		if c.Op == OpRename || c.Op == OpDelete {
			goes[c.Path] = c
		}
	}
	aside := map[string]bool{} // files that had to go before it was their turn
	for _, c := range then {
		delete(goes, c.Path)
		if later, blocked := goes[c.To]; blocked && c.Op == OpRename {
			set.add(Change{Path: later.Path, Op: OpRename, To: asideOf(later.Path), Before: later.Before, After: later.Before})
			aside[later.Path] = true
			delete(goes, later.Path)
		}
		if aside[c.Path] {
			c.Path = asideOf(c.Path)
		}
		set.add(c)
	}
	return set.list()
}

// asideOf is a name that no file has.
func asideOf(path string) string { return "\x00" + path }

// changeSet accumulates changes. Invariant: byOld and byNew name the same changes, by the path
// before all of them and by the path after.
type changeSet struct {
	order        []*Change
	byOld, byNew map[string]*Change
}

func newChangeSet() *changeSet {
	return &changeSet{byOld: map[string]*Change{}, byNew: map[string]*Change{}}
}

// load takes over a change that is a net effect already: its Before is that of the first moment.
func (s *changeSet) load(c Change) {
	switch c.Op {
	case OpCreate, OpUpdate:
		s.insert(c, c.Path)
	case OpDelete:
		s.insert(c, "")
	case OpRename:
		s.insert(c, c.To)
	}
}

// add puts c, whose Path and Before are those of the moment, on top of what is there.
func (s *changeSet) add(c Change) {
	switch c.Op {
	case OpCreate:
		s.put(c.Path, c.After)
	case OpUpdate:
		s.update(c.Path, c.Before, c.After)
	case OpDelete:
		s.remove(c.Path, c.Before)
	case OpRename:
		if c.Path == c.To {
			s.update(c.Path, c.Before, c.After)
			return
		}
		s.rename(c)
	}
}

func (s *changeSet) put(path, after string) {
	if old := s.byOld[path]; old != nil && old.Op == OpDelete {
		old.Op, old.After = OpUpdate, after
		s.byNew[path] = old
		return
	}
	s.insert(Change{Path: path, Op: OpCreate, After: after}, path)
}

func (s *changeSet) update(path, before, after string) {
	if earlier := s.byNew[path]; earlier != nil {
		earlier.After = after
		return
	}
	s.insert(Change{Path: path, Op: OpUpdate, Before: before, After: after}, path)
}

func (s *changeSet) remove(path, before string) {
	earlier := s.byNew[path]
	if earlier == nil {
		s.insert(Change{Path: path, Op: OpDelete, Before: before}, "")
		return
	}
	delete(s.byNew, path)
	if earlier.Op == OpCreate {
		s.forget(earlier)
		return
	}
	earlier.Op, earlier.To, earlier.After = OpDelete, "", ""
}

func (s *changeSet) rename(c Change) {
	target := s.byOld[c.To]
	earlier := s.byNew[c.Path]
	switch {
	case target != nil && target != earlier && target.Op == OpDelete:
		// The target's old file is gone already: its path gets new content.
		s.remove(c.Path, c.Before)
		s.put(c.To, c.After)
	case earlier == nil:
		s.insert(Change{Path: c.Path, Op: OpRename, To: c.To, Before: c.Before, After: c.After}, c.To)
	case earlier.Op == OpCreate:
		s.remove(c.Path, c.Before)
		s.put(c.To, c.After)
	default:
		delete(s.byNew, c.Path)
		earlier.Op, earlier.To, earlier.After = OpRename, c.To, c.After
		if earlier.Path == c.To {
			earlier.Op, earlier.To = OpUpdate, ""
		}
		s.byNew[c.To] = earlier
	}
}

func (s *changeSet) insert(c Change, now string) {
	s.order = append(s.order, &c)
	if c.Op != OpCreate {
		s.byOld[c.Path] = &c
	}
	if now != "" {
		s.byNew[now] = &c
	}
}

func (s *changeSet) forget(c *Change) {
	s.order = slices.DeleteFunc(s.order, func(x *Change) bool { return x == c })
}

// list returns the changes in the order in which their files were first touched, but a file that
// moves to where another one was comes after that one.
func (s *changeSet) list() []Change {
	var out []Change
	done := map[*Change]bool{}
	var emit func(c *Change)
	emit = func(c *Change) {
		if done[c] {
			return
		}
		done[c] = true
		if c.Op == OpRename {
			if before := s.byOld[c.To]; before != nil {
				emit(before)
			}
		}
		if c.Op != OpUpdate || c.Before != c.After {
			out = append(out, *c)
		}
	}
	for _, c := range s.order {
		emit(c)
	}
	return out
}
