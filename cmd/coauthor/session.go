package main

import (
	"bufio"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/agent/display"
	"coauthor/agent/pipeline"
	"coauthor/agent/web"
	"coauthor/cmd/coauthor/console"
)

// The commands whose work is the session's, as they are written in prompt documents: /add there is coauthor add here. What
// they choose is kept for the next one of them, and for a request with --continue.

// sessionFlags are what these commands take.
type sessionFlags struct {
	action command.Action

	Root    string `placeholder:"DIR" help:"The project folder. Default: this repository."`
	JSON    bool   `name:"json" help:"Print JSON, one object per line."`
	Model   string `placeholder:"NAME" help:"The model to use."`
	APIBase string `name:"api-base" placeholder:"URL" help:"The OpenAI-compatible endpoint."`
}

// FilesCmd is a command that takes names of files.
type FilesCmd struct {
	sessionFlags
	Files []string `arg:"" optional:"" help:"Paths, folders or globs."`
}

// WordsCmd is a command that takes a text, or nothing.
type WordsCmd struct {
	sessionFlags
	Words []string `arg:"" optional:"" help:"The command's text; - reads standard input."`
}

// workFlags are what a command takes from which a turn follows.
type workFlags struct {
	sessionFlags
	Format  string `placeholder:"NAME" help:"Edit format. Default: the best for the model."`
	Yes     bool   `short:"y" xor:"how" help:"Apply the change without asking."`
	Force   bool   `help:"With --yes: ignore warnings."`
	Preview bool   `xor:"how" help:"Only show the change; in a pipe, as a diff."`
}

// WorkCmd is a command from which a turn follows.
type WorkCmd struct {
	workFlags
	Words []string `arg:"" optional:"" help:"The command's text; - reads standard input."`
}

// ProgramCmd is one that runs a program: what stands behind the first word is the program's, flags included.
type ProgramCmd struct {
	workFlags
	Words []string `arg:"" optional:"" passthrough:"partial" help:"The command with its arguments; - reads standard input."`
}

// sessionCommands are these commands, made from their rows, but those whose words are taken: they have another form on the
// command line.
func sessionCommands(coders coder.Table, taken []string) []madeCommand {
	var list []madeCommand
	for _, a := range pipeline.ActionsOf(coders) {
		if _, whole := pipeline.Named([]command.Action{a}, a.ID); whole || a.Run == nil || a.Word == "" || slices.Contains(taken, a.Word) {
			continue
		}
		var cmd runner = &WordsCmd{sessionFlags: sessionFlags{action: a}}
		switch {
		case a.Preset != nil:
			row, err := coders.ByName(a.Preset.Coder)
			cmd = presetCommand(a, err != nil || row.Proposes())
		case a.Runs && !takesFiles(a):
			cmd = &ProgramCmd{workFlags: workFlags{sessionFlags: sessionFlags{action: a}}}
		case a.Turns:
			cmd = &WorkCmd{workFlags: workFlags{sessionFlags: sessionFlags{action: a}}}
		case takesFiles(a):
			cmd = &FilesCmd{sessionFlags: sessionFlags{action: a}}
		}
		list = append(list, madeCommand{a.Word, helpOf(a), a.Group, cmd})
	}
	return list
}

// takesFiles says that names of files stand behind a command.
func takesFiles(a command.Action) bool {
	return slices.ContainsFunc(a.Args, func(arg command.Arg) bool { return arg.Bare && arg.Type == "string[]" })
}

// Run runs the command on the files.
func (c *FilesCmd) Run(ctx context.Context, s Streams) (int, error) {
	pages, files := web.Among(c.Files)
	h, err := c.open(ctx, s, files)
	if err != nil {
		return 1, err
	}
	defer h.close()
	return h.command(ctx, c.action, append(h.files, pages...)...)
}

