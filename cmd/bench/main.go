// Command bench measures what a user waits for: the real server as a process of its own, driven
// over pipes, beside the figures that the project promises.
//
// It prints medians and 99th percentiles of many rounds in one run and asserts nothing: a figure
// depends on the machine, and what it is compared with stands beside it (README.md). Go benchmarks
// of single functions live beside the functions.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"coauthor/agent/index"
)

// commands are what can be measured; without a word it is the server.
type commands struct {
	Server options      `cmd:"" default:"withargs" help:"Measures waiting times in the language server."`
	Map    mapOptions   `cmd:"" name:"repomap" help:"Measures time, CPU time and memory of one tree's index and map."`
	Large  largeOptions `cmd:"" help:"Measures maps and turns in a large tree, on the command line and in the server."`
	Load   loadOptions  `cmd:"" help:"Measures waiting times while a user types into several documents and two turns stream."`
	Soak   soakOptions  `cmd:"" help:"Measures the server's memory, descriptors and threads over many turns."`
	Versus rivals       `cmd:"" help:"Plays the same scripted answers to aider and coauthor edit, and compares their trees and times."`

	Stage  stageOptions `cmd:"" hidden:"" help:"Runs one repomap stage in a separate process."`
	Worker struct{}     `cmd:"" hidden:"" name:"index-worker" help:"Parses files for a stage."`
	Model  struct{}     `cmd:"" hidden:"" name:"load-model" help:"Runs the model for load."`
}

type options struct {
	Binary string   `help:"The coauthor program to measure. Default: a new build."`
	Rounds int      `default:"20" help:"Number of rounds for slow measurements (starts, turns)."`
	Only   []string `help:"Measurements to run: startup, action, change, cancel, proposal."`

	verbose bool // the server's log holds everything
}

func main() {
	var c commands
	chosen := kong.Parse(&c, kong.Description("Measures how long users wait."))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	var err error
	switch chosen.Command() {
	case "repomap":
		err = c.Map.run(ctx, os.Stdout)
	case "large":
		err = c.Large.run(ctx, os.Stdout)
	case "load":
		err = c.Load.run(ctx, os.Stdout)
	case "soak":
		err = c.Soak.run(ctx, os.Stdout)
	case "versus", "versus <cases>":
		err = c.Versus.run(ctx, os.Stdout)
	case "stage":
		err = c.Stage.run(ctx, os.Stdout)
	case "load-model":
		err = serveLoadModel(os.Stdin, os.Stdout)
	case "index-worker":
		err = index.ServeWorker(ctx, os.Stdin, os.Stdout)
	default:
		err = run(ctx, os.Stdout, c.Server)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// measurement is one row of the report; run fills the samples.
type measurement struct {
	name, what, promise string
	run                 func(ctx context.Context, o options, dir string) ([]time.Duration, error)
}

var measurements = []measurement{
	{"startup", "process start to the answer of initialize", "median 50 ms", startup},
	{"action", "a code action while a turn streams", "p99 10 ms", actions},
	{"change", "a one-line change in an open 1 MB document, and a request behind it", "p99 1 ms", changes},
	{"cancel", "stop, to the closed connection of the model", "200 ms", cancels},
	{"proposal", "last byte to proposal, 5,000 lines, 20 places, SEARCH/REPLACE", "20 ms", fewPlaces},
	{"proposal", "last byte to proposal, 5,000 lines, every second line, whole file", "250 ms", halfTheLines},
}

func run(ctx context.Context, out io.Writer, o options) error {
	dir, err := benchFolder(ctx, &o.Binary)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Fprintf(out, "| measured | promise | rounds | median | p99 | worst |\n|---|---|---|---|---|---|\n")
	for _, m := range measurements {
		if len(o.Only) > 0 && !slices.Contains(o.Only, m.name) {
			continue
		}
		samples, err := m.run(ctx, o, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", m.what, err)
		}
		slices.Sort(samples)
		n := len(samples)
		fmt.Fprintf(out, "| %s | %s | %d | %s | %s | %s |\n", m.what, m.promise, n,
			show(samples[n/2]), show(samples[min(n-1, n*99/100)]), show(samples[n-1]))
	}
	return nil
}

// benchFolder makes a folder for a measurement, and there the binary to measure unless one is named.
func benchFolder(ctx context.Context, binary *string) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "coauthor-bench-"); err != nil {
		return "", err
	}
	if *binary, err = built(ctx, *binary, dir); err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return dir, nil
}

// built returns the binary to measure: the named one, or one that it builds in dir.
func built(ctx context.Context, binary, dir string) (string, error) {
	if binary != "" {
		return filepath.Abs(binary)
	}
	binary = filepath.Join(dir, "coauthor")
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "coauthor").Output() // this module needs less than the program does
	if err != nil {
		return "", fmt.Errorf("cannot find the coauthor folder; run this from cmd/bench: %w", err)
	}
	build := exec.CommandContext(ctx, "go", "-C", strings.TrimSpace(string(root)), "build", "-o", binary, "./cmd/coauthor")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return "", fmt.Errorf("build the binary: %w", err)
	}
	return binary, nil
}

func show(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d.Microseconds())/1000) }
