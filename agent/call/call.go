// Package call sends one prompt to a model, tells its words while they arrive, and reads the edits and the calls of tools in
// them. It knows neither the turn nor the user's files, carries nothing out and asks nobody.
package call

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/prompt"
	"coauthor/agent/prose"
	"coauthor/agent/strategy"
	"coauthor/agent/tool"
	"coauthor/edits"
)

// Ask is what one call sends, to whom, and how the reply is read.
type Ask struct {
	strategy.Strategy
	Messages []llm.Message
	Tokens   int         // of the messages, as we count them
	Fence    edits.Fence // that the model is asked to use
	Parse    edits.ParseOptions
	Tools    strategy.ToolForm // how the model is given tools
	Later    bool              // rounds of the turn came before
	Quiet    bool              // the reply is not told while it comes
}

// Offered are the tools that a call offers.
func (p Ask) Offered() []llm.Tool {
	if p.Tools != strategy.NativeTools || p.Forced() != nil {
		return nil
	}
	if p.Finishes() {
		return append(tool.Offer(), tool.OfferFinisher())
	}
	return tool.Offer()
}

// Finishes says whether the call offers finish.
func (p Ask) Finishes() bool {
	return p.Coder.Finishes && p.Tools == strategy.NativeTools && p.Forced() == nil
}

// Rules is what the model is told of its tools; "" where it has none.
func (p Ask) Rules() string {
	switch p.Tools {
	case strategy.NativeTools:
		return tool.Rules()
	case strategy.TextTools:
		return tool.TextRules()
	case strategy.NoTools:
	}
	return ""
}

// Taught returns messages with what the model is told of its tools behind the first one.
func (p Ask) Taught(messages []llm.Message) []llm.Message {
	rules := p.Rules()
	if rules == "" || len(messages) == 0 {
		return messages
	}
	messages = slices.Clone(messages)
	messages[0].Parts = slices.Clone(messages[0].Parts)
	last := &messages[0].Parts[len(messages[0].Parts)-1]
	last.Text = strings.TrimRight(last.Text, "\n") + "\n\n" + rules
	return messages
}

// Sent counts the tokens of the messages alone, for servers that do not.
func (p Ask) Sent() int {
	n := 0
	for _, m := range p.Messages {
		n += prompt.Tokens(m, p.Model.Counter.Count)
	}
	return n
}

// Options is what a call reaches.
type Options struct {
	Client llm.Client
	Tell   func(e event.Event) // what happens while it comes
	// Draft is told the edits of a reply that still comes, as far as they are whole; nil tells nobody.
	Draft func(ctx context.Context, list []edits.Edit)
	// InTime watches over a call that may take only so long: it calls end then. late waits until ctx has ended,
	// and says whether that was why; nil watches over nothing.
	InTime func(ctx context.Context, end func()) (late func() bool)
}

// Do sends a prompt, tells the model's words while they arrive, and reads the edits in them. With an
// error the reply holds what had come by then, and what that cost.
func Do(ctx context.Context, d Options, p Ask) (Reply, error) {
	h := &reading{ctx: ctx, tell: d.Tell, seen: p.opSeen, quiet: p.Quiet, answer: prose.Repeats{Own: p.Fence}, draft: draft(ctx, d, p)}
	defer h.draft.end()
	if p.Format != nil {
		h.parser = p.Format.New(p.Parse)
		h.code = p.Format.Name == "func"
	}
	hearing, hangUp := context.WithCancel(ctx)
	defer hangUp()
	h.hangUp = hangUp
	late := func() bool { return false }
	if d.InTime != nil {
		late = d.InTime(hearing, hangUp)
	}
	got, err := d.Client.Stream(hearing, llm.Request{
		Model: p.Model.Profile, Role: p.Model.Role, Messages: p.Messages, Temperature: p.Model.Temperature,
		Tool: p.Forced(), Tools: p.Offered(), Fallback: p.fallback(),
		OnFallback: func(why *llm.Error) {
			n := event.Warning(fmt.Sprintf("%s Using %s instead.", why.Message, p.Model.Fallback.Name))
			d.Tell(event.Event{Kind: event.KindNote, Note: &n})
		},
		OnRetry: func(attempt int, wait time.Duration, err *llm.Error) {
			n := event.Info(fmt.Sprintf("%s Retrying in %s (attempt %d).", err.Message, wait.Round(100*time.Millisecond), attempt+1))
			n.Wait = &event.Wait{Seconds: wait.Seconds(), Why: err.Message}
			d.Tell(event.Event{Kind: event.KindNote, Note: &n})
		},
	}, h.hear)
	var failed *llm.Error
	if errors.As(err, &failed) {
		got = failed.Partial
	}
	hangUp()
	r := Reply{Reply: got, Fence: p.Fence}
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
	if err != nil || r.Late && strings.TrimSpace(r.Text) == "" {
		return r, err
	}
	return r, r.read(ctx, p, h)
}

// fallback is the model that answers when the chosen one cannot be had, if the prompt fits it.
func (p Ask) fallback() *model.Profile {
	f := p.Model.Fallback
	if f == nil || p.Tokens > strategy.InputRoom(*f) {
		return nil
	}
	return f
}

// opSeen is what an edit that is not applied yet does to its file, as far as can be told: most formats write a new file as
// they write one that is there.
func (p Ask) opSeen(e *edits.Edit) edits.Op {
	path, ok := p.Parse.Path(e.Path, p.Parse.Files.Exists)
	if !ok {
		return e.Op
	}
	whole := e.Kind == edits.KindWhole || e.Kind == edits.KindReplace && strings.TrimSpace(e.Search) == ""
	switch there := p.Parse.Files.Exists(path); {
	case e.Op == edits.OpCreate && there:
		return edits.OpUpdate
	case e.Op == edits.OpUpdate && !there && whole:
		return edits.OpCreate
	}
	return e.Op
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
