// Package formats is the table of edit formats: one row for each way in which a model may write
// its edits. It knows the format folders and nothing else; agent/coder and cmd/coauthor pick a row.
package formats

import (
	"slices"
	"strings"

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

// Choices returns the names that the setting editFormat may have: those of formats that are plain text
// and that a whole request can be answered in. An editor's formats go with the architect's plan, and
// a tool call is the engine's to force.
func Choices() []string {
	calls := function.Formats()
	return slices.DeleteFunc(Names(), func(name string) bool {
		return strings.HasPrefix(name, "editor-") ||
			slices.ContainsFunc(calls, func(f edits.Format) bool { return f.Name == name })
	})
}

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
