package lsp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestServerIsWiring: the server is held by nobody and given to nobody, and its own methods are those that begin and end a
// connection. So what answers the client has what its layer has, and no more.
func TestServerIsWiring(t *testing.T) {
	fset := token.NewFileSet()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	methods := 0
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, e.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			fields, is := n.(*ast.FieldList)
			if !is {
				return true
			}
			for _, f := range fields.List {
				if id, is := unstarred(f.Type).(*ast.Ident); is && id.Name == "server" {
					methods++
					if at := fset.Position(f.Pos()); !slices.Contains([]string{"server.go", "lifecycle.go"}, at.Filename) {
						t.Errorf("%v: the server is given away; what is needed of it belongs to a layer, see layers.go", at)
					}
				}
			}
			return true
		})
	}
	if methods < 5 {
		t.Errorf("only %d mentions of the server were found", methods)
	}
}

func unstarred(e ast.Expr) ast.Expr {
	if star, is := e.(*ast.StarExpr); is {
		return star.X
	}
	return e
}
