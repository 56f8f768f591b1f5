//go:build cgo

package syntax

import (
	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
)

// core are the grammars of every build with a C compiler: each compiles in about a second.
var core = map[string]func() *sitter.Language{
	"c":          c.GetLanguage,
	"go":         golang.GetLanguage,
	"javascript": javascript.GetLanguage,
	"python":     python.GetLanguage,
	"tsx":        tsx.GetLanguage,
	"typescript": typescript.GetLanguage,
}
