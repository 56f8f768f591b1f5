package agent

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"coauthor/agent/call"
	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/llm"
	"coauthor/agent/memory"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/strategy"
	"coauthor/agent/tool"
	"coauthor/agent/verify"
	"coauthor/edits"
	"coauthor/edits/formats"
)

// Round is one call of the model as a value: what it was given, what came, and what became of it.
// Invariant: a round does not change afterwards.
type Round struct {
	Context Context
	Prompt  Prompt
	Reply   call.Reply
	Outcome Outcome

	reflected bool // the model was asked again about its last reply
	looks     []history.Look
}

// turn is one request on its way: a list of rounds, and where they have come to. Its fields belong to
// the goroutine of run, except where a line says otherwise.
type turn struct {
	session  *Session
	id       string
	resolved Resolved // what it was asked, who answers, and what it follows up
	ports    Ports
	emit     *event.Emitter
	life     turnLife

	client    llm.Client // with the settings that the turn began with
	rounds    turnRounds
	job       *JobContext // of its job; nil for a turn of a coder
	proposals turnProposals
	memory    memory.Memory
	current   Context // where the turn stands: what the next round is given
	warned    warnings
	tools     toolUse
	usage     event.Usage
}

// turnLife says what a turn is called, how far it is, and what it ended in. state and queued are guarded by queue.mu. What
// is written before done is closed may be read by anyone afterwards.
type turnLife struct {
	label   string // what the user sees it called
	started time.Time
	ctx     context.Context
	cancel  context.CancelCauseFunc
	state   event.State // guarded by queue.mu
	queued  bool        // guarded by queue.mu; it is told that it was queued, so that it may be told to go on
	waited  bool        // it was queued, so what the user saw at the request is out of date

	once    sync.Once
	done    chan struct{} // closed when result is there
	result  Result        // written before done is closed
	handoff handoff       // for a follow-up; written before done is closed
}

// turnProposals is what a turn has proposed, and what goes into its next proposal. Only the goroutine of run uses it.
type turnProposals struct {
	attempts  []proposal.Attempt
	ids       []string        // of the proposals of its rounds, oldest first
	amended   string          // id of the pending proposal that this turn goes on with
	baseFiles []proposal.File // what that held
	baselines verify.Baselines
}

// warnings is what the user was warned of, and what they said to it. Only the goroutine of run uses it.
type warnings struct {
	size       bool   // the user knows that the prompt is large
	oversize   bool   // the user wants it sent although it is too large
	incomplete string // why the last round came to nothing, where those before it count
}

// toolUse is how the model looks around. Only the goroutine of run uses it.
type toolUse struct {
	repeats tool.Repeats // what it looked at
	looked  bool         // it has looked around since it was asked
	looks   []history.Look
}

// turnRounds is the rounds of a turn, and what is known of the one that has not ended. Only the goroutine of run uses it.
type turnRounds struct {
	ended        []Round
	calls        int // of the model, so far
	reflections  int
	reflecting   bool   // the next round is one
	given        string // what stands for the reply of the next call; "" has a model asked
	pendingReply string // of the reply that is in no round yet
	sent         Prompt // that the chosen model answered last
}

// run takes the turn through its rounds and ends it, whatever happens.
func (t *turn) run() {
	defer func() {
		if x := recover(); x != nil {
			t.session.Engine.o.Log.Error("a turn panicked", "turn", t.id, "panic", x, "stack", string(debug.Stack()))
			t.fail(&event.Problem{Message: fmt.Sprintf("An internal error ended the request: %v.", x),
				Advice: "Nothing was changed. Please report this error and include the log."})
		}
	}()
	err := t.begin()
	if err == nil && t.resolved.Request.Job != nil {
		t.job = newJobContext(t)
		t.job.run()
		return
	}
	for err == nil {
		if err = t.round(); err != nil {
			break
		}
		var more bool
		if more, err = t.goOn(); err == nil && !more {
			if err = t.conclude(); err != nil {
				t.fail(err)
			}
			return
		}
	}
	t.stop(err)
}

