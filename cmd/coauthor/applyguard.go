package main

import (
	"slices"

	"coauthor/edits"
	"coauthor/edits/loss"
)

// guard keeps back what takes most of a file away, as package loss counts it, and returns the changes that are left. A
// person is told and decides; where nobody can be asked it is a failure beside the good ones, but for a file that the
// reply deletes by name.
func (c *ApplyCmd) guard(report *applyReport, changes []edits.Change, person bool) []edits.Change {
	if c.Force {
		return changes
	}
	for _, l := range loss.Guard(changes, report.listed) {
		switch {
		case person:
			report.warnings = append(report.warnings, "this "+l.String())
		case l.Deleted:
		default:
			report.Failures = append(report.Failures, applyFailure{Edit: -1, Path: l.Path, Reason: edits.ReasonLoss,
				Message: "this " + l.String() + ", so coauthor did not write it; add --force to write it anyway"})
			changes = slices.DeleteFunc(slices.Clone(changes), func(ch edits.Change) bool { return ch.Path == l.Path })
		}
	}
	return changes
}
