package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"sync"

	"coauthor/agent/llm/llmtest"
)

// FakeModelCmd serves a scripted model in a process of its own: editors' tests start it beside the
// real server. Its first line of output is its URL; it ends with its context or when its standard
// input ends (--while-stdin).
type FakeModelCmd struct {
	Script     string `required:"" placeholder:"FILE" help:"The script, a txtar archive."`
	Listen     string `default:"127.0.0.1:0" placeholder:"ADDR" help:"The address to listen on."`
	Record     string `placeholder:"FILE" help:"Write every request to FILE, one JSON object a line; {\"closed\":true} is a client that hung up in the middle of a reply."`
	WhileStdin bool   `name:"while-stdin" help:"Exit when standard input ends."`
}

// Run serves until ctx ends.
func (c *FakeModelCmd) Run(ctx context.Context, s Streams) (int, error) {
	data, err := os.ReadFile(c.Script)
	if err != nil {
		return 2, fmt.Errorf("cannot read the script: %w", err)
	}
	script, err := llmtest.Parse(data)
	if err != nil {
		return 2, fmt.Errorf("script %s: %w", c.Script, err)
	}
	record := io.Discard
	if c.Record != "" {
		f, err := os.Create(c.Record)
		if err != nil {
			return 2, fmt.Errorf("cannot create the record: %w", err)
		}
		defer f.Close()
		record = f
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return 1, fmt.Errorf("listen on %s: %w", c.Listen, err)
	}
	var once sync.Once
	lost := make(chan error, 1) // the first failed write; later ones are dropped
	server := llmtest.Serve(l, script, func(r llmtest.Recorded) {
		if err := json.NewEncoder(record).Encode(r); err != nil {
			once.Do(func() { lost <- err })
		}
	})
	defer server.Close()
	if _, err := fmt.Fprintln(s.Out, server.URL); err != nil {
		return 1, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if c.WhileStdin {
		// Reading cannot be interrupted: this goroutine ends with the stream or with the process.
		go func() {
			defer cancel()
			_, _ = io.Copy(io.Discard, s.In) // the end is all that counts
		}()
	}
	select {
	case <-ctx.Done():
		return 0, nil
	case err := <-lost:
		return 1, fmt.Errorf("cannot write the record: %w", err)
	}
}
