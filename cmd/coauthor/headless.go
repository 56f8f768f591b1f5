package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/pipeline"
	"coauthor/agent/settings"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
	"coauthor/cmd/coauthor/chat"
	"coauthor/cmd/coauthor/console"
)

// headless is one turn on the command line.
type headless struct {
	s       Streams
	flags   *turnFlags
	in      *bufio.Reader
	wiring  *wiring
	engine  *agent.Engine
	ws      *workspace.Workspace
	session *agent.Session
	root    string
	files   []string // relative to root
	goals   []verify.Goal
	read    []string
	out     *turnPrinter
	width   int           // of the terminal that standard error is; 0 for none
	live    *console.Line // nil where nobody looks
	yes     bool
	runs    bool   // the command that is asked about may run
	quietly bool   // the words of the model are not shown as they come
	paper   *paper // standard output
	piped   string // what came on standard input with the request, and has not been sent yet

	// beforeWrite is called once the user has agreed to a change; nil does nothing.
	beforeWrite func(ctx context.Context) error
}

// paper is an output that remembers the first write that failed, since nothing else looks at that.
type paper struct {
	to  io.Writer
	err error
}

// Write implements io.Writer.
func (p *paper) Write(text []byte) (int, error) {
	n, err := p.to.Write(text)
	if p.err == nil {
		p.err = err
	}
	return n, err
}

// Unwrap returns what it writes to.
func (p *paper) Unwrap() io.Writer { return p.to }

// printed is the end of a command of which nobody may have seen anything: a script must learn of it.
func (h *headless) printed(code int, err error) (int, error) {
	if err == nil && h.paper.err != nil {
		return 1, fmt.Errorf("cannot print the result: %w", h.paper.err)
	}
	return code, err
}

func (f *turnFlags) open(ctx context.Context, s Streams) (*headless, error) {
	h := &headless{s: s, flags: f, in: bufio.NewReader(s.In)}
	said := f.Message == "-"
	if err := f.complete(ctx, h); err != nil {
		return nil, err
	}
	var piped chan pipedText
	if f.pipes && !said && s.within == nil && isPiped(s.In) {
		piped = readPiped(h.in) // while the folder is opened
	}
	v, err := h.connect()
	if err != nil {
		return nil, err
	}
	if f.Continue {
		err := h.goOn(ctx)
		if err == nil {
			err = h.flagsFirst()
		}
		if err != nil {
			h.close()
			return nil, fmt.Errorf("--continue: %w", err)
		}
	}
	if x, err := h.wiring.index(h.ws); err == nil && s.within == nil && v.RepoMap.Tokens != 0 {
		// One turn is all there will be: it may wait a little for a better map.
		patient, cancel := context.WithTimeout(ctx, mapPatience)
		err := x.Wait(patient)
		cancel()
		if err != nil && ctx.Err() != nil {
			h.close()
			return nil, ctx.Err()
		}
	}
	h.print()
	if h.piped, err = awaitPiped(ctx, piped, h.out); err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

// errNoRequest says that a command was not told what to do.
var errNoRequest = errors.New("the request is missing; add -m \"REQUEST\", or -m - to read it from standard input")

// complete gets what the command line leaves to say: the request from standard input or, where none is given, from whoever
// sits at the terminal.
func (f *turnFlags) complete(ctx context.Context, h *headless) (err error) {
	switch {
	case f.Message == "-":
		f.Message, err = readText(h.in)
	case f.asks == "" || strings.TrimSpace(f.Message) != "":
	case !h.interactive():
		return errNoRequest
	default:
		var a event.Answer
		if a, err = (&terminal{in: h.in, out: h.s.Err}).put(ctx, event.Question{Text: f.asks, FreeText: true}); err != nil {
			return err
		}
		if f.Message = a.Text; strings.TrimSpace(a.Text) == "" {
			return errNoRequest
		}
	}
	return err
}

// connect opens the folder and its session.
func (h *headless) connect() (v settings.Settings, err error) {
	if o := h.s.within; o != nil {
		h.wiring, h.engine, h.ws, h.session, h.root = o.wiring, o.engine, o.ws, o.session, o.root
		cwd, err := os.Getwd()
		if err == nil {
			h.files, err = belowRoot(h.root, cwd, h.flags.Files)
		}
		return h.session.Settings(), err
	}
	if err := h.locate(); err != nil {
		return v, err
	}
	s, f := h.s, h.flags
	h.wiring = newWiring(s, f.settings(), nil)
	v, warnings := h.wiring.settings(h.root, settings.Editor{})
	warn(s, warnings)
	if h.ws, err = h.wiring.workspace(h.root, v); err != nil {
		return v, err
	}
	h.engine = h.wiring.engine(h.wiring.plain, nil)
	h.session = h.engine.Session(h.ws)
	return v, nil
}

// print makes the outputs those of a command that shows a turn.
func (h *headless) print() {
	s, f := h.s, h.flags
	h.width = console.Width(s.Err)
	var screen *chat.Painter
	terminal, colour := console.Is(s.Out), s.colour(s.Out)
	if terminal && !f.JSON {
		screen = &chat.Painter{Colour: colour, Width: console.Width(s.Out)}
	}
	if s.draws(s.Err) && !f.JSON {
		h.live = console.NewLine(s.Err)
		s.Err = h.live.Wrap(s.Err)
		if terminal {
			s.Out = h.live.Wrap(s.Out)
		}
	}
	var seen console.Thinking
	if h.live != nil && terminal && h.session.Settings().ShowThinking {
		seen = console.Thinking{To: s.Err, Colour: colour, Clock: time.Now}
	}
	s.Err = display.NewWriter(s.Err)
	h.paper = &paper{to: s.Out}
	s.Out = h.paper
	h.s = s
	h.out = &turnPrinter{s: s, json: f.JSON, verbose: f.Verbose, screen: screen, width: h.width, line: func(e event.Event) any { return withDiff(h.session.Proposals, e) }, thinking: seen}
	if h.live != nil && screen != nil {
		h.out.tail = h.live.Writing
	}
}

// mapPatience is how long a turn waits for the index of a repository that was never seen before.
const mapPatience = 10 * time.Second

// settings are the flags that stand for settings.
func (f *turnFlags) settings() map[string]string {
	m := map[string]string{}
	for name, value := range f.more {
		m[name] = value
	}
	set := func(name, value string) {
		if value != "" {
			m[name] = value
		}
	}
	set("model.name", f.Model)
	set("apiBase", f.APIBase)
	set("model.editor", f.EditorModel)
	set("model.reasoningEffort", f.Effort)
	set("model.thinkingTokens", f.Thinking)
	if f.Temperature != nil {
		set("model.temperature", strconv.FormatFloat(*f.Temperature, 'g', -1, 64))
	}
	if f.MapTokens != nil {
		set("repoMap.tokens", strconv.Itoa(*f.MapTokens))
	}
	return m
}

// locate finds the root and makes the files relative to it.
func (h *headless) locate() error {
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	root := h.flags.Root
	if root == "" {
		root = workspace.RootOf(filepath.Join(cwd, "x"), nil)
	}
	if !filepath.IsAbs(root) {
		root = filepath.Join(cwd, root)
	}
	if h.root, err = filepath.EvalSymlinks(root); err != nil {
		return fmt.Errorf("the root: %w", err)
	}
	if h.files, err = belowRoot(h.root, cwd, h.flags.Files); err != nil {
		return err
	}
	h.read, err = belowRoot(h.root, cwd, h.flags.ReadOnly)
	return err
}

// belowRoot names files relative to a root, from the folder where they were named.
func belowRoot(root, cwd string, names []string) ([]string, error) {
	var list []string
	for _, name := range names {
		abs := name
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(cwd, name)
		}
		if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
			abs = filepath.Join(dir, workspace.OnDiskName(dir, filepath.Base(abs)))
		}
		rel, err := filepath.Rel(root, abs)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return nil, fmt.Errorf("%s is outside %s; set the project folder with --root", name, root)
		}
		list = append(list, filepath.ToSlash(rel))
	}
	return list, nil
}

