package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"coauthor/agent/call"
	"coauthor/agent/coder"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/index"
	"coauthor/agent/llm"
	"coauthor/agent/memory"
	"coauthor/agent/prompt"
	"coauthor/agent/proposal"
	"coauthor/agent/sandbox"
	"coauthor/agent/settings"
	"coauthor/agent/shell"
	"coauthor/agent/strategy"
	"coauthor/agent/tool"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/edits/formats"
)

// Job is what leads a turn in the place of a coder's Next: a function that asks models, and the user, in an order of
// its own. Its rounds go through the same stages as those of any turn, and what they change ends in one proposal.
type Job struct {
	Name    string // of what is done, such as "generate"
	Edits   bool   // it may propose a change; such turns run one at a time in a workspace. Without, what it lays is for itself
	NoModel bool   // it asks none, so that none need be set up
	Looks   bool   // its model may look around with tools, in calls that say so
	// Retry leads the turn that asks again for an edit of it that was refused; nil has a coder ask.
	Retry *Job
	// Run does the work. What it made so far is proposed also where it fails.
	Run func(ctx context.Context, w *JobContext) error
}

// coder is the row of a turn that a job leads.
func (j *Job) coder() coder.Coder {
	return coder.Coder{Name: j.Name, Edits: j.Edits, Tools: j.Looks, Next: coder.Finish}
}

// JobContext is a turn in the hands of its job. Its methods are for the goroutine of Job.Run alone.
type JobContext struct {
	Request   Request // what was asked for
	Turn      string  // the id of the turn
	Settings  settings.Settings
	Model     strategy.Model      // that is asked
	Base      *workspace.Snapshot // what the user has
	Workspace *workspace.Workspace
	Shadow    *sandbox.Shadow     // runs commands apart from the user's files; nil for none
	StateDir  string              // where what is kept beside the workspace lies; "" is nowhere
	Time      func() time.Time    // tells the time
	Around    prompt.Surroundings // what the model may be told of the user, the machine and the project

	// Answer is what the turn says at its end; "" is what the model said.
	Answer string
	// Asked is what the user asked for, for the conversation, where Request says nothing; "" is the label of Request.
	Asked string
	// Refused are the edits that the turn ends without. What a call refused does not count by itself, because a later one
	// may have corrected it.
	Refused []edits.Failure
	// Then follows when the turn has ended as it should, and what it proposes was applied: see Result.Then.
	Then *Request

	t *turn
}

// ModelRequest is one call of the model: all that it is sent.
type ModelRequest struct {
	Messages []llm.Message
	// Format is the edit format that the reply is read in; "" for a reply that is only text.
	Format string
	// Given is a reply that the model gave to the same before: it is taken, and nobody is asked.
	Given string
	// Examples are the names that the examples in Messages give to files: a model that writes one of them down has only
	// repeated it. nil has none.
	Examples []string
	// Quiet keeps the reply from those who watch the turn, because the job shows it itself, as a question or a file.
	Quiet bool
	// Replaces has existing files that the reply names count as shown, since it gives all of their text.
	Replaces bool
	// Looks has the model look around before it answers, where it has tools; it is told of them behind the first message.
	Looks bool
}

// ModelReply is what came of a call.
type ModelReply struct {
	Text     string // as it came
	Prose    string // without its edits
	Cut      bool   // it ended before its time
	Edits    []edits.Edit
	Changed  []string        // files that it changed in memory
	Failures []edits.Failure // edits of it that were refused, and why
	Findings []verify.Finding
	Usage    event.Usage
	Model    string // that answered
	Looked   bool   // it called tools before it answered
	memory   *memory.Memory
	round    int // in memory, from 1; 0 is none
}

// Looks returns what the model looked at before the reply, as messages to be sent before it; what has changed since is left out.
func (c ModelReply) Looks() (list []llm.Message) {
	if c.round > 0 {
		for _, l := range c.memory.All[c.round-1].Looks {
			list = append(list, l.Said, l.Results)
		}
	}
	return list
}

// Now returns Base with what the turn has changed so far.
func (w *JobContext) Now() *workspace.Snapshot { return w.t.current.Now }

