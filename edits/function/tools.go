package function

import (
	"embed"
	"encoding/json"

	"coauthor/edits"
	"coauthor/edits/reply"
)

//go:embed *.tmpl *.txtar *.json
var taught embed.FS

// Tool is a function that the model can be forced to call.
type Tool struct {
	Name, Description string
	Parameters        json.RawMessage // a JSON schema
}

// WriteFile gives whole files.
func WriteFile() Tool {
	return Tool{"write_file", "Give the complete new content of each file that changes.", json.RawMessage(reply.Text(taught, "write_file.json"))}
}

// ReplaceLines gives the lines to replace and the new ones.
func ReplaceLines() Tool {
	return Tool{"replace_lines", "Replace runs of lines in files.", json.RawMessage(reply.Text(taught, "replace_lines.json"))}
}

// Formats returns the rows of the table that this package stands behind.
func Formats() []edits.Format {
	return []edits.Format{{
		Name:     "func",
		New:      New,
		Rules:    reply.Text(taught, "rules.md.tmpl"),
		Reminder: reply.Text(taught, "reminder.md.tmpl"),
		Examples: reply.Examples(taught, "example1.txtar"),
	}}
}
