// Package command has the table of commands, from which menus, pages and the command line are made, and the commands that need a
// session and no editor: what each is called and takes, and the function that runs it. It reads what is typed behind a slash.
//
// It knows neither editors nor the protocol: a command that needs an editor has only its row here, and package lsp has the
// function. It reaches a session by the exported parts of that alone. Start at Action and Run.
package command

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"coauthor/agent"
	"coauthor/agent/command/arg"
	"coauthor/agent/mention"
)

// Call is a command with its arguments and where it is made from.
type Call struct {
	Args   any           // a pointer to the struct of the command's arguments, see Run.New; nil for none. Files are relative to the root.
	Target *agent.Target // what the user is in, where that is known
	Ports  agent.Ports   // of the questions that it asks
	Table  []Action      // the commands that there are
	// Typed says that the user typed the command with its arguments at a prompt that nobody else can write to: to run a
	// program, nothing more is asked.
	Typed bool
	// Running is told that a program runs, of what name, whether it only checks the files, and how it is stopped: it returns who
	// is told the program's output as it comes (of a check whole lines), and that it ended, with its exit status. nil tells nobody.
	Running func(name string, checks bool, stop func()) (tell func(text string), ended func(code int))
}

// Answer is what a command says.
type Answer struct {
	Text string // for the user, one or a few lines; "" where the page says all
	Page Page   // to look at; without a text there is none
	// Listing is the page for a terminal; nil where its text is all there is.
	Listing *Listing
	Data    any            // the same for programs, as JSON
	Then    *agent.Request // what is to be asked next: the command starts this turn; nil for none
	// Failed says that what was to run did not, or complained: scripts learn it by the exit status.
	Failed bool
}

// Page is a document to look at, in Markdown.
type Page struct {
	Name string // of its file
	Text string
}

// Run is what a command does on a session.
type Run interface {
	// New returns a pointer to a struct for the command's arguments.
	New() any
	// Do does the work. Its error is for the user, and says what to do.
	Do(ctx context.Context, s *agent.Session, c Call) (Answer, error)
}

// With is a function as the work of a command: T is the struct of its arguments.
func With[T any](f func(ctx context.Context, s *agent.Session, c Call, args T) (Answer, error)) Run {
	return run[T](f)
}

type run[T any] func(ctx context.Context, s *agent.Session, c Call, args T) (Answer, error)

// New implements Run.
func (run[T]) New() any { return new(T) }

// Do implements Run.
func (f run[T]) Do(ctx context.Context, s *agent.Session, c Call) (Answer, error) {
	args, ok := c.Args.(*T)
	switch {
	case ok:
		return f(ctx, s, c, *args)
	case c.Args != nil:
		return Answer{}, fmt.Errorf("arguments of another command: %T", c.Args)
	}
	return f(ctx, s, c, *new(T))
}

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

// Words reads what was written behind a command's word as the command takes it: names of files, or one text. None are
// written for nothing.
func (a Action) Words(rest string) ([]string, error) {
	for _, arg := range a.Args {
		switch {
		case !arg.Bare:
		case arg.Type == "string[]":
			return mention.Names(rest)
		case rest == "":
			return nil, nil
		default:
			return []string{rest}, nil
		}
	}
	if rest != "" {
		return nil, fmt.Errorf("/%s accepts no arguments; type it alone, or start your instruction with another word", a.SlashWord())
	}
	return nil, nil
}

// Read reads the arguments of a command of the session, as arg.Decode does: a pointer to their struct.
func (a Action) Read(given []json.RawMessage) (any, error) {
	args := a.Run.New()
	return args, arg.Decode(given, a.Args, args)
}

// Given returns the arguments of a command of the session for which nothing but these words was given.
func (a Action) Given(words ...string) any {
	args := a.Run.New()
	arg.SetBare(args, a.Args, words)
	return args
}
