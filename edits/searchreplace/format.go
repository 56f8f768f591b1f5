package searchreplace

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
	row := func(name, rules, reminder string, examples ...string) edits.Format {
		return edits.Format{Name: name, New: New, Rules: reply.Text(taught, rules), Reminder: reply.Text(taught, reminder),
			Examples: reply.Examples(taught, examples...)}
	}
	diff := row("diff", "rules.md.tmpl", "reminder.md.tmpl", "example1.txtar", "example2.txtar")
	small := reply.Examples(taught, "small.txtar")[0]
	small.Small = true
	diff.Examples = append(diff.Examples, small)
	return []edits.Format{
		diff,
		row("diff-fenced", "fenced.md.tmpl", "fencedreminder.md.tmpl", "fencedexample.txtar"),
		row("editor-diff", "editor.md.tmpl", "reminder.md.tmpl", "example1.txtar", "example2.txtar"),
		row("editor-diff-fenced", "editorfenced.md.tmpl", "fencedreminder.md.tmpl", "fencedexample.txtar"),
	}
}
