package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"coauthor/cmd/editor"
)

// largeOptions choose a tree and how often the program runs on it, as a user starts it.
type largeOptions struct {
	Binary string `help:"The coauthor program to measure. Default: a new build."`
	Tree   string `required:"" type:"existingdir" help:"The repository to work in; it stays unchanged."`
	Edit   string `required:"" help:"The file in the repository to ask about and, in the server, edit."`
	Home   string `type:"path" help:"The folder for the program's state. Default: a temporary folder."`
	First  bool   `default:"true" negatable:"" help:"Start with a map without an index."`
	Rounds int    `default:"7" help:"Number of further maps and command-line turns; the results are medians."`
	Turns  int    `default:"21" help:"Number of turns in the server."`
}

const largeRequest = "fix the interrupt handler of the network driver when the link is down"

func (o largeOptions) run(ctx context.Context, out io.Writer) error {
	dir, err := benchFolder(ctx, &o.Binary)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.Home == "" {
		o.Home = filepath.Join(dir, "home")
	}
	if o.Tree, err = filepath.Abs(o.Tree); err != nil {
		return err
	}
	fmt.Fprintf(out, "| measured | promise on Linux | median, wall | worst, wall | median, CPU | peak own memory |\n|---|---|---|---|---|---|\n")
	if o.First {
		if err := os.RemoveAll(filepath.Join(o.Home, "coauthor", "index")); err != nil {
			return err
		}
		f, err := o.maps(ctx, 1)
		if err != nil {
			return err
		}
		o.row(out, "first `coauthor map`", "700 MB", f)
	}
	for _, m := range []struct {
		what, promise string
		measure       func(context.Context) ([]ran, error)
	}{
		{"another `coauthor map`", "1.0 s, 300 MB", func(ctx context.Context) ([]ran, error) { return o.maps(ctx, o.Rounds) }},
		{"`coauthor ask` until the model has the request", "1.2 s", o.asks},
		{"a request in the server, after an edit", "0.25 s", o.turns},
	} {
		f, err := m.measure(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", m.what, err)
		}
		o.row(out, m.what, m.promise, f)
	}
	return nil
}

// ran is one run of the program.
type ran struct {
	wall, cpu time.Duration
	peak, own uint64 // resident bytes of all its processes, and those without what several of them share
}

func (o largeOptions) row(out io.Writer, what, promise string, list []ran) {
	column := func(of func(r ran) time.Duration) []time.Duration {
		var all []time.Duration
		for _, r := range list {
			all = append(all, of(r))
		}
		return all
	}
	wall, cpu := column(func(r ran) time.Duration { return r.wall }), column(func(r ran) time.Duration { return r.cpu })
	most := slices.MaxFunc(list, func(a, b ran) int { return int(a.peak) - int(b.peak) })
	fmt.Fprintf(out, "| %s | %s | %.2f s | %.2f s | %.2f s | %d MB, %d MB |\n", what, promise, quantile(wall, 50).Seconds(), slices.Max(wall).Seconds(),
		quantile(cpu, 50).Seconds(), most.peak>>20, most.own>>20)
}

// environment has nothing of the user's settings.
func (o largeOptions) environment() []string {
	list := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "COAUTHOR_") || strings.HasPrefix(kv, "OPENAI_")
	})
	return append(list, "HOME="+o.Home, "XDG_STATE_HOME="+o.Home, "XDG_CONFIG_HOME="+o.Home, "XDG_CACHE_HOME="+o.Home)
}

func (o largeOptions) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, o.Binary, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = o.Tree, o.environment(), os.Stderr
	return cmd
}

// maps draws maps, each by a process of its own.
func (o largeOptions) maps(ctx context.Context, times int) ([]ran, error) {
	var list []ran
	for range times {
		cmd := o.command(ctx, "map", "--tokens", "2048", "--chat", o.Edit, "--message", largeRequest)
		start := time.Now()
		r, err := runFollowed(cmd)
		if err != nil {
			return nil, err
		}
		r.wall = time.Since(start)
		list = append(list, r.ended(cmd))
	}
	return list, nil
}