func (h *headless) close() {
	if h.s.within != nil {
		return // it is not ours
	}
	if err := h.session.Conversation.Unsaved(); err != nil {
		h.s.tell("coauthor: " + display.Message(err.Error()) + "; --continue cannot resume this conversation")
	}
	h.engine.Close()
	h.wiring.close()
	_ = h.ws.Close() // nothing is open for writing
}

// turn runs the turn to its end. An interrupt ends the turn, too.
func (h *headless) turn(ctx context.Context, r agent.Request) (agent.Result, error) {
	r.Instruction, r.Files, r.ReadOnly, r.Goals = h.flags.Message, h.files, h.read, h.goals
	r.Quoted, h.piped = h.piped, ""
	if a, _, ok := command.CommandOf(pipeline.Actions(), r.Instruction); ok {
		if a.Word == "" {
			return agent.Result{}, fmt.Errorf("/%s works only while a change is pending", a.SlashWord())
		}
		return agent.Result{}, fmt.Errorf("/%s is a separate command; run coauthor %s", a.Word, a.Word)
	}
	return h.turnFor(ctx, r, h)
}

// turnFor runs a request as a turn whose questions ask answers.
func (h *headless) turnFor(ctx context.Context, r agent.Request, ask event.Asker) (agent.Result, error) {
	resolved, err := h.session.Resolve(r)
	if err != nil {
		return agent.Result{}, err
	}
	return h.turnOf(ctx, resolved, ask)
}

// turnOf is turnFor for a request of which it is known who answers it.
func (h *headless) turnOf(ctx context.Context, r agent.Resolved, ask event.Asker) (agent.Result, error) {
	sink := event.Sink(func(e event.Event) {
		if h.quietly && e.Kind == event.KindDelta {
			return
		}
		h.out.sink(e)
	})
	if h.live != nil {
		sink = h.live.Sink(sink)
		defer h.live.Run()()
	}
	started, err := h.session.Start(r, agent.Ports{Sink: sink, Ask: ask})
	if err == nil && started.Status != agent.StatusStarted {
		err = fmt.Errorf("add an instruction after %s", strings.TrimSpace(h.flags.Message))
	}
	if err != nil {
		return agent.Result{}, err
	}
	shown := h.session.Chosen.Get().Pages
	result, err := h.session.Turns.Wait(ctx, started.Turn)
	if !slices.Equal(shown, h.session.Chosen.Get().Pages) {
		if err := command.KeepChoice(h.session); err != nil { // else --continue would not know what was read
			h.s.tell("coauthor: " + display.Message(err.Error()))
		}
	}
	if err != nil {
		h.session.Turns.Cancel(started.Turn)
		if result, err = h.session.Turns.Wait(context.WithoutCancel(ctx), started.Turn); err != nil {
			return result, err
		}
	}
	switch result.State {
	case event.TurnCancelled:
		return result, context.Canceled
	case event.TurnFailed:
		return result, result.Err
	default:
		return result, nil
	}
}

func marshalLine(w io.Writer, v any) {
	data, err := json.Marshal(v)
	if err == nil {
		fmt.Fprintf(w, "%s\n", data)
	}
}
