package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/settings"
)

// The sizes that keep the two main rooms, agent and lsp, readable. `go test -run TestHouse -v ./cmd/coauthor` prints them.

// house is what TestHouse counts in the code that ships, tests left out.
type house struct {
	methods map[string]int // "lsp.server" -> how many
	fields  map[string]int // structs alone
	embeds  []string       // structs of lsp that embed a type of their own package
	files   map[string]int // folder -> how many
	lines   map[string]int // folder -> how many
	long    []string       // functions with more than longest lines or complexity over hardest
	longest function
	hardest function
}

type function struct {
	name string
	size int // lines, or complexity
}

// tables are functions that only return rows, which are read one at a time.
var tables = []string{"agent/command.lookActions", "agent/command.firstActions", "agent/command.lastActions", "agent/settings.contextRows", "agent/settings.turnRows"}

const (
	maxLines      = 80
	maxComplexity = 30
)

// TestHouse: no type and no folder grows beyond what a newcomer can read. Where a cap is not reached yet, what is reached
// is the cap, so that it only gets better.
func TestHouse(t *testing.T) {
	h := count(t, filepath.Join("..", ".."))
	for _, c := range []struct {
		what          string
		is, most      int
		before, wants int
	}{
		{"methods of agent.Session", h.methods["agent.Session"], 25, 178, 25},
		{"fields of agent.Session", h.fields["agent.Session"], 12, 39, 12},
		{"fields of agent.turn", h.fields["agent.turn"], 15, 44, 15},
		{"methods of lsp.server, 231 of them promoted before", h.methods["lsp.server"], 120, 287, 120},
		{"fields of lsp.server", h.fields["lsp.server"], 14, 48, 14},
		{"embedded types of the same package in lsp", len(h.embeds), 0, 7, 0},
		{"files of agent", h.files["agent"], 30, 104, 35},
		{"files of lsp", h.files["lsp"], 34, 90, 35},
		{"lines of agent", h.lines["agent"], 6500, 15957, 6500},
		{"lines of lsp", h.lines["lsp"], 4820, 11094, 5800},
		{"settings", len(settings.Rows()), 65, 99, 65},
		{"functions over 80 lines or complexity 30", len(h.long), 0, 15, 0},
		{"lines of the longest function, " + h.longest.name, h.longest.size, maxLines, 221, maxLines},
		{"complexity of the hardest function, " + h.hardest.name, h.hardest.size, maxComplexity, 96, maxComplexity},
	} {
		t.Logf("%6d  (before %d, wanted %d)  %s", c.is, c.before, c.wants, c.what)
		if c.is > c.most {
			t.Errorf("%s: %d, more than %d", c.what, c.is, c.most)
		}
	}
	for _, embedded := range h.embeds {
		t.Errorf("%s embeds a type of its own package", embedded)
	}
	for _, f := range h.long {
		t.Log(f)
	}
	h.seen(t)
}

// seen holds types to 25 methods, but for the server and the fakes of lsptest, and folders to 35 files.
func (h house) seen(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(h.methods)) {
		if h.methods[name] > 25 && name != "lsp.server" && !strings.HasPrefix(name, "lsp/lsptest.") {
			t.Errorf("%s has %d methods, more than 25", name, h.methods[name])
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(h.files)) {
		if h.files[folder] > 35 {
			t.Errorf("%s has %d files, more than 35", folder, h.files[folder])
		}
	}
}

// count reads all code that ships below a folder.
func count(t *testing.T, root string) house {
	h := house{methods: map[string]int{}, fields: map[string]int{}, files: map[string]int{}, lines: map[string]int{}}
	for _, room := range []string{"agent", "cmd", "edits", "lsp", "repomap"} {
		err := filepath.WalkDir(filepath.Join(root, room), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return filepath.SkipDir
			case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			return h.add(filepath.ToSlash(rel), src)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if h.methods["agent.Session"] == 0 || h.fields["lsp.server"] == 0 {
		t.Fatal("the session or the server was not found")
	}
	slices.Sort(h.long)
	return h
}

// add counts one file.
func (h *house) add(path string, src []byte) error {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, src, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	folder := path[:strings.LastIndexByte(path, '/')]
	h.files[folder]++
	h.lines[folder] += strings.Count(string(src), "\n")
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := folder + "." + d.Name.Name
			if d.Recv != nil {
				of := receiver(d.Recv.List[0].Type)
				h.methods[folder+"."+of]++
				name = folder + "." + of + "." + d.Name.Name
			}
			if slices.Contains(tables, name) {
				continue
			}
			lines := files.Position(d.End()).Line - files.Position(d.Pos()).Line + 1
			hard := complexity(d)
			if lines > h.longest.size {
				h.longest = function{name, lines}
			}
			if hard > h.hardest.size {
				h.hardest = function{name, hard}
			}
			if lines > maxLines || hard > maxComplexity {
				h.long = append(h.long, fmt.Sprintf("%s has %d lines and complexity %d", name, lines, hard))
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if s, ok := spec.(*ast.TypeSpec); ok {
					h.structure(folder, s)
				}
			}
		}
	}
	return nil
}

// structure counts the fields of a struct.
func (h *house) structure(folder string, s *ast.TypeSpec) {
	fields, ok := s.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range fields.Fields.List {
		h.fields[folder+"."+s.Name.Name] += max(1, len(field.Names))
		of := field.Type
		if star, ok := of.(*ast.StarExpr); ok {
			of = star.X
		}
		if _, same := of.(*ast.Ident); same && len(field.Names) == 0 && folder == "lsp" {
			h.embeds = append(h.embeds, folder+"."+s.Name.Name)
		}
	}
}

// receiver is the name of a method's type.
func receiver(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return receiver(of.X)
	case *ast.IndexExpr:
		return receiver(of.X)
	case *ast.IndexListExpr:
		return receiver(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}

// complexity is how many ways lead through a function: 1, and 1 for each branch, case and condition of it.
func complexity(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil {
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}
