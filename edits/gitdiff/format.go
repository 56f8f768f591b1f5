// Package gitdiff is the edit format in which the model writes a unified diff with line numbers, as
// git prints it.
//
// It says how the format is taught; the parser is that of edits/udiff. Numbers and counts are taken
// as hints, because models count badly: a hunk goes where its lines stand. edits/formats lists it.
package gitdiff

import (
	"embed"

	"coauthor/edits"
	"coauthor/edits/reply"
	"coauthor/edits/udiff"
)

//go:embed *.tmpl *.txtar
var taught embed.FS

// Formats returns the rows of the table that this package stands behind.
func Formats() []edits.Format {
	return []edits.Format{{
		Name:     "gitdiff",
		New:      udiff.NewRenaming,
		Rules:    reply.Text(taught, "rules.md.tmpl"),
		Reminder: reply.Text(taught, "reminder.md.tmpl"),
		Examples: reply.Examples(taught, "example1.txtar"),
	}}
}
