package deliver

import (
	"strings"

	"coauthor/agent/proposal"
	"coauthor/edits"
)

// textOf is what a file reads before, and goalOf after.
func textOf(name string) string { return "1\n" + name + "\n3\n" }
func goalOf(name string) string { return "1\n" + strings.ToUpper(name) + "\n3\n" }

func changed(path, before, after string) edits.Change {
	return edits.Change{Path: path, Op: edits.OpUpdate, Before: before, After: after}
}

// plan makes steps of words: "a" update, "+a" create, "+a=" create empty, "-a" delete, "a>b" rename, "a>>b" rename
// and edit; "?" in front asks for the user's consent.
func plan(words string) []proposal.Step {
	var list []proposal.Step
	for word := range strings.FieldsSeq(words) {
		name, consent := strings.CutPrefix(word, "?")
		c := edits.Change{Op: edits.OpUpdate, Path: name}
		switch from, to, renamed := strings.Cut(name, ">"); {
		case renamed:
			c = edits.Change{Op: edits.OpRename, Path: from, To: strings.TrimPrefix(to, ">"), After: textOf(from)}
			if strings.HasPrefix(to, ">") {
				c.After = goalOf(from)
			}
		case name[0] == '+':
			c = edits.Change{Op: edits.OpCreate, Path: strings.TrimSuffix(name[1:], "="), After: goalOf(name[1:])}
			if c.Path != name[1:] {
				c.After = ""
			}
		case name[0] == '-':
			c = edits.Change{Op: edits.OpDelete, Path: name[1:]}
		default:
			c.After = goalOf(name)
		}
		if c.Op != edits.OpCreate {
			c.Before = textOf(c.Path)
		}
		list = append(list, proposal.Step{Change: c, Hunks: edits.Diff(c.Before, c.After), Consent: consent})
	}
	return list
}
