// Command types tells whether the packages of a module, with their tests, are well typed on other systems:
//
//	go run ./.ci/types GOOS/GOARCH...
//
// All is read from its source without C, and of what is not the module's own without the bodies of functions. So it takes
// seconds where `go vet` takes a minute and more: that has everything compiled first.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// listed is a package as `go list -json` describes it.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string
	Module          *struct {
		Main      bool
		GoVersion string
	}
	Error *struct{ Err string }
}

func main() {
	failed := false
	for _, system := range os.Args[1:] {
		problems, n, err := check(system)
		fmt.Printf("%s: %d packages\n", system, n)
		for _, p := range problems {
			fmt.Println(p)
		}
		if err != nil {
			fmt.Println(err)
		}
		failed = failed || err != nil || len(problems) > 0
	}
	if failed || len(os.Args) < 2 {
		os.Exit(1)
	}
}

// check returns what is wrong on a system, and how many packages it has looked at.
func check(system string) (problems []string, n int, err error) {
	goos, goarch, ok := strings.Cut(system, "/")
	sizes := types.SizesFor("gc", goarch)
	if !ok || sizes == nil {
		return nil, 0, fmt.Errorf("%q is no system", system)
	}
	cmd := exec.Command("go", "list", "-deps", "-test", "-json=ImportPath,Dir,GoFiles,ImportMap,Module,Error", "./...")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, 0, err
	}
	set, known := token.NewFileSet(), map[string]*types.Package{"unsafe": types.Unsafe}
	for list := json.NewDecoder(out); ; n++ { // what a package imports is listed before it
		var p listed
		if err := list.Decode(&p); errors.Is(err, io.EOF) {
			return problems, n, cmd.Wait()
		} else if err != nil {
			return problems, n, err
		}
		if p.Error != nil {
			problems = append(problems, p.ImportPath+": "+p.Error.Err)
		}
		// The main package of a test is made only when that is built.
		if known[p.ImportPath] != nil || strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				problems = append(problems, err.Error())
				continue
			}
			files = append(files, file)
		}
		own := p.Module != nil && p.Module.Main
		conf := types.Config{
			IgnoreFuncBodies: !own, FakeImportC: true, Sizes: sizes,
			Importer: importer(func(path string) (*types.Package, error) {
				if mapped := p.ImportMap[path]; mapped != "" {
					path = mapped
				}
				if known[path] == nil {
					return nil, fmt.Errorf("%s is not listed before", path)
				}
				return known[path], nil
			}),
			Error: func(err error) {
				if own {
					problems = append(problems, err.Error())
				}
			},
		}
		if p.Module != nil && p.Module.GoVersion != "" {
			conf.GoVersion = "go" + p.Module.GoVersion
		}
		path, _, _ := strings.Cut(p.ImportPath, " ") // "a/b [a/b.test]" is a/b with its tests
		known[p.ImportPath], _ = conf.Check(path, set, files, nil)
	}
}

type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }
