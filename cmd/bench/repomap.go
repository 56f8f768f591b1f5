package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// mapOptions choose the tree and how it is measured. Every stage runs in a process of its own, with
// workers as the server has them, and no other load of ours beside it.
type mapOptions struct {
	Tree   string   `required:"" type:"existingdir" help:"The repository to index."`
	Edit   string   `required:"" help:"The file in the repository to edit and ask about."`
	State  string   `type:"path" help:"The folder for the index. Default: a temporary folder."`
	Rounds int      `default:"100" help:"Number of edits, each followed by a map."`
	Times  int      `default:"1" help:"Number of alternating first indexes and bare parses; the result is the median."`
	Stages []string `default:"parse,first,restart" help:"Stages to run. Default: all."`
	Settle int      `default:"10" help:"Seconds to wait before measuring the settled memory."`
	Nice   int      `default:"0" help:"The stages' niceness."`
}

// figures are what one stage says of itself.
type figures struct {
	Wall, CPU, Parse      time.Duration
	Ready                 time.Duration // of Wall, until all files were indexed; then the history is read
	Peak, Settled, Worked uint64        // resident bytes of all processes: the most, some time after being ready, after the maps
	Files                 int
	First                 time.Duration   // the first map
	Warm, Edits           []time.Duration // a map of an unchanged index; one after an edit
	EditCPU               time.Duration   // of one edit with its map
}

func (o mapOptions) run(ctx context.Context, out io.Writer) error {
	if o.State == "" {
		dir, err := os.MkdirTemp("", "coauthor-bench-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		o.State = dir
	}
	fmt.Fprintf(out, "| measured | value |\n|---|---|\n")
	var parses, firsts []figures
	for range o.Times {
		for _, stage := range []string{"parse", "first"} {
			if !slices.Contains(o.Stages, stage) {
				continue
			}
			f, err := o.stage(ctx, stage)
			if err != nil {
				return err
			}
			if stage == "parse" {
				parses = append(parses, f)
			} else {
				firsts = append(firsts, f)
			}
		}
	}
	byCPU := func(a, b figures) int { return int(a.CPU - b.CPU) }
	slices.SortFunc(parses, byCPU)
	slices.SortFunc(firsts, byCPU)
	if n := len(parses); n > 0 {
		fmt.Fprintf(out, "| bare parse of %d files, CPU | %.1f s |\n", parses[n/2].Files, parses[n/2].Parse.Seconds())
	}
	if n := len(firsts); n > 0 {
		f := firsts[n/2]
		fmt.Fprintf(out, "| first index, CPU | %.1f s |\n| first index, wall | %.1f s |\n| and git's history, wall | %.1f s |\n", f.CPU.Seconds(), f.Ready.Seconds(), f.Wall.Seconds())
		if len(parses) > 0 {
			fmt.Fprintf(out, "| first index / bare parse, CPU | %.2f |\n", f.CPU.Seconds()/parses[len(parses)/2].Parse.Seconds())
		}
		fmt.Fprintf(out, "| resident at most, server and workers | %d MB |\n| settled %d s after ready | %d MB |\n", f.Peak>>20, o.Settle, f.Settled>>20)
	}
	if slices.Contains(o.Stages, "restart") {
		f, err := o.stage(ctx, "restart")
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "| restart to ready, wall | %.2f s |\n| restart, CPU | %.2f s |\n", f.Wall.Seconds(), f.CPU.Seconds())
		fmt.Fprintf(out, "| settled %d s after the restart | %d MB |\n| first map after it | %s |\n", o.Settle, f.Settled>>20, show(f.First))
		fmt.Fprintf(out, "| map of an unchanged index, p50 / p99 | %s / %s |\n", show(quantile(f.Warm, 50)), show(quantile(f.Warm, 99)))
		fmt.Fprintf(out, "| edit and map, p50 / p99 | %s / %s |\n", show(quantile(f.Edits, 50)), show(quantile(f.Edits, 99)))
		fmt.Fprintf(out, "| edit and map, CPU | %s |\n", show(f.EditCPU))
		fmt.Fprintf(out, "| resident after %d maps | %d MB |\n", len(f.Warm)+len(f.Edits), f.Worked>>20)
	}
	return nil
}

func quantile(list []time.Duration, percent int) time.Duration {
	if len(list) == 0 {
		return 0
	}
	list = slices.Sorted(slices.Values(list))
	return list[min(len(list)-1, len(list)*percent/100)]
}

// stage runs one stage in a process of its own.
func (o mapOptions) stage(ctx context.Context, name string) (figures, error) {
	exe, err := os.Executable()
	if err != nil {
		return figures{}, err
	}
	args := []string{exe, "stage", "--name", name, "--tree", o.Tree, "--edit", filepath.ToSlash(o.Edit), "--state", o.State,
		"--rounds", strconv.Itoa(o.Rounds), "--settle", strconv.Itoa(o.Settle)}
	if o.Nice > 0 {
		args = append([]string{"nice", "-n", strconv.Itoa(o.Nice)}, args...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	var f figures
	if err = errors.Join(err, json.Unmarshal(text, &f)); err != nil {
		return f, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}
