package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/prose"
	"coauthor/agent/strategy"
	"coauthor/agent/tool"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// Reply is what came of a call: the model's words, and the edits that were read in them while they came.
type Reply struct {
	llm.Reply
	Edits    []edits.Edit
	Problems []edits.Problem
	Notes    []event.Note // remarks for the user about a reply that is otherwise good
	circles  bool         // the text went round in circles, and was cut there
	inText   bool         // Calls stood in the text
	rest     string       // the text without its calls
	late     bool         // time ended it
	stopped  string       // which limit of the turn ended its round; "" for none
	finish   []llm.Call   // by which the model said how far the task is
	fence    edits.Fence  // that the model was asked to use
	counted  bool         // Usage says something
}

// cut says whether the reply ended before its time.
func (r Reply) cut() bool { return r.Finish == llm.FinishLength || r.Finish == llm.FinishCut }

// call sends a prompt, tells the model's words while they arrive, and reads the edits in them. With an
// error the reply holds what had come by then, and what that cost.
func call(ctx context.Context, d callDeps, p Prompt) (Reply, error) {
	h := &reading{ctx: ctx, tell: d.tell, seen: p.Context.opSeen, quiet: p.quiet, answer: prose.Repeats{Own: p.fence}, draft: draft(ctx, d, p)}
	defer h.draft.end()
	if p.Format != nil {
		h.parser = p.Format.New(p.parse)
		h.code = p.Format.Name == "func"
	}
	hearing, hangUp := context.WithCancel(ctx)
	defer hangUp()
	h.hangUp = hangUp
	late := func() bool { return false }
	if d.inTime != nil {
		late = d.inTime(hearing, hangUp)
	}
	got, err := d.client.Stream(hearing, llm.Request{
		Model: p.Model.Profile, Role: p.Model.Role, Messages: p.Messages, Temperature: p.Model.Temperature,
		Tool: p.Forced(), Tools: p.offered(), Fallback: p.fallback(),
		OnFallback: func(why *llm.Error) {
			n := event.Warning(fmt.Sprintf("%s Using %s instead.", why.Message, p.Model.Fallback.Name))
			d.tell(event.Event{Kind: event.KindNote, Note: &n})
		},
		OnRetry: func(attempt int, wait time.Duration, err *llm.Error) {
			n := event.Info(fmt.Sprintf("%s Retrying in %s (attempt %d).", err.Message, wait.Round(100*time.Millisecond), attempt+1))
			n.Wait = &event.Wait{Seconds: wait.Seconds(), Why: err.Message}
			d.tell(event.Event{Kind: event.KindNote, Note: &n})
		},
	}, h.hear)
	var failed *llm.Error
	if errors.As(err, &failed) {
		got = failed.Partial
	}
	hangUp()
	r := Reply{Reply: got, fence: p.fence}
	switch out := late(); {
	case ctx.Err() != nil:
	case h.circles:
		err = nil
		r.cutCircles(p, h)
	case out && err != nil:
		err = nil
		r.cutLate()
	}
	r.count(p, err)
	if failed != nil && failed.NoTools && p.Forced() != nil {
		err = &event.Problem{Message: fmt.Sprintf("%s cannot call tools, which the edit format %s requires.", p.Model.Profile.Name, p.Format.Name),
			Advice: "Choose another edit format, such as diff or whole.", Err: err}
	}
	if err != nil || r.late && strings.TrimSpace(r.Text) == "" {
		return r, err
	}
	return r, r.read(ctx, p, h)
}

// cutCircles makes a reply that went round in circles one that was cut where it began to: shown the rest, a
// model goes on with it.
func (r *Reply) cutCircles(p Prompt, h *reading) {
	r.circles, r.Finish = true, llm.FinishCut
	if heard := h.text.String(); strings.HasPrefix(r.Text, heard) { // more may have come before the line was closed
		r.Text = heard
		if h.answer.From > 0 {
			r.Text = heard[:h.answer.From]
		}
	}
	r.Notes = append(r.Notes, event.Warning(p.Model.Profile.Name+" kept repeating itself, so Coauthor stopped its answer."))
}

// count says what the call cost, also one that failed in the middle. Where the server counts nothing,
// we do.
func (r *Reply) count(p Prompt, err error) {
	u := &r.Usage
	if u.Prompt == 0 && u.Completion == 0 {
		if err != nil && r.Text == "" && r.Reasoning == "" {
			return // nothing arrived; most such calls cost nothing
		}
		count := p.Model.Counter.Count
		u.Prompt, u.Completion, u.Estimated = p.sent(), count(r.Text)+count(r.Reasoning), true
	}
	if u.Cost == 0 {
		u.Cost = model.Cost(r.from(p).Price, *u)
	}
	r.counted = true
}

