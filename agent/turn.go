package agent

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/prompt"
	"coauthor/agent/settings"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// stage is one step of a turn. An error ends the turn.
type stage struct {
	name string
	run  func(ctx context.Context, t *turn) error
}

// stages is a turn as a straight line. Reflect may send it back to assemble, for another call.
func stages() []stage {
	return []stage{
		{"collect", collect},
		{"assemble", assemble},
		{"request", request},
		{"apply", apply},
		{"verify", check},
		{"reflect", reflect},
		{"conclude", conclude},
	}
}

// turn is one request on its way. Its fields belong to the goroutine of run, except where a line
// says otherwise.
type turn struct {
	s       *Session
	id      string
	r       Request
	p       Ports
	coder   coder.Coder
	label   string
	before  *turn // what it follows up
	waited  bool  // it was queued, so what the user saw at the request is out of date
	queued  bool  // guarded by s.mu; it is told that it was queued, so that it may be told to go on
	emit    *event.Emitter
	started time.Time
	ctx     context.Context
	cancel  context.CancelCauseFunc
	state   event.State // guarded by s.mu

	once   sync.Once
	done   chan struct{} // closed when result is there
	result Result        // written before done is closed

	settings settings.Settings
	profile  model.Profile
	counter  model.Counter
	format   *edits.Format
	room     int // tokens of a prompt; 0 unknown

	base     *workspace.Snapshot // what the user has
	now      *workspace.Snapshot // with the edits so far
	amends   string              // id of the pending proposal that this turn goes on with
	chat     []string            // the files that may be changed
	readOnly []string
	missing  []string
	unshown  []string
	offered  map[string]bool // files that the user was asked about
	listed   []string        // files that the map knows
	focus    *prompt.Focus
	focused  string // the text of the file in focus, which the lines of focus are of
	mapText  string
	note     string // what became of the last proposal, for the model

	current  *history.Current
	chunks   prompt.Chunks
	messages []llm.Message
	round    int // reflections so far
	again    bool

	reply    llm.Reply
	edits    []edits.Edit
	problems []edits.Problem
	sawEdits bool            // in any round
	landed   []edits.Landing // in any round
	unclosed []edits.Edit    // what came without an end in an earlier round, as it would be with one
	open     []edits.Failure // of the last round; another round may mend them
	given    []edits.Failure // given up by the model
	refused  []edits.Failure // nothing will mend them
	news     prompt.Reflection
	findings []verify.Finding
	asked    string // all that the user said that the changes may come from
	told     string // the lost definitions about which the model was asked last
	usage    event.Usage
}

// run takes the turn through its stages and ends it, whatever happens.
func (t *turn) run() {
	defer func() {
		if x := recover(); x != nil {
			t.s.e.o.Log.Error("a turn panicked", "turn", t.id, "panic", x, "stack", string(debug.Stack()))
			t.fail(&Problem{Message: fmt.Sprintf("An internal error ended the turn: %v.", x),
				Advice: "Nothing was changed. Please report it with the log."})
		}
	}()
	line := stages()
	for i := 0; i < len(line); i++ {
		err := t.ctx.Err()
		if err == nil {
			err = line[i].run(t.ctx, t)
		}
		if err != nil {
			t.fail(err)
			return
		}
		if t.again {
			t.again = false
			i = slices.IndexFunc(line, func(s stage) bool { return s.name == "assemble" }) - 1
		}
	}
}

// enter tells that the turn has come to a state.
func (t *turn) enter(state event.State) {
	t.s.mu.Lock()
	same := t.state == state && state != event.TurnCollecting
	t.state = state
	t.s.mu.Unlock()
	if same {
		return
	}
	e := event.Event{Kind: event.KindState, State: state}
	switch state {
	case event.TurnRequesting:
		e.Model = t.profile.Name
	case event.TurnVerifying:
		touched := map[string]bool{}
		for _, one := range t.edits {
			touched[one.Path] = true
		}
		e.Files = len(touched)
	case event.TurnQueued, event.TurnCollecting, event.TurnStreaming, event.TurnReflecting,
		event.TurnAnswered, event.TurnProposed, event.TurnFailed, event.TurnCancelled:
	}
	t.emit.Emit(e)
}

func (t *turn) tell(level event.Level, text string) {
	t.emit.Emit(event.Event{Kind: event.KindNote, Note: &event.Note{Level: level, Text: text}})
}

// fail ends the turn for an error: the user's cancel as cancelled, everything else as failed.
func (t *turn) fail(err error) {
	if t.ctx.Err() != nil {
		t.end(Result{State: event.TurnCancelled, Err: context.Canceled})
		return
	}
	t.end(Result{State: event.TurnFailed, Err: err, Failures: t.failures()})
}

func (t *turn) failures() []edits.Failure { return slices.Concat(t.refused, t.given, t.open) }

// end settles the turn, exactly once. The turn's place is free before anyone hears of its end, so
// that who starts the next one on hearing it is not told that the session is busy.
func (t *turn) end(r Result) {
	t.once.Do(func() {
		s := t.s
		r.Turn, r.Usage = t.id, t.usage
		t.result = r
		s.mu.Lock()
		t.state = r.State
		s.active = slices.DeleteFunc(s.active, func(x *turn) bool { return x == t })
		s.ended = append(s.ended, t)
		if len(s.ended) > keepResults {
			s.ended = slices.Delete(s.ended, 0, len(s.ended)-keepResults)
		}
		s.usage = s.usage.Add(t.usage)
		if r.State == event.TurnFailed {
			s.lastError = r.Err.Error()
		}
		s.mu.Unlock()
		t.cancel(nil)
		defer s.e.leave()
		defer s.next()
		defer close(t.done)
		t.emit.Emit(event.Event{Kind: event.KindState, State: r.State})
		t.emit.Emit(event.Event{Kind: event.KindEnded, Ended: ended(r)})
		t.release()
	})
}

// release drops what an ended turn does not need: texts of whole files.
func (t *turn) release() {
	t.base, t.now, t.chunks, t.messages, t.current = nil, nil, prompt.Chunks{}, nil, nil
	t.p, t.before, t.mapText, t.landed, t.unclosed = Ports{}, nil, "", nil, nil
}

func ended(r Result) *event.Ended {
	e := &event.Ended{State: r.State}
	for _, f := range r.Failures {
		e.Failures = append(e.Failures, event.FailureRef{Path: f.Path, Reason: f.Reason, Message: f.Message})
	}
	switch {
	case r.State == event.TurnCancelled:
		e.Message = "Stopped. Nothing was changed."
	case r.Err != nil:
		e.Message, e.Advice = words(r.Err)
	case r.Proposal != nil:
		added, removed := r.Proposal.Counts()
		e.Message = fmt.Sprintf("%s, +%d -%d", count(len(r.Proposal.Files), "file"), added, removed)
		if n := len(r.Failures); n > 0 {
			e.Message += fmt.Sprintf("; %s refused", count(n, "edit"))
		}
	}
	return e
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Problem is why a turn failed: one sentence, and what to do.
type Problem struct {
	Message, Advice string
	Err             error
}

// Error returns the message and the advice.
func (p *Problem) Error() string {
	if p.Advice == "" {
		return p.Message
	}
	return p.Message + " " + p.Advice
}

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// words returns what to tell a user of an error.
func words(err error) (message, advice string) {
	var p *Problem
	var call *llm.Error
	switch {
	case errors.As(err, &p):
		return p.Message, p.Advice
	case errors.As(err, &call):
		return call.Message, call.Advice
	}
	return err.Error(), ""
}
