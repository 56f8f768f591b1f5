package pipeline

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/verify"
	"coauthor/edits"
)

// inputTime is how long a script may take that the user answers: it is theirs to stop.
const inputTime = 24 * time.Hour

// running runs scripts on the files of a turn, in one folder of their own, with the user's consent to each state
// of them.
type running struct {
	f    *flow
	env  Environment
	dir  *scratch
	told []string // notes that the user has heard

	// What the last run was allowed for: the texts of the files that the turn had changed by then, and the sums of all files;
	// nil before there was one.
	agreed map[string]string
	sums   map[string][sha256.Size]byte
}

// newRunning makes the folder that scripts run in. The caller closes it.
func (f *flow) newRunning(ctx context.Context) (*running, error) {
	if f.w.Environ() == nil {
		return nil, errors.New("this server cannot run programs")
	}
	dir, err := newScratch(f.w.StateDir, f.w.Time())
	if err != nil {
		return nil, err
	}
	env := f.o.Environment
	if env == nil {
		env = NewEnvironment(f.w.Settings.Pipeline.Exec, f.w.Shadow, exec.LookPath)
	}
	return &running{f: f, env: env, dir: dir}, ctx.Err()
}

func (r *running) close() { r.dir.close() }

// run asks whether a script may run on the files as they are with the changes so far, which is asked once for each state of
// these, and runs it. yes is false where it may not.
func (r *running) run(ctx context.Context, script string) (ran Ran, yes bool, err error) {
	f := r.f
	set := f.w.Settings.Pipeline
	left, err := r.lay(ctx)
	if err != nil {
		return Ran{}, false, err
	}
	sandbox := len(set.Exec) == 0 && f.w.Shadow.Apart(ctx)
	if yes, err = r.allowed(script, sandbox); err != nil || !yes {
		return Ran{}, false, err
	}
	r.agreed, r.sums = textsOf(f.w.Changes()), r.dir.sums
	if len(left) > 0 {
		r.tell(fmt.Sprintf("Files left out of the copy: %s.", named(left)))
	}
	most := f.w.Settings.Checks.Timeout * 2 / 5
	switch {
	case f.o.Input != nil:
		most = inputTime
	case set.StartedAfter > 0:
		most = min(most, time.Duration(set.StartedAfter)*time.Second)
	}
	f.w.State(event.TurnVerifying, "the script")
	ran, err = r.env.Run(ctx, Script{Dir: r.dir.dir, Text: script, Environ: f.w.Environ(), Visible: f.w.Settings.Checks.Visible, Timeout: most, In: f.o.Input, Out: f.w.Say})
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

// allowed says whether a script may run: where the settings say so, in a sandbox or as the user's own command says; else the
// user is asked.
func (r *running) allowed(script string, sandbox bool) (yes bool, err error) {
	f := r.f
	set := f.w.Settings.Pipeline
	if set.Run == settings.RunAlways {
		if !sandbox && len(set.Exec) == 0 {
			return false, agent.Problem("Set pipeline.exec to a command that runs scripts in a container, or set pipeline.run to ask.",
				"Cannot run the script without asking: this system has no sandbox.")
		}
		return true, nil
	}
	reads := f.o.Input != nil
	q := scriptQuestion(script, set.Exec, sandbox, reads)
	changed, diff := r.changed()
	if changed != "" {
		q.Text += " " + changed
		q.Body += "\n\n" + strings.TrimRight(diff, "\n")
	}
	return f.w.Allow(fmt.Sprintf("script %s\x00%v %v\x00%s\x00%x", verify.Command(set.Exec), sandbox, reads, script, r.dir.sum()), q)
}

// lay makes the folder hold the files as they are with the changes so far, without those that may hold secrets, but for what
// the turn itself made and what the user lets commands see. left names files that are not copied.
func (r *running) lay(ctx context.Context) (left []string, err error) {
	w := r.f.w
	listed, err := w.Listing(ctx)
	if err != nil {
		return nil, err
	}
	visible := w.Settings.Checks.Visible
	for _, file := range visible {
		if w.Now().Exists(file) {
			listed = append(listed, file)
		}
	}
	secrets, err := w.Base.Secrets(ctx, w.Workspace.Root())
	if err != nil {
		return nil, err
	}
	made := textsOf(w.Changes())
	secrets = slices.DeleteFunc(secrets, func(file string) bool {
		_, ok := made[file]
		return ok || slices.Contains(visible, file)
	})
	if len(secrets) > 0 {
		r.tell(fmt.Sprintf("Hidden from the script, because they may contain secrets: %s. To make them visible, add them to verify.visible.", named(secrets)))
	}
	return r.dir.update(ctx, w.Workspace, w.Now(), listed, secrets)
}

// textsOf are the texts of the files that changes make, by their paths; "" for one that they take away.
func textsOf(changes []edits.Change) map[string]string {
	texts := map[string]string{}
	for _, c := range changes {
		switch c.Op {
		case edits.OpDelete:
			texts[c.Path] = ""
		case edits.OpRename:
			texts[c.Path], texts[c.To] = "", c.After
		default:
			texts[c.Path] = c.After
		}
	}
	return texts
}

// changed says what the user has not seen of the files that the script may run: what the turn has changed, or after a run,
// what changed since they allowed it. diff shows it; both are "" for nothing.
func (r *running) changed() (text, diff string) {
	var files []string
	var shown proposal.Proposal
	before := func(file string) (string, error) {
		if text, ok := r.agreed[file]; ok {
			return text, nil
		}
		text, err := r.f.w.Base.Read(file)
		if errors.Is(err, fs.ErrNotExist) {
			return "", nil
		}
		return text, err
	}
	now := textsOf(r.f.w.Changes())
	for file := range r.agreed { // it may have been taken back since
		if _, ok := now[file]; !ok {
			now[file], _ = r.f.w.Now().Read(file)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(now)) {
		old, err := before(file)
		if err == nil && old == now[file] {
			continue
		}
		files = append(files, file)
		shown.Files = append(shown.Files, proposal.File{Change: edits.Change{Path: file, Op: edits.OpUpdate, Before: old, After: now[file]}, Hunks: edits.Diff(old, now[file])})
	}
	for file, sum := range r.dir.sums { // what the user has changed meanwhile
		if was, known := r.sums[file]; r.sums != nil && (!known || was != sum) && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	switch slices.Sort(files); {
	case len(files) == 0:
		return "", ""
	case r.sums != nil:
		text = "These files changed since you last agreed: "
	default:
		text = "It runs with pending changes to "
	}
	return text + named(files) + ".", proposal.DiffText(shown)
}

// tell tells the user something once.
func (r *running) tell(note string) {
	if !slices.Contains(r.told, note) {
		r.told = append(r.told, note)
		r.f.w.Note(event.LevelInfo, note)
	}
}