// from is the profile of the model that answered.
func (r *Reply) from(p Prompt) model.Profile {
	if r.Instead != nil {
		return *r.Instead
	}
	return p.Model.Profile
}

// fallback is the model that answers when the chosen one cannot be had, if the prompt fits it.
func (p Prompt) fallback() *model.Profile {
	f := p.Model.Fallback
	if f == nil || p.Tokens > strategy.InputRoom(*f) {
		return nil
	}
	return f
}

// read takes the edits out of a complete reply. A reply that says nothing is an error.
func (r *Reply) read(ctx context.Context, p Prompt, h *reading) error {
	name := r.from(p).Name
	for _, text := range r.Reply.Notes {
		r.Notes = append(r.Notes, event.Warning(text))
	}
	if r.Finish == llm.FinishRefused {
		return &event.Problem{Message: name + " refused to answer.",
			Advice: "Rephrase the request, or choose another model."}
	}
	r.findCalls(p)
	if len(r.Calls) > 0 && p.Format == nil {
		return nil
	}
	blank := strings.TrimSpace(r.Text) == "" && len(r.Calls) == 0
	if blank && r.Reasoning != "" && r.Finish == llm.FinishStop || r.OnlyThought && p.Format != nil {
		if p.later { // what came before stands
			r.Text = noAnswer
			r.Notes = append(r.Notes, event.Warning(name+" reasoned but gave no answer."))
			return nil
		}
		return &event.Problem{Message: name + " reasoned but gave no answer.",
			Advice: "Nothing was changed. Try again, make a smaller request, or choose another model."}
	}
	if blank && r.circles {
		r.Notes = nil
		return &event.Problem{Message: name + " kept repeating itself while reasoning, so Coauthor stopped it.",
			Advice: "Nothing was changed. Try again, make a smaller request, or choose another model."}
	}
	if blank && r.Finish != llm.FinishLength {
		return &event.Problem{Message: name + " returned an empty answer.",
			Advice: "Try again, or choose another model."}
	}
	if h.text.String() != r.Text && r.Reasoning != "" {
		r.Notes = append(r.Notes, event.Info("Coauthor removed reasoning text from the answer of "+name+"."))
	}
	if p.Format == nil {
		return nil
	}
	how := edits.Ended
	if r.cut() {
		how = edits.Cut
	}
	var list []edits.Edit
	var problems []edits.Problem
	parser, text, format, options, streamed := h.parser, r.Text, *p.Format, p.parse, h.text.String()
	if err := await(ctx, func() {
		if streamed == text {
			list, problems = parser.Close(how)
		} else { // what streamed held more than the answer, such as thinking without its opening tag
			list, problems = edits.Parse(format, text, how, options)
		}
	}); err != nil {
		return err
	}
	r.Edits, r.Problems = list, problems
	r.findCallsBeside(p)
	return nil
}

// noAnswer stands for a reply of nothing: servers refuse a message without a text.
const noAnswer = "(no answer)"

// findCalls finds the calls of tools in a reply without edits. Models write calls into their text, and some
// into their thinking.
func (r *Reply) findCalls(p Prompt) {
	r.rest = r.Text
	if p.tools == strategy.NoTools || p.Format != nil && strings.TrimSpace(r.Text) != "" || r.Finish != llm.FinishStop || len(r.Calls) > 0 {
		return
	}
	text := r.Text
	if strings.TrimSpace(text) == "" {
		text = r.Reasoning
	}
	if calls, rest := tool.InText(text); len(calls) > 0 {
		r.Calls, r.inText, r.rest = calls, true, rest
		if strings.TrimSpace(r.Text) == "" {
			r.rest = ""
		}
	}
}

// findCallsBeside finds the calls in what a reply holds beside its edits. What stands in an edit is the
// user's file.
func (r *Reply) findCallsBeside(p Prompt) {
	if p.tools == strategy.NoTools || r.Finish != llm.FinishStop || len(r.Calls) > 0 {
		return
	}
	if calls, _ := tool.InText(prose.Of(r.Text, r.Edits, r.Problems)); len(calls) > 0 {
		r.Calls, r.inText = calls, true
	}
}

