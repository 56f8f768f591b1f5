package chat

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"coauthor/agent"
	"coauthor/agent/aicomment"
	"coauthor/agent/chosen"
	"coauthor/agent/command"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/model"
	"coauthor/agent/proposal"
	"coauthor/agent/vcs"
)

// Options are what a session on a terminal is made with.
type Options struct {
	In     io.Reader
	Out    io.Writer // the terminal
	Env    []string  // of the terminal
	Dumb   bool      // it cannot move its cursor
	Width  int       // in columns; 0 unknown
	Colour bool
	// Verbose shows how each answer was read.
	Verbose bool
	Past    string // the file of what was sent before; "" remembers nothing
	Home    string // of the user; "" unknown

	Session *agent.Session
	Table   []command.Action // the commands that there are
	Files   []string         // to begin with; relative to the root, as the other paths
	// Deliver writes what is accepted; it asks consent about files that need the user's word by name.
	Deliver func(consent func(ctx context.Context, path string) bool) proposal.Delivery
	// Shown is called, in a goroutine of its own, once the user can type: work begins there that may wait until then.
	Shown func()
	// Other runs a command that has no function in the table: what it prints goes to out.
	Other func(ctx context.Context, a command.Action, rest string, out io.Writer, who Person) error
}

// Person answers questions in a session, and has an editor and a pager.
type Person interface {
	event.Asker
	Edit(ctx context.Context, text, ending string) (string, error)
	Page(ctx context.Context, text string) error
}

// errEnd says that the user leaves.
var errEnd = errors.New("the session ends")

// session is what Run does.
type session struct {
	o     Options
	on    console
	style style
	past  past
}

