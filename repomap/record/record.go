package record

import (
	"slices"
	"strings"

	"coauthor/repomap/store"
	"coauthor/repomap/syntax/tag"
	"coauthor/repomap/vocab"
)

// Record is all that is known of one file. It is immutable once it is in a state.
type Record struct {
	Owner *store.Lent // of the memory in which the lists lie; nil: they are our own

	Path  string
	ID    string // of the listing, or of the overlay
	Class Class
	Words int // in the text, with repetitions

	Terms  []uint32 // distinct words, in order of their first place
	Counts []uint8  // how often, up to 255

	Defs       []Definition
	More       []uint32 // names that are defined too, in files with more definitions than anyone can read
	Body       []uint16 // for each definition the distinct terms of its text, as places in terms; see read
	BodyEnd    []uint32 // end of each definition's part of body
	Signatures string   // of all definitions, one after the other, and then what imports.Of gives
}

// Definition is one name that a file defines. It is flat: large repositories have millions.
type Definition struct {
	Name        uint32
	First, Last uint32 // lines
	signed      uint32 // end of its part of signatures
	Parent      int16  // index of the definition around it, or -1
	Kind        kind
}

// kind is a tag.Kind as a number, of a width that fills its word, so that a definition has no gaps.
type kind uint16

// kinds is the table behind kind. Snapshots hold its places, so new ones are added at the end.
var kinds = [...]tag.Kind{tag.Function, tag.Method, tag.Class, tag.Interface, tag.Type, tag.Enum, tag.Module, tag.Constant,
	tag.Variable, tag.Field, tag.Macro, tag.Heading, tag.Key}

func kindOf(k tag.Kind) kind { return kind(max(0, slices.Index(kinds[:], k))) }

// Tag is the kind as a grammar names it.
func (k kind) Tag() tag.Kind { return kinds[k] }

// Value tells of kinds that are one line of data rather than a piece of program.
func Value(k tag.Kind) bool {
	switch k {
	case tag.Constant, tag.Variable, tag.Field, tag.Macro, tag.Heading, tag.Key:
		return true
	case tag.Function, tag.Method, tag.Class, tag.Interface, tag.Type, tag.Enum, tag.Module, tag.Call, tag.Use:
	}
	return false
}

// Defines calls f for the name of every definition.
func (r *Record) Defines(f func(name uint32)) {
	for _, d := range r.Defs {
		f(d.Name)
	}
	for _, name := range r.More {
		f(name)
	}
}

// Signature is a copy of that of a definition.
func (r *Record) Signature(def int) string {
	start := uint32(0)
	if def > 0 {
		start = r.Defs[def-1].signed
	}
	return strings.Clone(r.Signatures[start:r.Defs[def].signed]) // it may outlive the record
}

// Imports is what imports.Of gives of the file.
func (r *Record) Imports() string {
	if len(r.Defs) == 0 {
		return r.Signatures
	}
	return r.Signatures[r.Defs[len(r.Defs)-1].signed:]
}

// BodyOf are the distinct terms of a definition's text, as places in Terms.
func (r *Record) BodyOf(def int) []uint16 {
	start := uint32(0)
	if def > 0 {
		start = r.BodyEnd[def-1]
	}
	return r.Body[start:r.BodyEnd[def]]
}

// MaxText is the largest file in bytes of which more than its path is known.
const MaxText = 4 << 20

const (
	maxTerms  = 1 << 14 // distinct words of a file that are kept
	maxDefs   = 2_000   // definitions of a file that are kept with their place and text
	maxValues = 300     // of them constants, macros and the like
	maxTold   = 60      // values of a file that are kept with their line
)

// Renumber gives the record with the numbers that its words have in other symbols.
func (r *Record) Renumber(from *vocab.View, to *vocab.Symbols) *Record {
	next := *r
	words := func(numbers []uint32) []uint32 {
		list := make([]string, len(numbers))
		for i, n := range numbers {
			list[i] = from.String(n)
		}
		return to.AddAll(list, make([]uint32, 0, len(list)))
	}
	next.Terms, next.More = words(r.Terms), words(r.More)
	names := make([]uint32, len(r.Defs))
	for i, d := range r.Defs {
		names[i] = d.Name
	}
	next.Defs = slices.Clone(r.Defs)
	for i, n := range words(names) {
		next.Defs[i].Name = n
	}
	return &next
}

// Size is what the lists of a record take.
func (r *Record) Size() int {
	return 4*len(r.Terms) + len(r.Counts) + store.Size[Definition]()*len(r.Defs) + 4*len(r.More) + 2*len(r.Body) +
		4*len(r.BodyEnd) + len(r.Signatures)
}

// DefinedAt gives the first lines of the definitions of a name.
func (r *Record) DefinedAt(name uint32) (lines []int) {
	for _, d := range r.Defs {
		if d.Name == name {
			lines = append(lines, int(d.First))
		}
	}
	if lines == nil && slices.Contains(r.More, name) {
		lines = []int{-1}
	}
	return lines
}

// Weight is how much there is to read in it.
func (r *Record) Weight() int { return len(r.Terms) + len(r.Defs) }

// OfReceiver says that a name is only known behind a value of its type, of which imports say nothing.
func (d Definition) OfReceiver() bool { return d.Kind.Tag() == tag.Method || d.Kind.Tag() == tag.Field }
