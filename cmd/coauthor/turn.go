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

	"github.com/alecthomas/kong"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/pipeline"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// turnFlags are what every command that runs a turn takes.
type turnFlags struct {
	coder string // its name

	Message     string   `short:"m" required:"" placeholder:"TEXT" help:"What to do, in your own words. A dash reads it from standard input."`
	Root        string   `placeholder:"DIR" help:"The folder to work in; default the git repository around the current folder."`
	Model       string   `placeholder:"NAME" help:"The model to ask."`
	APIBase     string   `name:"api-base" placeholder:"URL" help:"The OpenAI-compatible endpoint to ask."`
	EditorModel string   `name:"editor-model" placeholder:"NAME" help:"The model that writes the edits of a plan."`
	Temperature *float64 `placeholder:"T" help:"Sampling temperature."`
	Effort      string   `name:"reasoning-effort" placeholder:"WORD" help:"How hard the model thinks, such as low or high."`
	Thinking    string   `name:"thinking-tokens" placeholder:"N" help:"How many tokens the model may think with, such as 8k."`
	MapTokens   *int     `name:"map-tokens" placeholder:"N" help:"Size of the map of the repository in tokens; 0 sends none."`
	ReadOnly    []string `name:"read" placeholder:"FILE" help:"A file that the model sees and may not change."`
	Continue    bool     `help:"Go on with the last conversation in this folder, and with the files that were in its chat."`
	JSON        bool     `name:"json" help:"Print JSON, one object a line."`
	Files       []string `arg:"" optional:"" help:"The files to work on."`

	more map[string]string // settings that flags of one command alone stand for
}

// coderCommands are the commands of the coders that users can name, made from their rows.
func coderCommands(coders coder.Table) []kong.Option {
	var list []kong.Option
	for _, c := range coders.Offered() {
		var cmd any = &AskCmd{turnFlags: turnFlags{coder: c.Name}}
		if c.Proposes() {
			cmd = &EditCmd{turnFlags: turnFlags{coder: c.Name}}
		}
		list = append(list, kong.DynamicCommand(c.CommandWord(), c.Doc, "", cmd))
	}
	return list
}

// EditCmd runs a turn that changes files.
type EditCmd struct {
	turnFlags
	Format  string `placeholder:"NAME" help:"The form in which the model writes its edits; default what suits the model."`
	Yes     bool   `short:"y" xor:"how" help:"Apply the change, and add files that the model asks for, without asking."`
	Force   bool   `help:"With --yes: also apply a change that has warnings, such as new syntax errors or lost definitions."`
	Preview bool   `xor:"how" help:"Show the change and stop; as a diff for git apply where the output is no terminal."`
	DryRun  bool   `name:"dry-run" xor:"how" help:"The same as --preview."`
}

// AskCmd runs a turn that answers a question.
type AskCmd struct {
	turnFlags
}

// Run asks for a change, shows it, and applies it when the user agrees. Exit status 0: done; 1: not or
// not wholly done, also where the model answered without an edit.
func (c *EditCmd) Run(ctx context.Context, s Streams) (int, error) {
	h, err := c.open(ctx, s)
	if err != nil {
		return 1, err
	}
	defer h.close()
	h.yes = c.Yes
	return h.printed(c.edit(ctx, h))
}

// named is the coder whose slash command the message begins with.
func (f *turnFlags) named(s Streams) (coder.Coder, bool) {
	table := s.coders()
	name, _, ok := table.Slash(f.Message)
	if !ok {
		return coder.Coder{}, false
	}
	c, err := table.ByName(name)
	return c, err == nil
}

// edit is Run once everything is open.
func (c *EditCmd) edit(ctx context.Context, h *headless) (int, error) {
	result, err := h.turn(ctx, agent.Request{Coder: c.coder, Format: c.Format})
	if err != nil {
		return 1, err
	}
	if named, ok := c.named(h.s); ok && !named.Proposes() {
		return 0, nil // an answer is all that was asked for
	}
	if result.Proposal == nil && !result.HeldEdits && !c.Yes && h.interactive() {
		yes, err := h.askForEdits(ctx, result)
		if err != nil {
			return 1, err
		}
		if yes {
			h.flags.Message = "Make the change that you described. Answer with the edits, in the form that you were given."
			if result, err = h.turn(ctx, agent.Request{Coder: coder.Default, Format: c.Format}); err != nil {
				return 1, err
			}
		}
	}
	return c.rounds(ctx, h, result)
}

