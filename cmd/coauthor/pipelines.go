package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/pipeline"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/cmd/coauthor/chat"
	"coauthor/cmd/coauthor/console"
)

// pipelineCommands are the commands of the pipelines. Their switches are made from the table of modes.
func pipelineCommands(coders coder.Table) []madeCommand {
	var list []madeCommand
	for _, a := range pipeline.ActionsOf(coders) {
		if _, ok := pipeline.Named([]command.Action{a}, a.ID); !ok {
			continue
		}
		cmd := &PipelineCmd{id: a.ID}
		var fields []reflect.StructField
		for _, f := range pipeline.FlagsOf(a.ID) {
			tag := fmt.Sprintf("name:%q help:%q", pipeline.Dashed(f), f.Doc())
			fields = append(fields, reflect.StructField{Name: fieldOf(f), Type: reflect.TypeFor[bool](), Tag: reflect.StructTag(tag)})
		}
		switch {
		case pipeline.Makes(a.ID):
			cmd.project = &projectArgs{}
			cmd.Operands = kong.Plugins{cmd.project}
		default:
			cmd.files = &fileArgs{}
			cmd.Operands = kong.Plugins{cmd.files}
		}
		if len(fields) > 0 {
			cmd.Modes = kong.Plugins{reflect.New(reflect.StructOf(fields)).Interface()}
		}
		switch a.ID {
		case "improve":
			cmd.Goals = goalFlags()
		case "runScript":
			cmd.script = &scriptFlags{}
			cmd.Operands = append(cmd.Operands, cmd.script)
		}
		list = append(list, madeCommand{a.Word, helpOf(a), a.Group, cmd})
	}
	return list
}

// PipelineCmd runs a pipeline to its proposal, shows it, applies it when the user agrees, and then runs what may be run.
type PipelineCmd struct {
	id      string
	project *projectArgs // of the commands that make a project; nil for the others
	files   *fileArgs    // of those; nil for the first
	script  *scriptFlags // of run-script; nil for the others

	Message     string       `short:"m" placeholder:"TEXT" help:"The request; - reads standard input."`
	PromptFile  string       `name:"prompt-file" placeholder:"FILE" help:"Read the request from this file."`
	Entrypoint  string       `name:"entrypoint-prompt" placeholder:"FILE" help:"Instructions for writing run.sh."`
	Image       []string     `placeholder:"FILE" help:"An image, or a folder of images, to send."`
	Preprompts  string       `placeholder:"DIR" help:"A folder with custom prompts."`
	UseCache    bool         `name:"use-cache" help:"Cache answers and reuse them."`
	NoRun       bool         `name:"no-run" help:"Do not offer to run the script."`
	Unattended  bool         `name:"run" help:"Run scripts in the sandbox without asking."`
	Command     string       `placeholder:"TEXT" help:"A shell command to run instead of run.sh."`
	Root        string       `placeholder:"DIR" help:"The project folder. Default: this repository."`
	Model       string       `placeholder:"NAME" help:"The model to ask."`
	APIBase     string       `name:"api-base" placeholder:"URL" help:"The OpenAI-compatible endpoint."`
	Temperature *float64     `placeholder:"T" help:"Sampling temperature."`
	Yes         bool         `short:"y" xor:"how" help:"Write without asking, but ask before running."`
	Force       bool         `help:"With --yes: ignore warnings."`
	Preview     bool         `xor:"how" help:"Only show the change; in a pipe, as a diff."`
	DryRun      bool         `name:"dry-run" xor:"how" help:"The same as --preview."`
	JSON        bool         `name:"json" help:"Print JSON, one object per line."`
	Modes       kong.Plugins `embed:""`
	Goals       kong.Plugins `embed:""`
	Operands    kong.Plugins `embed:""`
}

// scriptFlags say how run-script runs the script.
type scriptFlags struct {
	Interactive bool `help:"Let the script read from the terminal."`
	Keep        bool `help:"Offer to keep the files the script wrote."`

	restore func() // makes the terminal what it was before the run
}

