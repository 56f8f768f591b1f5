package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"coauthor/agent/display"
	"coauthor/agent/index"
	"coauthor/agent/model"
	"coauthor/cmd/coauthor/console"
	"coauthor/repomap"
)

// MapCmd prints the repo map that a turn would get.
type MapCmd struct {
	Root        string   `help:"The folder of the repository." type:"path" default:"."`
	Tokens      int      `help:"The size of the map in tokens." default:"1024"`
	Tokenizer   string   `help:"A tokenizer; chars4: 4 characters per token." default:"chars4"`
	Chat        []string `help:"A file the model already sees." sep:"none" placeholder:"FILE"`
	Mention     []string `help:"Identifiers or files from the request." sep:"," placeholder:"WORDS"`
	Message     string   `help:"The request." xor:"message"`
	MessageFile string   `help:"Read the request from FILE; - is stdin." xor:"message" placeholder:"FILE"`
	NoWait      bool     `help:"Print without waiting for the index."`
	JSON        bool     `help:"Also print the ranks and ranking signals." name:"json"`
	Without     []string `help:"Signals to leave out, to measure what they bring." sep:"," hidden:""`
	Besides     string   `help:"What else was said, to measure what it brings." hidden:""`
	Earlier     []string `help:"What was asked before, the newest first, to measure what it brings." sep:"none" hidden:""`
}

// Run prints the map.
func (c *MapCmd) Run(ctx context.Context, s Streams) (exit int, err error) {
	if c.Tokens <= 0 {
		return 2, fmt.Errorf("--tokens %d: use a number above 0", c.Tokens)
	}
	if !slices.Contains(model.Tokenizers(), strings.TrimSuffix(strings.ToLower(c.Tokenizer), "_base")) {
		return 2, fmt.Errorf("--tokenizer %s: unknown tokenizer; use one of %s", c.Tokenizer, strings.Join(model.Tokenizers(), ", "))
	}
	message, err := c.message(s)
	if err != nil {
		return 2, err
	}
	root := c.Root // kong has made it absolute
	w := newWiring(s, nil, nil)
	ws, err := w.workspace(root, w.plain(root))
	if err != nil {
		return 2, fmt.Errorf("map: %w", err)
	}
	defer func() { _ = ws.Close() }() // nothing is written through it
	l := &lister{door: ws.Door(), clock: time.Now}
	x, err := index.Open(ctx, root, index.Options{StateDir: w.user.State(), Worker: workerCommand(), Door: l.allows})
	if err != nil {
		return 2, fmt.Errorf("map: %w", err)
	}
	defer x.Close()
	if !c.NoWait {
		if err := x.Wait(ctx); err != nil {
			return 1, err
		}
	}
	r := repomap.Request{Message: message, Budget: c.Tokens, Counter: model.NewCounter(c.Tokenizer), Without: c.Without, Besides: c.Besides, Earlier: c.Earlier}
	for _, chat := range c.Chat {
		r.Chat = append(r.Chat, relative(root, chat))
	}
	for _, word := range c.Mention {
		if word = strings.TrimSpace(word); word != "" {
			r.MentionedIdents = append(r.MentionedIdents, word)
			r.MentionedFiles = append(r.MentionedFiles, word)
		}
	}
	m, err := x.Map(ctx, r)
	if err != nil {
		return 1, err
	}
	if m.Complete < 1 {
		fmt.Fprintf(s.Err, "coauthor: indexed %.0f%% of the files so far\n", 100*m.Complete)
	}
	if c.JSON {
		out := json.NewEncoder(s.Out)
		out.SetIndent("", " ")
		return 0, out.Encode(m)
	}
	if console.Is(s.Out) {
		m.Text = display.Text(m.Text) // elsewhere it is exactly what a model would get
	}
	_, err = fmt.Fprint(s.Out, m.Text)
	return 0, err
}

func (c *MapCmd) message(s Streams) (string, error) {
	switch c.MessageFile {
	case "":
		return c.Message, nil
	case "-":
		return readText(s.In)
	}
	f, err := os.Open(c.MessageFile)
	if err != nil {
		return "", fmt.Errorf("cannot read the request: %w", err)
	}
	defer f.Close()
	return readText(f)
}

// relative gives a path below root in the form that the index uses. A relative one is meant from root.
func relative(root, path string) string {
	if filepath.IsAbs(path) {
		if rel, err := filepath.Rel(root, path); err == nil {
			path = rel
		}
	}
	return filepath.ToSlash(filepath.Clean(path))
}

// maxRequest is how many bytes a request may have. Nobody writes a longer one.
const maxRequest = 1 << 20

// readText reads a request to its end.
func readText(r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxRequest+1))
	if err == nil && len(text) > maxRequest {
		err = fmt.Errorf("it is longer than %d bytes; name files instead of pasting their content", maxRequest)
	}
	if err != nil {
		return "", fmt.Errorf("cannot read the request: %w", err)
	}
	return string(text), nil
}
