package verify

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"

	"coauthor/edits"
)

// Callers returns the check for uses of a Go name that the changes took out of its package, in files that they leave alone:
// what the compiler would refuse. It finds those files by Input.Using, and tells of a use only where no declaration that it
// has not seen could be meant: a name of the package that nothing in the file declares, a name behind the import of that
// package, and a method or field that only this package can see.
func Callers() Check { return Check{Name: "callers", From: Syntax, Run: callers} }

const (
	mostUsers = 3   // files that are told of one name
	mostGone  = 100 // names that are looked for; who takes more away does not rename
)

func callers(ctx context.Context, in Input) ([]Finding, error) {
	if in.Using == nil || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var list []Finding
	told, read := map[string]bool{}, map[string]parsedGo{}
	for _, c := range in.Changes {
		if path.Ext(c.Path) != ".go" {
			continue
		}
		was, ok := readGo(c.Before)
		if !ok {
			continue
		}
		p := goScope{in: in, read: read, dir: path.Dir(c.Path), name: was.file.Name.Name}
		for _, name := range removedFrom(was, c) {
			if err := ctx.Err(); err != nil {
				return list, err
			}
			if key := p.dir + " " + p.name + "." + name; !told[key] && len(told) < mostGone {
				told[key] = true
				list = append(list, p.uses(ctx, name, c.Path)...)
			}
		}
	}
	return list, nil
}

// removedFrom are the names that a file declared and declares no more.
func removedFrom(was goFile, c edits.Change) []string {
	left := map[string]bool{}
	if c.Op != edits.OpDelete {
		now, ok := readGo(c.After)
		if !ok {
			return nil
		}
		left = declaredIn(now.file)
	}
	var gone []string
	for name := range declaredIn(was.file) {
		if !left[name] && name != "_" && name != "init" && types.Universe.Lookup(name) == nil {
			gone = append(gone, name)
		}
	}
	slices.Sort(gone)
	return gone
}

// declaredIn are the names that a file declares for its package, and those of its methods and fields.
func declaredIn(f *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, d := range f.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			names[f.Name.Name] = true
		}
	}
	if f.Scope != nil {
		for name := range f.Scope.Objects {
			names[name] = true
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		var fields *ast.FieldList
		switch n := n.(type) {
		case *ast.StructType:
			fields = n.Fields
		case *ast.InterfaceType:
			fields = n.Methods
		default:
			return true
		}
		for _, field := range fields.List {
			for _, name := range field.Names {
				names[name.Name] = true
			}
			for name := range embedded(field) {
				names[name] = true
			}
		}
		return true
	})
	return names
}

// embedded is the name that a type has as a field of its own.
func embedded(f *ast.Field) map[string]bool {
	names := map[string]bool{}
	if len(f.Names) == 0 {
		ast.Inspect(f.Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				names[id.Name] = true
			}
			return true
		})
	}
	return names
}

// goScope is the package that a name was declared in.
type goScope struct {
	in        Input
	read      map[string]parsedGo // files that were read for a name before
	dir, name string
}

