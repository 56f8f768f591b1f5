// Package shell runs a command line of the user's own in their shell, after they agreed to it.
//
// It asks nobody and decides nothing: package agent puts the question first. The command works on the user's own files, as
// it would in a terminal; it gets no input, its output is bounded, and what it started ends with it. Start at Run.
package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"coauthor/agent/process"
)

// Options say what is run and where.
type Options struct {
	Command string   // one or more lines, as a person types them
	Dir     string   // OS path of the folder to run it in
	Environ []string // as os.Environ gives it
	Without []string // names of variables that it must not see, in any case of letters
	Most    int      // bytes of output that are kept from the beginning, and from the end
	// Out is told the output as it comes, also what is not kept; nil tells nobody. One call at a time.
	Out func(text string)
}

// Result is what a command did.
type Result struct {
	Code   int    // its exit status; 128 and the number of the signal that ended it
	Output string // both of its streams, as text; the middle is missing where it was too much
	Took   time.Duration
}

// grace is how long a command that was asked to end may take for it.
const grace = 2 * time.Second

// Run runs a command to its end, or until ctx ends: then it is asked to end, and made to. The error means that it did not
// run, or was stopped; what the command itself does is none.
func Run(ctx context.Context, o Options) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	argv := line(o.Environ, o.Command)
	// Its end is ours to bring about, gently first, so the library is not told of ours.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), argv[0], argv[1:]...) //nolint:gosec // this is what the user agreed to
	cmd.Dir = o.Dir
	cmd.Env = without(o.Environ, o.Without)
	out := &output{most: o.Most, tell: o.Out}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = grace // what it leaves running may keep the pipe
	process.Apart(cmd)
	process.Mark(cmd)
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return Result{}, fmt.Errorf("run %s: %w", argv[0], err)
	}
	var err error
	done := make(chan struct{}) // waited for below, in any case
	go func() { err = cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		process.End(cmd, false)
		select {
		case <-done:
		case <-time.After(grace):
		}
		process.EndAll(cmd) // also what did not hear, and has left the group
		<-done
		return Result{Output: out.String(), Took: time.Since(began)}, ctx.Err()
	}
	process.End(cmd, true) // what it left running in its group
	r := Result{Output: out.String(), Took: time.Since(began)}
	var status *exec.ExitError
	switch {
	case errors.As(err, &status):
		r.Code = process.Status(status)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return r, fmt.Errorf("run %s: %w", argv[0], err)
	}
	return r, nil
}

// line is the command as the user's shell is started with it.
func line(environ []string, command string) []string {
	if runtime.GOOS == "windows" {
		shell := variable(environ, "COMSPEC")
		if shell == "" {
			shell = "cmd"
		}
		return []string{shell, "/C", command}
	}
	shell := variable(environ, "SHELL")
	if _, err := os.Stat(shell); err != nil || !filepath.IsAbs(shell) || !posix.MatchString(filepath.Base(shell)) {
		shell = "/bin/sh"
	}
	return []string{shell, "-c", command}
}

// posix are the shells that are started by -c and a text; another one might take it for something else.
var posix = regexp.MustCompile(`^(?:ba|da|k|mk|z|a|fi)?sh$`)

func variable(environ []string, name string) string {
	for _, kv := range slices.Backward(environ) {
		if n, value, _ := strings.Cut(kv, "="); strings.EqualFold(n, name) {
			return value
		}
	}
	return ""
}

// Without returns an environment without the variables of these names, in any case of letters.
func Without(environ, names []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
	})
}

// without leaves variables out, and adds what keeps programs from asking and paging.
func without(environ, names []string) []string {
	return append(Without(environ, names), "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true")
}

// output keeps the beginning and the end of what a command writes. It takes everything, so that the command does not wait.
type output struct {
	most int
	tell func(string)

	mu         sync.Mutex
	head, tail []byte // guarded by mu
	dropped    int64  // guarded by mu; bytes between them
	part       []byte // guarded by mu; the beginning of a character that is still to come
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	rest := p
	if room := o.most - len(o.head); room > 0 {
		k := min(room, len(rest))
		o.head, rest = append(o.head, rest[:k]...), rest[k:]
	}
	o.tail = append(o.tail, rest...)
	if over := len(o.tail) - o.most; over > o.most { // not at each write
		o.tail, o.dropped = append([]byte(nil), o.tail[over:]...), o.dropped+int64(over)
	}
	if o.tell != nil {
		text := append(o.part, p...)
		whole := len(text)
		for k := 1; k < utf8.UTFMax && k <= len(text); k++ { // a character that was cut is told with its rest
			if b := text[len(text)-k]; utf8.RuneStart(b) {
				if !utf8.FullRune(text[len(text)-k:]) {
					whole = len(text) - k
				}
				break
			}
		}
		o.part = append([]byte(nil), text[whole:]...)
		o.tell(strings.ToValidUTF8(string(text[:whole]), "\uFFFD"))
	}
	return len(p), nil
}

// String is what was kept.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	tail, dropped := o.tail, o.dropped
	if over := len(tail) - o.most; over > 0 {
		tail, dropped = tail[over:], dropped+int64(over)
	}
	text := string(o.head)
	if dropped > 0 {
		text += fmt.Sprintf("\n[%d bytes left out]\n", dropped)
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text+string(tail), "\uFFFD"), "\x00", "\uFFFD")
}
