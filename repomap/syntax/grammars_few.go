//go:build cgo && !allgrammars

package syntax

import sitter "github.com/smacker/go-tree-sitter"

// more is empty without the tag allgrammars: the lexer reads the other languages.
var more map[string]func() *sitter.Language
