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

// goImports adds the packages of Go's library that a change uses and its file does not import, and takes away the
// imports that it left unused, which a compiler refuses both.
func (b *binder) goImports(c edits.Change) {
	file := pathOf(c)
	now, ok := readGo(c.After)
	if !ok {
		return
	}
	was, ok := readGo(c.Before)
	if !ok && c.Op != edits.OpCreate {
		return
	}
	text := c.After
	for _, spec := range slices.Backward(now.file.Imports) { // from the end, so that places stay true
		name := importName(spec)
		if name == "_" || name == "." || name == "C" || now.used[name] || !was.used[name] || !was.imports(spec.Path.Value) {
			continue
		}
		text = now.without(text, spec)
		b.put(file, text, "took away the unused import `"+spec.Path.Value+"`")
	}
	var names []string
	for name := range now.used {
		if !was.used[name] && goLibrary[name] != "" && !now.importsName(name) && !b.declaredBeside(file, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		in, ok := readGo(text)
		if !ok {
			return
		}
		text = in.with(text, goLibrary[name])
		b.put(file, text, "added `import "+strconv.Quote(goLibrary[name])+"`")
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

func (g goFile) importsName(name string) bool {
	return slices.ContainsFunc(g.file.Imports, func(s *ast.ImportSpec) bool { return importName(s) == name })
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

// declaredBeside says whether a file shown in the same folder declares a name for the whole package.
func (b *binder) declaredBeside(file, name string) bool {
	declares := regexp.MustCompile(`(?m)^(?:(?:var|const|type|func)\s+|\t)` + regexp.QuoteMeta(name) + `\b(?:\s*=|\s+[\w*\[(])`)
	return slices.ContainsFunc(b.in.Shown, func(other string) bool {
		text, ok := b.read(other)
		return ok && other != file && path.Dir(other) == path.Dir(file) && path.Ext(other) == ".go" && declares.MatchString(text)
	})
}

// with is the text with an import more.
func (g goFile) with(text, module string) string {
	line := strconv.Quote(module)
	for _, d := range g.file.Decls {
		decl, is := d.(*ast.GenDecl)
		if !is || decl.Tok != token.IMPORT {
			break
		}
		if !decl.Lparen.IsValid() {
			spec, is := decl.Specs[0].(*ast.ImportSpec)
			if !is || spec.Path.Value == `"C"` {
				continue
			}
			from, to := g.at(spec.Pos()), g.at(spec.End())
			specs := []string{text[from:to], line}
			if line < spec.Path.Value {
				slices.Reverse(specs)
			}
			return text[:from] + "(\n\t" + specs[0] + "\n\t" + specs[1] + "\n)" + text[to:]
		}
		at := g.at(decl.Lparen) + 1
		if strings.HasPrefix(text[at:], "\n") {
			at++
		} else {
			return text[:at] + "\n\t" + line + "\n" + text[at:]
		}
		for _, s := range decl.Specs {
			spec, is := s.(*ast.ImportSpec)
			if !is || spec.Path.Value > line || strings.Contains(spec.Path.Value, ".") || strings.Contains(text[at:g.at(spec.Pos())], "\n\n") {
				break
			}
			at = lineEnd(text, g.at(spec.End()))
		}
		return text[:at] + "\t" + line + "\n" + text[at:]
	}
	at := lineEnd(text, g.at(g.file.Name.End()))
	return text[:at] + "\nimport " + line + "\n" + text[at:]
}

// without is the text with an import less.
func (g goFile) without(text string, spec *ast.ImportSpec) string {
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
	for from > 0 && (text[from-1] == ' ' || text[from-1] == '\t') {
		from--
	}
	to = lineEnd(text, to)
	if strings.HasSuffix(text[:from], "\n\n") && strings.HasPrefix(text[to:], "\n") {
		to++ // one blank line is left of two
	}
	return text[:from] + text[to:]
}

// goLibrary are the packages of Go's library whose name no other one there has and that projects hardly ever give to
// their own (debug, parser, user).
var goLibrary = func() map[string]string {
	out := map[string]string{}
	for p := range strings.FieldsSeq(`
		archive/tar archive/zip bufio bytes cmp compress/gzip compress/zlib context crypto/hmac crypto/md5 crypto/sha1
		crypto/sha256 crypto/sha512 crypto/tls crypto/x509 database/sql embed encoding/base64 encoding/binary encoding/csv
		encoding/hex encoding/json encoding/xml errors flag fmt hash/crc32 hash/fnv html io io/fs io/ioutil log log/slog maps
		math math/big math/bits math/cmplx mime/multipart net net/http net/http/httptest net/netip net/smtp net/url os os/exec
		os/signal path path/filepath reflect regexp runtime slices sort strconv strings sync sync/atomic testing testing/fstest
		testing/iotest text/tabwriter time unicode unicode/utf16 unicode/utf8`) {
		out[path.Base(p)] = p
	}
	return out
}()
