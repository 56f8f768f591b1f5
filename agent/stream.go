package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/edits"
)

// request calls the model, passes its words on while they arrive, and parses them.
func request(ctx context.Context, t *turn) error {
	t.enter(event.TurnRequesting)
	h := &hearer{t: t, ctx: ctx}
	if t.format != nil {
		h.parser = t.format.New(t.parseOptions())
	}
	reply, err := t.s.e.o.Client.Stream(ctx, llm.Request{
		Model: t.profile, Role: llm.RoleMain, Messages: t.messages, Temperature: t.r.Temperature,
		OnRetry: t.retrying,
	}, h.hear)
	if err != nil {
		var failed *llm.Error
		if errors.As(err, &failed) {
			reply = failed.Partial
		}
	}
	t.account(reply, err)
	if err != nil {
		return err
	}
	t.reply = reply
	for _, note := range reply.Notes {
		t.tell(event.LevelWarning, note)
	}
	if reply.Finish == llm.FinishRefused {
		return &Problem{Message: fmt.Sprintf("%s refused to answer.", t.profile.Name),
			Advice: "Word the request differently, or choose another model."}
	}
	t.edits, t.problems = nil, nil
	blank := strings.TrimSpace(reply.Text) == ""
	if blank && reply.Reasoning != "" && reply.Finish == llm.FinishStop || reply.OnlyThought && t.format != nil {
		if t.round > 0 { // what came before stands
			t.reply.Text = "(no answer)" // servers refuse a message of nothing
			t.tell(event.LevelWarning, t.profile.Name+" thought about it and then answered nothing.")
			return nil
		}
		return &Problem{Message: fmt.Sprintf("%s thought about it and then answered nothing: what it writes while it thinks is not taken for an answer.", t.profile.Name),
			Advice: "Nothing was changed. Try again, ask for less at once, or choose another model."}
	}
	if blank && reply.Finish != llm.FinishLength {
		return &Problem{Message: fmt.Sprintf("%s answered with nothing.", t.profile.Name),
			Advice: "Try again, or choose another model."}
	}
	if h.text.String() != reply.Text && reply.Reasoning != "" {
		t.tell(event.LevelInfo, "Part of what "+t.profile.Name+" wrote was its thinking, which is no part of the answer.")
	}
	if t.format == nil {
		return nil
	}
	how := edits.Ended
	if reply.Finish == llm.FinishLength || reply.Finish == llm.FinishCut {
		how = edits.Cut
	}
	var list []edits.Edit
	var problems []edits.Problem
	parser, text, format, options := h.parser, h.text.String(), *t.format, t.parseOptions()
	if err := await(ctx, func() {
		if text == reply.Text {
			list, problems = parser.Close(how)
		} else { // what streamed held more than the answer, such as thinking without its opening tag
			list, problems = edits.Parse(format, reply.Text, how, options)
		}
	}); err != nil {
		return err
	}
	t.edits, t.problems = list, problems
	return nil
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

// retrying tells the user that a call is tried once more, and when.
func (t *turn) retrying(attempt int, wait time.Duration, err *llm.Error) {
	t.tell(event.LevelInfo, fmt.Sprintf("%s Trying again in %s (attempt %d).", err.Message, wait.Round(100*time.Millisecond), attempt+1))
}

func (t *turn) parseOptions() edits.ParseOptions {
	return edits.ParseOptions{Fence: t.chunks.Fence, Chat: append(append([]string(nil), t.chat...), t.missing...), Files: t.now, Markup: t.speaksOfMarkup()}
}

// account adds up what a call cost, also one that failed in the middle. Where the server counts
// nothing, we do.
func (t *turn) account(reply llm.Reply, err error) {
	u := reply.Usage
	if u.Prompt == 0 && u.Completion == 0 {
		if err != nil && reply.Text == "" && reply.Reasoning == "" {
			return // nothing arrived; most such calls cost nothing
		}
		u.Prompt, u.Completion, u.Estimated = t.sent(), t.counter.Count(reply.Text)+t.counter.Count(reply.Reasoning), true
	}
	if u.Cost == 0 {
		u.Cost = model.Cost(t.profile.Price, u)
	}
	t.usage = t.usage.Add(u)
	t.emit.Emit(event.Event{Kind: event.KindUsage, Usage: &u})
}

// hearer passes the pieces of one reply on and notices edits in them.
type hearer struct {
	t       *turn
	ctx     context.Context
	parser  edits.Parser // nil for a coder without edits
	text    strings.Builder
	started bool
}

func (h *hearer) hear(d llm.Delta) {
	if !h.started {
		h.started = true
		h.t.enter(event.TurnStreaming)
	}
	h.t.emit.Emit(event.Event{Kind: event.KindDelta, Channel: d.Channel, Text: d.Text})
	if h.parser == nil || d.Channel != event.ChannelAnswer {
		return
	}
	h.text.WriteString(d.Text)
	for rest := d.Text; rest != "" && h.ctx.Err() == nil; {
		piece := rest[:min(len(rest), parsedAtOnce)]
		rest = rest[len(piece):]
		for _, e := range h.t.nameless(h.parser.Write(piece)) {
			h.t.emit.Emit(event.Event{Kind: event.KindEdit, Path: e.Path, Op: string(e.Op)})
		}
	}
}

// parsedAtOnce is how many bytes are parsed until the turn looks whether it was cancelled: some servers
// send all in one piece.
const parsedAtOnce = 16 << 10
