package pipeline

import (
	"context"
	"fmt"
	"strings"
	"time"

	"coauthor/agent"
	"coauthor/edits"
)

// offerRun has the script run when the proposal is there to be seen: a turn of its own, which changes nothing and asks
// first. Where programs cannot be run, or there is no script, nothing is offered.
func (f *flow) offerRun() {
	if f.w.Environ() == nil || !f.w.Now().Exists(ScriptFile) {
		return
	}
	changes, o := f.w.Changes(), f.o
	f.w.Then(agent.Request{Label: "run " + ScriptFile, Job: &agent.Job{Name: "run", NoModel: true, Lead: func(ctx context.Context, w *agent.Work) error {
		return runOnce(ctx, w, o, changes)
	}}})
}

// runOnce runs the script on the files as they are with the changes, if the user wants that, and tells what it did.
func runOnce(ctx context.Context, w *agent.Work, o Options, changes []edits.Change) error {
	w.Lay(changes)
	f := &flow{w: w, o: o, logs: newLogs(w.StateDir(), w.Workspace().Root(), w.Turn(), w.Time)}
	script, err := w.Now().Read(ScriptFile)
	if err != nil {
		return agent.Problem("Run it yourself.", "%s cannot be read: %v.", ScriptFile, err)
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
		w.Answer(ScriptFile + " was not run.")
		return nil
	}
	what := fmt.Sprintf("%s: %s, after %s.", ScriptFile, outcome(ran), ran.Took.Round(10*time.Millisecond))
	w.Inform(what)
	w.Answer(what + output("It printed", ran.Stdout) + output("It printed as errors", ran.Stderr))
	return nil
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
