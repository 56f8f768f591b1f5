// Package command has the table of commands, from which menus, pages and the command line are made, and the commands that need a
// session and no editor: what each is called and takes, and the function that runs it. It reads what is typed behind a slash.
//
// It knows neither editors nor the protocol: a command that needs an editor has only its row here, and package lsp has the
// function. It reaches a session by the exported parts of that alone. Start at Action and Run.
package command

import (
	"context"
	"fmt"
	"strings"

	"coauthor/agent"
	"coauthor/agent/mention"
)

// Call is a command with what was written behind its word.
type Call struct {
	Text   string         // in words; "" for nothing
	Files  []string       // paths relative to the root, folders, or globs
	Target *agent.Target  // what the user is in, where that is known
	More   map[string]any // the other arguments of the command, by the names of its row: string, bool, int or []string
	Ports  agent.Ports    // of the questions that it asks
	Table  []Action       // the commands that there are
	// Running is told that a program runs, of what name and how it is stopped: it returns who is told the program's output
	// as it comes, and that it ended, with its exit status. nil tells nobody.
	Running func(name string, stop func()) (tell func(text string), ended func(code int))
}

// Answer is what a command says.
type Answer struct {
	Text string         // for the user, one or a few lines; "" where the page says all
	Page Page           // to look at; without a text there is none
	Data any            // the same for programs, as JSON
	Then *agent.Request // what is to be asked next: the command starts this turn; nil for none
	// Failed says that what was to run did not, or complained: scripts learn it by the exit status.
	Failed bool
}

// Page is a document to look at, in Markdown.
type Page struct {
	Name string // of its file
	Text string
}

// Run does the work of a command on a session. Its error is for the user, and says what to do.
type Run func(ctx context.Context, s *agent.Session, c Call) (Answer, error)

// CommandOf reads a text that begins with a command's word behind a slash: "/commit Fix the test" is that command and
// the rest of the text. ok is false for every other text.
func CommandOf(table []Action, text string) (a Action, rest string, ok bool) {
	text = strings.TrimSpace(text)
	word, rest, _ := strings.Cut(text, " ")
	if i := strings.IndexAny(word, "\t\r\n"); i >= 0 {
		word, rest = text[:i], text[i:]
	}
	name, slash := strings.CutPrefix(word, "/")
	if !slash || name == "" {
		return Action{}, text, false
	}
	rest = strings.TrimSpace(rest)
	for _, a := range table {
		if a.SlashWord() == name || a.Alone == name && rest == "" {
			return a, rest, true
		}
	}
	return Action{}, text, false
}

// Given reads what was written behind a command's word as the command takes it.
func (a Action) Given(rest string) (Call, error) {
	for _, arg := range a.Args {
		switch {
		case !arg.Bare:
		case arg.Type == "string[]":
			names, err := mention.Names(rest)
			return Call{Files: names}, err
		default:
			return Call{Text: rest}, nil
		}
	}
	if rest != "" {
		return Call{}, fmt.Errorf("/%s accepts no arguments; type it alone, or start your instruction with another word", a.SlashWord())
	}
	return Call{}, nil
}
