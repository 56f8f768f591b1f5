package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"coauthor/agent/process"
)

// Execution is a command that runs where it is, on the files that lie there, under limits.
type Execution struct {
	Argv    []string
	Dir     string   // absolute
	Environ []string // all that it gets; Environment makes one without secrets
	Limits  Limits   // what is 0 is the usual; Time must be set
	// Disk is the folder in which it may write no more than Limits.Written; "" watches over none.
	Disk string
	// Apart has it run in a sandbox, where Shadow.Apart says that there is one: it sees Dir, in which what it writes stays, and
	// else what a check sees. It reaches the network, but no program of this machine that listens at a file.
	Apart bool
	// Visible are more folders and files that it sees then, by absolute paths and such as begin with ~/; others are passed over.
	Visible []string
	// In is what it reads; nil is nothing. It is handed to the command as it is.
	In *os.File
	// Out gets both of its streams as they come, in one call at a time; nil is for nobody.
	Out io.Writer
}

// Executed is what a command did.
type Executed struct {
	Code     int    // its exit status; 128 and the number of the signal that ended it
	Out, Err string // what it wrote to its two streams; the middle is missing where it was too much
	Took     time.Duration
	Stopped  string // why it was ended before it was done; "" when it ended by itself
	Missing  bool   // there is no such program

	// The rest is said of a Job alone.
	Way    Way
	Report string            // what it wrote to the report of the job; "" for nothing that can be read
	At     string            // the folder in which it found the root, where that is another one
	Back   map[string]string // the texts of the files that were to come back, by their paths; without those that are no text
}

// Execute runs a command to its end, or until ctx ends, and ends what it has started with it. The error means that it did
// not run, or was canceled; what the command itself does is none.
//
// On Linux, helper starts this program so that it calls ServeShadow: that process watches over the command's memory, the
// number of its processes and the size of its files, and misses none of its children. Without one, and on other systems,
// there is no limit to these, and a child that leaves the command's group of processes is missed.
func Execute(ctx context.Context, helper []string, x Execution) (Executed, error) {
	if err := ctx.Err(); err != nil {
		return Executed{}, err
	}
	if len(x.Argv) == 0 {
		return Executed{}, errors.New("the command is empty")
	}
	r, err := bounded(ctx, helper, x, x.help())
	if ctx.Err() != nil {
		return Executed{}, ctx.Err()
	}
	return r, err
}

// Execute is Execute with the helper of this Shadow, and in its sandbox where x says so and there is one.
func (s *Shadow) Execute(ctx context.Context, x Execution) (Executed, error) {
	var helper []string
	if s != nil {
		helper = s.o.Helper
	}
	if x.Apart && s.Apart(ctx) && len(x.Argv) > 0 {
		r, err := s.apart(ctx, x, x.help())
		if ctx.Err() != nil {
			return Executed{}, ctx.Err()
		}
		return r, err
	}
	return Execute(ctx, helper, x)
}

// Apart says whether there is a sandbox for what runs on files of its own.
func (s *Shadow) Apart(ctx context.Context) bool {
	if s == nil || s.o.Dir == "" || len(s.o.Helper) == 0 || len(s.o.Ways) > 0 && !slices.Contains(s.o.Ways, Overlay) {
		return false
	}
	s.sweep()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tried == nil {
		dir, err := s.runFolder()
		if err != nil {
			return false
		}
		defer removeAll(dir)
		_, err = s.apart(ctx, Execution{Dir: dir}, help{limits: trial})
		if ctx.Err() != nil {
			return false
		}
		works := err == nil
		s.tried = &works
	}
	return *s.tried
}

// trial are the limits of a trial, which may take long on the slowest machine.
var trial = Limits{Time: 30 * time.Second, Output: 1 << 10, Written: mostWritten, Processes: 16}

func (l Limits) usual() Limits {
	l.Output = cmp.Or(l.Output, mostOutput)
	l.Written = cmp.Or(l.Written, mostWritten)
	l.Processes = cmp.Or(l.Processes, mostProcesses)
	l.Memory = cmp.Or(l.Memory, mostMemory())
	return l
}

