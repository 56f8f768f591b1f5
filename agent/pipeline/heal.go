package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/mention"
	"coauthor/edits"
)

// healing is a program on its way to work.
type healing struct {
	f       *flow
	run     *running
	script  string // that starts the program
	name    string // of it, for people
	signs   []string
	tried   []string // what was changed in each attempt, and what came of it
	refused []edits.Failure
}

// Works begins the answer of a turn whose program works in the end.
const Works = "It works"

// mostAttempts is how often the model may repair a program.
const mostAttempts = 10

// heal runs the program, has the model repair what fails, and runs it again, until it works or there is no use in going
// on. The last change is run, too. Each attempt stays to be taken.
func (f *flow) heal(ctx context.Context) (err error) {
	h := &healing{f: f}
	if h.run, err = f.newRunning(ctx); err != nil {
		return err
	}
	defer h.run.close()
	const most = mostAttempts
	var ran Ran
	changed := true
	for n := 1; ; n++ {
		if changed { // else it would fail in the same way again
			yes := false
			if h.name, h.script, err = f.program(); err == nil {
				ran, yes, err = h.try(ctx, n, most)
			}
			if err != nil {
				return err
			}
			if !yes {
				h.end(false, "The program did not run, because you did not allow it.")
				return nil
			}
			if f.works(ran) {
				h.end(true, Works+": "+outcome(ran)+".")
				return nil
			}
			h.note(outcome(ran))
		}
		h.signs = append(h.signs, signature(ran.Code, ran.Stdout, ran.Stderr))
		switch {
		case returns(h.signs) >= sameError:
			h.end(false, fmt.Sprintf("Stopped: the program failed in the same way %d times (%s).", sameError, outcome(ran)))
			return nil
		case n > most:
			h.end(false, fmt.Sprintf("Stopped after %d attempts: %s.", most, outcome(ran)))
			return nil
		}
		f.w.Step(fmt.Sprintf("Repairing: %s", outcome(ran)), n, most)
		if changed, err = h.repair(ctx, n, ran); err != nil {
			return err
		}
	}
}

// try runs the program as it is by now. yes is false where the user does not let it.
func (h *healing) try(ctx context.Context, n, most int) (ran Ran, yes bool, err error) {
	h.f.w.Step("Running "+h.name, min(n-1, most), most)
	return h.run.run(ctx, h.script)
}

// repair has the model change the program after it has failed. changed is false for an answer of which nothing could be
// taken over.
func (h *healing) repair(ctx context.Context, n int, ran Ran) (changed bool, err error) {
	f := h.f
	if err := h.files(ctx, ran); err != nil {
		return false, err
	}
	before := stateOf(f.w.Changes())
	done, err := f.change(ctx, StepHeal, user(h.message(ran)))
	h.refused = done.refused
	if err != nil {
		return false, err
	}
	if before == stateOf(f.w.Changes()) {
		h.tried = append(h.tried, fmt.Sprintf("%d. nothing was changed: the answer contained no change that could be applied", n))
		return false, nil
	}
	h.tried = append(h.tried, fmt.Sprintf("%d. changed %s", n, named(pathsOf(f.w.Changes()))))
	return true, nil
}

// note keeps what came of a run.
func (h *healing) note(what string) {
	if len(h.tried) > 0 {
		h.tried[len(h.tried)-1] += ": " + what
	}
	h.f.w.Attempt(what) // what the steps before have made is one, too
}

// end tells how it ended.
func (h *healing) end(works bool, text string) {
	level := event.LevelWarning
	if works {
		level = event.LevelInfo
		if h.note("it works"); len(h.tried) == 0 {
			text += " No changes were needed."
		}
	}
	h.f.failed = append(h.f.failed, h.refused...)
	h.f.w.Note(level, text)
	if len(h.tried) > 0 {
		text += "\n\n" + strings.Join(h.tried, "\n")
	}
	h.f.w.Answer = text
	h.f.logs.Write(LogDebug, text)
}

// stateOf stands for changes: the same have the same one.
func stateOf(changes []edits.Change) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "%q %q %q %q\n", c.Op, c.Path, c.To, c.After)
	}
	return b.String()
}

func pathsOf(changes []edits.Change) []string {
	var list []string
	for _, c := range changes {
		if list = append(list, c.Path); c.Op == edits.OpRename {
			list[len(list)-1] = c.To
		}
	}
	return list
}

// program is what is run: the script of the project, with the changes so far, else the command that its configuration
// names.
func (f *flow) program() (name, script string, err error) {
	if f.o.Command != "" {
		return "the command", f.o.Command, nil
	}
	text, err := f.w.Now().Read(ScriptFile)
	if err == nil && strings.TrimSpace(text) != "" {
		return ScriptFile, text, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", "", agent.Problem("Save it as plain text.", "Cannot read %s: %v.", ScriptFile, err)
	}
	if test := strings.TrimSpace(f.project.Run.Test); test != "" {
		return "the tests of " + ConfigFile, test, nil
	}
	return "", "", agent.Problem("Create the script with coauthor entrypoint, or specify a command: coauthor self-heal --command \"python3 main.py\".",
		"Cannot start the program: there is no %s, and you specified no command.", ScriptFile)
}