// job is run-script with these flags.
func (f *scriptFlags) job(s Streams) (*agent.Job, error) {
	o := pipeline.Options{Keep: f.Keep || f.Interactive}
	f.restore = func() {}
	if f.Interactive {
		tty, ok := s.In.(*os.File)
		if !ok || !console.Is(tty) {
			return nil, errors.New("run-script --interactive needs a terminal")
		}
		o.Input = tty
		if state, err := term.GetState(int(tty.Fd())); err == nil {
			f.restore = func() { _ = term.Restore(int(tty.Fd()), state) } // a program may have turned off the echo
		}
	}
	return pipeline.New("runScript", o)
}

// Help says what to do is read from where.
func (c *PipelineCmd) Help() string {
	switch c.id {
	case "selfHeal":
		return "Without --message, reads the request from the file prompt in the project folder."
	case "generate", "clarify":
		return "Without --message, reads the request from standard input or from the file or folder prompt in the project folder; on a terminal, asks if there is none."
	case "runScript":
		return "With --interactive, also offers to keep the files that the script wrote."
	case "improve":
		return "Without --message, asks what to change. Without file names, shows the files on a terminal as a tree to select from; with --yes, does not ask."
	}
	return ""
}

// Run runs the pipeline. Exit status 0: written, or only shown; 1: not, or not wholly; 2: there is no such mode.
func (c *PipelineCmd) Run(ctx context.Context, s Streams) (int, error) {
	if !c.Yes && !c.Preview && !c.DryRun && c.id != "runScript" && !console.Is(s.In) {
		return 1, errors.New("nothing sent, because coauthor cannot ask without a terminal; add --yes to apply the change without asking, or --preview to only show it")
	}
	if c.project != nil {
		leave, err := c.project.enter(c)
		if err != nil {
			return 1, err
		}
		defer leave()
	}
	h, err := c.open(ctx, s)
	if err != nil {
		return 1, err
	}
	defer h.close()
	if c.project != nil && !c.project.NoGit && isNew(h.root) {
		h.beforeWrite = func(ctx context.Context) error { return c.offerGit(ctx, h, c.Yes) }
	}
	args, err := c.args(ctx, h)
	if err != nil {
		return 1, err
	}
	request, err := pipeline.Request(c.id, args)
	if err != nil {
		return 2, err
	}
	if err := h.aim(ctx, c.Goals); err != nil {
		return 1, err
	}
	request.Goals = h.goals
	if c.script != nil {
		if request.Job, err = c.script.job(s); err != nil {
			return 2, err
		}
		if c.script.Interactive {
			h.live = nil // the line that moves would stand in the way of what is typed
		}
	}
	return h.printed(c.work(ctx, h, request))
}

// work runs the turn and decides on what it proposes.
func (c *PipelineCmd) work(ctx context.Context, h *headless, r agent.Request) (int, error) {
	h.out.raw = c.id == "runScript"
	h.out.plain = h.out.raw
	result, err := h.turnFor(ctx, r, &lines{h})
	if c.script != nil {
		c.script.restore()
	}
	if err != nil {
		return 1, err
	}
	if ctx.Err() != nil { // it was stopped half-way, and it is told where to find what was made
		h.out.tell("No files changed.")
		return 1, ctx.Err()
	}
	if result.Proposal == nil {
		if strings.HasPrefix(result.Answer, pipeline.Works) {
			return 0, nil // it works as it is
		}
		if strings.HasPrefix(result.Answer, pipeline.RanWell) {
			return 0, nil
		}
		if result.HeldEdits || c.id == "selfHeal" || c.id == "runScript" {
			return 1, nil // it is told
		}
		return 1, errors.New("no files changed, because the answer contains no files; try again or use another model")
	}
	code, err := (&EditCmd{Yes: c.Yes, Force: c.Force, Preview: c.Preview, DryRun: c.DryRun}).decide(ctx, h, result)
	if err == nil && c.script != nil { // whether it is kept says nothing about the run
		if code = 1; strings.HasPrefix(result.Answer, pipeline.RanWell) {
			code = 0
		}
		return code, nil
	}
	if err != nil || result.Then == nil || c.NoRun || !wasApplied(h.session.Proposals, result.Proposal.ID) {
		return code, err
	}
	if !h.interactive() && !c.Unattended { // nobody could agree to it
		if !c.JSON {
			h.out.tell("Did not run the script, because coauthor cannot ask without a terminal.")
		}
		return code, nil
	}
	h.out.raw, h.out.plain = true, true // what a program writes is no prose
	ran, err := h.turnFor(ctx, *result.Then, h)
	if err != nil || c.Unattended && !strings.HasPrefix(ran.Answer, pipeline.RanWell) {
		return 1, err // it is told
	}
	return code, nil
}

