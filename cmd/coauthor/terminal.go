package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"coauthor/agent/command"
	"coauthor/agent/event"
	"coauthor/cmd/coauthor/chat"
	"coauthor/cmd/coauthor/console"
)

// list prints a page of tables, as wide as the terminal. A session prints it as its own.
func (s Streams) list(l command.Listing) error {
	if within, is := console.Unwrap(s.Out).(interface{ List(command.Listing) }); is {
		within.List(l)
		return nil
	}
	width := console.Width(s.Out)
	if width <= 0 {
		width = 80
	}
	_, err := io.WriteString(s.Out, chat.Listing(l, width, s.colour(s.Out)))
	return err
}

// terminal puts questions to the person who sits at it.
type terminal struct {
	in    *bufio.Reader
	out   io.Writer // where the questions are written
	width int       // of it, in columns; 0 unknown
}

// put writes a question with its choices and its default, and reads answers until one fits (see
// event.Question.Choose). The end of the input is the default; of an explicit
// question it is an error.
func (t *terminal) put(ctx context.Context, q event.Question) (event.Answer, error) {
	head, text := chat.Asked(q, t.width)
	fmt.Fprint(t.out, head)
	for {
		fmt.Fprint(t.out, text+" ")
		word, err := t.line(ctx)
		if ctx.Err() != nil {
			return event.Answer{}, ctx.Err()
		}
		if err != nil {
			fmt.Fprintln(t.out) // nobody has typed the end of the line, and so nobody has agreed
			if q.Explicit {
				return event.Answer{}, errors.New("the question was not answered, so coauthor sent nothing more")
			}
			return q.DefaultAnswer(), nil //nolint:nilerr // the end of the input is no answer, and that is the default
		}
		if answer, ok := q.Choose(word); ok {
			return answer, nil
		}
		fmt.Fprintln(t.out, chat.Fold(chat.Again(q), t.width))
	}
}

// line reads a line, or gives up when ctx ends.
func (t *terminal) line(ctx context.Context) (string, error) {
	type line struct {
		text string
		err  error
	}
	read := make(chan line, 1) // buffered, so that the reader can leave when nobody waits any more
	go func() {
		text, err := t.in.ReadString('\n')
		read <- line{text, err}
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case l := <-read:
		return l.text, l.err
	}
}