// stop ends the turn for an error. What the rounds before have changed stays as a proposal: it is worth
// a look, whatever became of the round after it.
func (t *turn) stop(err error) {
	if n := len(t.rounds.ended); n > 0 && len(t.current.edits.held) > 0 { // the call that failed was to answer what the guard asked
		t.current = t.rounds.ended[n-1].Outcome.After
	}
	recent := len(effective(t.current.Now.Recent())) > 0 || len(t.proposals.ids) > 0
	if t.life.ctx.Err() != nil && t.job != nil && t.resolved.Request.Job.Edits && recent {
		t.job.stop()
		return
	}
	if t.life.ctx.Err() != nil || len(t.rounds.ended) == 0 && t.job == nil || t.current.edits.format == "" || !recent {
		t.fail(err)
		return
	}
	message, _ := llm.Words(err)
	t.warned.incomplete = message + " The change may be incomplete."
	t.emit.Note(event.Warning(t.warned.incomplete))
	conclude := t.conclude
	if t.job != nil {
		conclude = t.job.conclude
	}
	if err := conclude(); err != nil {
		t.fail(err)
	}
}

// begin gathers what the first round is given.
func (t *turn) begin() error {
	if t.life.ctx.Err() != nil {
		return t.life.ctx.Err()
	}
	t.enter(event.Event{State: event.TurnCollecting})
	set := t.session.Settings()
	t.session.Workspace.Renew() // what they say of files counts, too
	t.client = t.session.Engine.o.ClientFor(set)
	if t.resolved.Request.Given != "" { // nobody is there who could be asked again, and none need be set up
		set.MaxReflections, set.Model = 0, cmp.Or(set.Model, "elsewhere")
	}
	if t.resolved.Request.Job != nil && t.resolved.Request.Job.NoModel {
		set.Model = cmp.Or(set.Model, "none")
	}
	by, err := strategy.Choose(t.session.Engine.o.Catalog(), set, t.resolved.Request.wanted(), t.resolved.Coder, coder.HandOver{})
	if err != nil {
		return err
	}
	if found, ok := formats.ByName("auto"); ok && t.resolved.Request.Given != "" && strategy.Explicit(t.resolved.Request.Format) == "" {
		by.Format = &found // whoever answered may have been told of another one, or of none
	}
	if err := t.session.Conversation.Restore(t.life.ctx); err != nil {
		return err
	}
	t.emit.Note(t.session.Conversation.Notes()...)
	if n, tell := t.session.Conversation.Begin(); tell {
		t.emit.Note(n)
	}
	p := t.ports
	if t.life.waited {
		p.Snapshot = nil
	}
	r, from := t.session.starting(t.life.ctx, t.resolved.Request, p, t.resolved.Coder, t.resolved.before)
	t.emit.Note(slices.Concat(r.notes, from.notes)...)
	from.moved, t.proposals.amended, t.proposals.baseFiles = t.life.waited, from.amended, from.baseFiles
	if err := t.gather(r, from.start, set, by); err != nil || t.resolved.Request.Job != nil {
		return err
	}
	late, err := t.session.Conversation.AwaitSummary(t.life.ctx, t.session.Engine.o.Sleep)
	if late {
		t.emit.Note(event.Info("The summary of this conversation is not ready yet, so Coauthor sends all of it."))
	}
	if err != nil {
		return err
	}
	t.emit.Note(t.session.Conversation.Notes()...)
	return nil
}

// gather begins a talk: it sets where the turn stands.
func (t *turn) gather(r Request, from start, set settings.Settings, by strategy.Strategy) error {
	c, err := gather(t.life.ctx, t.session.gatherDeps(t.puts()), r, from, set, by)
	if c.tools == strategy.NativeTools && t.session.Engine.models.hasNoTools(by.Model.Profile.Name) {
		c.tools = strategy.TextTools
	}
	told := t.current.Notes
	for _, n := range c.Notes {
		if !slices.Contains(told, n) {
			t.emit.Note(n)
		}
	}
	t.current = c
	t.session.Chosen.AddPages(c.fetched)
	return err
}