// wasApplied says whether any of a proposal was applied.
func wasApplied(of *proposal.Store, id string) bool {
	p, ok := of.Get(id)
	return ok && (p.State == event.ProposalApplied || p.State == event.ProposalPartial)
}

// open opens the folder and its session, without an index: a pipeline draws no map.
func (c *PipelineCmd) open(_ context.Context, s Streams) (*headless, error) {
	more := map[string]string{}
	if c.Preprompts != "" {
		more["pipeline.preprompts"] = c.Preprompts
	}
	if c.Unattended {
		more["pipeline.run"] = settings.RunAlways
	}
	if c.UseCache {
		more["pipeline.useCache"] = "true"
	}
	h := &headless{s: s, in: bufio.NewReader(s.In), flags: &turnFlags{Root: c.Root, JSON: c.JSON, Model: c.Model, APIBase: c.APIBase,
		Temperature: c.Temperature, ReadOnly: c.Image, more: more}}
	if c.files != nil {
		h.flags.Files = c.files.Files
	}
	if _, err := h.connect(); err != nil {
		return nil, err
	}
	h.print()
	return h, nil
}

// args are the arguments that the command line says.
func (c *PipelineCmd) args(ctx context.Context, h *headless) (pipeline.Args, error) {
	args := pipeline.Args{Instruction: c.Message, Files: h.files, Images: h.read, Command: c.Command}
	if c.Message != "" && c.PromptFile != "" {
		return args, errors.New("use either --message or --prompt-file")
	}
	var err error
	switch {
	case c.Message == "-":
		args.Instruction, err = readText(h.in)
		if err == nil && strings.TrimSpace(args.Instruction) == "" {
			err = errors.New("standard input is empty; pass the request there")
		}
	case c.PromptFile != "":
		args.Instruction, err = promptIn(c.PromptFile)
	case c.project != nil && strings.TrimSpace(c.Message) == "":
		args.Instruction, err = c.whatToBuild(ctx, h, c.id == "clarify" || c.flag("clarify"))
	case c.id == "improve" && strings.TrimSpace(c.Message) == "":
		args.Instruction, err = c.askInstruction(ctx, h, "What do you want to change?")
	}
	if err == nil && c.Entrypoint != "" {
		args.Entrypoint, err = promptIn(c.Entrypoint)
	}
	if err == nil && c.id == "improve" && len(h.files) == 0 && h.interactive() && !c.Yes {
		args.Files, err = c.tickFiles(ctx, h, !c.Preview && !c.DryRun)
	}
	if err != nil {
		return args, err
	}
	for _, f := range pipeline.FlagsOf(c.id) {
		*args.Switch(f) = c.flag(f)
	}
	return args, nil
}

// flag says whether a flag of the modes is set.
func (c *PipelineCmd) flag(f pipeline.Flag) bool {
	for _, plugin := range c.Modes {
		if v := reflect.ValueOf(plugin).Elem().FieldByName(fieldOf(f)); v.IsValid() {
			return v.Bool()
		}
	}
	return false
}