// Changes returns what the turn has changed so far.
func (w *JobContext) Changes() []edits.Change { return effective(w.t.current.Now.Changes()) }

// Environ returns the environment for programs, without the keys of models; nil where no programs are run.
func (w *JobContext) Environ() []string {
	if w.t.session.Engine.o.Environ == nil {
		return nil
	}
	return shell.Without(w.t.session.Engine.o.Environ, w.t.current.Settings.KeyNames(w.t.session.Engine.o.Catalog()))
}

// Media returns the images and documents that the user named, which a model that sees may be sent.
func (w *JobContext) Media() []llm.Part {
	var parts []llm.Part
	for _, m := range w.t.current.Media {
		parts = append(parts, m.Part())
	}
	return parts
}

// Chat returns the files that the user named, and those that the turn made, that the model may change.
func (w *JobContext) Chat() []string { return slices.Clone(w.t.current.Chat) }

// Added returns the files that the user has added to the chat of the session.
func (w *JobContext) Added() []string { return slices.Clone(w.t.session.Chosen.Get().Files) }

// Show takes a file into the chat, so that edits of it are carried out, or an image or a document among Media; the user is asked where it is protected. The
// error says why it may not be sent, or that it cannot be read.
func (w *JobContext) Show(ctx context.Context, path string) error {
	t := w.t
	g := &gathering{d: t.session.gatherDeps(t.puts()), c: t.current}
	g.c.Chat = slices.Clone(t.current.Chat)
	err := g.admit(ctx, path, &g.c.Chat)
	t.current.Chat, t.current.Media, t.current.agreed = g.c.Chat, g.c.Media, g.c.agreed
	if err == nil && slices.Contains(g.c.Missing, path) {
		t.current.Missing = slices.Clone(g.c.Missing)
	}
	return err
}

// Read returns the text of a file of the workspace that may be sent. The user is asked where it is protected.
func (w *JobContext) Read(ctx context.Context, path string) (string, error) {
	g := &gathering{d: w.t.session.gatherDeps(w.t.puts()), c: w.t.current}
	path, _, err := g.passes(ctx, path, workspace.OpSend)
	if err != nil {
		return "", err
	}
	w.t.current.agreed = g.c.agreed
	return w.t.current.Now.Read(path)
}

// Listing returns the files of the workspace as a map of it would have them: without what is ignored or may not be sent.
func (w *JobContext) Listing(ctx context.Context) ([]string, error) {
	return index.Sendable(ctx, w.t.session.Workspace)
}

// Say tells a text that comes piece by piece and is part of the turn's answer, such as the output of a program.
func (w *JobContext) Say(text string) {
	w.t.emit.Emit(event.Event{Kind: event.KindDelta, Channel: event.ChannelAnswer, Text: text})
}

// Step tells that a part of the work begins: number n of so many, 0 where that is not known.
func (w *JobContext) Step(what string, n, of int) {
	if n > 0 && of > 0 {
		what += fmt.Sprintf(" (%d of %d)", n, of)
	}
	w.t.emit.Emit(event.Event{Kind: event.KindRound, Round: n, Text: what})
}

// State tells where the turn stands, with a few words about it.
func (w *JobContext) State(state event.State, text string) {
	w.t.enter(event.Event{State: state, Text: text})
}

// Note tells the user something that ends nothing.
func (w *JobContext) Note(level event.Level, text string) {
	w.t.emit.Note(event.Note{Level: level, Text: text})
}

// Inform is Note for what the user has to see: also an editor that keeps notes in its log shows it.
func (w *JobContext) Inform(text string) {
	w.t.emit.Note(event.Note{Level: event.LevelInfo, Text: text, Shown: true})
}

// Ask puts a question to the user. Without an answer it is the question's default.
func (w *JobContext) Ask(q event.Question) (event.Answer, error) { return w.t.puts()(w.t.life.ctx, q) }

