// Command gen writes the files that follow from the tables: lsp/SETTINGS.md, lsp/COMMANDS.md,
// lsp/MODELS.md, agent/pipeline/README.md, the lists of the Neovim module and of the extension of VS Code, what that one's manifest says of commands
// and settings, and the copy of the README that the program answers
// questions from. Run it at the root of the project, or with -check to learn whether the files are up to date.
//
// The tables are agent/settings (settings), agent (commands and code actions) and agent/model (models); nothing is written
// here that stands not there. Start at files.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

const notice = "Generated from the tables by cmd/gen; do not edit."

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is main without the process. Exit status: 0 done or up to date, 1 stale or not written, 2 usage.
func run(args []string, out, errs io.Writer) int {
	set := flag.NewFlagSet("gen", flag.ContinueOnError)
	set.SetOutput(errs)
	check := set.Bool("check", false, "write nothing, and fail when a file is not up to date")
	root := set.String("root", ".", "the project's folder")
	if err := set.Parse(args); err != nil {
		return 2
	}
	stale, err := generate(*root, *check)
	if err != nil {
		fmt.Fprintf(errs, "gen: %v\n", err)
		return 1
	}
	for _, name := range stale {
		if *check {
			fmt.Fprintf(errs, "gen: %s is not up to date: run go run ./cmd/gen\n", name)
		} else {
			fmt.Fprintln(out, name)
		}
	}
	if *check && len(stale) > 0 {
		return 1
	}
	return 0
}

// generate returns the names of the files that differ from the tables, and writes them unless only
// checking.
func generate(root string, checkOnly bool) (stale []string, err error) {
	list := files()
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	if err == nil {
		list = append(list, file{"cmd/coauthor/README.copy.md", readme})
	}
	example, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(exampleProgram)))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	if err == nil {
		list = append(list, file{"agent/pipeline/README.md", pipelineDoc(example)})
	}
	extension, err := vscodeFiles(root)
	if err != nil {
		return nil, err
	}
	list = append(list, extension...)
	for _, f := range list {
		name := filepath.Join(root, filepath.FromSlash(f.name))
		old, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		if err == nil && bytes.Equal(old, f.content) {
			continue
		}
		stale = append(stale, f.name)
		if checkOnly {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, f.content, 0o644); err != nil {
			return nil, err
		}
	}
	return stale, nil
}

// file is one generated file; name is relative to the root of the project.
type file struct {
	name    string
	content []byte
}

func files() []file {
	return []file{
		{"lsp/SETTINGS.md", settingsDoc()},
		{"lsp/COMMANDS.md", commandsDoc()},
		{"lsp/MODELS.md", modelsDoc()},
		{"editors/nvim/lua/coauthor/generated.lua", neovimLists()},
		{"editors/vscode/src/generated.ts", vscodeLists()},
	}
}
