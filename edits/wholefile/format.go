package wholefile

import (
	"embed"

	"coauthor/edits"
	"coauthor/edits/reply"
)

//go:embed *.tmpl *.txtar
var taught embed.FS

// Formats returns the rows of the table that this package stands behind. They differ in what the
// model is told, not in what is read.
func Formats() []edits.Format {
	row := func(name, rules string) edits.Format {
		return edits.Format{Name: name, New: New, Rules: reply.Text(taught, rules), Reminder: reply.Text(taught, "reminder.md.tmpl"),
			Examples: reply.Examples(taught, "example1.txtar")}
	}
	return []edits.Format{row("whole", "rules.md.tmpl"), row("editor-whole", "editor.md.tmpl")}
}