// fieldOf is the name of the field of a flag.
func fieldOf(f pipeline.Flag) string { return strings.ToUpper(string(f[:1])) + string(f[1:]) }

// askInstruction asks what to do: on the terminal, else all of the standard input is the answer.
func (c *PipelineCmd) askInstruction(ctx context.Context, h *headless, question string) (string, error) {
	var text string
	if h.interactive() {
		a, err := h.put(ctx, event.Question{Text: question, FreeText: true})
		if err != nil {
			return "", err
		}
		text = a.Text
	} else {
		h.out.tell("Reading the request from standard input. You can also use --message.")
		var err error
		if text, err = readText(h.in); err != nil {
			return "", err
		}
	}
	if strings.TrimSpace(text) == "" {
		return "", errors.New("the request is empty; add --message or --prompt-file")
	}
	return text, nil
}

// tickFiles has the user tick files in the tree of the project, and remembers them in the selection file where that may be
// written. A project without files has nothing to tick.
func (c *PipelineCmd) tickFiles(ctx context.Context, h *headless, write bool) ([]string, error) {
	tree, err := pipeline.TreeOf(ctx, h.ws)
	if tree == nil || err != nil {
		return nil, err
	}
	for why := ""; ; {
		a, err := h.put(ctx, tree.Question(why))
		if err != nil {
			return nil, err
		}
		if why = ""; strings.EqualFold(a.Text, pipeline.TreeDone) {
			break
		}
		if err := tree.Toggle(a.Text); err != nil {
			why = display.Upper(err.Error()) + "."
		}
	}
	if len(tree.Files()) == 0 {
		return nil, errors.New("no files are selected, so coauthor sent nothing")
	}
	if memory, changed := tree.Remember(); changed && write {
		if err := carryOut(ctx, h.ws.Door(), workspace.Agreed(), h.ws.Snapshot(), memory, ""); err != nil {
			return nil, fmt.Errorf("save the selection in %s: %w", pipeline.SelectionFile, err)
		}
		h.out.tell("Saved the selection in %s.", pipeline.SelectionFile)
	}
	return tree.Files(), nil
}

// promptIn reads a text of the user's from a file of theirs.
func promptIn(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("cannot read the prompt: %w", err)
	}
	defer f.Close() //nolint:errcheck // nothing was written
	if info, err := f.Stat(); err != nil || info.IsDir() {
		return "", fmt.Errorf("cannot read the prompt: %s is a folder; name a file", name)
	}
	text, err := readText(f)
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", name, err)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return "", fmt.Errorf("%s is not UTF-8 text; save the prompt as UTF-8", name)
	case strings.TrimSpace(text) == "":
		return "", fmt.Errorf("%s is empty; describe what to build in this file", name)
	}
	return text, nil
}

// lines asks on the terminal; without one, what can be answered in one's own words is answered by a line of standard input
// each. Its end is the default, which lets the model decide.
type lines struct{ h *headless }

// Ask implements event.Asker.
func (l *lines) Ask(ctx context.Context, q event.Question) (event.Answer, error) {
	if !q.FreeText || l.h.interactive() {
		return l.h.Ask(ctx, q)
	}
	l.h.out.pause()
	head, text := chat.Asked(q, l.h.width)
	fmt.Fprint(l.h.s.Err, head+text+" ")
	line, err := (&terminal{in: l.h.in}).line(ctx)
	fmt.Fprintln(l.h.s.Err, display.Message(strings.TrimSpace(line))) // nobody has seen it typed
	switch {
	case ctx.Err() != nil:
		return event.Answer{}, ctx.Err()
	case err != nil && (!errors.Is(err, io.EOF) || strings.TrimSpace(line) == ""):
		return q.DefaultAnswer(), nil //nolint:nilerr // the end of the input is no answer, and that is the default
	}
	a, _ := q.Choose(line)
	return a, nil
}