// Allow asks whether something may be done whose whole text is key, once in the session: the first choice is yes, the
// last one the default.
func (w *JobContext) Allow(key string, q event.Question) (bool, error) {
	q.Default = q.Choices[len(q.Choices)-1]
	yes, _, err := w.t.session.Consent.Once(key, func() (yes, answered bool, err error) {
		a, err := w.t.puts()(w.t.life.ctx, q)
		yes = err == nil && !a.Defaulted && a.Choice == q.Choices[0]
		return yes, yes, err // a no is for this time: who starts it again wants to be asked
	})
	return yes, err
}

// Attempt keeps what the turn has changed so far as one of the attempts that the user can take in place of the last; label
// says what came of it, in a few words.
func (w *JobContext) Attempt(label string) {
	if changes := effective(w.t.current.Now.Recent()); len(changes) > 0 {
		w.t.proposals.attempts = append(w.t.proposals.attempts, proposal.Attempt{Label: label, Changes: changes, Warnings: w.t.current.losses(changes)})
	}
}

// Lay puts changes that the job itself made on top of what the turn has so far.
func (w *JobContext) Lay(changes []edits.Change) {
	t := w.t
	t.current.Now = t.current.Now.With(changes)
	t.current.edits.format = cmp.Or(t.current.edits.format, "files")
	for _, c := range changes {
		t.current.edits.listed = append(slices.Clone(t.current.edits.listed), c.Path) // nothing said what it lacks
		if c.Op != edits.OpDelete && !t.current.inChat(c.Path) {
			t.current.Chat = append(slices.Clone(t.current.Chat), c.Path)
		}
	}
}

// Call asks the model and carries the edits of its reply out in memory, on top of those of the calls before. Where they take
// most of a file away it asks once more, as guard.go says.
func (w *JobContext) Call(ctx context.Context, a ModelRequest) (ModelReply, error) {
	called, out, err := w.call(ctx, a)
	if err != nil || out == nil || len(out.Lost) == 0 || a.Given != "" {
		return called, err
	}
	r := prompt.Reflection{Fence: edits.Fences[0], Format: w.t.current.Format, Applied: out.kept(called.Changed), Questions: out.asked(nil, w.t.current.Format), Files: lookedAt{w.t.current.Now}}
	news, err := r.Text()
	if err != nil {
		return called, err
	}
	lose := " would lose most of its lines"
	if len(out.Lost) > 1 {
		lose = " would lose most of their lines"
	}
	w.Step("Asking again: "+display.Count(len(out.Lost), "file")+lose, 0, 0)
	after := w.t.current
	w.t.current = out.asking()
	a.Messages = append(slices.Clone(a.Messages), llm.Text(llm.RoleAssistant, called.Text), llm.Text(llm.RoleUser, news))
	second, _, err := w.call(ctx, a)
	if err != nil && len(w.t.current.edits.held) > 0 { // it has no answer
		w.t.current = after
	}
	return called.then(second), err
}

// then is what came of two calls, of which the second was to correct the first.
func (c ModelReply) then(next ModelReply) ModelReply {
	if len(next.Edits) == 0 {
		next.Text, next.Prose = c.Text, c.Prose
	}
	next.Usage = c.Usage.Add(next.Usage)
	next.Changed = append(slices.Clone(c.Changed), slices.DeleteFunc(next.Changed, func(path string) bool { return slices.Contains(c.Changed, path) })...)
	for _, f := range c.Failures {
		if !slices.ContainsFunc(next.Edits, func(e edits.Edit) bool { return e.Path == f.Path }) {
			next.Failures = append(next.Failures, f)
		}
	}
	next.Edits = slices.Concat(c.Edits, next.Edits)
	return next
}

