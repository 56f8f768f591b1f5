package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/shell"
	"coauthor/edits"
)

// What the folder of a run holds at most, and what of its output is kept from its beginning and from its end.
const (
	mostRunFiles  = 20_000
	mostRunBytes  = 512 << 20
	mostRunOutput = 64 << 10
)

// offerRun has the script run when the proposal is there to be seen: a turn of its own, which changes nothing and asks
// first. Where programs cannot be run, or there is no script, nothing is offered.
func (f *flow) offerRun() {
	if f.w.Environ() == nil || !f.w.Now().Exists(ScriptFile) {
		return
	}
	changes := f.w.Changes()
	f.w.Then(agent.Request{Label: "run " + ScriptFile, Job: &agent.Job{Name: "run", NoModel: true, Lead: func(ctx context.Context, w *agent.Work) error {
		return runOnce(ctx, w, changes)
	}}})
}

// runOnce runs the script on the files as they are with the changes, if the user wants that, and tells what it did.
func runOnce(ctx context.Context, w *agent.Work, changes []edits.Change) error {
	w.Lay(changes)
	script, err := w.Now().Read(ScriptFile)
	if err != nil {
		return agent.Problem("Run it yourself.", "%s cannot be read: %v.", ScriptFile, err)
	}
	by := shellFor(exec.LookPath)
	if by == "" {
		return agent.Problem("Install one, or have entrypoint write a script for what is here.", "There is no bash or sh here that could run %s.", ScriptFile)
	}
	yes, err := w.Allow("script "+script, event.Question{
		Text:    fmt.Sprintf("Run this script? It runs with your rights, in a copy of the folder, for %s at most, and gets no input.\n\n%s", w.Settings().Pipeline.RunTimeout, strings.TrimRight(script, "\n")),
		Choices: []string{"run", "skip"}, Titles: []string{"run it in a copy of the folder", "do not run it"},
	})
	if err != nil {
		return err
	}
	if !yes {
		w.Answer(ScriptFile + " was not run.")
		return nil
	}
	dir, err := os.MkdirTemp("", "coauthor-run-")
	if err != nil {
		return fmt.Errorf("make a folder to run %s in: %w", ScriptFile, err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system clears what stays
	if err := copyInto(ctx, w, dir); err != nil {
		return err
	}
	w.State(event.TurnVerifying, ScriptFile)
	limited, stop := context.WithTimeout(ctx, w.Settings().Pipeline.RunTimeout)
	defer stop()
	ran, err := shell.Run(limited, shell.Options{Command: by + " " + ScriptFile, Dir: dir, Environ: w.Environ(), Most: mostRunOutput, Out: w.Say})
	var what string
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		what = fmt.Sprintf("%s was ended after %s, with all that it started (pipeline.runTimeout).", ScriptFile, w.Settings().Pipeline.RunTimeout)
	case err != nil:
		return err
	default:
		what = fmt.Sprintf("%s ended with exit status %d after %s.", ScriptFile, ran.Code, ran.Took.Round(10*time.Millisecond))
	}
	w.Inform(what)
	if strings.TrimSpace(ran.Output) != "" {
		fence := "~~~"
		for strings.Contains(ran.Output, fence) {
			fence += "~"
		}
		what += fmt.Sprintf("\n\n%s\n%s\n%s", fence, strings.TrimRight(ran.Output, "\n"), fence)
	}
	w.Answer(what)
	return nil
}

// shellFor is the shell that runs scripts; "" where there is none.
func shellFor(look func(string) (string, error)) string {
	for _, name := range []string{"bash", "sh"} {
		if _, err := look(name); err == nil {
			return name
		}
	}
	return ""
}

// copyInto copies the files of the workspace as they are with the changes into a folder. What may not be sent to a model
// is not copied either: a script that a model wrote could pass it on.
func copyInto(ctx context.Context, w *agent.Work, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // what was written is closed
	files, err := w.Listing(ctx)
	if err != nil {
		return err
	}
	made := map[string]bool{}
	for _, c := range w.Changes() {
		made[c.Path], made[c.To] = true, c.To != ""
		files = append(files, c.Path)
		if c.To != "" {
			files = append(files, c.To)
		}
	}
	slices.Sort(files)
	files = slices.Compact(files)
	size := 0
	for _, file := range files {
		var data []byte
		var err error
		if !w.Now().Exists(file) {
			continue
		}
		if made[file] {
			var text string
			text, err = w.Now().Read(file)
			data = []byte(text)
		} else {
			data, err = w.Workspace().Door().Bytes(ctx, file)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if size += len(data); len(files) > mostRunFiles || size > mostRunBytes {
			return agent.Problem("Run it yourself.", "The folder is too large to be copied for a run of %s.", ScriptFile)
		}
		if err == nil {
			err = root.MkdirAll(path.Dir(file), 0o755) //nolint:gosec // a copy of a project, in a folder of the user's alone
		}
		if err == nil {
			err = root.WriteFile(file, data, 0o755) //nolint:gosec // scripts of the project have to start
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("copy %s for a run: %w", file, err)
		}
	}
	return nil
}