// Run runs the command on its words.
func (c *WordsCmd) Run(ctx context.Context, s Streams) (int, error) {
	text, err := spoken(c.Words, s)
	if err != nil {
		return 1, err
	}
	h, err := c.open(ctx, s, nil)
	if err != nil {
		return 1, err
	}
	defer h.close()
	return h.command(ctx, c.action, text)
}

// spoken is what stands behind a command.
func spoken(words []string, s Streams) (string, error) {
	if len(words) == 1 && words[0] == "-" {
		return readText(bufio.NewReader(s.In))
	}
	return strings.Join(words, " "), nil
}

// open opens the session of the folder, with what was chosen in it.
func (c *sessionFlags) open(_ context.Context, s Streams, files []string) (*headless, error) {
	h := &headless{s: s, flags: &turnFlags{Root: c.Root, JSON: c.JSON, Model: c.Model, APIBase: c.APIBase, Files: files}, in: bufio.NewReader(s.In)}
	if _, err := h.connect(); err != nil {
		return nil, err
	}
	h.print()
	return h, nil
}

// goOn makes what was said and chosen in the folder that of the session. Without either it is an error.
func (h *headless) goOn(ctx context.Context) error {
	if h.s.within != nil {
		return nil
	}
	_, err := h.session.Continue(ctx)
	if command.RestoreChoice(h.session) || ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// flagsFirst has the flags stand above what was chosen.
func (h *headless) flagsFirst() error {
	choice, f := h.session.Chosen.Get(), h.flags
	for _, one := range []struct {
		given  bool
		choice *string
	}{{f.Model != "", &choice.Model}, {f.EditorModel != "", &choice.EditorModel}, {f.Effort != "", &choice.Effort}} {
		if one.given {
			*one.choice = ""
		}
	}
	if f.Thinking != "" {
		choice.Thinking = nil
	}
	if f.MapTokens != nil {
		choice.MapTokens = nil
	}
	_, err := h.session.Choose(choice)
	return err
}

// earlier is goOn for a command that needs nothing earlier.
func (h *headless) earlier(ctx context.Context, a command.Action) error {
	if err := h.goOn(ctx); ctx.Err() != nil {
		return err
	}
	if a.Turns || slices.Contains([]string{"tokens", "copyContext", "settings"}, a.ID) { // they look at what a request would do
		return h.flagsFirst()
	}
	return nil
}

// command runs a command of the session on its words and prints what it says.
func (h *headless) command(ctx context.Context, a command.Action, words ...string) (int, error) {
	if err := h.earlier(ctx, a); err != nil {
		return 1, err
	}
	before := h.session.Chosen.Get()
	answer, err := a.Run.Do(ctx, h.session, command.Call{Args: a.Given(words...), Ports: agent.Ports{Ask: h}, Table: h.wiring.actions()})
	if err != nil {
		return 1, err
	}
	if !reflect.DeepEqual(before, h.session.Chosen.Get()) {
		if err := command.KeepChoice(h.session); err != nil {
			return 1, err
		}
	}
	return h.said(answer)
}

// said prints what a command says.
func (h *headless) said(answer command.Answer) (int, error) {
	if h.flags.JSON {
		marshalLine(h.s.Out, answer.Data)
		return h.printed(0, nil)
	}
	if answer.Listing != nil {
		return h.printed(0, h.s.list(*answer.Listing))
	}
	if page := answer.Page.Text; page != "" {
		if console.Is(h.s.Out) {
			page = display.Text(page)
		}
		fmt.Fprint(h.s.Out, page)
		return h.printed(0, nil)
	}
	fmt.Fprintln(h.s.Out, display.Message(answer.Text))
	return h.printed(0, nil)
}

// Run runs the command, and the turn that follows from it.
func (c *WorkCmd) Run(ctx context.Context, s Streams) (int, error) { return c.work(ctx, s, c.Words) }

// Run runs the program.
func (c *ProgramCmd) Run(ctx context.Context, s Streams) (int, error) {
	words := c.Words
	if len(words) > 0 && words[0] == "--" { // it says where our own flags end
		words = words[1:]
	}
	return c.work(ctx, s, words)
}

// work runs the command on its words.
func (c *workFlags) work(ctx context.Context, s Streams, words []string) (int, error) {
	var files []string
	if takesFiles(c.action) {
		files = words
	} else {
		text, err := spoken(words, s)
		if err != nil {
			return 1, err
		}
		words = []string{text}
	}
	h, err := c.open(ctx, s, files)
	if err != nil {
		return 1, err
	}
	defer h.close()
	if err := h.earlier(ctx, c.action); err != nil {
		return 1, err
	}
	h.yes = c.Yes
	if takesFiles(c.action) {
		words = h.files
	}
	h.files = nil // a turn that follows names its own
	call := command.Call{Args: c.action.Given(words...), Ports: agent.Ports{Ask: h}}
	if c.action.Runs {
		return c.program(ctx, h, call)
	}
	answer, err := c.action.Run.Do(ctx, h.session, call)
	if err != nil {
		return 1, err
	}
	return c.follow(ctx, h, answer)
}

// program runs a command that runs a program, whose output is printed as it comes. Exit status 1: it was not run, or failed.
func (c *workFlags) program(ctx context.Context, h *headless, call command.Call) (int, error) {
	h.runs, h.yes = h.yes, false // what is asked behind it is another question
	answer, err := c.action.Run.Do(ctx, h.session, h.streaming(call))
	if err != nil {
		return 1, err
	}
	return c.became(ctx, h, answer)
}

// streaming is a call that prints the output of the program that it runs as it comes; that of a check beside the answer.
func (h *headless) streaming(call command.Call) command.Call {
	if h.flags.JSON {
		return call
	}
	call.Running = func(_ string, checks bool, _ func()) (func(string), func(int)) {
		if checks {
			return h.out.quote, func(int) {}
		}
		return func(text string) {
			if console.Is(h.s.Out) || h.interactive() { // what is piped to a pager stands above a question, too
				text = display.Text(text)
			}
			fmt.Fprint(h.s.Out, text)
		}, func(int) {}
	}
	return call
}

// became tells what became of a program whose output was printed as it came, and goes on with the turn that follows.
func (c *workFlags) became(ctx context.Context, h *headless, answer command.Answer) (int, error) {
	code := 0
	if answer.Failed {
		code = 1
	}
	ran, streamed := answer.Data.(command.Ran)
	switch {
	case h.flags.JSON:
		if answer.Then == nil {
			marshalLine(h.s.Out, answer.Data)
		}
	case !streamed:
		if _, err := h.said(answer); err != nil {
			return 1, err
		}
	case ran.Status == command.RanSkipped && !answer.Failed: // the commands to choose from, which a question has shown
		if !h.interactive() {
			fmt.Fprintln(h.s.Out, display.Messages(answer.Text))
		}
	case answer.Then == nil:
		h.s.tell(display.Message(answer.Text))
	}
	if answer.Then != nil {
		return c.follow(ctx, h, answer)
	}
	return h.printed(code, nil)
}

// follow runs the turn that follows from an answer, and decides on its change.
func (c *workFlags) follow(ctx context.Context, h *headless, answer command.Answer) (int, error) {
	if answer.Then == nil {
		return h.said(answer)
	}
	r := *answer.Then
	if c.Format != "" {
		r.Format = c.Format
	}
	h.flags.Message = r.Instruction
	h.runs, h.yes = false, c.Yes // --yes allowed the command that was typed, and none that this request may ask about
	result, err := h.turnFor(ctx, r, h)
	if err != nil {
		return 1, err
	}
	edit := &EditCmd{turnFlags: turnFlags{coder: r.Coder}, Format: r.Format, Yes: c.Yes, Force: c.Force, Preview: c.Preview}
	if result, err = edit.answer(ctx, h, result); err != nil {
		return 1, err
	}
	return h.printed(edit.became(ctx, h, result))
}
