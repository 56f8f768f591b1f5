package udiff

import (
	"embed"

	"coauthor/edits"
	"coauthor/edits/reply"
)

//go:embed *.tmpl *.txtar
var taught embed.FS

// Formats returns the rows of the table that this package stands behind.
func Formats() []edits.Format {
	examples := reply.Examples(taught, "example1.txtar")
	return []edits.Format{
		{Name: "udiff", New: New, Rules: reply.Text(taught, "rules.md.tmpl"), Reminder: reply.Text(taught, "reminder.md.tmpl"), Examples: examples},
		{Name: "udiff-simple", New: New, Rules: reply.Text(taught, "simple.md.tmpl"), Reminder: reply.Text(taught, "reminder.md.tmpl"), Examples: examples},
	}
}
