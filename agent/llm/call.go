package llm

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"coauthor/agent/event"
	"coauthor/agent/model"
)

// attempt is one request and its answer. On an error the reply holds what had been passed on.
func (c *call) attempt(parent context.Context, on func(Delta)) (Reply, *Error) {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	a := newAnswer(c, on)
	first := c.client.o.FirstToken
	if !c.body.streams {
		first = c.client.o.Total // all of it comes at once
	}
	// A timer that was stopped may stay in the runtime's heap of timers for as long as the program runs, and with it all that
	// its function knows: here an error, and never the call, which has the whole conversation.
	silent := c.ep.silent(first)
	a.clock = time.AfterFunc(first, func() { cancel(silent) })
	defer func() { a.clock.Stop() }()
	c.events, c.header, c.status, c.refusal = nil, nil, 0, nil

	stream, err := c.send(ctx)
	if err != nil {
		return Reply{}, c.refused(ctx, err)
	}
	failure := a.read(ctx, cancel)
	_ = stream.Close() // an answer that is not read to its end has no more to say
	if failure != nil {
		return a.partial(), failure
	}
	return a.reply(), nil
}

// refused makes an Error of a call whose answer's head was no good or never came.
func (c *call) refused(ctx context.Context, err error) *Error {
	var api *openai.APIError
	var status *openai.RequestError
	if errors.As(err, &status) || errors.As(err, &api) {
		return c.answered(c.status, c.header, c.refusal) // as it came: the library drops what it does not know
	}
	return c.failed(ctx, err)
}

// answer collects a reply while it arrives.
type answer struct {
	call   *call
	reader reader
	on     func(Delta)
	split  *splitter
	clock  *time.Timer

	text, thinking strings.Builder
	stray          strings.Builder // the arguments of calls where none was offered
	said, thought  joint           // the pieces of either
	finish         string
	refusal        bool
	usage          *usage
	excess         bool // there are more calls than any reply needs
	calls          calls
	over           bool // the server said that nothing more will come
	known          bool // some event had the form of an answer
}

func newAnswer(c *call, on func(Delta)) *answer {
	a := &answer{call: c, on: on}
	a.reader = protocolOf(c.body.api).read(a)
	a.split = newSplitter(ThinkTags(c.request.Model.ReasoningTag), a.emit)
	return a
}

// read consumes the stream. The clock that began with the request goes on as the idle clock.
func (a *answer) read(ctx context.Context, cancel context.CancelCauseFunc) *Error {
	c := a.call
	idle := c.client.o.Idle
	started, behind := false, false
	for {
		e, err := c.events.receive()
		if e.done {
			a.over, err = true, io.EOF
		}
		if err != nil {
			return a.end(ctx, err)
		}
		over, before := a.finish != "", a.heard()
		if failure := a.add(e); failure != nil {
			return failure
		}
		// A server that goes on behind its finish_reason does not mean the end by it: silence is a cut then.
		behind = behind || over && a.heard() > before
		if a.excess || a.text.Len()+a.thinking.Len()+a.stray.Len() > maxText {
			return a.end(ctx, errTextTooLong)
		}
		switch {
		case a.over, e.whole, a.finish != "" && a.usage != nil && !c.body.streams:
			a.over = true // or it came in one piece
			return a.end(ctx, io.EOF)
		case a.finish != "" && !behind:
			started = false
			a.clock.Stop()
			a.clock = time.AfterFunc(c.client.o.linger, func() { cancel(errLingered) })
		case started || a.heard() > 0:
			// Only pieces of the reply count; the first of them starts the idle clock.
			if !started {
				started = true
				a.clock.Stop()
				stalled := c.ep.stalled(idle)
				a.clock = time.AfterFunc(idle, func() { cancel(stalled) })
			} else {
				a.clock.Reset(idle)
			}
		}
	}
}

// heard is how much of the reply has come.
func (a *answer) heard() int {
	return a.text.Len() + a.thinking.Len() + a.stray.Len() + a.calls.size + len(a.calls.slots) + len(a.said.held)
}

