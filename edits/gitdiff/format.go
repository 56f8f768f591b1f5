// Package gitdiff is the edit format in which the model writes a unified diff with line numbers, as
// git prints it.
//
// It says how the format is taught; the parser is that of edits/udiff. Numbers and counts are taken
// as hints, because models count badly: a hunk goes where its lines stand. edits/formats lists it.
//
// Of the tool that began this format the repairs are kept and the damage is not. A hunk of new lines
// only is an insertion and never the whole file; one that fails leaves the next ones to be checked like
// any other; a line with a number sign that does not match is no addition unless it is a comment that is
// surely new; a removed line that is not there fails the hunk, also as the last line of the file; lines
// above the first one can be added; a second diff of a file is applied on the result of the first; a
// path that is not there fails that file only; two names mean a rename, /dev/null a new file or one
// that goes away.
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