// rounds decides on what a turn has proposed, a change for each of its rounds.
func (c *EditCmd) rounds(ctx context.Context, h *headless, result agent.Result) (int, error) {
	if result.Proposal == nil {
		return h.unchanged(result)
	}
	for i, p := range result.Proposals {
		one := result
		one.Proposal = &p
		if i < len(result.Proposals)-1 {
			one.Failures = nil // they are told with the last
		}
		if code, err := h.decideRound(ctx, c, one); err != nil || code != 0 || i == len(result.Proposals)-1 {
			return code, err
		}
	}
	return 0, nil
}

// decideRound is decide for one of the changes of a turn, which may have proposed one after each of its rounds. What
// comes after one that is not applied would have nothing to build upon.
func (h *headless) decideRound(ctx context.Context, c *EditCmd, r agent.Result) (int, error) {
	n := proposal.RoundOf(r.Proposal.Turn)
	if n > 0 && !h.flags.JSON {
		h.out.tell("Round %d:", n)
	}
	code, err := h.decide(ctx, c, r)
	if last := r.Proposals[len(r.Proposals)-1]; n > 0 && last.ID != r.Proposal.ID && (err != nil || code != 0) {
		h.out.tell("The changes of the rounds after round %d build upon it, so they are not written either.", n)
	}
	return code, err
}

// Run asks a question and prints the answer.
func (c *AskCmd) Run(ctx context.Context, s Streams) (int, error) {
	h, err := c.open(ctx, s)
	if err != nil {
		return 1, err
	}
	defer h.close()
	h.out.raw = true
	if named, ok := c.named(s); ok && named.Proposes() {
		return 1, fmt.Errorf("nothing was asked, because /%s changes files and %s changes none; run coauthor %s -m, with the text behind it", named.Name, c.coder, named.CommandWord())
	}
	if _, err := h.turn(ctx, agent.Request{Coder: c.coder}); err != nil {
		return 1, err
	}
	return h.printed(0, nil)
}

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
	read    []string
	out     *turnPrinter
	live    *liveLine // nil where nobody looks
	yes     bool
	runs    bool   // the command that is asked about may run
	quietly bool   // the words of the model are not shown as they come
	paper   *paper // standard output
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

// printed is the end of a command of which nobody may have seen anything: a script must learn of it.
func (h *headless) printed(code int, err error) (int, error) {
	if err == nil && h.paper.err != nil {
		return 1, fmt.Errorf("print what the turn brought: %w", h.paper.err)
	}
	return code, err
}

func (f *turnFlags) open(ctx context.Context, s Streams) (*headless, error) {
	h := &headless{s: s, flags: f, in: bufio.NewReader(s.In)}
	if f.Message == "-" {
		text, err := readText(h.in)
		if err != nil {
			return nil, err
		}
		f.Message = text
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
	if x, err := h.wiring.index(h.ws); err == nil && v.RepoMap.Enabled && v.RepoMap.Tokens >= 0 {
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
	return h, nil
}

// connect opens the folder and its session.
func (h *headless) connect() (v settings.Settings, err error) {
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
	terminal := isTerminal(s.Out)
	colour := s.colour(s.Out)
	if isTerminal(s.Err) && !f.JSON && s.Env("TERM") != "dumb" {
		h.live = newLiveLine(s.Err)
		s.Err = h.live.over(s.Err)
		if terminal {
			s.Out = h.live.over(s.Out)
		}
	}
	s.Err = display.NewWriter(s.Err)
	h.paper = &paper{to: s.Out}
	s.Out = h.paper
	h.s = s
	h.out = &turnPrinter{s: s, json: f.JSON, colour: colour, terminal: terminal, line: h.withDiff}
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
		if *f.MapTokens == 0 {
			delete(m, "repoMap.tokens") // there 0 means by the model
			set("repoMap.enabled", "false")
		}
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
	if h.files, err = h.relative(cwd, h.flags.Files); err != nil {
		return err
	}
	h.read, err = h.relative(cwd, h.flags.ReadOnly)
	return err
}

func (h *headless) relative(cwd string, names []string) ([]string, error) {
	var list []string
	for _, name := range names {
		abs := name
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(cwd, name)
		}
		if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
			abs = filepath.Join(dir, workspace.OnDiskName(dir, filepath.Base(abs)))
		}
		rel, err := filepath.Rel(h.root, abs)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return nil, fmt.Errorf("%s lies outside of %s; name the folder with --root", name, h.root)
		}
		list = append(list, filepath.ToSlash(rel))
	}
	return list, nil
}

