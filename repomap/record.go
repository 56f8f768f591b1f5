package repomap

import (
	"path"
	"slices"
	"strings"

	"coauthor/repomap/syntax/tag"
)

// record is all that is known of one file. It is immutable once it is in a state.
type record struct {
	owner *lent // of the memory in which the lists lie; nil: they are our own

	path  string
	id    string // of the listing, or of the overlay
	class class
	words int // in the text, with repetitions

	terms  []uint32 // distinct words, in order of their first place
	counts []uint8  // how often, up to 255

	defs       []definition
	more       []uint32 // names that are defined too, in files with more definitions than anyone can read
	body       []uint16 // for each definition the distinct terms of its text, as places in terms; see read
	bodyEnd    []uint32 // end of each definition's part of body
	signatures string   // of all definitions, one after the other, and then what importsOf gives
}

// definition is one name that a file defines. It is flat: large repositories have millions.
type definition struct {
	name        uint32
	first, last uint32 // lines
	signed      uint32 // end of its part of signatures
	parent      int16  // index of the definition around it, or -1
	kind        kind
}

// kind is a tag.Kind as a number, of a width that fills its word, so that a definition has no gaps.
type kind uint16

// kinds is the table behind kind. Snapshots hold its places, so new ones are added at the end.
var kinds = [...]tag.Kind{tag.Function, tag.Method, tag.Class, tag.Interface, tag.Type, tag.Enum, tag.Module, tag.Constant,
	tag.Variable, tag.Field, tag.Macro, tag.Heading, tag.Key}

func kindOf(k tag.Kind) kind { return kind(max(0, slices.Index(kinds[:], k))) }

func (k kind) tag() tag.Kind { return kinds[k] }

// value tells of kinds that are one line of data rather than a piece of program.
func value(k tag.Kind) bool {
	switch k {
	case tag.Constant, tag.Variable, tag.Field, tag.Macro, tag.Heading, tag.Key:
		return true
	case tag.Function, tag.Method, tag.Class, tag.Interface, tag.Type, tag.Enum, tag.Module, tag.Call, tag.Use:
	}
	return false
}

// defines calls f for the name of every definition.
func (r *record) defines(f func(name uint32)) {
	for _, d := range r.defs {
		f(d.name)
	}
	for _, name := range r.more {
		f(name)
	}
}

func (r *record) signature(def int) string {
	start := uint32(0)
	if def > 0 {
		start = r.defs[def-1].signed
	}
	return strings.Clone(r.signatures[start:r.defs[def].signed]) // it may outlive the record
}

// imports is what importsOf gives of the file.
func (r *record) imports() string {
	if len(r.defs) == 0 {
		return r.signatures
	}
	return r.signatures[r.defs[len(r.defs)-1].signed:]
}

func (r *record) bodyOf(def int) []uint16 {
	start := uint32(0)
	if def > 0 {
		start = r.bodyEnd[def-1]
	}
	return r.body[start:r.bodyEnd[def]]
}

// class says what kind of file a path is, by its name alone.
type class uint8

const (
	code class = iota
	test
	prose    // documents and data
	vendored // third-party or, by its name, generated
	made     // generated, minified or locked by certain marks: nobody edits it
)

const (
	maxTerms  = 1 << 14 // distinct words of a file that are kept
	maxDefs   = 2_000   // definitions of a file that are kept with their place and text
	maxValues = 300     // of them constants, macros and the like
	maxText   = 4 << 20 // a larger file is only known by its path
	maxTold   = 60      // values of a file that are kept with their line
)

// renumber gives the record with the numbers that its words have in other symbols.
func (r *record) renumber(from *symbolView, to *symbols) *record {
	next := *r
	words := func(numbers []uint32) []uint32 {
		list := make([]string, len(numbers))
		for i, n := range numbers {
			list[i] = from.string(n)
		}
		return to.addAll(list, make([]uint32, 0, len(list)))
	}
	next.terms, next.more = words(r.terms), words(r.more)
	names := make([]uint32, len(r.defs))
	for i, d := range r.defs {
		names[i] = d.name
	}
	next.defs = slices.Clone(r.defs)
	for i, n := range words(names) {
		next.defs[i].name = n
	}
	return &next
}

// classify looks at a path alone.
func classify(p string, isCode bool) class {
	if isLock(p) {
		return made
	}
	base := path.Base(p)
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if vendorDirs[strings.ToLower(path.Base(dir))] {
			return vendored
		}
	}
	lower := strings.ToLower(base)
	for _, mark := range []string{".min.", ".pb.", "_pb2.", ".generated.", "_generated.", "-lock.", "zz_generated", ".bundle."} {
		if strings.Contains(lower, mark) {
			return vendored
		}
	}
	if !isCode {
		return prose
	}
	if isTest(p, lower) {
		return test
	}
	return code
}

var vendorDirs = map[string]bool{"vendor": true, "node_modules": true, "third_party": true, "third-party": true,
	"thirdparty": true, "bower_components": true, "deps": true, "dist": true, "external": true, "site-packages": true,
	".yarn": true, "_vendor": true, "vendored": true}

func isTest(p, base string) bool {
	stem := strings.TrimSuffix(base, path.Ext(base))
	if strings.HasSuffix(stem, "_test") || strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, ".test") ||
		strings.HasSuffix(stem, ".spec") || strings.HasSuffix(stem, "_spec") || stem == "conftest" {
		return true
	}
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		switch strings.ToLower(path.Base(dir)) {
		case "test", "tests", "testing", "testdata", "__tests__", "spec", "e2e":
			return true
		}
	}
	return false
}
