package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent"
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
		return &agent.Job{Name: "run", NoModel: true, Run: func(ctx context.Context, w *agent.JobContext) error { return runOnce(ctx, w, o) }}, nil
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
	return &agent.Job{Name: m.Command, Edits: true, Run: func(ctx context.Context, w *agent.JobContext) error {
		return (&flow{w: w, o: o, mode: m}).lead(ctx)
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
	notes    string          // what every step is told beside its own text; "" for nothing
	images   []string        // that the model is shown, and other documents that it sees
	spec     string          // what to build, in the user's words
	dialogue []llm.Message   // of clarify: what the user said first and all that followed
	failed   []edits.Failure // that the turn ends without
	used     []usage         // in the order of the steps
	over     bool            // the turn ends here, as an answer
}

// usage is what one step used, in all its calls.
type usage struct {
	step  StepName
	calls int
	sum   event.Usage
}

// lead runs the steps of the mode.
func (f *flow) lead(ctx context.Context) error {
	if f.w.Workspace.Root() == "" {
		return agent.Problem("Open a folder first.", "Cannot write the project: no folder is open.")
	}
	if err := f.named(); err != nil {
		return err
	}
	f.logs = newLogs(f.w.StateDir, f.w.Workspace.Root(), f.w.Turn, f.w.Time)
	defer func() { f.end(ctx) }()
	if err := f.texts(ctx); err != nil {
		return err
	}
	f.readProject(ctx)
	var err error
	if f.notes, err = f.memory(ctx); err != nil {
		return err
	}
	if err := f.look(ctx); err != nil {
		return err
	}
	if f.mode.prompted() {
		if err := f.prompt(ctx); err != nil {
			return err
		}
		f.w.Asked = f.spec
		f.inTheWay(ctx)
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
		return f.chooseFiles(ctx)
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

// inTheWay tells that a project is there already. Nothing of it is lost: what the answer names becomes a change that the
// user sees.
func (f *flow) inTheWay(ctx context.Context) {
	list, err := f.w.Listing(ctx)
	if err != nil {
		return // a project of one's own is no reason to stop, nor is one that cannot be listed
	}
	folder := strings.TrimSuffix(f.w.Settings.Pipeline.Preprompts, "/")
	list = slices.DeleteFunc(list, func(file string) bool {
		return file == PromptFile || strings.HasPrefix(file, PromptFile+"/") || file == ConfigFile || strings.HasPrefix(file, ".") || folder != "" && strings.HasPrefix(file, folder+"/") || slices.Contains(f.w.Request.Files, file) || slices.Contains(f.images, file)
	})
	if len(list) == 0 {
		return
	}
	f.w.Note(event.LevelWarning, fmt.Sprintf("This folder already contains a project (%s). The model does not see it, and new files can replace existing ones. You review every file before it is written. To change the existing project, use edit.", named(list)))
}

// named names a few files.
func named(list []string) string {
	const most = 3
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more files", strings.Join(list[:most], ", "), len(list)-most)
}

// call asks the model and keeps what it cost, and what was said, under the name of a step.
func (f *flow) call(ctx context.Context, step StepName, log Log, a agent.ModelRequest) (agent.ModelReply, error) {
	called, err := f.cached(ctx, a)
	if called.Text != "" || err == nil {
		f.logs.Talk(log, a.Messages, called.Text)
	}
	if i := slices.IndexFunc(f.used, func(u usage) bool { return u.step == step }); i >= 0 {
		f.used[i].calls++
		f.used[i].sum = f.used[i].sum.Add(called.Usage)
	} else {
		f.used = append(f.used, usage{step, 1, called.Usage})
	}
	return called, err
}

// end tells what the steps used, and where to find what was made when the turn was stopped half-way: it cost something, and
// is not lost where nobody can decide on it any more, as on the command line.
func (f *flow) end(ctx context.Context) {
	if ctx.Err() != nil {
		if name := f.logs.Made(f.w.Changes()); name != "" {
			f.w.Note(event.LevelInfo, fmt.Sprintf("The partial result is saved in %s. To apply it, run: %s", name,
				shellLine([]string{"coauthor", "apply", "--format", "files", "--root", f.w.Workspace.Root(), name}, nil)))
		}
	}
	f.w.Refused = f.failed
	var steps []string
	for _, u := range f.used {
		about := ""
		if u.sum.Estimated {
			about = "about "
		}
		text := fmt.Sprintf("%s %s%d + %d tokens", u.step, about, u.sum.Prompt, u.sum.Completion)
		if u.calls > 1 {
			text = fmt.Sprintf("%s (%d calls) %s%d + %d tokens", u.step, u.calls, about, u.sum.Prompt, u.sum.Completion)
		}
		if u.sum.Cost > 0 {
			text += fmt.Sprintf(", $%.4f", u.sum.Cost)
		}
		steps = append(steps, text)
	}
	if len(steps) > 0 {
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

// request is the message with the user's prompt and images.
func (f *flow) request() llm.Message {
	m := user("Request: " + f.spec)
	m.Parts = append(m.Parts, f.w.Media()...)
	return m
}
