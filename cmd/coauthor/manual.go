package main

import (
	_ "embed"
	"io/fs"
	"path"

	"coauthor/agent/help"
	"coauthor/cmd"
	"coauthor/editors"
	"coauthor/lsp"
)

// readme is the README of the project. A folder can embed only what lies below it, so this is a copy that
// cmd/gen keeps.
//
//go:embed README.copy.md
var readme string

// manual are the documents for users, from which the coder help answers.
func manual() []help.Text {
	list := []help.Text{{Name: "README.md", Text: readme}}
	for _, dir := range []struct {
		name  string
		pages fs.FS
	}{{"cmd", cmd.Pages}, {"lsp", lsp.Pages}, {"editors", editors.Pages}} {
		err := fs.WalkDir(dir.pages, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(dir.pages, name)
			list = append(list, help.Text{Name: path.Join(dir.name, name), Text: string(text)})
			return err
		})
		if err != nil { // the files are part of the program
			panic(err)
		}
	}
	return list
}