// round is one pass through the stages.
func (t *turn) round() error {
	r := Round{Context: t.current, reflected: t.rounds.reflecting}
	t.rounds.reflecting = false
	var err error
	before := saidBefore(t.session.Conversation.History, t.resolved.Request.again)
	for again := true; again; again = t.withoutTools(err) {
		said := func() []llm.Message { return t.memory.Talk(t.current.formatName(), caller(t.current)) }
		r.Prompt, err = assemble(t.current, before, said())
		if by := t.current.Model; err == nil && r.Prompt.nearlyFull() && t.memory.Blank(r.Prompt.Tokens+r.Prompt.Over-by.Room*6/10, by.Counter.Count) {
			t.tools.repeats = tool.Repeats{} // the calls may be made again
			t.emit.Note(firstLooks)
			r.Prompt, err = assemble(t.current, before, said())
		}
		if err == nil && r.Prompt.nearlyFull() && t.memory.Condense(t.condenser(), r.Prompt.Model, t.current.formatName(), r.Prompt.Over) {
			r.Prompt, err = assemble(t.current, before, said())
		}
		r.Prompt.Later = len(t.rounds.ended) > 0
		if err == nil {
			err = t.warned.sized(t.life.ctx, r.Prompt, t.emit.Note, t.puts())
		}
		if err != nil {
			return err
		}
		if t.life.ctx.Err() != nil {
			return t.life.ctx.Err()
		}
		t.enter(event.Event{State: event.TurnRequesting, Model: r.Prompt.Model.Profile.Name})
		r.Reply, err = t.useTools(r.Prompt)
	}
	r.looks = t.tools.looks
	if t.rounds.pendingReply = r.Reply.Text; r.Reply.Finish == llm.FinishRefused {
		t.rounds.pendingReply = "" // a model that sees that it refused does so again
	}
	if err != nil {
		return strategy.SuggestModel(err, r.Prompt.Model.Profile.Name, t.current.Settings, t.session.Engine.o.Catalog())
	}
	if t.current.Format != nil {
		t.enter(event.Event{State: event.TurnVerifying, Files: touched(r.Reply.Edits)})
	}
	r.Outcome, err = settle(t.life.ctx, t.settleDeps(), t.current, r.Reply)
	t.session.Chosen.Add(r.Outcome.Joined, nil)
	t.emit.Note(r.Outcome.Notes...)
	t.current = r.Outcome.After
	if r.Reply.Stopped != "" {
		t.warned.incomplete = fewer(r.Reply.Stopped)
	}
	if err == nil {
		err = t.life.ctx.Err()
	}
	if err == nil {
		t.rounds.ended, t.rounds.pendingReply = append(t.rounds.ended, r), ""
	}
	return err
}

func touched(list []edits.Edit) int {
	files := map[string]bool{}
	for _, one := range list {
		files[one.Path] = true
	}
	return len(files)
}

// tell passes an event on, and keeps the turn's own state.
func (t *turn) tell(e event.Event) {
	if e.Kind == event.KindState {
		t.enter(e)
		return
	}
	t.emit.Emit(e)
}

// enter tells that the turn has come to a state.
func (t *turn) enter(e event.Event) {
	e.Kind = event.KindState
	before := t.session.Turns.moveTo(t, e.State)
	if !e.State.MayFollow(before) {
		t.session.Engine.o.Log.Error("invalid state transition of a turn", "turn", t.id, "from", before, "to", e.State)
	}
	same := before == e.State && e.State != event.TurnCollecting && e.Text == "" && !t.tools.looked
	t.tools.looked = false
	if !same {
		t.emit.Emit(e)
	}
}

// moveTo sets the state of a turn, and returns the one before.
func (q *Queue) moveTo(t *turn, state event.State) (before event.State) {
	q.mu.Lock()
	defer q.mu.Unlock()
	before, t.life.state = t.life.state, state
	return before
}
