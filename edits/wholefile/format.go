package wholefile

import (
	"embed"
	"strings"

	"coauthor/edits"
	"coauthor/edits/reply"
)

//go:embed *.tmpl *.txtar
var taught embed.FS

// Formats returns the rows of the table that this package stands behind: one format, under the name for who carries out a
// plan as well.
func Formats() []edits.Format {
	row := func(name string) edits.Format {
		return edits.Format{Name: name, New: New, Rules: strings.ReplaceAll(reply.Text(taught, "rules.md.tmpl"), "SHAPE", edits.ShapePath),
			Reminder: reply.Text(taught, "reminder.md.tmpl"), Examples: reply.Examples(taught, "example1.txtar")}
	}
	return []edits.Format{row("whole"), row("editor-whole")}
}
