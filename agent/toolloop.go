package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"coauthor/agent/call"
	"coauthor/agent/coder"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/index"
	"coauthor/agent/llm"
	"coauthor/agent/mapper"
	"coauthor/agent/memory"
	"coauthor/agent/prompt"
	"coauthor/agent/strategy"
	"coauthor/agent/tool"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// withoutTools says whether a call failed because the model's server has no tools. The model is then told in
// words how to look around, in this turn and the next ones.
func (t *turn) withoutTools(err error) bool {
	var failed *llm.Error
	if t.current.tools != strategy.NativeTools || !errors.As(err, &failed) || !failed.NoTools {
		return false
	}
	name := t.current.Model.Profile.Name
	t.session.Engine.models.noTools(name)
	t.current.tools = strategy.TextTools
	t.emit.Note(event.Info("The server for " + name + " does not support tools, so the model calls them in its text."))
	return true
}

// toolLoop is the talk of one round: the model's calls are carried out and their results sent, until it
// answers.
type toolLoop struct {
	t          *turn
	p          Prompt
	runner     *tool.Runner     // nil before the first call
	transcript *tool.Transcript // what is sent
	said       []string         // beside calls, so far
	last       bool             // the model was told to answer now
	asked      bool             // what it has done, when it said that it was done
	// check runs the checks on what there is when the calls of a reply are carried out.
	check atomic.Pointer[func(ctx context.Context) (string, error)]
}

// useTools asks the model, and lets it look around before it answers. With an error the reply holds what had
// come by then.
func (t *turn) useTools(p Prompt) (call.Reply, error) {
	t.tools.looks = nil
	l := &toolLoop{t: t, p: p, transcript: tool.NewTranscript(p.Messages, p.Tokens, p.Model.Counter.Count)}
	for {
		l.p.Messages, l.p.Tokens = l.transcript.Messages, l.transcript.Prompt
		if why := limits(t.current).Over(t.used()); why != "" {
			return l.stopped(call.Reply{Reply: llm.Reply{Finish: llm.FinishStop}}, why)
		}
		t.rounds.calls++
		r, err := call.Do(t.life.ctx, t.callDeps(l.p.Context), l.p.Ask)
		if t.rounds.given == "" && r.Counted {
			t.usage = t.usage.Add(r.Usage)
			t.tell(event.Event{Kind: event.KindUsage, Usage: &r.Usage})
		}
		for _, n := range r.Notes {
			t.emit.Note(n)
		}
		if err != nil {
			return r, err
		}
		if r.Late {
			return l.stopped(r, late(t.used(), limits(t.current)))
		}
		if r.Instead == nil && t.rounds.given == "" {
			t.rounds.sent = l.p
		}
		if len(r.Calls) == 0 || l.last || l.finished(r) {
			return l.answer(r)
		}
		if err := l.carryOut(r); err != nil {
			return r, err
		}
		t.tools.looked = true
		t.enter(event.Event{State: event.TurnRequesting, Model: l.p.Model.Profile.Name})
	}
}

// callDeps is what a call reaches whose prompt was made of c.
func (t *turn) callDeps(c Context) call.Options {
	d := call.Options{Client: t.client, Tell: t.tell}
	d.InTime = func(ctx context.Context, end func()) func() bool {
		most := limits(t.current).Time
		if most <= 0 {
			return func() bool { return false }
		}
		return inTime(ctx, most-t.used().Time, t.session.Engine.o.Sleep, end)
	}
	if t.rounds.given != "" {
		d.Client = call.Given(t.rounds.given)
	}
	if t.ports.Draft != nil {
		d.Draft = func(ctx context.Context, list []edits.Edit) {
			if changes := drafted(ctx, t.session.Workspace.Door(), c, list); ctx.Err() == nil {
				t.ports.Draft(t.id, changes)
			}
		}
	}
	return d
}

// answer is the reply of the round. For a coder with edits it is all that the model wrote: edits beside a
// call count, too.
func (l *toolLoop) answer(r call.Reply) (call.Reply, error) {
	if len(r.Calls) > 0 {
		r.Finishing = l.finishing(r)
		r.Text, r.Calls = r.Rest, nil
	}
	r, err := l.joined(r)
	return l.withVerdict(r), err
}

// joined is a reply with what the model wrote beside the looks before it.
func (l *toolLoop) joined(r call.Reply) (call.Reply, error) {
	before := strings.Join(l.said, "\n\n")
	switch {
	case l.p.Format == nil && strings.TrimSpace(r.Text) != "", before == "" && strings.TrimSpace(r.Text) != "", l.p.Format != nil && before == "":
		return r, nil
	case l.p.Format == nil && before == "":
		return r, &event.Problem{Message: l.p.Model.Profile.Name + " only called tools and gave no answer.",
			Advice: "Make a smaller request, name the relevant files, or choose another model."}
	}
	r.Text = strings.TrimSpace(before + "\n\n" + r.Text)
	if l.p.Format == nil {
		return r, nil
	}
	how := edits.Ended
	if r.Cut() {
		how = edits.Cut
	}
	var list []edits.Edit
	var problems []edits.Problem
	text, format, options := r.Text, *l.p.Format, l.p.Parse
	if err := call.Await(l.t.life.ctx, func() { list, problems = edits.Parse(format, text, how, options) }); err != nil {
		return r, err
	}
	r.Edits, r.Problems = list, problems
	return r, nil
}

