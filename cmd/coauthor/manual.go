package main

import (
	"io/fs"

	"coauthor"
	"coauthor/agent/help"
)

// manual are the documents for users, from which the coder help answers.
func manual() []help.Text {
	var list []help.Text
	err := fs.WalkDir(coauthor.Documents, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(coauthor.Documents, name)
		list = append(list, help.Text{Name: name, Text: string(text)})
		return err
	})
	if err != nil { // the files are part of the program
		panic(err)
	}
	return list
}
