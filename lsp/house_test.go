package lsp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// What server may have at most. Lower these when it has less; the way down is to give what has a state of its own a type.
const (
	serverMethods = 229
	serverFields  = 14
)

// flattened embed a struct of this package because their JSON has its fields.
var flattened = map[string]string{"rewound": "outcome", "undoneHunks": "outcome"}

// TestServerStaysSmall: no struct embeds a struct of this package to have its methods, and the server does not grow.
func TestServerStaysSmall(t *testing.T) {
	structs, methods := map[string]*ast.StructType{}, 0
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if body, is := n.Type.(*ast.StructType); is {
					structs[n.Name.Name] = body
				}
			case *ast.FuncDecl:
				if n.Recv != nil && typeName(n.Recv.List[0].Type) == "server" {
					methods++
				}
			}
			return true
		})
	}
	for _, name := range slices.Sorted(maps.Keys(structs)) {
		for _, f := range structs[name].Fields.List {
			of := typeName(f.Type)
			if _, ours := structs[of]; ours && len(f.Names) == 0 && flattened[name] != of {
				t.Errorf("%s embeds %s: give the field a name", name, of)
			}
		}
	}
	if fields := reflect.TypeFor[server]().NumField(); methods > serverMethods || fields > serverFields {
		t.Errorf("server has %d methods and %d fields, want at most %d and %d", methods, fields, serverMethods, serverFields)
	}
}

// typeName returns the name of a type of this package or a pointer to one; "" is another.
func typeName(e ast.Expr) string {
	if star, is := e.(*ast.StarExpr); is {
		e = star.X
	}
	if id, is := e.(*ast.Ident); is {
		return id.Name
	}
	return ""
}