// add takes in an event, and gives the error that it carries.
func (a *answer) add(e streamed) *Error {
	if e.plain {
		a.say(e.text)
		return nil
	}
	if e.data[0] == '[' {
		for _, one := range objects(e.data) {
			if failure := a.add(streamed{data: one, name: e.name}); failure != nil || a.excess {
				return failure
			}
		}
		return nil
	}
	return a.reader.take(e.data, e.name)
}

var errNoAnswer = errors.New("no event looks like an answer")

var errNoJSON = errors.New("an event is not JSON")

var errLingered = errors.New("the stream stayed open after its end")

// say adds to the answer, think to what was thought before it.
func (a *answer) say(text string) { a.split.write(a.said.add(text)) }

func (a *answer) think(text string) {
	if text = a.thought.add(text); text != "" {
		a.emit(true, text)
	}
}

// called takes in a piece of a call, which stood at a place in the list of its event. raw is the piece as it came. It is
// false when the calls are more than any reply needs.
func (a *answer) called(p piece, place int, raw json.RawMessage) bool {
	fresh, ok := a.calls.add(p, place, raw)
	if len(a.call.request.Tools) == 0 {
		if !a.unasked(fresh) {
			a.say(fresh)
		}
		return true
	}
	return ok
}

// unasked keeps the arguments of a call where none was offered. They are the reply only if nothing else is. Those of the
// forced one are its text.
func (a *answer) unasked(args string) bool {
	if a.call.request.Tool != nil {
		return false
	}
	a.stray.WriteString(args)
	return true
}

func (a *answer) emit(thinking bool, text string) {
	if thinking {
		a.thinking.WriteString(text)
		a.on(Delta{Channel: event.ChannelReasoning, Text: text})
		return
	}
	a.text.WriteString(text)
	a.on(Delta{Channel: event.ChannelAnswer, Text: text})
}

// end judges the end of the stream: nil when the reply is complete.
func (a *answer) end(ctx context.Context, err error) *Error {
	c := a.call
	if garbage := c.events.garbage(); garbage != "" && ctx.Err() == nil {
		return c.unreadable(garbage, err)
	}
	if errors.Is(err, io.EOF) && !c.body.streams && c.events.said == 1 {
		a.over = true // it came in one piece, which is whole
	}
	something := a.heard() > 0
	if ctx.Err() == nil && a.finish == "" && errors.Is(err, io.EOF) {
		switch {
		case !something && !a.known && a.usage == nil && c.events.first != "":
			return c.unreadable(c.events.first, errNoAnswer)
		case a.over && c.events.odd != "":
			return c.unreadable(c.events.odd, errNoFinish) // nobody knows whether that was the end
		}
	}
	if (a.finish != "" || a.over && something) && !errors.Is(err, errTextTooLong) {
		// The reply is complete, however the connection ended; a user's cancel counts all the same.
		if ctx.Err() == nil || errors.Is(context.Cause(ctx), errLingered) {
			return nil
		}
	}
	if ctx.Err() != nil {
		return c.failed(ctx, err)
	}
	e := &Error{
		Kind: BadStream, Err: errNoFinish,
		Message: "The connection to " + c.ep.host + " ended in the middle of the answer.",
		Advice:  "Nothing was changed. Try again. If it happens again, make a smaller request, or check the server's log.",
	}
	switch {
	case errors.Is(err, errEventTooLong), errors.Is(err, errStreamTooLong), errors.Is(err, errTextTooLong):
		e.Message = "Coauthor stopped the answer of " + c.ep.host + ": " + err.Error() + "."
		e.hopeless = true
	case !something:
		e.Message = c.ep.host + " closed the connection before the answer began."
	}
	if !errors.Is(err, io.EOF) {
		e.Err = errors.New(c.secrets.redact(err.Error()))
	}
	return e
}

