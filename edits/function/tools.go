package function

import (
	"embed"
	"encoding/json"

	"coauthor/edits"
	"coauthor/edits/reply"
)

//go:embed *.tmpl *.txtar *.json
var taught embed.FS

// WriteFile gives whole files.
func WriteFile() edits.Tool {
	return edits.Tool{Name: "write_file", Description: "Give the complete new content of each file that changes.",
		Parameters: json.RawMessage(reply.Text(taught, "write_file.json")), Whole: true}
}

// ReplaceLines gives the lines to replace and the new ones.
func ReplaceLines() edits.Tool {
	return edits.Tool{Name: "replace_lines", Description: "Replace runs of lines in files.",
		Parameters: json.RawMessage(reply.Text(taught, "replace_lines.json"))}
}

// Formats returns the rows of the table that this package stands behind.
func Formats() []edits.Format {
	examples := reply.Examples(taught, "example1.txtar", "example2.txtar")
	examples[0].Tool, examples[1].Tool = ReplaceLines().Name, WriteFile().Name
	return []edits.Format{{
		Name:     "func",
		New:      New,
		Rules:    reply.Text(taught, "rules.md.tmpl"),
		Reminder: reply.Text(taught, "reminder.md.tmpl"),
		Examples: examples,
		Tools:    []edits.Tool{ReplaceLines(), WriteFile()},
	}}
}
