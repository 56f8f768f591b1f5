package settings

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const own = "coauthor/agent/settings"

// TestEverySettingIsRead: a row whose field no code looks at promises what nothing does. What counts is
// a selector of the field anywhere but in the table and in what fills it.
func TestEverySettingIsRead(t *testing.T) {
	read := fieldsRead(t)
	unread := 0
	for _, r := range Rows() {
		name := fieldName(t, r)
		if !read[name] {
			t.Errorf("setting %s: nothing reads %s", r.Name, name)
		}
		if !read[name] {
			unread++
		}
	}
	if len(read) == 0 || unread == len(Rows()) {
		t.Error("nothing was found to be read: the test looks in the wrong places")
	}
}

// fieldName returns the field of a row as "Type.Field".
func fieldName(t *testing.T, r Row) string {
	var s Settings
	at := reflect.ValueOf(r.field(&s)).Pointer()
	var find func(v reflect.Value) string
	find = func(v reflect.Value) string {
		for i := range v.NumField() {
			f := v.Field(i)
			if f.Kind() == reflect.Struct {
				if name := find(f); name != "" {
					return name
				}
			} else if f.Addr().Pointer() == at {
				return v.Type().Name() + "." + v.Type().Field(i).Name
			}
		}
		return ""
	}
	name := find(reflect.ValueOf(&s).Elem())
	if name == "" {
		t.Errorf("setting %s: its field is none of Settings", r.Name)
	}
	return name
}

// fieldsRead type-checks the packages of the project that import this one, and this one, and returns the
// fields of our types that they select.
func fieldsRead(t *testing.T) map[string]bool {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps",
		"-f", "{{.ImportPath}}\t{{.Export}}\t{{.Dir}}\t{{join .GoFiles \" \"}}\t{{join .Imports \" \"}}", "./cmd/coauthor")
	cmd.Dir = filepath.Join("..", "..")
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, problems.String())
	}
	export := map[string]string{}
	var users [][]string
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		export[f[0]] = f[1]
		if f[0] == own || slices.Contains(strings.Fields(f[4]), own) {
			users = append(users, f)
		}
	}
	if len(users) < 4 {
		t.Fatalf("only %d packages import %s", len(users), own)
	}
	read := map[string]bool{}
	for _, f := range users {
		set := token.NewFileSet()
		var files []*ast.File
		for _, name := range strings.Fields(f[3]) {
			parsed, err := parser.ParseFile(set, filepath.Join(f[2], name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, parsed)
		}
		info := types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}}
		conf := types.Config{
			Importer: importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(export[path]) }),
			Error:    func(error) {}, // a package that does not compile is another test's matter
		}
		_, _ = conf.Check(f[0], set, files, &info)
		for at, selected := range info.Selections {
			if name := filepath.Base(set.Position(at.Pos()).Filename); f[0] == own && name == "table.go" {
				continue
			}
			if v, field := selected.Obj().(*types.Var); field && v.Pkg() != nil && v.Pkg().Path() == own {
				on := selected.Recv()
				if p, ok := on.(*types.Pointer); ok {
					on = p.Elem()
				}
				if named, ok := on.(*types.Named); ok {
					read[named.Obj().Name()+"."+v.Name()] = true
				}
			}
		}
	}
	return read
}