// call is one call, and what became of it; nil where nothing came.
func (w *JobContext) call(ctx context.Context, a ModelRequest) (ModelReply, *Outcome, error) {
	t := w.t
	if err := ctx.Err(); err != nil {
		return ModelReply{}, nil, err
	}
	c := t.current
	c.Format, c.edits.open, c.named = nil, nil, a.Examples
	if a.Format != "" {
		f, ok := formats.ByName(a.Format)
		if !ok {
			return ModelReply{}, nil, strategy.UnknownFormat(a.Format)
		}
		c.Format = &f
	}
	p := Prompt{Ask: call.Ask{Strategy: c.Strategy, Fence: edits.Fences[0], Later: len(t.rounds.ended) > 0, Quiet: a.Quiet}, Context: c}
	p.Parse = c.parseOptions(p.Fence)
	before, calls := t.usage, t.rounds.calls
	t.current, t.rounds.pendingReply, t.rounds.given, t.tools.repeats = c, "", a.Given, tool.Repeats{}
	var reply call.Reply
	var err error
	for again := true; again; again = t.withoutTools(err) {
		if p.Messages = a.Messages; a.Looks {
			p.Tools = t.current.tools
			p.Messages = p.Taught(a.Messages)
		}
		p.Tokens = p.Sent()
		p.Over = max(0, p.Tokens-c.Model.Room)
		if err := t.warned.sized(ctx, p, t.emit.Note, t.puts()); err != nil {
			return ModelReply{}, nil, err
		}
		t.enter(event.Event{State: event.TurnRequesting, Model: p.Model.Profile.Name})
		reply, err = t.useTools(p)
	}
	called := ModelReply{Text: reply.Text, Prose: reply.Text, Cut: reply.Cut(), Usage: t.usage.Since(before), Model: reply.From(p.Ask).Name, Looked: t.rounds.calls > calls+1}
	if t.rounds.pendingReply = reply.Text; reply.Finish == llm.FinishRefused {
		t.rounds.pendingReply = ""
	}
	if err != nil {
		if ctx.Err() != nil && a.Replaces {
			called.Changed = w.keepWhole(ctx, reply)
		}
		return called, nil, strategy.SuggestModel(err, p.Model.Profile.Name, t.current.Settings, t.session.Engine.o.Catalog())
	}
	if a.Replaces {
		t.current.Chat = slices.Concat(t.current.Chat, t.current.replaced(reply.Edits))
	}
	if c.Format != nil {
		t.enter(event.Event{State: event.TurnVerifying, Files: touched(reply.Edits)})
	}
	r := Round{Context: t.current, Prompt: p, Reply: reply, looks: t.tools.looks}
	kept := t.current.edits.refused
	r.Outcome, err = settle(ctx, t.settleDeps(), t.current, reply)
	for _, n := range r.Outcome.Notes {
		t.emit.Note(n)
	}
	t.current = r.Outcome.After
	called.Prose, called.Edits, called.Changed = r.Outcome.Prose, r.Outcome.Edits, r.Outcome.Changed
	called.Failures = slices.Concat(t.current.edits.open, t.current.edits.refused[min(len(kept), len(t.current.edits.refused)):])
	called.Findings = r.Outcome.Findings
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		t.rounds.ended, t.rounds.pendingReply = append(t.rounds.ended, r), ""
		t.memory.Add(r.said(""))
		called.memory, called.round = &t.memory, len(t.memory.All)
	}
	return called, &r.Outcome, err
}

// Feedback words what the model must hear about a call, and says why for the user in a few words; "" for nothing. refused are
// the edits that are not applied yet, of this call and of those before. About one file it is asked twice.
func (w *JobContext) Feedback(c ModelReply, refused []edits.Failure) (news, why string, err error) {
	at := &w.t.current
	if slices.ContainsFunc(refused, func(f edits.Failure) bool { return prompt.Askable(f) && !at.edits.tries.Left(prompt.Refused(f)) }) {
		w.t.emit.Note(stillWrong(prompt.MostTries, nil))
	}
	r := prompt.Reflection{Fence: edits.Fences[0], Format: at.Format, Applied: c.Changed, Cut: c.Cut, Files: lookedAt{at.Now},
		Questions: askable(at.edits.tries, refused, c.Findings)}
	if r.Empty() {
		return "", "", nil
	}
	at.edits.tries = at.edits.tries.With(r.Questions)
	news, err = r.Text()
	return news, r.Reasons(), err
}

// keepWithin is how long a cancelled turn may ask whether the files that came whole may be written.
const keepWithin = 150 * time.Millisecond

