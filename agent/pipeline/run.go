package pipeline

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"
	"unicode/utf8"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// commandRun is the command that runs the script, and nothing else. RanWell begins its answer where that went well.
const (
	commandRun = "runScript"
	RanWell    = ScriptFile + " ran: "
)

// offerRun has the script run when the proposal was applied: a turn of its own, which changes nothing and asks first.
// Where programs cannot be run, or there is no script, nothing is offered.
func (f *flow) offerRun() error {
	if f.w.Environ() == nil || !f.w.Now().Exists(ScriptFile) {
		return nil
	}
	job, err := New(commandRun, Options{Environment: f.o.Environment})
	if err == nil {
		f.w.Then = &agent.Request{Label: "run " + ScriptFile, Job: job}
	}
	return err
}

// runOnce runs the script on the files as the user has them, if the user wants that, and tells what it did.
func runOnce(ctx context.Context, w *agent.JobContext, o Options) error {
	f := &flow{w: w, o: o, logs: newLogs(w.StateDir, w.Workspace.Root(), w.Turn, w.Time)}
	script, err := w.Now().Read(ScriptFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return agent.Problem("Create it with entrypoint.", "Cannot run %s: the file does not exist.", ScriptFile)
	case err != nil:
		return agent.Problem("Run it in a terminal.", "Cannot read %s: %v.", ScriptFile, err)
	case strings.TrimSpace(script) == "": // some editors do not tell the text of a new file before it is saved
		return agent.Problem("If it has unsaved text, save it and run it again.", "Cannot run %s: the file is empty.", ScriptFile)
	}
	r, err := f.newRunning(ctx)
	if err != nil {
		return err
	}
	defer r.close()
	ran, yes, err := r.run(ctx, script)
	switch {
	case err != nil:
		return err
	case !yes:
		w.Note(event.LevelInfo, ScriptFile+" was not run.")
		return nil
	}
	took := ran.Took.Round(10 * time.Millisecond)
	what := fmt.Sprintf("%s failed: %s, after %s.", ScriptFile, outcome(ran), took)
	switch {
	case f.works(ran) && ran.TimedOut:
		what = fmt.Sprintf("%sit was still running after %s, so Coauthor stopped it (pipeline.startedAfter).", RanWell, took)
	case f.works(ran):
		what = fmt.Sprintf("%s%s, after %s.", RanWell, outcome(ran), took)
	}
	w.Inform(what)
	w.Answer = what + output("Output", ran.Stdout) + output("Error output", ran.Stderr)
	if !o.Keep {
		return nil
	}
	return keep(ctx, w, r.dir)
}

// What of the files that a script wrote can be kept at most.
const (
	mostKept     = 200
	mostKeptSize = 1 << 20 // of one, in bytes
)

// keep proposes the files that a script made or changed, and names those that cannot be kept.
func keep(ctx context.Context, w *agent.JobContext, dir *scratch) error {
	files, err := dir.made()
	if err != nil {
		return err
	}
	var changes []edits.Change
	var kept, left []string
	for i, d := range w.Workspace.Door().CheckAll(ctx, files, workspace.OpCreate) {
		file := files[i]
		data, err := workspace.ReadBelow(dir.dir, file, mostKeptSize)
		if err == nil && sha256.Sum256(data) == dir.sums[file] {
			continue
		}
		text := strings.TrimPrefix(string(data), "\ufeff")
		if err != nil || d.Verdict == workspace.Refuse || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			left = append(left, file)
			continue
		}
		c := edits.Change{Path: file, Op: edits.OpCreate, After: text}
		if before, err := w.Now().Read(file); err == nil {
			c.Op, c.Before = edits.OpUpdate, before
		}
		changes, kept = append(changes, c), append(kept, file)
	}
	if len(left) > 0 {
		w.Note(event.LevelInfo, fmt.Sprintf("Cannot keep these files that %s wrote, because they are ignored, too large or not text: %s.", ScriptFile, named(left)))
	}
	switch {
	case len(changes) == 0:
		w.Note(event.LevelInfo, ScriptFile+" wrote no files to keep.")
	case len(changes) > mostKept:
		w.Note(event.LevelWarning, fmt.Sprintf("Cannot keep the files that %s wrote: %d files are too many.", ScriptFile, len(changes)))
	default:
		w.Note(event.LevelInfo, fmt.Sprintf("%s wrote %s. To keep what it wrote, apply the change.", ScriptFile, named(kept)))
		w.Lay(changes)
	}
	return ctx.Err()
}

// output is what a program wrote, to look at; "" for nothing.
func output(what, text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	fence := "~~~"
	for strings.Contains(text, fence) {
		fence += "~"
	}
	return fmt.Sprintf("\n\n%s:\n\n%s\n%s\n%s", what, fence, strings.TrimRight(text, "\n"), fence)
}
