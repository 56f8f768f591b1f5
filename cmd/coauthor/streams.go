package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"coauthor/agent/coder"
	"coauthor/agent/display"
	"coauthor/cmd/coauthor/chat"
	"coauthor/cmd/coauthor/console"
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
	ask    chat.Person
}

func (s Streams) coders() coder.Table {
	if s.Coders == nil {
		return coder.All()
	}
	return s.Coders
}

// colour says whether what is written to out, one of the two outputs, may have colours.
func (s Streams) colour(out io.Writer) bool {
	return s.Env("NO_COLOR") == "" && s.draws(out)
}

// draws says whether out is a terminal that does what escape sequences say.
func (s Streams) draws(out io.Writer) bool { return s.Env("TERM") != "dumb" && console.Draws(out) }

// tell writes a text, which is fit to be shown, on lines of its own beside the output. On a terminal no word is broken.
func (s Streams) tell(text string) { fmt.Fprintln(s.Err, chat.Fold(text, console.Width(s.Err))) }

// interactive says that a person sits before both streams.
func (s Streams) interactive() bool { return console.Is(s.In) && console.Is(s.Out) }

// isPiped says whether a stream holds text that somebody sends: a pipe or a file, and no device such as /dev/null.
func isPiped(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return stream != nil
	}
	info, err := f.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&os.ModeNamedPipe != 0)
}

// pipedText is what came on standard input, or why it cannot be read.
type pipedText struct {
	text string
	err  error
}

// readPiped reads standard input to its end, however long that takes.
func readPiped(in *bufio.Reader) chan pipedText {
	read := make(chan pipedText, 1) // buffered, so that the reader can leave when nobody waits any more
	go func() {
		text, err := readText(in)
		read <- pipedText{text, err}
	}()
	return read
}

// awaitPiped waits for what is piped in, which goes along with the request; nil is nothing. Whether something is still to come
// nobody can know before the end of the input, so that is waited for, as cat does, and the user is told what for.
func awaitPiped(ctx context.Context, from chan pipedText, out *turnPrinter) (string, error) {
	if from == nil {
		return "", nil
	}
	var got pipedText
	select {
	case got = <-from:
	default:
		out.tell("Reading standard input to its end. To send nothing of it, start coauthor with < /dev/null.")
		select {
		case got = <-from:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	switch {
	case got.err != nil:
		return "", got.err
	case strings.TrimSpace(got.text) == "":
		return "", nil
	case !utf8.ValidString(got.text) || strings.ContainsRune(got.text, 0):
		return "", errors.New("standard input is not UTF-8 text, so nothing was sent; start coauthor with < /dev/null to leave it out")
	}
	if !out.json {
		out.tell("Sending %s of standard input with the request.", display.Count(strings.Count(strings.TrimRight(got.text, "\n"), "\n")+1, "line"))
	}
	return got.text, nil
}
