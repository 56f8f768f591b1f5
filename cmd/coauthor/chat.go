package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"coauthor/agent/command"
	"coauthor/agent/proposal"
	"coauthor/cmd/coauthor/chat"
	"coauthor/cmd/coauthor/console"
)

// ChatCmd is the session on a terminal.
type ChatCmd struct {
	Root     string   `placeholder:"DIR" help:"The project folder. Default: this repository."`
	Model    string   `placeholder:"NAME" help:"The model to ask."`
	APIBase  string   `name:"api-base" placeholder:"URL" help:"The OpenAI-compatible endpoint."`
	Verbose  bool     `help:"Also say how each answer was read."`
	Continue bool     `help:"Continue the last conversation, with its files."`
	Files    []string `arg:"" optional:"" help:"The files to work on."`
}

// Run holds the session until the user leaves it.
func (c *ChatCmd) Run(ctx context.Context, s Streams) (int, error) {
	if !s.interactive() {
		return 1, errors.New("coauthor chat needs a terminal; without one, run coauthor edit -m \"REQUEST\" FILE or coauthor ask -m \"QUESTION\"")
	}
	h := &headless{s: s, flags: &turnFlags{Root: c.Root, Model: c.Model, APIBase: c.APIBase, Files: c.Files}}
	if _, err := h.connect(); err != nil {
		return 1, err
	}
	defer h.close()
	if c.Continue {
		err := h.goOn(ctx)
		if err == nil {
			err = h.flagsFirst()
		}
		if err != nil {
			return 1, fmt.Errorf("--continue: %w", err)
		}
	}
	return 0, chat.Run(ctx, chat.Options{
		In: s.In, Out: s.Out, Env: terminalEnv(s.Env), Dumb: !s.draws(s.Out) || !console.Types(s.In), Width: console.Width(s.Out), Colour: s.colour(s.Out), Verbose: c.Verbose,
		Past: pastOf(h.wiring.user.State(), h.root), Home: h.wiring.user.Home(),
		Session: h.session, Table: h.wiring.actions(), Files: h.files,
		Deliver: func(consent func(context.Context, string) bool) proposal.Delivery {
			return &disk{ws: h.ws, consent: consent}
		},
		Shown: func() { _, _ = h.wiring.index(h.ws) }, // the first request need not wait for all of it
		Other: commandLine{h}.run,
	})
}

// terminalEnv are the variables that say what the terminal is.
func terminalEnv(get func(string) string) (list []string) {
	for _, name := range []string{"TERM", "COLORTERM", "NO_COLOR", "TERM_PROGRAM", "TMUX", "WT_SESSION", "SSH_TTY"} {
		if value := get(name); value != "" {
			list = append(list, name+"="+value)
		}
	}
	return list
}

// pastOf is the file of what was written in a folder before; "" where nothing is kept.
func pastOf(dir, root string) string {
	if dir == "" {
		return ""
	}
	name := sha256.Sum256([]byte(root))
	return filepath.Join(dir, "written", hex.EncodeToString(name[:8])+".jsonl")
}

// commandLine are the commands of the command line, in a session.
type commandLine struct{ session *headless }

// run runs one of them on what stands behind its word.
func (c commandLine) run(ctx context.Context, a command.Action, rest string, out io.Writer, ask chat.Person) error {
	args := []string{a.Word, "--root", c.session.root}
	for _, arg := range a.Args {
		switch {
		case !arg.Bare || rest == "":
		case arg.Name == "message" || arg.Name == "instruction":
			args = append(args, "--message", rest)
		default:
			args = append(args, rest)
		}
		if arg.Bare && arg.Name == "instruction" && rest == "" && a.ID == "showContext" {
			return errors.New("add an instruction, for example: /show-context Add a test")
		}
	}
	if f := c.session.flags; a.ID == "doctor" {
		for _, flag := range [][2]string{{"--model", f.Model}, {"--api-base", f.APIBase}} {
			if flag[1] != "" {
				args = append(args, flag[0], flag[1])
			}
		}
	}
	nothing, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer func() { _ = nothing.Close() }()
	s := c.session.s
	s.In, s.Out, s.Err, s.Terminal, s.within, s.ask = nothing, out, out, nil, c.session, ask
	cmd, _, done := parse(args, s)
	if done {
		return nil
	}
	_, err = cmd.Run(ctx, s)
	return err
}