// help is what is needed to run a command.
type help struct {
	limits  Limits
	disk    string           // the folder that must not fill; "" watches over none
	before  int64            // what that folder holds already, in bytes
	in      *os.File         // is what it reads; nil for nothing
	out     func() io.Writer // makes what gets one of its two streams as it comes; nil for nobody
	plain   bool             // it runs where it is
	network bool             // it reaches the machine's network
}

// help is what is needed to run it.
func (x Execution) help() help {
	h := help{limits: x.Limits.usual(), disk: x.Disk, in: x.In}
	if x.Disk != "" {
		h.before = written(x.Disk)
	}
	if x.Out != nil {
		one := &oneAtATime{w: x.Out}
		h.out = func() io.Writer { return one }
	}
	return h
}

// sink keeps the ends of an output and passes all of it on.
type sink struct {
	headTail
	out io.Writer
}

// sink is one for a stream of the command.
func (h help) sink() *sink {
	s := &sink{headTail: headTail{most: h.limits.Output}}
	if h.out != nil {
		s.out = h.out()
	}
	return s
}

// Write implements io.Writer. Who listens cannot stop it.
func (s *sink) Write(p []byte) (int, error) {
	if s.out != nil {
		_, _ = s.out.Write(p)
	}
	return s.headTail.Write(p)
}

// oneAtATime lets the two streams of a command write to one place.
type oneAtATime struct {
	mu sync.Mutex
	w  io.Writer
}

// Write implements io.Writer.
func (o *oneAtATime) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.w.Write(p)
}

// NotBegun is the exit status of what was there and could not begin, as shells have it.
const NotBegun = 126

// direct runs a command as a child of this process, in a group of its own where the system has such.
func direct(ctx context.Context, x Execution, h help) (Executed, error) {
	path, err := find(x.Argv[0], x.Dir, x.Environ)
	if err != nil {
		return Executed{Missing: true}, nil //nolint:nilerr // the result says it
	}
	// Its end is ours to bring about, gently first, so the library is not told of ours.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), path, x.Argv[1:]...) //nolint:gosec // this is what the user agreed to
	cmd.Args[0], cmd.Dir, cmd.Env = x.Argv[0], x.Dir, x.Environ
	stdout, stderr := h.sink(), h.sink()
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = termTime // what it leaves running may keep the pipe
	process.Apart(cmd)
	if h.in != nil {
		cmd.Stdin = h.in
		process.Reading(cmd)
	}
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return Executed{Code: NotBegun, Stopped: "it did not start: " + err.Error()}, nil //nolint:nilerr // it is the command's own fault
	}
	w := newWatch(h, func() { process.End(cmd, false) }, func() { process.End(cmd, true) })
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	var waited error
	select {
	case waited = <-done:
	case <-ctx.Done():
		process.End(cmd, true)
		<-done //nolint:errcheck // it was killed
		w.end()
		return Executed{}, ctx.Err()
	}
	w.end()
	process.End(cmd, true) // what it left running in its group
	r := Executed{Out: stdout.String(), Err: stderr.String(), Took: time.Since(begun), Stopped: w.stopped()}
	var status *exec.ExitError
	switch {
	case errors.As(waited, &status):
		r.Code = process.Status(status)
	case waited != nil && !errors.Is(waited, exec.ErrWaitDelay):
		return r, fmt.Errorf("run %s: %w", x.Argv, waited)
	}
	return r, nil
}

// find looks for a program as the command would be found that has this environment.
func find(name, dir string, environ []string) (string, error) {
	if strings.ContainsAny(name, `/`+string(filepath.Separator)) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		return exec.LookPath(name)
	}
	for _, in := range filepath.SplitList(value(environ, "PATH")) {
		if !filepath.IsAbs(in) { // not what happens to lie in the folder
			continue
		}
		if path, err := exec.LookPath(filepath.Join(in, name)); err == nil {
			return path, nil
		}
	}
	return "", &exec.Error{Name: name, Err: os.ErrNotExist}
}
