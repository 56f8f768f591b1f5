// Package completion completes the command line in shells. Script is what a shell reads once; it asks the program itself at
// each key, and Candidates answers from the program's own grammar, so that no list has to be kept beside it. The package
// reads no file and runs nothing; names of files are left to the shell.
package completion

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

//go:embed scripts
var scripts embed.FS

// Shells are the shells that there is a script for.
func Shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

// Script is what a shell has to read to complete the command line; the error names a shell that is not among Shells.
func Script(shell string) (string, error) {
	if !slices.Contains(Shells(), shell) {
		return "", fmt.Errorf("no completion for the shell %q; choose one of: %s", shell, strings.Join(Shells(), ", "))
	}
	text, err := scripts.ReadFile("scripts/" + shell)
	return string(text), err
}

// Candidate is a word that may come next, with what it means in a few words.
type Candidate struct{ Word, Doc string }

// Candidates are the words that may stand in the place of word, which may be written in part, behind the words before it:
// commands, flags, and the values of a flag or an argument that has a list of them. Nothing means that the shell may offer
// files.
func Candidates(app *kong.Application, before []string, word string) []Candidate {
	node, flag := app.Node, (*kong.Flag)(nil)
	arguments := 0
	for _, w := range before {
		switch {
		case w == "=": // bash takes --flag=value apart
		case flag != nil:
			flag = nil // it is its value
		case strings.HasPrefix(w, "-") && !strings.Contains(w, "="):
			flag = taking(node, w)
		case strings.HasPrefix(w, "-"):
		case child(node, w) != nil:
			node = child(node, w)
		default:
			arguments++
		}
	}
	if name, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(name, "-") {
		return values(taking(node, name), value, name+"=")
	}
	switch {
	case word == "=":
		return values(flag, "", "")
	case flag != nil:
		return values(flag, word, "")
	case strings.HasPrefix(word, "-"):
		return flags(node, word)
	}
	var list []Candidate
	for _, c := range node.Children {
		if !c.Hidden && strings.HasPrefix(c.Name, word) && arguments == 0 {
			list = append(list, Candidate{c.Name, firstLine(c.Help)})
		}
	}
	if arguments < len(node.Positional) {
		for _, v := range node.Positional[arguments].EnumSlice() {
			if strings.HasPrefix(v, word) {
				list = append(list, Candidate{Word: v})
			}
		}
	}
	return list
}

func child(node *kong.Node, word string) *kong.Node {
	for _, c := range node.Children {
		if c.Name == word || slices.Contains(c.Aliases, word) {
			return c
		}
	}
	return nil
}

// taking is the flag of that name, where a value follows it.
func taking(node *kong.Node, word string) *kong.Flag {
	for _, f := range slices.Concat(node.AllFlags(true)...) {
		if !f.IsBool() && (word == "--"+f.Name || f.Short != 0 && word == "-"+string(f.Short)) {
			return f
		}
	}
	return nil
}

func values(flag *kong.Flag, word, prefix string) (list []Candidate) {
	if flag == nil || flag.Enum == "" {
		return nil
	}
	for _, v := range flag.EnumSlice() {
		if strings.HasPrefix(v, word) {
			list = append(list, Candidate{Word: prefix + v})
		}
	}
	return list
}

func flags(node *kong.Node, word string) (list []Candidate) {
	for _, f := range slices.Concat(node.AllFlags(true)...) {
		if name := "--" + f.Name; strings.HasPrefix(name, word) {
			list = append(list, Candidate{name, firstLine(f.Help)})
		}
	}
	return list
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
