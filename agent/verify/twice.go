package verify

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"

	"coauthor/edits"
)

// Twice returns the check for names that a change declares a second time in a Go file, as a compiler would refuse it: the
// copy of a function that was to be replaced, or one that took the name of its neighbour.
func Twice() Check { return Check{Name: "duplicates", From: Syntax, Run: twice} }

func twice(ctx context.Context, in Input) ([]Finding, error) {
	var list []Finding
	for _, c := range in.Changes {
		if err := ctx.Err(); err != nil {
			return list, err
		}
		file := pathOf(c)
		if c.Op == edits.OpDelete || c.Before == c.After || path.Ext(file) != ".go" {
			continue
		}
		before := declarations(c.Before)
		after := declarations(c.After)
		for _, name := range slices.Sorted(maps.Keys(after)) {
			if lines := after[name]; len(lines) > 1 && len(before[name]) < 2 {
				list = append(list, Finding{Check: "duplicates", Path: file, First: lines[1], Last: lines[1],
					Text: fmt.Sprintf("line %d defines %s, which line %d defines already", lines[1], name, lines[0])})
			}
		}
	}
	return list, nil
}

// declarations are the lines in which a Go file declares each name for its package; nil where it does not parse.
func declarations(text string) map[string][]int {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	lines := map[string][]int{}
	add := func(of string, name *ast.Ident) {
		if name.Name != "_" {
			lines[of+name.Name] = append(lines[of+name.Name], set.Position(name.Pos()).Line)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil {
				if of := receiver(d); of != "" {
					add(of+".", d.Name)
				}
			} else if d.Name.Name != "init" {
				add("", d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add("", spec.Name)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						add("", name)
					}
				}
			}
		}
	}
	return lines
}

// receiver is the type of which a method is one, "" where that cannot be told.
func receiver(d *ast.FuncDecl) string {
	if len(d.Recv.List) != 1 {
		return ""
	}
	at := d.Recv.List[0].Type
	for {
		switch t := at.(type) {
		case *ast.StarExpr:
			at = t.X
		case *ast.ParenExpr:
			at = t.X
		case *ast.IndexExpr:
			at = t.X
		case *ast.IndexListExpr:
			at = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}
