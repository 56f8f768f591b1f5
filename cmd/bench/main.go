// Command bench measures what a user waits for: the real server as a process of its own, driven
// over pipes, beside the figures that the project promises.
//
// It prints medians and 99th percentiles of many rounds in one run and asserts nothing: a figure
// depends on the machine, and what it is compared with stands beside it (README.md). Go benchmarks
// of single functions live beside the functions.
package main

import (
	"context"
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
	Server options      `cmd:"" default:"withargs" help:"What a user of the language server waits for."`
	Map    mapOptions   `cmd:"" name:"repomap" help:"The index and the map of one tree: time, processor time and memory."`
	Large  largeOptions `cmd:"" help:"What the program takes on a large tree, from its start: maps, turns from the command line and in the server."`
	Load   loadOptions  `cmd:"" help:"What a user waits for who types into several documents while two turns stream."`
	Soak   soakOptions  `cmd:"" help:"What the server holds while it goes through many turns."`
	Versus rivals       `cmd:"" help:"The same scripted answers played to aider and to coauthor edit: the trees that come of them, and the time outside the model."`

	Stage  stageOptions `cmd:"" hidden:"" help:"One stage of repomap in a process of its own."`
	Worker struct{}     `cmd:"" hidden:"" name:"index-worker" help:"Parse files for a stage."`
	Model  struct{}     `cmd:"" hidden:"" name:"load-model" help:"The model of load."`
}

type options struct {
	Binary string   `help:"The coauthor binary to measure; built when left out."`
	Rounds int      `default:"20" help:"Rounds of the slow measurements (starts, turns)."`
	Only   []string `help:"Only these: startup, action, change, cancel, proposal."`

	verbose bool // the server's log holds everything
}

func main() {
	var c commands
	chosen := kong.Parse(&c, kong.Description("Measure what a user waits for."))
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
	dir, err := os.MkdirTemp("", "coauthor-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.Binary, err = built(ctx, o.Binary, dir); err != nil {
		return err
	}
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

// built returns the binary to measure: the named one, or one that it builds in dir.
func built(ctx context.Context, binary, dir string) (string, error) {
	if binary != "" {
		return filepath.Abs(binary)
	}
	binary = filepath.Join(dir, "coauthor")
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "coauthor").Output() // this module needs less than the program does
	if err != nil {
		return "", fmt.Errorf("find the folder of coauthor, from a folder other than cmd/bench: %w", err)
	}
	build := exec.CommandContext(ctx, "go", "-C", strings.TrimSpace(string(root)), "build", "-o", binary, "./cmd/coauthor")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return "", fmt.Errorf("build the binary: %w", err)
	}
	return binary, nil
}

func show(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d.Microseconds())/1000) }
