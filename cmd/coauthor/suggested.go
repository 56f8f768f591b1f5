package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/event"
)

// offerSuggested offers the commands that the last answer suggests, one by one, to the person at the terminal. With --yes
// nobody is asked about them, and only those run that shell.allow lists. code and err are the end of the command so far; a
// turn that the user wants because of what a program says has another one.
func (c *EditCmd) offerSuggested(ctx context.Context, h *headless, code int, err error) (int, error) {
	if ctx.Err() != nil || !h.interactive() || c.Preview || c.DryRun || c.Yes && err != nil {
		return code, err
	}
	h.yes = false // what is asked about a program is another question
	call := h.streaming(command.Call{Ports: agent.Ports{Ask: h}})
	for _, one := range command.Suggested(h.session.Conversation.History, h.session.Engine.Options()) {
		var answer command.Answer
		var failed error
		ran := true
		if c.Yes {
			answer, ran, failed = command.RunAllowed(ctx, h.session, call, one)
		} else {
			answer, failed = command.OfferSuggested(ctx, h.session, call, one, func(ctx context.Context, text string) (string, error) { return c.editLine(ctx, h, text) })
		}
		switch made, _ := answer.Data.(command.Ran); {
		case failed != nil:
			return 1, errors.Join(err, failed)
		case !ran || made.Status == command.RanSkipped:
			continue
		}
		work := workFlags{Format: c.Format, Yes: c.Yes, Force: c.Force}
		if then := answer.Then; then != nil {
			then.Files, then.ReadOnly, then.Goals = h.files, h.read, h.goals
			return work.became(ctx, h, answer) // its answer has suggestions of its own
		}
		if _, failed := work.became(ctx, h, answer); failed != nil {
			return 1, errors.Join(err, failed)
		}
	}
	return code, err
}

// editLine lets the user change a text in its line. Ctrl-C and Ctrl-D leave nothing of it. A terminal that cannot move its
// cursor has it typed anew.
func (c *EditCmd) editLine(ctx context.Context, h *headless, text string) (string, error) {
	keys, ok := h.s.In.(*os.File)
	if !ok || h.live == nil {
		a, err := h.put(ctx, event.Question{Text: "The command to run instead (Enter: none):", FreeText: true})
		return a.Text, err
	}
	h.out.pause()
	conn, err := keys.SyscallConn() // Fd would take the file out of the hands of the poller
	if err != nil {
		return "", fmt.Errorf("cannot edit the command: %w", err)
	}
	var fd int
	var before *term.State
	if failed := conn.Control(func(f uintptr) { fd = int(f); before, err = term.MakeRaw(fd) }); failed != nil || err != nil {
		return "", fmt.Errorf("cannot edit the command: %w", errors.Join(failed, err))
	}
	defer func() { _ = term.Restore(fd, before) }() // there is nothing else to try
	line := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{io.MultiReader(strings.NewReader(text), bytewise{h.in}), h.live.Screen}, "Command: ")
	if width, height, err := term.GetSize(fd); err == nil && width > 0 {
		_ = line.SetSize(width, height) // it stays as wide as it is
	}
	type read struct {
		text string
		err  error
	}
	done := make(chan read, 1) // buffered, so that the reader can leave when nobody waits any more
	go func() {
		text, err := line.ReadLine()
		done <- read{text, err}
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case r := <-done:
		if errors.Is(r.err, io.EOF) {
			fmt.Fprint(h.live.Screen, "\r\n")
			return "", nil
		}
		return r.text, r.err
	}
}

// bytewise reads no more than is asked for: what is typed behind the line is for the next question.
type bytewise struct{ from io.Reader }

// Read implements io.Reader.
func (b bytewise) Read(into []byte) (int, error) { return b.from.Read(into[:min(1, len(into))]) }

// offerChecks asks about the linters, formatters and tests that the folder shows to use, once a change is in it. Where nobody can be
// asked it says how to set them.
func (c *EditCmd) offerChecks(ctx context.Context, h *headless) error {
	o := h.session.Consent.Suggest(ctx)
	if len(o.Tools) == 0 {
		return nil
	}
	if c.Yes || !h.interactive() {
		text, err := h.session.Consent.Advise(o)
		if text != "" {
			h.s.tell(text)
		}
		return err
	}
	_, err := h.session.Consent.Offer(ctx, o, h)
	return err
}