// keepWhole takes over the files of a reply that the user stopped, as far as they came whole, and returns their names. Where
// it cannot be told in time whether one may be written, it is left out.
func (w *JobContext) keepWhole(ctx context.Context, r call.Reply) []string {
	t := w.t
	if len(r.Text) > longUnfinished {
		return nil
	}
	list, _ := edits.Parse(*t.current.Format, r.Text, edits.Cut, edits.ParseOptions{})
	list = slices.DeleteFunc(list, func(e edits.Edit) bool { return e.Kind != edits.KindWhole })
	if len(list) == 0 {
		return nil
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), keepWithin)
	defer stop()
	c := t.current
	c.Base, c.Now = c.Base.Within(ctx), c.Now.Within(ctx)
	c.Chat = slices.Concat(c.Chat, c.replaced(list))
	s := &settling{d: t.settleDeps(), r: r, c: c, from: c}
	result := s.applyEdits(ctx, list, nil)
	if len(result.Changes) == 0 {
		return nil
	}
	w.Lay(result.Changes)
	var names []string
	for _, one := range result.Changes {
		names = append(names, one.Path)
	}
	return names
}

// replaced are the existing files that edits give the whole text of and the model was not shown.
func (c Context) replaced(list []edits.Edit) []string {
	var more []string
	for _, e := range list {
		if e.Kind == edits.KindWhole && c.Base.Exists(e.Path) && !c.inChat(e.Path) && !slices.Contains(more, e.Path) {
			more = append(more, e.Path)
		}
	}
	return more
}

// newJobContext puts a turn into the hands of its job.
func newJobContext(t *turn) *JobContext {
	return &JobContext{
		Request: t.resolved.Request, Turn: t.id, Settings: t.current.Settings, Model: t.current.Model, Base: t.current.Base,
		Workspace: t.session.Workspace, Shadow: t.session.Engine.o.Shadow, StateDir: t.session.Engine.o.StateDir, Time: t.session.Engine.o.Clock, Around: t.current.Around, t: t,
	}
}

// run runs the job and ends the turn.
func (w *JobContext) run() {
	t := w.t
	err := t.resolved.Request.Job.Run(t.life.ctx, w)
	if err == nil {
		err = t.life.ctx.Err()
	}
	if err != nil {
		t.stop(err)
		return
	}
	if err := w.conclude(); err != nil {
		t.fail(err)
	}
}

// conclude ends a turn that a job has led, in one proposal of all that it changed or in an answer.
func (w *JobContext) conclude() error {
	t := w.t
	state := t.current.edits
	x := t.exchange(state.format, t.memory.All)
	r := Result{State: event.TurnAnswered, Answer: cmp.Or(w.Answer, x.Prose), Failures: w.Refused, Findings: state.findings,
		HeldEdits: state.format != "", Then: w.Then}
	changes := effective(t.current.Now.Recent())
	switch {
	case !t.resolved.Request.Job.Edits:
	case len(changes) > 0:
		if err := t.propose(&r, changes); err != nil {
			return err
		}
		x.Proposal = r.Proposal.ID
	case state.format != "" && len(r.Failures) > 0:
		t.remember(x)
		return allRefused(r.Failures)
	case state.format != "":
		t.emit.Note(event.Info("No changes needed: the files already match the model's edits."))
		x.Format = ""
	}
	if len(t.rounds.ended) > 0 {
		t.remember(x)
	}
	t.end(r)
	return nil
}

// stop ends a turn that the user stopped after its job had changed something: that is proposed, as far as it went.
func (w *JobContext) stop() {
	t := w.t
	t.warned.incomplete = "Stopped early. The change may be incomplete."
	t.emit.Note(event.Warning(t.warned.incomplete))
	t.keep(markStopped)
	r := Result{Failures: w.Refused, Findings: t.current.edits.findings, HeldEdits: true}
	if err := t.propose(&r, effective(t.current.Now.Recent())); err != nil {
		t.fail(err)
		return
	}
	t.end(r)
}

// IsProblem says whether an error tells the user what to do.
func IsProblem(err error) bool {
	var p *event.Problem
	return errors.As(err, &p)
}

// Problem makes an error of one sentence and what to do about it, as turns end with.
func Problem(advice, format string, args ...any) error {
	return &event.Problem{Message: fmt.Sprintf(format, args...), Advice: advice}
}
