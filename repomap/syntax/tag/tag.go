// Package tag is the one word that the parsers and the map share: a name in a source file.
//
// It exists so that package repomap can speak of tags without linking a single grammar. It knows
// neither languages nor ranks; repomap/syntax makes tags, repomap reads them. The main type is Tag.
package tag

// Kind says what a definition is. References have the kind of use, or none.
type Kind string

// The closed set of kinds.
const (
	Function  Kind = "function"
	Method    Kind = "method"
	Class     Kind = "class" // also struct, record, object, impl
	Interface Kind = "interface"
	Type      Kind = "type"
	Enum      Kind = "enum"
	Module    Kind = "module"
	Constant  Kind = "constant"
	Variable  Kind = "variable"
	Field     Kind = "field"
	Macro     Kind = "macro"
	Heading   Kind = "heading" // of a document
	Key       Kind = "key"     // of a data file: table, section, selector
	Call      Kind = "call"    // references only
	Use       Kind = "use"     // references only
)

// Container tells whether a definition of this kind usually holds others.
func (k Kind) Container() bool {
	switch k {
	case Class, Interface, Type, Enum, Module:
		return true
	case Function, Method, Constant, Variable, Field, Macro, Heading, Key, Call, Use:
		return false
	}
	return false
}

// Tag is one definition or reference. Lines are 0-based; offsets are bytes. For a reference only
// Name, Kind and Line are set.
type Tag struct {
	Name       string
	Kind       Kind
	Def        bool
	Line       int // of the name
	First      int // first line of the whole definition
	Last       int // its last line, included
	Start, End int // its bytes
}