// uses finds what still uses a name that file declared, unless the package declares it somewhere.
func (p goScope) uses(ctx context.Context, name, file string) []Finding {
	files, ok := p.in.Using(ctx, name)
	if !ok {
		return nil
	}
	for _, c := range p.in.Changes {
		if now := pathOf(c); c.Op != edits.OpDelete && !slices.Contains(files, now) {
			files = append(files, now)
		}
	}
	var list []Finding
	for _, other := range files {
		if path.Ext(other) != ".go" || !p.in.Tree.Exists(other) || ctx.Err() != nil {
			continue
		}
		inside := path.Dir(other) == p.dir
		g, ok := p.parsed(other)
		if !ok && inside {
			return nil // it may declare the name
		}
		if !ok {
			continue
		}
		inside = inside && g.file.Name.Name == p.name
		if inside && g.declares[name] {
			return nil
		}
		var lines []int
		for _, at := range p.used(g.file, name, other, inside) {
			if line := g.set.Position(at).Line; !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
		slices.Sort(lines)
		if len(lines) > 0 {
			list = append(list, Finding{Check: "callers", Path: other, First: lines[0], Last: lines[0], Once: true,
				Text: fmt.Sprintf("%s, which %s no longer declares", stillUse(lines, name), file)})
		}
	}
	if more := len(list) - mostUsers; more > 0 {
		list = list[:mostUsers]
		list[mostUsers-1].Text += fmt.Sprintf(" (%d more of such files)", more)
	}
	return list
}

// parsedGo is a file in which names are looked for; file is nil where it cannot be read as Go.
type parsedGo struct {
	file     *ast.File
	set      *token.FileSet
	declares map[string]bool
}

// parsed reads a file, once for all names.
func (p goScope) parsed(file string) (parsedGo, bool) {
	g, known := p.read[file]
	if !known {
		g.set = token.NewFileSet()
		if text, err := p.in.Tree.Read(file); err == nil {
			if f, err := parser.ParseFile(g.set, "", text, 0); err == nil {
				g.file, g.declares = f, declaredIn(f)
			}
		}
		p.read[file] = g
	}
	return g, g.file != nil
}

// stillUse says on which lines a name is used.
func stillUse(lines []int, name string) string {
	if len(lines) == 1 {
		return fmt.Sprintf("line %d still uses %s", lines[0], name)
	}
	var said []string
	for _, n := range lines[:min(len(lines), 5)] {
		said = append(said, fmt.Sprint(n))
	}
	if len(lines) > len(said) {
		return fmt.Sprintf("lines %s and %d more still use %s", strings.Join(said, ", "), len(lines)-len(said), name)
	}
	return fmt.Sprintf("lines %s still use %s", listed(said), name)
}

// used are the places in a file where nothing but the name of the package can be meant.
func (p goScope) used(f *ast.File, name, file string, inside bool) (list []token.Pos) {
	free := map[*ast.Ident]bool{} // what nothing in the file declares
	for _, id := range f.Unresolved {
		free[id] = true
	}
	qualifier, dotted := "", false
	for _, spec := range f.Imports {
		dotted = dotted || spec.Name != nil && spec.Name.Name == "."
		if !inside && strings.Trim(spec.Path.Value, "`\"") == p.importPath(file) {
			if qualifier = p.name; spec.Name != nil {
				qualifier = spec.Name.Name
			}
		}
	}
	maybePackage := map[*ast.Ident]bool{} // an import's name, which its path need not tell, stands before a dot
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if inside && !dotted && n.Name == name && free[n] && !maybePackage[n] {
				list = append(list, n.Pos())
			}
		case *ast.SelectorExpr:
			x, named := n.X.(*ast.Ident)
			if named && ast.IsExported(n.Sel.Name) && len(f.Imports) > 0 {
				maybePackage[x] = true
			}
			switch {
			case n.Sel.Name != name:
			case inside && !ast.IsExported(name) && (!named || x.Name != "C"),
				qualifier != "" && ast.IsExported(name) && named && x.Name == qualifier && free[x]:
				list = append(list, n.Sel.Pos())
			}
		}
		return true
	})
	return list
}

var goModule = regexp.MustCompile(`(?m)^module[ \t]+"?([^\s"]+)`)

// importPath is what a file of the same module writes to import the package; "" where it is of another one.
func (p goScope) importPath(file string) string {
	root, module := p.module(p.dir)
	if other, _ := p.module(path.Dir(file)); module == "" || other != root {
		return ""
	}
	return path.Join(module, strings.TrimPrefix(strings.TrimPrefix(p.dir, root), "/"))
}

// module is the module that a folder is in, with the folder of its go.mod; "." is the root.
func (p goScope) module(dir string) (root, name string) {
	for ; ; dir = path.Dir(dir) {
		if at := path.Join(dir, "go.mod"); p.in.Tree.Exists(at) {
			text, err := p.in.Tree.Read(at)
			if m := goModule.FindStringSubmatch(text); err == nil && m != nil {
				return strings.TrimPrefix(dir, "."), m[1]
			}
			return dir, ""
		}
		if dir == "." || dir == "/" {
			return dir, ""
		}
	}
}
