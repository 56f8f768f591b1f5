// Package imports reads what a file says of modules: what it imports, as it is written there, and how it is called itself. Which
// file a name means is not its matter; it knows no other file.
package imports

import (
	"path"
	"slices"
	"strings"
)

const (
	maxImports = 400 // of a file
	maxImport  = 200 // bytes of one
	importHead = 256 << 10
)

// Language is one whose imports are resolved as the language itself does.
type Language uint8

// The languages. Script is TypeScript and JavaScript.
const (
	Other Language = iota
	Go
	Python
	Script
	Rust
	Java
)

// LanguageOf goes by the name of a file; Other for every language that is not resolved, and for manifests.
func LanguageOf(file string) Language {
	switch strings.ToLower(path.Ext(file)) {
	case ".go":
		return Go
	case ".py", ".pyi":
		return Python
	case ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte":
		return Script
	case ".rs":
		return Rust
	case ".java":
		return Java
	}
	return Other
}

// Of lists what a file says of modules, one a line: the names that it imports as they are written there, those of
// Python and Rust with each name that is taken from a module behind it (a.b and c of "from a.b import c" are a.b.c).
// After a "=" stands what the file says of itself: a package of Java, the module of a go.mod, the crate of a Cargo.toml,
// the name of a package.json, an alias of a tsconfig.json with what it stands for.
func Of(file string, src []byte) string {
	src = src[:min(len(src), importHead)]
	c := &list{}
	switch LanguageOf(file) {
	case Go:
		c.golang(src)
	case Python:
		c.python(src)
	case Script:
		c.script(src)
	case Rust:
		c.rust(src)
	case Java:
		c.java(src)
	case Other:
		c.manifest(path.Base(file), src)
	}
	slices.Sort(c.names)
	return strings.Join(slices.Compact(c.names), "\n")
}

// list gathers names, as far as one file may bring them.
type list struct{ names []string }

func (c *list) add(name string) {
	if name != "" && len(name) <= maxImport && len(c.names) < maxImports && !strings.ContainsAny(name, "\n\r\x00") {
		c.names = append(c.names, name)
	}
}