// works says whether a run is a success.
func (f *flow) works(ran Ran) bool {
	if ran.TimedOut {
		return f.w.Settings.Pipeline.StartedAfter > 0
	}
	return ran.Stopped == "" && ran.Code == 0
}

// outcome says how a run ended, in a few words.
func outcome(ran Ran) string {
	switch {
	case ran.Stopped != "":
		return "stopped, because " + ran.Stopped
	case ran.Code == 0:
		return "exit status 0"
	}
	text := fmt.Sprintf("exit status %d", ran.Code)
	if last := lastLine(ran.Stderr); last != "" {
		return text + ", " + last
	}
	return text
}

// lastLine is the last line of a text that says something, cut to a length for one line.
func lastLine(text string) string {
	const most = 120
	lines := strings.Split(strings.TrimSpace(plain(text)), "\n")
	line := []rune(strings.TrimSpace(lines[len(lines)-1]))
	if len(line) > most {
		return string(line[:most]) + "…"
	}
	return string(line)
}

// files puts the files into the chat that the model needs: those that were chosen, and those that the output names.
func (h *healing) files(ctx context.Context, ran Ran) error {
	f := h.f
	if len(f.w.Chat()) == 0 {
		if err := f.files.choose(ctx); err != nil {
			return err
		}
	}
	list, err := f.w.Listing(ctx)
	if err != nil {
		return err
	}
	chat := f.w.Chat()
	for _, file := range mention.Files(ran.Stdout+"\n"+ran.Stderr, list) {
		if slices.Contains(chat, file) || !f.files.sendable(ctx, file) {
			continue
		}
		if err := f.w.Show(ctx, file); err != nil {
			return err
		}
	}
	return nil
}

// What of each stream the model is shown at most, in bytes: most of it from the end.
const mostShown, shownHead = 12 << 10, 2 << 10

// message tells the model what was to be done, and what came of it.
func (h *healing) message(ran Ran) string {
	f := h.f
	var b strings.Builder
	if spec := f.brief.meant(); spec != "" {
		fmt.Fprintf(&b, "The program is meant to do this:\n\n%s\n\n", spec)
	}
	fmt.Fprintf(&b, "It was started by this script (%s), on %s:\n\n%s", h.name, platform(), block(h.script))
	switch {
	case ran.Stopped != "":
		fmt.Fprintf(&b, "It did not end by itself: it was stopped, because %s. A program has to come to an end, or to use less.\n\n", ran.Stopped)
	default:
		fmt.Fprintf(&b, "Its exit status was %d.\n\n", ran.Code)
	}
	for _, one := range []struct{ name, text string }{{"standard output", ran.Stdout}, {"standard error", ran.Stderr}} {
		text := middleOut(plain(one.text))
		if strings.TrimSpace(text) == "" {
			fmt.Fprintf(&b, "It wrote nothing to %s.\n\n", one.name)
			continue
		}
		fmt.Fprintf(&b, "It wrote to %s:\n\n%s", one.name, block(text))
	}
	if len(h.tried) > 0 {
		fmt.Fprintf(&b, "What was tried so far, and what came of it:\n%s\n\n", strings.Join(h.tried, "\n"))
	}
	if n := returns(h.signs); n > 1 {
		fmt.Fprintf(&b, "It has failed in this way %d times now.\n\n", n)
	}
	return b.String() + strings.TrimSpace(f.pre["heal"])
}

func platform() string { return runtime.GOOS + "/" + runtime.GOARCH }

// block puts a text between fences that do not stand in it.
func block(text string) string {
	shown := shown("", text)
	return strings.TrimPrefix(shown, "\n")
}

// colours are what programs write for terminals.
var colours = regexp.MustCompile("\x1b\\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]|\r")

// plain takes the marks for terminals off an output.
func plain(text string) string {
	return colours.ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), "")
}

// middleOut leaves out the middle of what is too long, by whole lines.
func middleOut(text string) string {
	if len(text) <= mostShown {
		return text
	}
	head := text[:shownHead]
	if i := strings.LastIndexByte(head, '\n'); i >= 0 {
		head = head[:i+1]
	}
	tail := text[len(text)-(mostShown-shownHead):]
	if i := strings.IndexByte(tail, '\n'); i >= 0 && i < len(tail)-1 {
		tail = tail[i+1:]
	}
	return strings.ToValidUTF8(head+fmt.Sprintf("[%d bytes left out]\n", len(text)-len(head)-len(tail))+tail, "\uFFFD")
}
