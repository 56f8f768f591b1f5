package proposal

import (
	"fmt"
	"slices"
	"strings"

	"coauthor/edits"
)

// takeUnits makes the jobs that take units of a file back, where they stand now. In now is what the jobs before make of texts.
// The caller holds the ledger's mu.
func (d *delivery) takeUnits(i int, units []int, now map[string]string) (jobs []job) {
	f := &d.files[i]
	c, at := f.change, place(&f.change)
	track := f.seen().track.Clone()
	if text, planned := now[at]; planned {
		track.Follow(text)
	}
	add := func(change edits.Change, units ...int) {
		jobs = append(jobs, job{change: change, back: &back{Delivery: d.id, File: i, Units: units}})
	}
	refuse := func(reason string, units ...int) {
		same := edits.Change{Path: at, Op: edits.OpUpdate, Before: track.Text(), After: track.Text()}
		add(same, units...)
		last := &jobs[len(jobs)-1]
		last.state, last.conflict, last.reason = LandRefused, true, reason
	}
	var whole []int
	for _, h := range track.Hunks() {
		switch {
		case !slices.Contains(units, h.Number):
		case h.State == edits.TrackIntact:
			whole = append(whole, h.Number)
		default:
			refuse(fmt.Sprintf("you edited %s of %s; undo your edits there first, or keep the hunk",
				linesAt(track.Text(), h.Start, h.End), at), h.Number)
		}
	}
	if len(whole) > 0 {
		after := track.Without(whole...)
		add(edits.Change{Path: at, Op: edits.OpUpdate, Before: track.Text(), After: after}, whole...)
		track.Follow(after)
	}
	now[at] = track.Text()
	if !slices.Contains(units, 0) {
		return jobs
	}
	switch c.Op {
	case edits.OpCreate:
		if track.Text() != c.After {
			refuse(fmt.Sprintf("you edited %s after it was created; delete the file yourself, or keep it", at), 0)
			return jobs
		}
		add(edits.Inverse(c), 0)
	case edits.OpDelete:
		add(edits.Inverse(c), 0)
	case edits.OpRename:
		add(edits.Change{Path: c.To, Op: edits.OpRename, To: c.Path, Before: track.Text(), After: track.Text()}, 0)
	case edits.OpUpdate:
	}
	return jobs
}

// linesAt names the lines of a place in a text.
func linesAt(text string, start, end int) string {
	first := strings.Count(text[:start], "\n") + 1
	last := first + strings.Count(strings.TrimSuffix(text[start:end], "\n"), "\n")
	if first == last {
		return fmt.Sprintf("line %d", first)
	}
	return fmt.Sprintf("lines %d to %d", first, last)
}