// unreadable is the error for an answer that is no stream of JSON events.
func (c *call) unreadable(sample string, err error) *Error {
	e := &Error{
		Kind: BadStream, Err: err, hopeless: true,
		Message: "Cannot read the answer of " + c.ep.host + ": " +
			quote(shorten(c.secrets.redact(stripTags(sample)), 120)) + ".",
		Advice: "Check that apiBase is the URL of an OpenAI-compatible server, usually ending in /v1, and that no proxy changes the answer.",
	}
	return e
}

// reply is the complete answer.
func (a *answer) reply() Reply {
	unclosed := a.flush()
	if !unclosed && strings.TrimSpace(a.text.String()) == "" && a.stray.Len() > 0 {
		a.emit(false, joined(a.stray.String()))
	}
	r := Reply{Text: a.text.String(), Reasoning: a.thinking.String(), Finish: finishOf(orElse(a.finish, "stop"))}
	if a.refusal {
		r.Finish = FinishRefused
	}
	if unclosed && r.Finish == FinishStop && r.Text == "" {
		r.Text, r.Reasoning, r.OnlyThought = r.Reasoning, "", true // it ended by itself: this is all there is
	}
	if !unclosed {
		a.separate(&r)
	}
	if r.Finish == FinishStop && len(a.call.request.Tools) > 0 {
		r.Calls, r.Back = a.calls.list(), a.reader.back()
	}
	r.Usage = a.counted()
	r.Notes = a.call.notes(r, a.usage != nil)
	return r
}

// flush passes on what waited for more. unclosed says that the thinking never ended.
func (a *answer) flush() (unclosed bool) {
	a.split.write(a.said.end())
	if text := a.thought.end(); text != "" {
		a.emit(true, text)
	}
	return a.split.finish()
}

// separate moves the thinking that shows only now, behind an answer that seemed to have begun.
func (a *answer) separate(r *Reply) {
	thinking, text, _ := Thinking(r.Text, a.split.tags)
	r.Text, r.Reasoning = text, r.Reasoning+thinking
}

// partial is what had arrived when the call failed.
func (a *answer) partial() Reply {
	a.flush()
	r := Reply{Text: a.text.String(), Reasoning: a.thinking.String(), Finish: FinishCut, Usage: a.counted()}
	a.separate(&r)
	return r
}

// counted is the provider's usage, else an estimate.
func (a *answer) counted() event.Usage {
	p := a.call.request.Model
	if a.usage != nil {
		return a.usage.event(p)
	}
	u := event.Usage{Prompt: estimate(a.call.request.Messages), Estimated: true}
	u.Completion = model.Estimate{}.Count(a.text.String()) + model.Estimate{}.Count(a.thinking.String())
	if len(a.call.request.Tools) > 0 {
		for _, s := range a.calls.slots {
			u.Completion += model.Estimate{}.Count(string(s.arguments.text))
		}
	}
	u.Cost = model.Cost(p.Price, u)
	return u
}

// estimate counts the tokens of a prompt roughly. It runs within the 200 ms of a cancel, so it does
// not load a tokenizer.
func estimate(messages []Message) int {
	n := 0
	for _, m := range messages {
		for _, p := range m.Parts {
			n += model.Estimate{}.Count(p.Text) + len(p.Data)/1000
			if p.Kind == PartCall {
				n += model.Estimate{}.Count(p.Call.Arguments)
			}
		}
		n += 4 // role and separators
	}
	return n
}

// notes are remarks about a reply that is otherwise good.
func (c *call) notes(r Reply, told bool) []string {
	var list []string
	if c.body.fields["reasoning_effort"] == "none" && c.request.Model.ExtraBody["reasoning_effort"] != "none" {
		list = append(list, c.request.Model.Name+" answered without reasoning, because this API does not support reasoning together with tools.")
	}
	guess := estimate(c.request.Messages)
	if told && guess > 2000 && r.Usage.Prompt > 0 && r.Usage.Prompt < guess/2 {
		list = append(list, "The prompt does not fit into the server's context window, so the model did not see all of it. "+
			"Raise the context window on the server (Ollama: num_ctx), and set contextWindow for this model.")
	}
	return list
}
