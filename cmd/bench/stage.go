package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"coauthor/agent/index"
	"coauthor/agent/vcs"
	"coauthor/repomap"
	"coauthor/repomap/syntax"
)

// stageOptions are those of one stage.
type stageOptions struct {
	Name    string `help:"Stage: parse, first or restart."`
	Tree    string
	Edit    string
	State   string
	Rounds  int
	Settle  int
	Profile string `help:"Write a CPU profile to this file."`
}

func (o stageOptions) run(ctx context.Context, out io.Writer) error {
	if o.Profile != "" {
		f, err := os.Create(o.Profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	var f figures
	var err error
	switch o.Name {
	case "parse":
		f, err = o.parse(ctx)
	case "first":
		if err := os.RemoveAll(filepath.Join(o.State, "index")); err != nil {
			return err
		}
		f, err = o.open(ctx, false)
	case "restart":
		f, err = o.open(ctx, true)
	default:
		err = fmt.Errorf("no stage %q", o.Name)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(f)
}

// parse builds and drops the syntax tree of every file that has a grammar.
func (o stageOptions) parse(ctx context.Context) (figures, error) {
	var f figures
	paths, err := vcs.Files(ctx, o.Tree)
	if err != nil {
		return f, err
	}
	for _, path := range paths {
		src, err := os.ReadFile(filepath.Join(o.Tree, filepath.FromSlash(path)))
		if err != nil {
			continue
		}
		before := processor()
		ok, err := syntax.Parse(ctx, path, src)
		if ctx.Err() != nil {
			return f, ctx.Err()
		}
		if ok && err == nil {
			f.Files++
			f.Parse += processor() - before
		}
	}
	f.CPU = processor()
	return f, nil
}

// open brings an index up to date and asks it for maps.
func (o stageOptions) open(ctx context.Context, maps bool) (figures, error) {
	var f figures
	watch, stop := watched(ctx)
	defer stop()
	exe, err := os.Executable()
	if err != nil {
		return f, err
	}
	start, before := time.Now(), processor()
	x, err := index.Open(ctx, o.Tree, index.Options{StateDir: o.State, Worker: []string{exe, "index-worker"}})
	if err != nil {
		return f, err
	}
	defer x.Close()
	for m := (repomap.Map{}); m.Complete < 1; {
		if err := pause(ctx, lookAgain(time.Since(start))); err != nil {
			return f, err
		}
		if m, err = x.Map(ctx, repomap.Request{}); err != nil {
			return f, err
		}
	}
	f.Ready = time.Since(start)
	if err := x.Wait(ctx); err != nil {
		return f, err
	}
	f.Wall = time.Since(start)
	if err := pause(ctx, time.Duration(o.Settle)*time.Second); err != nil {
		return f, err
	}
	f.Settled = resident()
	f.CPU = processor() - before // by now the workers have ended, so they count
	if maps {
		if err := o.maps(ctx, x, &f); err != nil {
			return f, err
		}
	}
	f.Peak = watch.Load()
	return f, nil
}

// pause ends with ctx if that is sooner, and then with its error.
func pause(ctx context.Context, long time.Duration) error {
	select {
	case <-time.After(long):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// lookAgain is how long to wait before the next look at an index: looks must not be what keeps a process awake.
func lookAgain(since time.Duration) time.Duration { return max(time.Millisecond, since/200) }

// maps asks for a map after each of many edits, and for one without an edit.
func (o stageOptions) maps(ctx context.Context, x *index.Index, f *figures) error {
	text, err := os.ReadFile(filepath.Join(o.Tree, filepath.FromSlash(o.Edit)))
	if err != nil {
		return err
	}
	r := repomap.Request{Chat: []string{o.Edit}, Message: "fix the interrupt handler of the network driver when the link is down", Budget: 2048}
	ask := func() (time.Duration, error) {
		start := time.Now()
		_, err := x.Map(ctx, r)
		return time.Since(start), err
	}
	if f.First, err = ask(); err != nil {
		return err
	}
	for n := range o.Rounds {
		r.Overlays = map[string]string{o.Edit: string(text) + addition(o.Edit, n)}
		before := processor()
		took, err := ask()
		if err != nil {
			return err
		}
		f.EditCPU += (processor() - before) / time.Duration(o.Rounds)
		f.Edits = append(f.Edits, took)
		if took, err = ask(); err != nil {
			return err
		}
		f.Warm = append(f.Warm, took)
	}
	f.Worked = resident()
	return nil
}

// addition is a function in the language of the file.
func addition(path string, n int) string {
	switch filepath.Ext(path) {
	case ".go":
		return fmt.Sprintf("\nfunc added_%d(dev *device) int { return %d }\n", n, n)
	case ".py":
		return fmt.Sprintf("\ndef added_%d(dev):\n    return %d\n", n, n)
	}
	return fmt.Sprintf("\nint added_%d(struct device *dev) { return %d; }\n", n, n)
}

// watched follows the resident memory of this process and its children, four times a second.
func watched(ctx context.Context) (most *atomic.Uint64, stop func()) {
	most = new(atomic.Uint64)
	ctx, stop = context.WithCancel(ctx)
	go func() {
		tick := time.NewTicker(250 * time.Millisecond)
		defer tick.Stop()
		for ctx.Err() == nil {
			most.Store(max(most.Load(), resident()))
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
	}()
	return most, stop
}

// resident is the resident memory of this process and its children, in bytes.
func resident() uint64 {
	sum := residentOf("self")
	tasks, _ := filepath.Glob("/proc/self/task/*/children")
	for _, task := range tasks {
		text, _ := os.ReadFile(task)
		for pid := range strings.FieldsSeq(string(text)) {
			sum += residentOf(pid)
		}
	}
	return sum
}

func residentOf(pid string) uint64 {
	text, _ := os.ReadFile("/proc/" + pid + "/status")
	return field(text, "VmRSS:")
}

// field is the value in bytes of a line such as those that Linux writes of a process, in kilobytes; 0 without it.
func field(text []byte, name string) uint64 {
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			kb, _ := strconv.ParseUint(strings.Fields(rest)[0], 10, 64)
			return kb << 10
		}
	}
	return 0
}
