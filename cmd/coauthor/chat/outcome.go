package chat

import (
	"fmt"

	"coauthor/agent/commit"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
)

// Outcome tells what was written of a change, a line each.
func Outcome(o proposal.Outcome) (list []string) {
	if o.Reason != "" {
		list = append(list, o.Reason)
	}
	for _, f := range o.Files {
		name := f.Path
		if f.Op == edits.OpRename {
			name += " to " + f.To
		}
		if f.State == proposal.LandLanded {
			list = append(list, fmt.Sprintf("%s %s (+%d -%d)", done(f.Op), name, f.Added, f.Removed))
			continue
		}
		list = append(list, fmt.Sprintf("Not written: %s: %s", name, f.Reason))
	}
	return list
}

func done(op edits.Op) string {
	switch op {
	case edits.OpCreate:
		return "Created"
	case edits.OpDelete:
		return "Deleted"
	case edits.OpRename:
		return "Moved"
	case edits.OpUpdate:
		return "Changed"
	}
	return string(op)
}

// Committed tells what became of the changes of a turn in git, a line each.
func Committed(e *event.Commit) []string {
	if e.Hash == "" {
		return []string{"The change was not committed. " + e.Reason}
	}
	return MadeCommit(commit.Committed{Hash: e.Hash, Subject: e.Subject, Files: e.Files, Notes: e.Notes})
}

// MadeCommit tells of a commit, a line each.
func MadeCommit(c commit.Committed) []string { return append([]string{c.String()}, c.Notes...) }

// Used is what a call of a model has used.
func Used(u event.Usage) string {
	text := fmt.Sprintf("%d tokens in, %d out", u.Prompt, u.Completion)
	if u.Estimated {
		text = "about " + text
	}
	if u.Cost > 0 {
		text += fmt.Sprintf(", $%.4f", u.Cost)
	}
	return text
}
