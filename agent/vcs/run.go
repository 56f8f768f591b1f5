package vcs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// maxOutput bounds what one git process may say; a listing of a million files stays below it.
const maxOutput = 512 << 20

// errSlow is why a process that only reads was ended.
var errSlow = errors.New("git does not respond")

// readLimit is how long a git process that only reads may take; a variable for tests alone. Git waits for ever for what a
// pipe in the place of one of its files would say. The first look at a tree of a million files on a slow disk stays below it.
var readLimit = func() time.Duration { return 2 * time.Minute }

// quiet are settings that keep a repository's own configuration from running programs, and output
// from depending on the user's taste.
var quiet = []string{
	"-c", "core.fsmonitor=false",
	"-c", "core.hooksPath=/dev/null",
	"-c", "core.pager=cat",
	"-c", "core.quotePath=false",
	"-c", "core.untrackedCache=keep",
	"-c", "color.ui=false",
	"-c", "log.showSignature=false",
	"-c", "log.mailmap=false",
	"-c", "diff.external=",
	"-c", "submodule.recurse=false",
	"-c", "protocol.allow=never",
	"-c", "gc.auto=0",
	"-c", "maintenance.auto=false",
}

// command is one git process that has not started yet.
func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append(append([]string{}, quiet...), args...)...)
	cmd.Dir = dir
	cmd.Env = environment(os.Environ())
	// A grandchild that keeps the pipe open must not hold us for ever. The time also counts from a
	// process's own end, so it must be long enough for a busy machine to read what is in the pipe.
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// environment drops what would point git at another repository or open a prompt.
func environment(from []string) []string {
	out := make([]string, 0, len(from)+6)
	for _, kv := range from {
		name, _, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(name, "GIT_") && name != "GIT_CONFIG_NOSYSTEM" && name != "GIT_CEILING_DIRECTORIES" {
			continue
		}
		if name == "SSH_ASKPASS" || name == "LC_ALL" || name == "LANGUAGE" {
			continue
		}
		out = append(out, kv)
	}
	return append(out, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true",
		"GIT_NO_LAZY_FETCH=1", "GIT_PAGER=cat", "LC_ALL=C")
}

// failure is git's own word on why it ended.
type failure struct {
	args   []string
	code   int
	stderr string
}

func (f *failure) Error() string {
	return fmt.Sprintf("git %s: exit %d: %s", strings.Join(f.args, " "), f.code, f.stderr)
}

// output runs git in dir and gives its standard output. stdin may be nil.
func output(ctx context.Context, dir string, stdin io.Reader, args ...string) ([]byte, error) {
	return outputWith(ctx, dir, nil, stdin, args...)
}

// outputWith is output with more variables in the environment.
func outputWith(ctx context.Context, dir string, env []string, stdin io.Reader, args ...string) ([]byte, error) {
	within, cancel := context.WithTimeoutCause(ctx, readLimit(), errSlow)
	defer cancel()
	if asksWhere[word(args)] && len(env) == 0 && outside(within, dir) {
		return nil, ErrNotGit
	}
	out, err := run(within, func() *exec.Cmd {
		cmd := command(within, dir, args...)
		cmd.Env = append(cmd.Env, env...)
		cmd.Stdin = stdin
		return cmd
	}, args)
	if ctx.Err() == nil && errors.Is(context.Cause(within), errSlow) && errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("git %s in %s did not finish within %s. If \"git status\" hangs there too, "+
			"check for a named pipe in .git or a disk that does not respond", word(args), dir, readLimit())
	}
	return out, err
}

// word is the command of git's arguments.
func word(args []string) string {
	for len(args) > 2 && args[0] == "-c" {
		args = args[2:]
	}
	return args[0]
}

// run runs a git process and gives its standard output. args are what errors name.
func run(ctx context.Context, prepare func() *exec.Cmd, args []string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	cmd := prepare()
	out, errs := &capped{room: maxOutput}, &capped{room: 64 << 10}
	cmd.Stdout, cmd.Stderr = out, errs
	err := cmd.Start()
	if err != nil {
		return nil, explain(err, args, "")
	}
	done := make(chan error, 1)
	go func() { // outlives a cancelled call by as long as the pipe is held
		err := cmd.Wait()
		if ctx.Err() != nil && cmd.SysProcAttr != nil {
			killAll(cmd)
		}
		done <- err
	}()
	select {
	case err = <-done:
	case <-ctx.Done():
		_ = cmd.Cancel() // also where we are about to end ourselves; it may have ended
		return nil, ctx.Err()
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // git has done its work, and a hook has left something running
	}
	if out.over {
		return nil, fmt.Errorf("git %s: more than %d MB of output", args[0], maxOutput>>20)
	}
	return out.buf.Bytes(), explain(err, args, errs.buf.String())
}

// explain turns the end of a git process into one of this package's errors.
func explain(err error, args []string, stderr string) error {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrNotFound):
		return ErrNotGit
	case !errors.As(err, &exit):
		return fmt.Errorf("git %s: %w", word(args), err)
	case strings.Contains(stderr, "not a git repository"), strings.Contains(stderr, "must be run in a work tree"):
		return ErrNotGit
	}
	return &failure{args: []string{word(args)}, code: exit.ExitCode(), stderr: strings.TrimSpace(stderr)}
}

// capped keeps what fits and swallows the rest, so that the process is not blocked by a full pipe.
type capped struct {
	buf  bytes.Buffer
	room int
	over bool
}

func (c *capped) Write(p []byte) (int, error) {
	if n := c.room - c.buf.Len(); len(p) <= n {
		c.buf.Write(p)
	} else {
		c.buf.Write(p[:n])
		c.over = true
	}
	return len(p), nil
}

// fields splits NUL-terminated output.
func fields(out []byte) []string {
	if len(out) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}
