package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/verify"
)

// running runs scripts on the files of a turn, in one folder of their own, with the user's consent to each text.
type running struct {
	f    *flow
	env  Environment
	dir  *scratch
	told []string // notes that the user has heard
}

// newRunning makes the folder that scripts run in. The caller closes it.
func (f *flow) newRunning(ctx context.Context) (*running, error) {
	if f.w.Environ() == nil {
		return nil, errors.New("programs cannot be run from here")
	}
	dir, err := newScratch(f.w.StateDir(), f.w.Time())
	if err != nil {
		return nil, err
	}
	env := f.o.Environment
	if env == nil {
		env = NewEnvironment(f.w.Settings().Pipeline.Exec, f.w.Shadow(), exec.LookPath)
	}
	return &running{f: f, env: env, dir: dir}, ctx.Err()
}

func (r *running) close() { r.dir.close() }

// run asks whether a script may run, which is asked once for each text, and runs it. yes is false where it may not.
func (r *running) run(ctx context.Context, script string) (ran Ran, yes bool, err error) {
	f := r.f
	set := f.w.Settings().Pipeline
	yes, err = f.w.Allow("script "+verify.Command(set.Exec).String()+"\x00"+script, scriptQuestion(script, set.Exec))
	if err != nil || !yes {
		return Ran{}, false, err
	}
	listed, err := f.w.Listing(ctx)
	if err != nil {
		return Ran{}, true, err
	}
	left, err := r.dir.update(ctx, f.w.Workspace(), f.w.Now(), listed)
	if err != nil {
		return Ran{}, true, err
	}
	if len(left) > 0 {
		r.tell(fmt.Sprintf("Not copied for the run: %s.", named(left)))
	}
	most := set.RunTimeout
	if set.StartedAfter > 0 {
		most = min(most, time.Duration(set.StartedAfter)*time.Second)
	}
	f.w.State(event.TurnVerifying, "the script")
	ran, err = r.env.Run(ctx, Script{Dir: r.dir.dir, Text: script, Environ: f.w.Environ(), Timeout: most, Out: f.w.Say})
	if err != nil {
		return Ran{}, true, err
	}
	for _, n := range ran.Notes {
		r.tell(n)
	}
	here := strings.NewReplacer(r.dir.dir+"/", "", r.dir.dir, ".")
	ran.Stdout, ran.Stderr = here.Replace(ran.Stdout), here.Replace(ran.Stderr) // the folder goes, and its name says nothing
	f.logs.Write(LogDebug, fmt.Sprintf("Ran for %s, %s:\n%s\n%s", ran.Took.Round(10*time.Millisecond), outcome(ran), strings.TrimRight(ran.Stdout, "\n"), strings.TrimRight(ran.Stderr, "\n")))
	return ran, true, nil
}

// tell tells the user something once.
func (r *running) tell(note string) {
	if !slices.Contains(r.told, note) {
		r.told = append(r.told, note)
		r.f.w.Note(event.LevelInfo, note)
	}
}