// carryOut runs the calls of a reply and puts their results into the prompt: one for each, in their order.
func (l *toolLoop) carryOut(r call.Reply) error {
	t := l.t
	if l.runner == nil {
		l.runner = &tool.Runner{Box: box(t.current, t.session.Workspace.Door(), t.session.Mapper, t.ports.Editor, func(ctx context.Context) (string, error) { return (*l.check.Load())(ctx) }), Tree: tool.StateOf(t.current.Now.Changes()), Repeats: &t.tools.repeats, Tell: func(c tool.Call) {
			path, _ := c.Args["path"].(string)
			t.tell(event.Event{Kind: event.KindTool, Op: c.Tool, Text: c.String(), Path: path})
		}}
	}
	l.runner.Written = strings.TrimSpace(strings.Join(append(slices.Clone(l.said), l.withoutFinish(r)), "\n\n"))
	l.check.Store(l.checker(l.runner.Written))
	finish := l.finishing(r)
	l.asked = l.asked || len(finish) == len(r.Calls)
	list, stuck, err := l.runner.Run(t.life.ctx, r.Calls, finish, l.p.Model.Room-l.transcript.Tokens())
	if err != nil {
		return err
	}
	for _, one := range list {
		t.current.seen = t.current.seen.With(one.Result.Shown)
	}
	if told, err := l.refence(); err != nil {
		return err
	} else if told != "" {
		list[len(list)-1].Text += "\n\n" + told
	}
	l.add(r, list, stuck)
	return nil
}

// checker returns what runs the checks on the changes so far, with what the model has written in this round, for the model: nobody is
// asked what may run. It outlives a turn that is cancelled, so it holds all that it looks at.
func (l *toolLoop) checker(written string) *func(ctx context.Context) (string, error) {
	d, c, p := l.t.settleDeps(), l.t.current, l.p
	d.consent = l.t.session.Consent.Given()
	check := func(ctx context.Context) (string, error) {
		s := &settling{d: settleDeps{door: d.door}, c: c, from: c}
		s.c.Base, s.c.Now = c.Base.Within(ctx), c.Now.Within(ctx)
		if p.Format != nil {
			s.r.Edits, _ = edits.Parse(*p.Format, written, edits.Ended, p.Parse)
		}
		result := s.applyEdits(ctx, s.r.Edits, nil)
		now, set := s.c.Now.With(result.Changes), CheckSettings(c.Settings)
		set.Tools = verify.Beside(d.goals, slices.Concat(set.Tools, d.taken.of(ctx, set)))
		in := verify.Input{Tree: now, Changes: now.Changes(), Shown: slices.Concat(c.Chat, c.ReadOnly), Settings: set, Base: s.c.Base, Baselines: d.baselines, Consent: d.consent}
		text, err := verify.Asked(ctx, slices.Concat(d.checks, verify.Commands(d.sandbox, set), verify.Goals(d.sandbox, d.goals)), in)
		if n := len(result.Failures); n > 0 {
			text += fmt.Sprintf("\n%s could not be carried out, and are not in what was checked.", display.Count(n, "edit"))
		}
		return text, err
	}
	return &check
}

// refence chooses another fence where one of the files that the model has seen by now takes that of the prompt, since its
// next words may be edits of that file. It returns what the model is told of it, "" for nothing.
func (l *toolLoop) refence() (string, error) {
	if l.p.Format == nil || l.p.Context.Request.Job != nil { // a job says itself how files are fenced
		return "", nil
	}
	in, err := l.t.current.input()
	if err != nil {
		return "", err
	}
	told, now := l.p.Fence, prompt.FenceOf(in)
	if told == now {
		return "", nil
	}
	l.p.Fence, l.p.Parse.Fence = now, now
	return prompt.Refenced(told, now), nil
}

// add puts a reply and its results into the prompt, and decides whether the model may look again.
func (l *toolLoop) add(r call.Reply, list []tool.Ran, stuck bool) {
	t := l.t
	if rest := strings.TrimSpace(l.withoutFinish(r)); rest != "" {
		l.said = append(l.said, rest)
	}
	why := ""
	switch {
	case stuck:
		why = "The model kept repeating the same tool calls, so Coauthor asked it to answer now."
	case t.rounds.calls >= mostCalls-1:
		why = fmt.Sprintf("The request made %d calls to the model, so Coauthor asked it to answer now.", t.rounds.calls)
	}
	said, results := tool.Exchange(r.Reply, r.InText, list)
	l.transcript.Begin(said, results, list)
	if !l.fits() && why == "" {
		why = "The context window is nearly full, so Coauthor asked the model to answer now."
	}
	if why != "" {
		l.last = true
		t.emit.Note(event.Info(why))
		end := &results.Parts[len(results.Parts)-1]
		end.Text += "\n\nThis was the last look. Answer now with what you know, without another call."
	}
	l.transcript.Add(said, results)
	t.tools.looks = append(t.tools.looks, memory.LookOf(said, results, list, r.InText, t.current.Model.Profile.Name))
}

