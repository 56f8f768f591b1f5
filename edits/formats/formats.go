// Package formats is the table of edit formats: one row for each way in which a model may write
// its edits. It knows the format folders and nothing else; agent/coder and cmd/coauthor pick a row.
package formats

import (
	"slices"

	"coauthor/edits"
	"coauthor/edits/auto"
	"coauthor/edits/files"
	"coauthor/edits/function"
	"coauthor/edits/gitdiff"
	"coauthor/edits/patch"
	"coauthor/edits/searchreplace"
	"coauthor/edits/udiff"
	"coauthor/edits/wholefile"
)

// All returns every format, in the order in which they are listed to users.
func All() []edits.Format {
	return slices.Concat(
		auto.Around(auto.Blocks, searchreplace.Formats()),
		auto.Around(auto.Listings, wholefile.Formats()),
		auto.Around(auto.Diff, udiff.Formats()),
		auto.Around(auto.Patch, patch.Formats()),
		auto.Around(auto.Diff, gitdiff.Formats()),
		auto.Around(auto.Listings, files.Formats()),
		auto.Around(auto.Call, function.Formats()))
}

// Auto is the name under which a reply is read in the format that it shows. It teaches nothing, and so
// is no row of the table.
const Auto = "auto"

// ByName returns the format of that name.
func ByName(name string) (edits.Format, bool) {
	if name == Auto {
		return edits.Format{Name: Auto, New: auto.New}, true
	}
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
