package main

import (
	"fmt"
	"io"

	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/cmd/coauthor/chat"
)

// Streams is what a sub-command may touch of its process.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) string
	// Terminal opens the terminal that the process belongs to, for a question while standard input is
	// taken; nil for none.
	Terminal func() (io.ReadCloser, error)
	// Coders are the strategies of turns; nil is coder.All.
	Coders coder.Table

	// within is the session that a command works in instead of opening one, and ask who answers its questions; nil for both
	// outside of a session on a terminal.
	within *headless
	ask    event.Asker
}

func (s Streams) coders() coder.Table {
	if s.Coders == nil {
		return coder.All()
	}
	return s.Coders
}

// colour says whether what is written to out, one of the two outputs, may have colours.
func (s Streams) colour(out io.Writer) bool { return isTerminal(out) && s.Env("NO_COLOR") == "" }

// tell writes a text, which is fit to be shown, on lines of its own beside the output. On a terminal no word is broken.
func (s Streams) tell(text string) { fmt.Fprintln(s.Err, chat.Fold(text, columns(s.Err))) }

// interactive says that a person sits before both streams.
func (s Streams) interactive() bool { return isTerminal(s.In) && isTerminal(s.Out) }
