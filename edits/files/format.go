// Package files is the edit format for making a project: the name of each file, and below it a
// fenced block with its content.
//
// It says how the format is taught; the parser is that of edits/wholefile. edits/formats lists it.
package files

import (
	"embed"

	"coauthor/edits"
	"coauthor/edits/reply"
	"coauthor/edits/wholefile"
)

//go:embed *.tmpl *.txtar
var taught embed.FS

// Formats returns the rows of the table that this package stands behind.
func Formats() []edits.Format {
	return []edits.Format{{
		Name:     "files",
		New:      wholefile.New,
		Rules:    reply.Text(taught, "rules.md.tmpl"),
		Reminder: reply.Text(taught, "reminder.md.tmpl"),
		Examples: reply.Examples(taught, "example1.txtar"),
	}}
}
