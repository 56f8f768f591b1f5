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
	Binary  string   `help:"The coauthor binary to play to; built when left out."`
	Rounds  int      `default:"1" help:"How often each case is played to each; the medians count."`
	Install bool     `default:"true" negatable:"" help:"Install aider where it is missing; else play to coauthor alone."`
	Verbose bool     `help:"Print what a program wrote where its tree is not as it should be."`
	Cases   []string `arg:"" optional:"" help:"Names of cases, or patterns of them; default all."`
}

func (o rivals) run(ctx context.Context, out io.Writer) error {
	dir, err := os.MkdirTemp("", "coauthor-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary, err := built(ctx, o.Binary, dir)
	if err != nil {
		return err
	}
	aider, err := versus.FindAider(ctx, aiderEnv, o.Install)
	switch {
	case errors.Is(err, versus.ErrNoAider):
		fmt.Fprintln(out, "aider is not installed (python3 cmd/bench/aider_env.py installs it): the answers are played to coauthor alone.")
	case err != nil:
		return err
	}
	return versus.Run(ctx, out, versus.Options{Binary: binary, Aider: aider, Cases: o.Cases, Rounds: o.Rounds, Verbose: o.Verbose})
}
