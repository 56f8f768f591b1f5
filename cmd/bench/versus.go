package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"

	"coauthor/cmd/bench/versus"
)

// aiderEnv knows where aider stands.
//
//go:embed aider_env.py
var aiderEnv string

type rivals struct {
	Binary  string   `help:"The coauthor program to test. Default: a new build."`
	Rounds  int      `default:"1" help:"How many times to play each case; the result is the median."`
	Install bool     `default:"true" negatable:"" help:"Install aider if it is missing; otherwise test only coauthor."`
	Verbose bool     `help:"Print a program's output if its tree is wrong."`
	Cases   []string `arg:"" optional:"" help:"Case names or patterns. Default: all."`
}

func (o rivals) run(ctx context.Context, out io.Writer) error {
	dir, err := benchFolder(ctx, &o.Binary)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	aider, err := versus.FindAider(ctx, aiderEnv, o.Install)
	switch {
	case errors.Is(err, versus.ErrNoAider):
		fmt.Fprintln(out, "aider is not installed, so only coauthor is tested. To install aider, run python3 cmd/bench/aider_env.py.")
	case err != nil:
		return err
	}
	return versus.Run(ctx, out, versus.Options{Binary: o.Binary, Aider: aider, Cases: o.Cases, Rounds: o.Rounds, Verbose: o.Verbose})
}
