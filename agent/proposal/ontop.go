package proposal

import (
	"slices"

	"coauthor/agent/workspace"
	"coauthor/edits"
)

// OnTop puts the parts of a proposal that were not discarded on what the user has now, as applying them would:
// changes to base, in the order that all editors can take. The paths where that cannot be done are stale,
// and left as they are.
func OnTop(files []File, base *workspace.Snapshot) (changes []edits.Change, stale []string) {
	planned := newPlanner(base, TakeNeither)
	for i := range files {
		f := &files[i]
		w, left, err := f.kept()
		if !left {
			continue
		}
		conflict := ""
		if err == nil {
			conflict, err = planned.apply(w)
		}
		if err != nil || conflict != "" {
			stale = append(stale, f.Change.Path)
		}
	}
	return planned.changes(), stale
}

// kept is the change without the hunks that were discarded, and whether anything is left of it.
func (f *File) kept() (w edits.Change, left bool, err error) {
	w = f.Change
	gone := f.with(HunkDiscarded)
	switch len(gone) {
	case 0:
		return w, true, nil
	case len(f.units()): // also of a move: who discards its edit discards the move
		return w, false, nil
	}
	w.After, err = edits.ApplyHunks(w.Before, slices.DeleteFunc(slices.Clone(f.Hunks), func(h edits.Hunk) bool {
		return slices.Contains(gone, h.Number)
	}))
	return w, true, err
}
