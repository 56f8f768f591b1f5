package patch

import (
	"embed"

	"coauthor/edits"
	"coauthor/edits/reply"
)

//go:embed *.tmpl *.txtar
var taught embed.FS

// Formats returns the rows of the table that this package stands behind.
func Formats() []edits.Format {
	return []edits.Format{{
		Name:     "patch",
		New:      New,
		Rules:    reply.Text(taught, "rules.md.tmpl"),
		Reminder: reply.Text(taught, "reminder.md.tmpl"),
		Examples: reply.Examples(taught, "example1.txtar"),
	}}
}
