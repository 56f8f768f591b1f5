package agent

import (
	"errors"
	"io/fs"
	"slices"

	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// rebase puts the parts of a proposal that were not discarded on what the user has now. The paths
// where that cannot be done are stale.
func rebase(files []proposal.File, base *workspace.Snapshot) (changes []edits.Change, stale []string) {
	for i := range files {
		f := &files[i]
		c, ok := rebaseFile(f, base)
		switch {
		case !ok:
			stale = append(stale, f.Change.Path)
		case c.Op != edits.OpUpdate || c.Before != c.After:
			changes = append(changes, c)
		}
	}
	return changes, stale
}

func rebaseFile(f *proposal.File, base *workspace.Snapshot) (edits.Change, bool) {
	c := f.Change
	if len(f.Hunks) == 0 && f.Done[0] == proposal.HunkDiscarded {
		return edits.Change{Path: c.Path, Op: edits.OpUpdate}, true
	}
	after := c.After
	if dropped := discarded(f); len(dropped) > 0 {
		if len(dropped) == len(f.Hunks) && c.Op != edits.OpRename {
			return edits.Change{Path: c.Path, Op: edits.OpUpdate}, true
		}
		text, err := edits.ApplyHunks(c.Before, slices.DeleteFunc(slices.Clone(f.Hunks), func(h edits.Hunk) bool {
			return f.Done[h.Number] == proposal.HunkDiscarded
		}))
		if err != nil {
			return c, false
		}
		after = text
	}
	now, err := base.Read(c.Path)
	absent := errors.Is(err, fs.ErrNotExist)
	if err != nil && !absent {
		return c, false
	}
	switch c.Op {
	case edits.OpCreate:
		if !absent && now != after {
			return c, false
		}
		if !absent {
			return edits.Change{Path: c.Path, Op: edits.OpUpdate, Before: now, After: now}, true
		}
		return edits.Change{Path: c.Path, Op: c.Op, After: after}, true
	case edits.OpDelete:
		return c, !absent && now == c.Before
	case edits.OpRename:
		if absent || base.Exists(c.To) {
			return c, false
		}
	case edits.OpUpdate:
		if absent {
			return c, false
		}
	}
	merged, conflicts := edits.Merge(c.Before, now, after)
	return edits.Change{Path: c.Path, Op: c.Op, To: c.To, Before: now, After: merged}, len(conflicts) == 0
}

func discarded(f *proposal.File) []int {
	var list []int
	for _, h := range f.Hunks {
		if f.Done[h.Number] == proposal.HunkDiscarded {
			list = append(list, h.Number)
		}
	}
	return list
}