func (h *headless) close() {
	if err := h.session.Unsaved(); err != nil {
		fmt.Fprintln(h.s.Err, "coauthor: "+display.Message(err.Error())+"; --continue will not know of this conversation")
	}
	h.engine.Close()
	h.wiring.close()
	_ = h.ws.Close() // nothing is open for writing
}

// turn runs the turn to its end. An interrupt ends the turn, too.
func (h *headless) turn(ctx context.Context, r agent.Request) (agent.Result, error) {
	r.Instruction, r.Files, r.ReadOnly = h.flags.Message, h.files, h.read
	if a, _, ok := agent.CommandOf(pipeline.Actions(), r.Instruction); ok {
		return agent.Result{}, fmt.Errorf("/%s is a command of its own: run coauthor %s", a.Word, a.Word)
	}
	return h.turnOf(ctx, func(sink event.Sink) (agent.Started, error) {
		return h.session.Start(r, agent.Ports{Sink: sink, Ask: h})
	})
}

// turnOf is turn with what starts it.
func (h *headless) turnOf(ctx context.Context, start func(sink event.Sink) (agent.Started, error)) (agent.Result, error) {
	sink := event.Sink(func(e event.Event) {
		if h.quietly && e.Kind == event.KindDelta {
			return
		}
		h.out.sink(e)
	})
	if h.live != nil {
		sink = h.live.sink(sink)
		defer h.live.run()()
	}
	started, err := start(sink)
	if err == nil && started.Status != agent.StatusStarted {
		err = fmt.Errorf("write behind %s what to do", strings.TrimSpace(h.flags.Message))
	}
	if err != nil {
		return agent.Result{}, err
	}
	shown := h.session.Chosen().Pages
	result, err := h.session.Wait(ctx, started.Turn)
	if !slices.Equal(shown, h.session.Chosen().Pages) {
		if err := h.session.KeepChoice(); err != nil { // else --continue would not know what was read
			fmt.Fprintln(h.s.Err, "coauthor: "+display.Message(err.Error()))
		}
	}
	if err != nil {
		h.session.Cancel(started.Turn)
		if result, err = h.session.Wait(context.WithoutCancel(ctx), started.Turn); err != nil {
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

// unchanged ends an edit whose turn proposes nothing. A script must see that nothing was done.
func (h *headless) unchanged(r agent.Result) (int, error) {
	if r.HeldEdits {
		return 1, nil // the turn has said that the files are so already
	}
	return 1, errors.New("nothing was written, because the reply holds no edit; ask again for the change itself, or name the files to change")
}

// askForEdits says that the model only answered, shows what of the reply was kept back as an edit and
// was none, and asks whether to ask for the change itself.
func (h *headless) askForEdits(ctx context.Context, r agent.Result) (bool, error) {
	if h.out.passed < h.out.came && !h.flags.JSON {
		fmt.Fprintln(h.s.Out, display.Text(strings.TrimSpace(r.Answer)))
	}
	h.out.tell("The reply holds no edit.")
	a, err := h.put(ctx, event.Question{Text: "Ask the model for the edits?", Choices: []string{"yes", "no"}, Default: "no"})
	return a.Choice == "yes", err
}

// unwritten says that a change was not written, as the beginning of a sentence: of a later round, others were.
func unwritten(p proposal.Proposal) string {
	if n := proposal.RoundOf(p.Turn); n > 0 {
		return fmt.Sprintf("the change of round %d was not written", n)
	}
	return "nothing was written"
}

// decide shows the proposal and applies it if the user wants that.
func (h *headless) decide(ctx context.Context, c *EditCmd, r agent.Result) (int, error) {
	p := *r.Proposal
	code := 0
	if len(r.Failures) > 0 {
		code = 1
	}
	h.out.failures(r.Failures)
	h.out.verdict(p.Verdict)
	h.out.warnings(p.Warnings)
	h.out.diff(p, c.Preview || c.DryRun)
	h.session.Proposals().MarkShown(p.ID, p.Revision)
	if c.DryRun || c.Preview {
		h.out.files(p)
		return code, nil
	}
	switch {
	case c.Yes && len(p.Warnings) > 0 && !c.Force:
		return 1, fmt.Errorf("%s, because the change has warnings; run it again without --yes to look and decide, or add --force to apply it all the same", unwritten(p))
	case !c.Yes:
		if !h.interactive() {
			return 1, fmt.Errorf("%s, because there is no terminal to ask on; --yes applies without asking", unwritten(p))
		}
		question := "Apply this change?"
		if len(p.Warnings) > 0 { // they may be far above by now
			question = "There are warnings, above the diff. Apply this change?"
		}
		a, err := h.Ask(ctx, event.Question{Text: question, Choices: h.choices(p), Default: "no"})
		if err != nil {
			return 1, err
		}
		taken := a.Choice == "yes"
		switch a.Choice {
		case choiceAgain:
			return h.again(ctx, c)
		case choiceParts:
			var whole bool
			if taken, whole, err = h.chooseParts(ctx, p); err != nil {
				return 1, err
			}
			if !whole {
				code = 1
			}
		}
		if !taken {
			h.out.tell("%s.", strings.ToUpper(unwritten(p)[:1])+unwritten(p)[1:])
			return 1, nil
		}
	}
	outcome, err := h.session.Proposals().Apply(ctx, proposal.Selector{Proposal: p.ID, Revision: p.Revision}, &disk{ws: h.ws, consent: h.consent})
	if err != nil {
		return 1, err
	}
	h.out.outcome(outcome)
	h.session.AwaitCommits(ctx)
	if err := h.offerChecks(ctx, c); err != nil {
		return 1, err
	}
	if outcome.Status != proposal.StatusApplied {
		return 1, nil
	}
	return code, nil
}

// consent asks about a protected file by its name. Only a person can agree: --yes does not.
func (h *headless) consent(ctx context.Context, path string) bool {
	if !h.interactive() {
		return false
	}
	what := path + " is protected"
	if d := h.ws.Door().Check(ctx, path, workspace.OpEdit); d.Verdict == workspace.Ask {
		what = strings.TrimSuffix(d.Reason, ".") // names the rule, and where a link leads
	}
	a, err := h.put(ctx, event.Question{Text: what + ". Change it all the same?", Choices: []string{"yes", "no"}, Default: "no"})
	return err == nil && a.Choice == "yes"
}

func (h *headless) interactive() bool { return isTerminal(h.s.In) }

// Ask implements event.Asker on the terminal. With --yes, files that the model asks for are added and plans carried out;
// without a terminal everything else gets its default.
func (h *headless) Ask(ctx context.Context, q event.Question) (event.Answer, error) {
	for _, choice := range []string{"add", coder.GoOn} {
		if h.yes && slices.Contains(q.Choices, choice) {
			return event.Answer{Choice: choice}, ctx.Err()
		}
	}
	if h.runs && slices.Contains(q.Choices, agent.RanChoice) {
		return event.Answer{Choice: agent.RanChoice}, ctx.Err()
	}
	if !h.interactive() {
		return event.Default().Ask(ctx, q)
	}
	return h.put(ctx, q)
}

// put asks on the terminal, on a line of its own.
func (h *headless) put(ctx context.Context, q event.Question) (event.Answer, error) {
	h.out.pause()
	return (&terminal{in: h.in, out: h.s.Err}).put(ctx, q)
}

func marshalLine(w io.Writer, v any) {
	data, err := json.Marshal(v)
	if err == nil {
		fmt.Fprintf(w, "%s\n", data)
	}
}
