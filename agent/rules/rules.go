// Package rules knows the files in which projects write down how they want to be worked on, and for which
// files each of them is meant.
//
// It reads files through the door of package workspace alone, and asks the user only by what it is given. What stands in a
// text is untrusted: nothing of it is run or looked up here. Start at Choose; Candidates and Read are the rules of it.
package rules

import (
	"path"
	"slices"
	"strings"
)

// Tree is what is there. Paths are relative to the root, with slashes.
type Tree interface {
	// Exists says whether there is a file.
	Exists(path string) bool
	// Below lists the files below a folder whose names end in suffix, sorted.
	Below(folder, suffix string) []string
}

// The places of rules files.
const (
	cursorFolder       = ".cursor/rules"
	cursorSuffix       = ".mdc"
	instructionsFolder = ".github/instructions"
	instructionsSuffix = ".instructions.md"
)

// Candidates returns the rules files that may count for work on the files of a chat, the most important
// first: of AGENTS.override.md and AGENTS.md those in the nearest folder above each file that has one (the
// override in place of the other), then the files of the whole project, then those for certain files.
func Candidates(tree Tree, chat []string) []string {
	list := agents(tree, chat)
	for _, name := range []string{"CONVENTIONS.md", "CLAUDE.md", ".github/copilot-instructions.md"} {
		if tree.Exists(name) {
			list = append(list, name)
		}
	}
	list = append(list, tree.Below(cursorFolder, cursorSuffix)...)
	return append(list, tree.Below(instructionsFolder, instructionsSuffix)...)
}

// agents are the AGENTS files that count for a chat, those of deeper folders first. Without a chat file it is
// that of the root.
func agents(tree Tree, chat []string) []string {
	if len(chat) == 0 {
		chat = []string{"-"} // some file of the root
	}
	nearest := map[string]string{} // by folder; "" for none
	var list []string
	for _, file := range chat {
		if found := nearestAbove(tree, path.Dir(file), nearest); found != "" && !slices.Contains(list, found) {
			list = append(list, found)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		if deeper := strings.Count(b, "/") - strings.Count(a, "/"); deeper != 0 {
			return deeper
		}
		return strings.Compare(a, b)
	})
	return list
}

func nearestAbove(tree Tree, folder string, known map[string]string) string {
	if found, ok := known[folder]; ok {
		return found
	}
	found := ""
	for _, name := range []string{"AGENTS.override.md", "AGENTS.md"} {
		if file := path.Join(folder, name); tree.Exists(file) {
			found = file
			break
		}
	}
	if found == "" && folder != "." && folder != "/" {
		found = nearestAbove(tree, path.Dir(folder), known)
	}
	known[folder] = found
	return found
}

// Rule is what a rules file says.
type Rule struct {
	Text     string // without its head
	About    string // its description of itself, one line; "" for none
	Applies  bool
	Why      string // why it does not apply, as the end of a sentence; "" when it does
	Optional bool   // it does not apply by itself, but may be asked for by its description
}

// Read reads a rules file and says whether it counts for work on the files of a chat.
func Read(file, text string, chat []string) Rule {
	switch {
	case strings.HasSuffix(file, cursorSuffix):
		head, body := splitHead(text)
		r := Rule{Text: body, About: oneLine(head.first("description"))}
		if strings.EqualFold(head.first("alwaysApply"), "true") {
			r.Applies = true
			return r
		}
		globs := head["globs"]
		if len(globs) == 0 {
			r.Optional = r.About != ""
			r.Why = "it has no globs, and alwaysApply is not true"
			return r
		}
		r.Applies, r.Why = fits(globs, chat, anywhere)
		return r
	case strings.HasSuffix(file, instructionsSuffix):
		head, body := splitHead(text)
		r := Rule{Text: body, About: oneLine(head.first("description"))}
		globs := head["applyto"]
		if len(globs) == 0 {
			r.Optional = r.About != ""
			r.Why = "it has no applyTo field"
			return r
		}
		r.Applies, r.Why = fits(globs, chat, fromRoot)
		return r
	}
	return Rule{Text: text, Applies: true}
}

// longestAbout bounds a description, in bytes: it goes into the prompt.
const longestAbout = 200

func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > longestAbout {
		s = strings.ToValidUTF8(s[:longestAbout], "") + "…"
	}
	return s
}