// firstLooks tells the user that results have gone.
var firstLooks = event.Info("To fit the model's context window, Coauthor no longer sends its first tool results.")

// caller is the model that makes calls by its interface; "" where they stand in its text.
func caller(c Context) string {
	if c.tools == strategy.NativeTools {
		return c.Model.Profile.Name
	}
	return ""
}

// fits makes room for what was looked at: where it runs short, results of earlier replies are taken out. It is false when
// there is no room for another reply after that.
func (l *toolLoop) fits() bool {
	room := l.p.Model.Room
	if l.transcript.Tokens() > room*6/10 && l.transcript.Blank(room/10) {
		l.runner.Forget(l.transcript.Calls())
		l.t.emit.Note(firstLooks)
		l.t.tools.looks = nil // they would take as much room in the rounds after this one
	}
	if l.transcript.Tokens()*100 > room*nearlyFull {
		l.condense()
	}
	return l.transcript.Tokens() <= room*9/10
}

// A coder that goes on by itself has its model say after each reply how far the task is: by a call of finish
// where tools go by the interface, else in the text. Such a call ends the round and looks at nothing, so it is
// not sent back: the later rounds see it as text.

// finishing are the calls of finish in a reply.
func (l *toolLoop) finishing(r call.Reply) []llm.Call {
	if !l.p.Finishes() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Calls), func(c llm.Call) bool { return !tool.Finishes(c) })
}

// finished says whether the calls of a reply end the round. Beside a look they do not, nor when they cannot
// be read and there is nothing else in the reply.
func (l *toolLoop) finished(r call.Reply) bool {
	calls := l.finishing(r)
	if len(calls) == 0 || len(calls) < len(r.Calls) {
		return false
	}
	v, err := tool.ReadVerdict("", calls)
	if err != nil {
		return r.Held()
	}
	if !v.Done || l.p.Later || v.Summary != "" || r.Held() || strings.TrimSpace(r.Text) != "" || len(l.said) > 0 {
		return true
	}
	if l.asked {
		l.t.emit.Note(event.Warning(l.p.Model.Profile.Name + " reported the task as done without changing anything."))
		return true
	}
	return false
}

// withoutFinish is what a reply with looks says beside them. What it says about the task there is not taken.
func (l *toolLoop) withoutFinish(r call.Reply) string {
	if !l.p.Coder.Finishes || r.Held() {
		return r.Rest
	}
	_, rest := tool.Finishing(r.Rest)
	return rest
}

// withVerdict puts what a reply said about the task by calls into its text.
func (l *toolLoop) withVerdict(r call.Reply) call.Reply {
	if len(r.Finishing) == 0 {
		return r
	}
	if v, err := tool.ReadVerdict("", r.Finishing); err == nil {
		r.Text = tool.Written(r.Text, v)
	}
	if strings.TrimSpace(r.Text) == "" {
		r.Text = call.NoAnswer
	}
	return r
}

// smallRoom is the room of a model, in tokens, below which its looks show half.
const smallRoom = 16_000

// box is what the model of a turn that stands there looks around in.
func box(c Context, door *workspace.Door, maps *mapper.Mapper, editor tool.Editor, check func(ctx context.Context) (string, error)) *tool.Box {
	o := tool.Options{Check: check, Editor: editor, Snapshot: c.Now, Door: door, Agreed: c.agreed, Small: c.Model.Room < smallRoom, Room: c.Model.Room}
	if root := c.Now.Root(); root != "" {
		o.Files = func(ctx context.Context) ([]string, error) { return index.Files(ctx, root) }
	}
	if mapBudget(c) > 0 && maps.Draws() {
		o.Names = maps.Names()
		o.Map = func(ctx context.Context, words string, tokens int) (string, error) {
			about := c
			about.Request, about.topic, about.Diff, about.Focus = Request{Instruction: words}, topic{}, "", nil
			m, err := drawMap(ctx, maps, door, about, mapView{use: mapper.Apart, tokens: tokens})
			if err == nil {
				err = m.Err
			}
			return m.Text, err
		}
	}
	for _, d := range slices.Concat(c.Request.Diagnostics, c.Request.Problems) {
		o.Diagnostics = append(o.Diagnostics, tool.Diagnostic{Path: d.Path, Line: d.Line, Severity: d.Severity, Message: d.Message, Source: d.Source})
	}
	return tool.NewBox(o)
}

// limits are those of a turn that stands there; none for one that does not go on by itself.
func limits(at Context) coder.Limits {
	if !at.Coder.Finishes {
		return coder.Limits{}
	}
	l := coder.Limits{Rounds: at.Settings.Auto.Rounds, Time: at.Settings.Auto.Time}
	if cost := at.Settings.Auto.Cost; cost != nil {
		l.Cost = *cost
	}
	return l
}

// used is what the turn has used so far.
func (t *turn) used() coder.Used {
	return coder.Used{Cost: t.usage.Cost, Time: t.session.Engine.o.Clock().Sub(t.life.started)}
}