// await runs a step that asks nobody whether it shall go on. When ctx ends first the step is left to
// itself: it ends soon, and must change nothing that anybody else looks at.
func await(ctx context.Context, step func()) error {
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		step()
	}()
	select {
	case x := <-done:
		if x != nil {
			panic(x) // where the turn expects it
		}
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// reading passes the pieces of one reply on and notices edits in them.
type reading struct {
	ctx      context.Context
	tell     func(event.Event)
	seen     func(e *edits.Edit) edits.Op
	parser   edits.Parser // nil for a coder without edits
	text     strings.Builder
	started  bool
	quiet    bool // the answer is not told while it comes
	code     bool // all of the answer is code
	circles  bool // the text goes round in circles, and nothing more of it is wanted
	hangUp   func()
	draft    *drafting // nil tells nobody what the edits change
	answer   prose.Repeats
	thinking prose.Repeats
}

func (h *reading) hear(d llm.Delta) {
	if h.circles {
		return
	}
	if !h.started {
		h.started = true
		h.tell(event.Event{Kind: event.KindState, State: event.TurnStreaming})
	}
	if !h.quiet || d.Channel != event.ChannelAnswer {
		channel := d.Channel
		if h.code && channel == event.ChannelAnswer {
			channel = event.ChannelEdit
		}
		h.tell(event.Event{Kind: event.KindDelta, Channel: channel, Text: d.Text})
	}
	if h.goesRound(d) {
		h.circles = true
		defer h.hangUp()
	}
	if d.Channel != event.ChannelAnswer {
		return
	}
	h.text.WriteString(d.Text)
	if h.parser == nil {
		return
	}
	for rest := d.Text; rest != "" && h.ctx.Err() == nil; {
		piece := rest[:min(len(rest), parsedAtOnce)]
		rest = rest[len(piece):]
		list := h.parser.Write(piece)
		for _, e := range list {
			h.tell(event.Event{Kind: event.KindEdit, Path: e.Path, Op: string(h.seen(&e))})
		}
		h.draft.take(list)
	}
}

// goesRound says whether the reply goes round in circles. The arguments of a call are all code.
func (h *reading) goesRound(d llm.Delta) bool {
	channel := &h.answer
	switch {
	case d.Channel != event.ChannelAnswer:
		channel = &h.thinking
	case h.code:
		return false
	}
	for rest := d.Text; rest != "" && h.ctx.Err() == nil; {
		piece := rest[:min(len(rest), parsedAtOnce)]
		rest = rest[len(piece):]
		if channel.Write(piece) {
			return true
		}
	}
	return false
}

// parsedAtOnce is how many bytes are read until the turn looks whether it was cancelled: some servers
// send all in one piece.
const parsedAtOnce = 16 << 10

// drafting tells what a reply changes while it comes: of the edits that are whole so far, carried out in memory. That is
// done beside the stream, which does not wait for it, one state after the other, the newest first.
type drafting struct {
	cancel context.CancelFunc
	wake   chan struct{} // buffered by one: full means that there is something to do
	done   chan struct{} // closed when nothing more is told

	mu   sync.Mutex
	list []edits.Edit // guarded by mu; the edits so far
}

// draft begins to tell what a reply to p changes; nil where nobody wants to know.
func draft(ctx context.Context, deps callDeps, p Prompt) *drafting {
	if deps.draft == nil || p.Format == nil || p.quiet {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	d := &drafting{cancel: cancel, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go d.run(ctx, deps, p.Context)
	return d
}

// take adds edits, which may be the parser's own.
func (d *drafting) take(list []edits.Edit) {
	if d == nil || len(list) == 0 {
		return
	}
	d.mu.Lock()
	d.list = append(d.list, list...)
	d.mu.Unlock()
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// end ends the telling, and returns when nothing more is told.
func (d *drafting) end() {
	if d != nil {
		d.cancel()
		<-d.done
	}
}

func (d *drafting) run(ctx context.Context, deps callDeps, c Context) {
	defer close(d.done)
	for {
		select {
		case <-d.wake:
		case <-ctx.Done():
			return
		}
		d.mu.Lock()
		list := slices.Clone(d.list)
		d.mu.Unlock()
		deps.draft(ctx, c, list)
	}
}

// drafted is all that a turn has changed with these edits of a reply that still comes. Nobody is asked anything: what
// needs the user's word is left out.
func drafted(ctx context.Context, door *workspace.Door, c Context, list []edits.Edit) (changes []edits.Change) {
	defer func() {
		if recover() != nil { // the same edits are carried out again when the reply is whole, and then it is told
			changes = nil
		}
	}()
	c.Base, c.Now = c.Base.Within(ctx), c.Now.Within(ctx)
	s := &settling{d: settleDeps{door: door}, r: Reply{Edits: list}, c: c, from: c}
	result := s.applyEdits(ctx, list, nil)
	return effective(c.Now.With(result.Changes).Recent())
}

// given answers with what a model said elsewhere.
type given string

// Stream implements llm.Client.
func (g given) Stream(ctx context.Context, _ llm.Request, on func(llm.Delta)) (llm.Reply, error) {
	on(llm.Delta{Channel: event.ChannelAnswer, Text: string(g)})
	return llm.Reply{Text: string(g), Finish: llm.FinishStop}, ctx.Err()
}
