package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/joho/godotenv"

	"coauthor/agent/plaintext"
	"coauthor/agent/process"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// keys is the environment with the keys that the user keeps in files: of the variables that hold keys of models, what the
// environment does not have. The files are read when a key is asked for, so that a new one counts at once.
func (w *wiring) keys(s settings.Settings) func(name string) string {
	var names []string
	if len(s.EnvFiles) > 0 {
		names = s.KeyNames(w.models(s.Models))
	}
	return func(name string) string {
		if v := w.secrets.get(name); v != "" {
			return v
		}
		if v := w.env(name); v != "" || !slices.Contains(names, name) {
			return v
		}
		for _, file := range s.EnvFiles {
			all, err := w.variables(file)
			if err != nil {
				w.log.Warn("file of variables not read", "setting", "env.files", "file", file, "error", err)
			}
			if all[name] != "" {
				return all[name]
			}
		}
		return ""
	}
}

// unreadVariables tells what cannot be read of the user's files of variables. One that is not there is nothing to tell of.
func (w *wiring) unreadVariables(files []string) (told []settings.Warning) {
	for _, file := range files {
		_, err := w.variables(file)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		warning := settings.Warning{Source: file, Key: "env.files", Text: err.Error() + "; the file is ignored"}
		var e *plaintext.Error
		if errors.As(err, &e) {
			warning.Line, warning.Column = e.Line, e.Column
		}
		told = append(told, warning)
	}
	return told
}

// variables reads a file of variables. The error holds nothing of what is in it, which may be a key; with a place it is
// a *plaintext.Error.
func (w *wiring) variables(file string) (map[string]string, error) {
	path := file
	if rest, home := strings.CutPrefix(file, "~/"); home && w.homeDir() != "" {
		path = filepath.Join(w.homeDir(), rest)
	}
	if !filepath.IsAbs(path) {
		return nil, errors.New("a path in env.files must be absolute or start with ~/")
	}
	raw, err := workspace.ReadRegular(path, settings.MaxFileBytes)
	if err != nil {
		return nil, err
	}
	text, err := plaintext.Decode(raw)
	if err != nil {
		return nil, err
	}
	all, err := godotenv.Unmarshal(text)
	if err != nil { // which may quote a line
		return nil, &plaintext.Error{Line: badLine(text), Column: 1, Text: "the line must have the form NAME=value"}
	}
	return all, nil
}

// mostEnvLines is how long a file may be of which the wrong line is looked for.
const mostEnvLines = 1000

// badLine finds the line where the statement begins that cannot be read: behind the longest beginning of the text that
// can be. A value may go over several lines. 1 is also of a file that is too long.
func badLine(text string) int {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) > mostEnvLines {
		return 1
	}
	good, so := 0, ""
	for i, line := range lines {
		so += line
		if _, err := godotenv.Unmarshal(so); err == nil {
			good = i + 1
		}
	}
	return good + 1
}

// secrets are keys that the editor has for the user, by the names of their variables. They stand above the environment,
// and nowhere but here: no program that is run gets them, and nothing writes them down. The zero value is ready.
type secrets struct {
	mu     sync.Mutex
	values map[string]string // guarded by mu
}

// set keeps a key; "" forgets it.
func (s *secrets) set(name, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if value == "" {
		delete(s.values, name)
		return
	}
	if s.values == nil {
		s.values = map[string]string{}
	}
	s.values[name] = value
}

// get returns a key; "" for none.
func (s *secrets) get(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values[name]
}

const (
	keyCommandTime = time.Minute // whoever unlocks a store of keys types a password
	keyCommandMost = 64 << 10    // bytes that are read of what it prints
)

// runKeyCommand runs the user's own command that prints a key. Only their own settings name one (package
// settings sees to that). It runs in their home folder, never in a workspace, so that no program of a
// repository can stand in for theirs, and what it prints is neither logged nor told.
func (w *wiring) runKeyCommand(ctx context.Context, command string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, keyCommandTime, fmt.Errorf("the command took longer than %s", keyCommandTime))
	defer cancel()
	shell, flag := "/bin/sh", "-c"
	if runtime.GOOS == "windows" {
		shell, flag = "cmd", "/C"
	}
	cmd := exec.CommandContext(ctx, shell, flag, command)
	cmd.Dir = w.homeDir()
	cmd.WaitDelay = 100 * time.Millisecond // children may keep the pipe open
	out := &cut{most: keyCommandMost}
	cmd.Stdout = out
	process.Apart(cmd)
	cmd.Cancel = func() error { process.End(cmd, true); return nil }
	err := cmd.Run()
	if cmd.Process != nil {
		process.End(cmd, true) // what it left running; an agent that keeps a store of keys open has a group of its own
	}
	var status *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.As(err, &status) && status.Exited():
		return "", fmt.Errorf("the command exited with status %d", status.ExitCode())
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return "", errors.New("the command did not start")
	}
	return string(out.kept), nil
}

// cut keeps the beginning of what is written to it. It has the methods of a writer alone: with those of a buffer, the whole
// output would be read into it.
type cut struct {
	kept []byte
	most int
}

// Write implements io.Writer. It takes everything, so that the command does not fail by it.
func (c *cut) Write(p []byte) (int, error) {
	c.kept = append(c.kept, p[:min(max(c.most-len(c.kept), 0), len(p))]...)
	return len(p), nil
}
