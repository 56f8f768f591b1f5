package searchreplace

import (
	"embed"
	"strings"

	"coauthor/edits"
	"coauthor/edits/reply"
)

//go:embed *.tmpl *.txtar
var taught embed.FS

// Formats returns the rows of the table that this package stands behind. They differ in where the path stands in a block, and
// in nothing that is read.
func Formats() []edits.Format {
	above := strings.NewReplacer("HEAD", edits.ShapePath+"\n{{.Fence.Open}}", "PARTS", "path, {{.Fence.Open}}")
	inside := strings.NewReplacer("HEAD", "{{.Fence.Open}}\n"+edits.ShapePath, "PARTS", "{{.Fence.Open}}, path")
	row := func(name string, head *strings.Replacer, examples []edits.Example) edits.Format {
		return edits.Format{Name: name, New: New, Examples: examples,
			Rules: head.Replace(reply.Text(taught, "rules.md.tmpl")), Reminder: head.Replace(reply.Text(taught, "reminder.md.tmpl"))}
	}
	small := reply.Examples(taught, "small.txtar")[0]
	small.Small = true
	usual, fenced := append(reply.Examples(taught, "example1.txtar", "example2.txtar"), small), reply.Examples(taught, "fencedexample.txtar")
	return []edits.Format{
		row("diff", above, usual), row("diff-fenced", inside, fenced),
		row("editor-diff", above, usual), row("editor-diff-fenced", inside, fenced),
	}
}
