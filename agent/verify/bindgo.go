package verify

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"coauthor/edits"
)

// goImports takes away the imports that a change left unused, which a compiler refuses.
func (b *binder) goImports(c edits.Change) {
	file := pathOf(c)
	now, ok := readGo(c.After)
	if !ok {
		return
	}
	was, ok := readGo(c.Before)
	if !ok {
		return
	}
	text := c.After
	for _, spec := range slices.Backward(now.file.Imports) { // from the end, so that places stay true
		name := importName(spec)
		if name == "_" || name == "." || name == "C" || now.used[name] || !was.used[name] || !was.imports(spec.Path.Value) {
			continue
		}
		if spec.Name == nil && !now.explained(spec) {
			continue // it may be the package of a name that no path here ends in
		}
		out, ok := now.without(text, spec)
		if !ok {
			continue
		}
		text = out
		b.put(file, text, "removed the unused import `"+spec.Path.Value+"`")
	}
}

// goFile is what matters here of a Go file.
type goFile struct {
	file *ast.File
	used map[string]bool // names before a dot that nothing in the file declares
	at   func(token.Pos) int
}

// readGo reads a Go file; false where it does not parse.
func readGo(text string) (goFile, bool) {
	set := token.NewFileSet()
	// The resolver of this package tells what a file declares itself; types need the whole package.
	f, err := parser.ParseFile(set, "", text, parser.ParseComments)
	if err != nil {
		return goFile{used: map[string]bool{}}, false
	}
	g := goFile{file: f, used: map[string]bool{}, at: func(p token.Pos) int { return set.Position(p).Offset }}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, is := n.(*ast.SelectorExpr); is {
			if x, is := s.X.(*ast.Ident); is && x.Obj == nil && ast.IsExported(s.Sel.Name) {
				g.used[x.Name] = true
			}
		}
		return true
	})
	return g, true
}

func (g goFile) imports(quoted string) bool {
	return g.file != nil && slices.ContainsFunc(g.file.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == quoted })
}

var majorVersion = regexp.MustCompile(`^v\d+$`)

// importName is the name by which a file knows an import, as far as its path tells.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return "_"
	}
	base := path.Base(p)
	if majorVersion.MatchString(base) {
		base = path.Base(path.Dir(p))
	}
	return base
}

// explained says whether each name that the file uses as a package's is that of an import other than spec, so that spec's own
// package is none of them, whatever it calls itself.
func (g goFile) explained(spec *ast.ImportSpec) bool {
	for name := range g.used {
		if !slices.ContainsFunc(g.file.Imports, func(s *ast.ImportSpec) bool { return s != spec && importName(s) == name }) {
			return false
		}
	}
	return true
}

// without is the text with an import less; false where something else stands in its lines.
func (g goFile) without(text string, spec *ast.ImportSpec) (string, bool) {
	from, to := g.at(spec.Pos()), g.at(spec.End())
	for _, d := range g.file.Decls {
		decl, is := d.(*ast.GenDecl)
		if !is || decl.Tok != token.IMPORT || spec.Pos() < decl.Pos() || decl.End() < spec.End() {
			continue
		}
		if len(decl.Specs) == 1 {
			from, to = g.at(decl.Pos()), g.at(decl.End())
		}
	}
	end := lineEnd(text, to)
	if rest := strings.TrimSpace(text[to:end]); rest != "" && !strings.HasPrefix(rest, "//") {
		return text, false
	}
	to = end
	for from > 0 && (text[from-1] == ' ' || text[from-1] == '\t') {
		from--
	}
	if from > 0 && text[from-1] != '\n' {
		return text, false
	}
	if strings.HasSuffix(text[:from], "\n\n") && strings.HasPrefix(text[to:], "\n") {
		to++ // one blank line is left of two
	}
	return text[:from] + text[to:], true
}

// lineEnd is where the line of a place ends, with its line break.
func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}