// Run holds a session until the user leaves it.
func Run(ctx context.Context, o Options) error {
	s := &session{o: o, style: style{o.Colour}, past: past(o.Past)}
	s.on = newLineConsole(o.In, o.Out, o.Width)
	s.greet(ctx)
	if o.Dumb {
		go o.Shown()
		return s.hold(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := completer{ctx, o.Session, o.Table}
	screen := newScreen(ctx, screenOptions{in: o.In, out: o.Out, env: o.Env, width: s.on.Width(), style: s.style, past: s.past.read(), shown: o.Shown, status: func() string { return status(o.Session) }, complete: c.complete})
	s.on = screen
	held := make(chan error, 1)
	var broken any
	go func() {
		var err error
		defer func() {
			if x := recover(); x != nil {
				broken = fmt.Sprintf("%v\n%s", x, debug.Stack())
			}
			screen.end()
			held <- err
		}()
		err = s.hold(ctx)
	}()
	err := screen.run()
	cancel()
	if err = errors.Join(err, <-held); broken != nil {
		panic(broken) // the terminal is as it was before, so that it can be read
	}
	return err
}

// hold reads messages and does what they say.
func (s *session) hold(ctx context.Context) error {
	for {
		text, err := s.on.Read(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		s.past.add(text)
		if _, lines := s.on.(*lineConsole); !lines {
			s.echo(text)
		}
		if s.handle(ctx, text) {
			return nil
		}
	}
}

// echo shows what was sent, since the input is empty again.
func (s *session) echo(text string) {
	rows := wrap(display.Text(text), s.on.Width()-2, "")
	s.on.Print("\n" + s.style.paint(lookBold, strings.Join(before(rows, "> ", "  "), "\n")))
}

// handle does what a message says, and tells what went wrong.
func (s *session) handle(ctx context.Context, text string) (end bool) {
	work, stop := context.WithCancel(ctx)
	defer stop()
	s.on.Working(stop)
	err := s.do(work, text)
	s.on.Moving(nil)
	s.on.Working(nil)
	switch {
	case err == nil:
	case errors.Is(err, errEnd), errors.Is(err, io.EOF): // of the input, in the middle of a question
		return true
	case work.Err() != nil && errors.Is(err, context.Canceled):
		s.say(lookDim, "Stopped.")
	default:
		s.say(lookRed, display.Upper(display.Messages(err.Error())))
	}
	return false
}

// say prints a text of ours, which is fit to be shown.
func (s *session) say(look, text string) {
	s.on.Print(s.style.paint(look, strings.Join(wrap(text, s.on.Width(), "  "), "\n")))
}

// quote prints lines of a check: none of them can be taken for ours.
func (s *session) quote(lines string) {
	s.on.Print(s.style.paint(lookDim, strings.TrimRight(Fold(Quoted(lines), s.on.Width()), "\n")))
}

// slashWord is a word that would be a command.
var slashWord = regexp.MustCompile(`^/([\pL\pN:_-]+)(\s|$)`)

// do does what a message says.
func (s *session) do(ctx context.Context, text string) error {
	if program, ok := strings.CutPrefix(text, "!"); ok {
		text = "/run " + strings.TrimSpace(program)
	}
	switch text {
	case "/exit", "/quit":
		return errEnd
	case "/help", "/?":
		s.help()
		return nil
	}
	if a, rest, ok := command.CommandOf(s.o.Table, text); ok {
		return s.command(ctx, a, rest)
	}
	if m := slashWord.FindStringSubmatch(text); m != nil && !known(ctx, s.o.Session, text) {
		return fmt.Errorf("there is no command /%s; /help lists the commands", m[1])
	}
	return s.request(ctx, agent.Request{Instruction: text})
}

// known says whether a text begins with a coder's word or a custom command.
func known(ctx context.Context, on *agent.Session, text string) bool {
	if _, _, ok := on.Engine.Options().Coders.Slash(text); ok {
		return true
	}
	_, own, err := on.Engine.CustomCommands(on.Workspace, on.Settings()).Find(ctx, text)
	return own || err != nil
}

// command runs a command of the table.
func (s *session) command(ctx context.Context, a command.Action, rest string) error {
	if a.ID == "doComments" {
		resolved, err := s.o.Session.DoComments(ctx, aicomment.Place{Last: -1}, agent.Request{}, nil)
		if err != nil {
			return err
		}
		return s.turn(ctx, resolved)
	}
	if a.Run == nil {
		if a.Word == "" {
			return fmt.Errorf("/%s works only in editors", a.SlashWord())
		}
		out := &printer{s: s, diff: a.ID == "diff"}
		defer out.end()
		return s.o.Other(ctx, a, rest, out, s)
	}
	words, err := a.Words(rest)
	if err != nil {
		return err
	}
	if rest == "" && a.ChoosesModel() {
		picked, err := s.pickModel(ctx, a)
		if err != nil {
			return err
		}
		if picked != "" {
			words = []string{picked}
		}
	}
	before := s.o.Session.Chosen.Get()
	answer, err := a.Run.Do(ctx, s.o.Session, s.call(command.Call{Args: a.Given(words...), Typed: true}))
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(before, s.o.Session.Chosen.Get()) {
		if err := command.KeepChoice(s.o.Session); err != nil {
			return err
		}
	}
	return s.answered(ctx, answer)
}

// call is a call of a command that asks here, and prints the output of the program that it runs, or of a check, as it comes.
func (s *session) call(c command.Call) command.Call {
	c.Ports, c.Table = agent.Ports{Ask: s}, s.o.Table
	c.Running = func(_ string, checks bool, _ func()) (func(string), func(int)) {
		if checks {
			return s.quote, func(int) {}
		}
		out := &printer{s: s}
		return func(text string) { _, _ = out.Write([]byte(text)) }, func(int) { out.end() }
	}
	return c
}

// answered prints what a command says, and goes on with the turn that follows.
func (s *session) answered(ctx context.Context, answer command.Answer) error {
	_, streamed := answer.Data.(command.Ran)
	switch {
	case answer.Then != nil:
		return s.request(ctx, *answer.Then)
	case streamed && answer.Failed:
		s.say(lookYellow, display.Message(answer.Text))
	case answer.Listing != nil:
		s.on.Print(Listing(*answer.Listing, s.on.Width(), s.style.colour))
	case streamed || answer.Page.Text == "":
		s.say("", display.Messages(answer.Text))
	default:
		s.on.Print(strings.Join(markdown{s.style, s.on.Width()}.render(answer.Page.Text), "\n"))
	}
	return nil
}

// greet says in two lines who answers, where, and about what.
func (s *session) greet(ctx context.Context) {
	v := s.o.Session.Settings()
	root := s.o.Session.Workspace.Root()
	if rel, err := filepath.Rel(s.o.Home, root); s.o.Home != "" && err == nil && filepath.IsLocal(rel) {
		root = "~/" + filepath.ToSlash(rel)
	}
	head := "Coauthor · model " + display.Message(firstOf(v.Model, "none")) + " · folder " + display.Message(root)
	if branch := vcs.Branch(ctx, s.o.Session.Workspace.Root()); branch != "" {
		head += " · branch " + display.Message(branch)
	}
	s.say(lookBold, head)
	var failed error
	if len(s.o.Files) > 0 {
		if i := slices.IndexFunc(s.o.Table, func(a command.Action) bool { return a.ID == "addFile" }); i >= 0 {
			_, failed = s.o.Table[i].Run.Do(ctx, s.o.Session, command.Call{Args: s.o.Table[i].Given(s.o.Files...), Ports: agent.Ports{Ask: s}, Table: s.o.Table})
		}
	}
	files, keys := "Files: "+filesOf(s.o.Session.Chosen.Get()), " · /help: keys and commands · Ctrl+D: exit"
	if ansi.StringWidth(files+keys) > s.on.Width() { // two lines
		keys = " · /help"
	}
	s.say(lookDim, files+keys)
	if failed != nil {
		s.say(lookRed, display.Messages(failed.Error()))
	}
}

// filesOf are those in the chat.
func filesOf(now chosen.Choice) string {
	list := slices.Clone(now.Files)
	for _, path := range now.ReadOnly {
		list = append(list, path+" (read-only)")
	}
	if len(list) == 0 {
		return "none"
	}
	return display.Message(display.Names(list))
}

// status is the line above the input while nothing runs.
func status(session *agent.Session) string {
	now := session.Chosen.Get()
	parts := []string{firstOf(session.Settings().Model, "no model")}
	if u := session.Turns.Usage(); u.Prompt+u.Completion > 0 {
		parts = append(parts, model.Short(u.Prompt+u.Completion)+" tokens")
		if u.Cost > 0 {
			parts = append(parts, fmt.Sprintf("$%.4f", u.Cost))
		}
	}
	parts = append(parts, display.Count(len(now.Files)+len(now.ReadOnly), "file"))
	return display.Line(strings.Join(parts, " · "))
}

// help lists the keys and the commands.
func (s *session) help() {
	var rows []string
	for _, one := range [][2]string{
		{"Enter", "Sends the message."},
		{"Alt+Enter, \\ at the end", "Starts a new line. Pasted text keeps its lines."},
		{"Up, Ctrl+R", "Earlier messages of this folder; searches them."},
		{"Tab", "Completes commands, their arguments, files and names."},
		{"@FILE", "Adds a file to this message."},
		{"!COMMAND", "Runs a shell command, after asking you."},
		{"Ctrl+X Ctrl+E", "Opens the message in $EDITOR."},
		{"Ctrl+C", "Stops what runs. Press it twice to exit."},
		{"Ctrl+D, /exit", "Exits."},
	} {
		rows = append(rows, row(one[0], one[1], 25, s.on.Width(), s.style)...)
	}
	c := completer{ctx: context.Background(), session: s.o.Session, table: s.o.Table}
	rows = append(rows, "")
	for _, one := range c.slashes() {
		rows = append(rows, row(one.text, one.doc, 19, s.on.Width(), s.style)...)
	}
	s.on.Print(strings.Join(rows, "\n"))
}

// row is a line of a list of two columns.
func row(name, doc string, column, width int, st style) []string {
	name, doc = display.Line(name), display.Line(doc)
	gap := max(column-ansi.StringWidth(name), 2)
	text := wrap("  "+name+strings.Repeat(" ", gap)+doc, width, strings.Repeat(" ", min(column+2, width/2)))
	text[0] = strings.Replace(text[0], name, st.paint(lookBold, name), 1)
	return text
}

// printer prints the output of a program or of another command as it comes, line by line.
type printer struct {
	s      *session
	stream display.Stream
	line   string
	diff   bool // it is a unified diff
	all    strings.Builder
}

// Width is how wide what is printed may be.
func (p *printer) Width() int { return p.s.on.Width() }

// List prints a page of tables.
func (p *printer) List(l command.Listing) {
	p.s.on.Print(strings.TrimSuffix(Listing(l, p.Width(), p.s.style.colour), "\n"))
}

// Write implements io.Writer.
func (p *printer) Write(text []byte) (int, error) {
	if p.diff {
		return p.all.Write(text)
	}
	p.line += p.stream.Write(string(text))
	if i := strings.LastIndexByte(p.line, '\n'); i >= 0 {
		p.print(p.line[:i])
		p.line = p.line[i+1:]
	}
	return len(text), nil
}

func (p *printer) print(text string) {
	p.s.on.Print(strings.Join(wrap(text, p.s.on.Width(), ""), "\n"))
}

// end prints what has no line end.
func (p *printer) end() {
	if p.diff {
		if text := display.Text(p.all.String()); text != "" {
			p.s.on.Print(differ{p.s.style, p.s.on.Width()}.paint(text))
		}
		return
	}
	if p.line += p.stream.End(); p.line != "" {
		p.print(p.line)
		p.line = ""
	}
}
