package pipeline

import (
	"context"
	"fmt"
	"os"
	"strings"

	"coauthor/agent"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/edits"
)

// Options say how a command of the table runs.
type Options struct {
	Flags []Flag
	// Entrypoint is what the script that starts the program has to do, in the user's words; "" is the usual.
	Entrypoint string
	// Images are images and documents for a model that sees, and folders of them.
	Images []string
	// Select are paths and globs of the files that improve and selfHeal work on; none takes those that Request.Files names,
	// and without those what the editor and the selection file say.
	Select []string
	// Command is what selfHeal runs; "" is the script of the project.
	Command string
	// Input is the terminal that the script of runScript reads from; nil is no input.
	Input *os.File
	// Keep has runScript propose what the script wrote; else it is dropped.
	Keep bool
	// Environment runs scripts; nil is the usual one.
	Environment Environment
	// Steps stand in the place of the built-in ones.
	Steps Steps
}

// New returns the job of a command of the table. The error says why there is no such mode.
func New(command string, o Options) (*agent.Job, error) {
	m, err := find(command, o.Flags)
	switch {
	case err != nil:
		return nil, err
	case command == commandRun && o.Steps[StepRun] == nil:
		return &agent.Job{Name: "run", NoModel: true, Edits: o.Keep, Run: func(ctx context.Context, w *agent.JobContext) error { return runOnce(ctx, w, o) }}, nil
	}
	job := m.job(o)
	if m.diffs() {
		plain, err := find(commandImprove, nil)
		if err != nil {
			return nil, err
		}
		job.Retry = plain.job(Options{Environment: o.Environment})
		job.Retry.Retry = job.Retry
	}
	return job, nil
}

// job leads a turn through the steps of the mode.
func (m Mode) job(o Options) *agent.Job {
	return &agent.Job{Name: m.Command, Edits: true, Looks: m.diffs(), Run: func(ctx context.Context, w *agent.JobContext) error {
		return (&flow{w: w, o: o, mode: m, brief: brief{w: w}, files: chooser{w, o.Select}}).lead(ctx)
	}}
}

// flow is a pipeline on its way: what its steps share.
type flow struct {
	w    *agent.JobContext
	o    Options
	mode Mode
	pre  Preprompts
	logs *Logs

	project  Project         // what its gpt-engineer.toml says
	brief    brief           // what the user wants
	files    chooser         // says which of them a step works on
	calls    calls           // to the model
	dialogue []llm.Message   // of clarify: what the user said first and all that followed
	failed   []edits.Failure // that the turn ends without
	over     bool            // the turn ends here, as an answer
}

// lead runs the steps of the mode.
func (f *flow) lead(ctx context.Context) error {
	if f.w.Workspace.Root() == "" {
		return agent.Problem("Open a folder first.", "Cannot write the project: no folder is open.")
	}
	if err := f.files.named(); err != nil {
		return err
	}
	f.logs = newLogs(f.w.StateDir, f.w.Workspace.Root(), f.w.Turn, f.w.Time)
	f.calls = calls{w: f.w, logs: f.logs}
	defer func() { f.end(ctx) }()
	if err := f.texts(ctx); err != nil {
		return err
	}
	f.readProject(ctx)
	if err := f.brief.look(ctx, f.o.Images); err != nil {
		return err
	}
	if f.mode.prompted() {
		if err := f.brief.read(ctx); err != nil {
			return err
		}
		f.w.Asked = f.brief.spec
		f.brief.inTheWay(ctx)
	}
	for _, step := range f.mode.Steps {
		if err := f.step(ctx, step); err != nil || f.over {
			return err
		}
	}
	return nil
}

// builtIn runs one of our own steps.
func (f *flow) builtIn(ctx context.Context, step StepName) error {
	switch step {
	case StepClarify:
		return f.clarify(ctx)
	case StepGenerate:
		return f.generate(ctx)
	case StepLite:
		return f.lite(ctx)
	case StepEntrypoint:
		return f.entrypoint(ctx)
	case StepRun:
		return f.offerRun()
	case StepImprove:
		return f.improve(ctx)
	case StepHeal:
		return f.heal(ctx)
	case StepSelect:
		return f.files.write(ctx)
	}
	return fmt.Errorf("there is no step %q", step)
}

// texts reads the texts for the model, with those of the user's folder above ours.
func (f *flow) texts(ctx context.Context) error {
	f.pre = BuiltIn()
	folder := f.w.Settings.Pipeline.Preprompts
	if folder == "" {
		return nil
	}
	files := f.w.Workspace.Door().Below(ctx, folder, "")
	if len(files) == 0 {
		return agent.Problem("Run coauthor preprompts eject to copy the built-in prompts there, or remove the pipeline.preprompts setting.",
			"The folder %s contains no prompts.", folder)
	}
	all, unknown, err := f.pre.Overlay(files, func(file string) (string, error) { return f.w.Read(ctx, file) })
	if err != nil {
		return agent.Problem("Nothing was sent. Fix the prompts and try again.", "Cannot use the prompts in %s: %v.", folder, err)
	}
	if len(unknown) > 0 {
		f.w.Note(event.LevelWarning, fmt.Sprintf("Ignored these files, because no step uses them: %s. Coauthor uses the prompts %s.", strings.Join(unknown, ", "), strings.Join(all.Names(), ", ")))
	}
	f.pre = all
	return nil
}

// named names a few files.
func named(list []string) string {
	const most = 3
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more files", strings.Join(list[:most], ", "), len(list)-most)
}

// end tells what the steps used, and where to find what was made when the turn was stopped half-way: it cost something, and
// is not lost where nobody can decide on it any more, as on the command line.
func (f *flow) end(ctx context.Context) {
	if ctx.Err() != nil {
		if name := f.logs.Made(f.w.Changes()); name != "" {
			f.w.Note(event.LevelInfo, fmt.Sprintf("The partial result is saved in %s. To apply it, run: coauthor apply --format files --root %s %s", name,
				display.ShellWord(f.w.Workspace.Root()), display.ShellWord(name)))
		}
	}
	f.w.Refused = f.failed
	if steps := f.calls.spent(); len(steps) > 0 {
		f.w.Note(event.LevelInfo, "Used: "+strings.Join(steps, "; ")+".")
		f.logs.Write(LogDebug, "Used: "+strings.Join(steps, "; "))
	}
	if err := f.logs.Err(); err != nil {
		f.w.Note(event.LevelWarning, fmt.Sprintf("The logs of this run are incomplete: %v.", err))
	}
}

// answered ends the turn with an answer of the model that is none to work with.
func (f *flow) answered(text, why string) {
	f.over = true
	f.w.Answer = text
	f.w.Note(event.LevelWarning, why)
}

func user(text string) llm.Message   { return llm.Text(llm.RoleUser, text) }
func system(text string) llm.Message { return llm.Text(llm.RoleSystem, strings.TrimSpace(text)) }

func assistant(text string) llm.Message { return llm.Text(llm.RoleAssistant, text) }
