package settings

import (
	"bytes"
	"go/ast"
	"go/constant"
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

// heldBy names what holds the values of the rows that are not compared where the field is read: a table that the row is
// made of, or a test.
var heldBy = map[string]string{
	"model.reasoningEffort": "TestHowMuchToThinkSuitsTheModel",
	"editFormat":            "formats.Choices",
	"turn.coder":            "coder.All",
	"comments.watch":        "the scenarios comments, comments-off and comments-save of lsp",
	"context.addMentioned":  "TestAReplyEditsAndAsks",
	"verify.level":          "TestTheLevelsOfTheSettingAreThoseOfVerify",
	"repoMap.refresh":       "TestRefreshOfTheMap",
	"preview.mode":          "TestThePreviewsOfTheSettingAreThoseOfReview",
	"client.name":           "TestClientIsAnEditor",
	"log.level":             "TestServeLogs",
}

// TestEverySettingIsRead: a row whose field no code looks at promises what nothing does. What counts is
// a selector of the field anywhere but in the table and in what fills it. The same holds for each value of an enum, and
// what the code asks for is one of them.
func TestEverySettingIsRead(t *testing.T) {
	read, compared := fieldsRead(t)
	unread := 0
	for _, r := range Rows() {
		name := fieldName(t, r)
		if !read[name] {
			t.Errorf("setting %s: nothing reads %s", r.Name, name)
		}
		if !read[name] {
			unread++
		}
		if r.Type != Enum {
			continue
		}
		var unheld []string
		for _, value := range r.Enum {
			if !slices.Contains(compared[name], value) {
				unheld = append(unheld, value)
			}
		}
		// One value may be what is left where it is none of the others.
		if test := heldBy[r.Name]; test == "" && len(unheld) > 1 {
			t.Errorf("setting %s: nothing asks for its values %q", r.Name, unheld)
		}
		for _, word := range compared[name] {
			if word != "" && !slices.Contains(r.Enum, word) {
				t.Errorf("setting %s: the code asks for %q, which it cannot be", r.Name, word)
			}
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
// fields of our types that they select, and the words that they compare each with.
func fieldsRead(t *testing.T) (read map[string]bool, compared map[string][]string) {
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
	read, compared = map[string]bool{}, map[string][]string{}
	// One importer for all: each package is made of its export data once, and not again for each that imports it.
	set := token.NewFileSet()
	imports := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(export[path]) })
	for _, f := range users {
		var files []*ast.File
		for _, name := range strings.Fields(f[3]) {
			parsed, err := parser.ParseFile(set, filepath.Join(f[2], name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, parsed)
		}
		info := types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}, Types: map[ast.Expr]types.TypeAndValue{}}
		conf := types.Config{
			Importer: imports,
			Error:    func(error) {}, // a package that does not compile is another test's matter
		}
		_, _ = conf.Check(f[0], set, files, &info)
		for at, selected := range info.Selections {
			if name := filepath.Base(set.Position(at.Pos()).Filename); f[0] == own && name == "table.go" {
				continue
			}
			if name := fieldOf(selected); name != "" {
				read[name] = true
			}
		}
		compares := func(field, word ast.Expr) {
			at, is := field.(*ast.SelectorExpr)
			if selected := info.Selections[at]; is && selected != nil {
				if value := info.Types[word].Value; value != nil && value.Kind() == constant.String {
					name := fieldOf(selected)
					compared[name] = append(compared[name], constant.StringVal(value))
				}
			}
		}
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BinaryExpr:
					compares(n.X, n.Y)
					compares(n.Y, n.X)
				case *ast.SwitchStmt:
					for _, c := range n.Body.List {
						for _, word := range c.(*ast.CaseClause).List {
							compares(n.Tag, word)
						}
					}
				}
				return true
			})
		}
	}
	return read, compared
}

// fieldOf returns a selected field of our types as "Type.Field"; "" is none.
func fieldOf(selected *types.Selection) string {
	v, field := selected.Obj().(*types.Var)
	if !field || v.Pkg() == nil || v.Pkg().Path() != own {
		return ""
	}
	on := selected.Recv()
	if p, ok := on.(*types.Pointer); ok {
		on = p.Elem()
	}
	named, ok := on.(*types.Named)
	if !ok {
		return ""
	}
	return named.Obj().Name() + "." + v.Name()
}