// asks has questions answered from the command line, and counts to the moment in which the model has all of each.
func (o largeOptions) asks(ctx context.Context) ([]ran, error) {
	m := serveModel("Yes.\n", 0, 0)
	defer m.Close()
	var list []ran
	for range o.Rounds {
		cmd := o.command(ctx, "ask", "--model", "bench", "--api-base", m.URL+"/v1", "-m", largeRequest, o.Edit)
		start := time.Now()
		r, err := runFollowed(cmd)
		if err != nil {
			return nil, err
		}
		r.wall = m.asked().Sub(start)
		if r.wall < 0 {
			return nil, errors.New("the model got no request")
		}
		list = append(list, r.ended(cmd))
	}
	return list, nil
}

// turns asks a server that has read the tree, each time after a line was typed.
func (o largeOptions) turns(ctx context.Context) ([]ran, error) {
	m := serveModel("Yes.\n", 0, 0)
	defer m.Close()
	name := filepath.Join(o.Tree, filepath.FromSlash(o.Edit))
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	ended, failed := 0, ""
	cmd := o.command(ctx, "serve")
	cmd.Env = append(cmd.Env, "COAUTHOR_TRUST=always") // the endpoint comes with the client's settings
	p, err := launchIn(ctx, cmd, o.Tree, map[string]any{"model": "bench", "apiBase": m.URL + "/v1", "preview": "diff"}, editor.Hooks{
		State: func(state, message string) {
			switch state {
			case "answered":
				ended++
			case "failed", "cancelled":
				failed = state + " " + message
			}
		},
	})
	if err != nil {
		return nil, err
	}
	if err := p.Open(name, "c", string(text)); err != nil {
		return nil, err
	}
	var list []ran
	for n := range o.Turns + 2 {
		if err := p.ReplaceLine(name, 0, fmt.Sprintf("/* typed_%d */", n)); err != nil {
			return nil, err
		}
		start, before := time.Now(), usedBy(cmd)
		if _, err := p.Command(ctx, "coauthor.ask", map[string]any{"uri": p.URI(name), "instruction": largeRequest}); err != nil {
			return nil, err
		}
		if err := p.WaitFor(ctx, "the answer", func() bool { return ended > n || failed != "" }); err != nil {
			return nil, err
		}
		if failed != "" {
			return nil, errors.New(failed)
		}
		r := ran{wall: m.asked().Sub(start), cpu: usedBy(cmd) - before}
		r.peak, r.own = memoryOf(cmd.Process.Pid)
		if n >= 2 { // until then the index is read, and what every session needs
			list = append(list, r)
		}
		if n == 0 {
			if err := pause(ctx, 10*time.Second); err != nil {
				return nil, err
			}
		}
	}
	return list, p.end(ctx)
}

// follower looks at the memory of a process that runs.
type follower struct {
	ran
	stop, done chan struct{}
}

// runFollowed runs a command to its end and follows it meanwhile.
func runFollowed(cmd *exec.Cmd) (*follower, error) {
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	f := followed(cmd)
	return f, cmd.Wait()
}

func followed(cmd *exec.Cmd) *follower {
	f := &follower{stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(f.done)
		tick := time.NewTicker(250 * time.Millisecond) // the system goes through all pages for an answer
		defer tick.Stop()
		for {
			select {
			case <-f.stop:
				return
			case <-tick.C:
			}
			peak, own := memoryOf(cmd.Process.Pid)
			f.peak, f.own = max(f.peak, peak), max(f.own, own)
		}
	}()
	return f
}

// ended is what a process has used that was waited for.
func (f *follower) ended(cmd *exec.Cmd) ran {
	close(f.stop)
	<-f.done
	f.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return f.ran
}

// memoryOf is the resident memory of a process and of all below it, in bytes: each with what it shares with others, and
// what they share shared out among them.
func memoryOf(pid int) (resident, own uint64) {
	resident = residentOf(strconv.Itoa(pid))
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	own = field(text, "Pss:")
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, task := range tasks {
		children, _ := os.ReadFile(task)
		for child := range strings.FieldsSeq(string(children)) {
			if n, err := strconv.Atoi(child); err == nil {
				r, o := memoryOf(n)
				resident, own = resident+r, own+o
			}
		}
	}
	return resident, own
}

// usedBy is what a running process has used of the processors, without its children.
func usedBy(cmd *exec.Cmd) time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // Linux counts a hundred a second
}
