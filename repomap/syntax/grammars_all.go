//go:build cgo && allgrammars

package syntax

import sitter "github.com/smacker/go-tree-sitter"

// more are the grammars that release builds add: together they take longer than all other code.
var more = map[string]func() *sitter.Language{}
