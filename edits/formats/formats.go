// Package formats is the table of edit formats: one row for each way in which a model may write
// its edits. It knows the format folders and nothing else; agent/coder and cmd/coauthor pick a row.
package formats

import (
	"slices"

	"coauthor/edits"
	"coauthor/edits/patch"
	"coauthor/edits/searchreplace"
	"coauthor/edits/udiff"
	"coauthor/edits/wholefile"
)

// All returns every format, in the order in which they are listed to users.
func All() []edits.Format {
	return slices.Concat(searchreplace.Formats(), wholefile.Formats(), udiff.Formats(), patch.Formats())
}

// ByName returns the format of that name.
func ByName(name string) (edits.Format, bool) {
	for _, f := range All() {
		if f.Name == name {
			return f, true
		}
	}
	return edits.Format{}, false
}

// Names returns the names of the formats.
func Names() []string {
	var names []string
	for _, f := range All() {
		names = append(names, f.Name)
	}
	return names
}
