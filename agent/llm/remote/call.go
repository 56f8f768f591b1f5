package remote

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
)

// attempt is one request and its answer. On an error the reply holds what had been passed on.
func (c *call) attempt(parent context.Context, on func(llm.Delta)) (llm.Reply, *llm.Error) {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	s := stream{call: c, answer: wire.NewAnswer(protocolOf(c.body.Api), c.request, on)}
	first := c.client.o.FirstToken
	if !c.body.Streams {
		first = c.client.o.Total // all of it comes at once
	}
	// A timer that was stopped may stay in the runtime's heap of timers for as long as the program runs, and with it all that
	// its function knows: here an error, and never the call, which has the whole conversation.
	silent := c.ep.silent(first)
	s.clock = time.AfterFunc(first, func() { cancel(silent) })
	defer func() { s.clock.Stop() }()
	c.events, c.header, c.status, c.refusal = nil, nil, 0, nil

	body, err := protocolOf(c.body.Api).Send(ctx, c)
	if err != nil {
		return llm.Reply{}, c.refused(ctx, err)
	}
	failure := s.read(ctx, cancel)
	_ = body.Close() // an answer that is not read to its end has no more to say
	if failure != nil {
		return s.answer.Partial(), failure
	}
	reply := s.answer.Reply()
	reply.Notes = c.notes(reply, s.answer.Usage != nil)
	return reply, nil
}

// refused makes an Error of a call whose answer's head was no good or never came.
func (c *call) refused(ctx context.Context, err error) *llm.Error {
	if c.refusal != nil {
		return c.answered(c.status, c.header, c.refusal) // as it came: a library drops what it does not know
	}
	return c.failed(ctx, err)
}

// stream is the answer of an attempt, while it arrives.
type stream struct {
	call   *call
	answer *wire.Answer
	clock  *time.Timer
}

// read consumes the stream. The clock that began with the request goes on as the idle clock.
func (s *stream) read(ctx context.Context, cancel context.CancelCauseFunc) *llm.Error {
	a, c := s.answer, s.call
	idle := c.client.o.Idle
	started, behind := false, false
	for {
		e, err := c.events.Receive()
		if e.Done {
			a.Over, err = true, io.EOF
		}
		if err != nil {
			return s.end(ctx, err)
		}
		over, before := a.Finish != "", a.Heard()
		if err := a.Add(e); err != nil {
			return c.noAnswer(err)
		}
		// A server that goes on behind its finish_reason does not mean the end by it: silence is a cut then.
		behind = behind || over && a.Heard() > before
		if a.Excess || a.Long() {
			return s.end(ctx, wire.ErrTextTooLong)
		}
		switch {
		case a.Over, e.Whole, a.Finish != "" && a.Usage != nil && !c.body.Streams:
			a.Over = true // or it came in one piece
			return s.end(ctx, io.EOF)
		case a.Finish != "" && !behind:
			started = false
			s.clock.Stop()
			s.clock = time.AfterFunc(c.client.o.linger, func() { cancel(errLingered) })
		case started || a.Heard() > 0:
			// Only pieces of the reply count; the first of them starts the idle clock.
			if !started {
				started = true
				s.clock.Stop()
				stalled := c.ep.stalled(idle)
				s.clock = time.AfterFunc(idle, func() { cancel(stalled) })
			} else {
				s.clock.Reset(idle)
			}
		}
	}
}

// noAnswer makes an Error of an event that is no part of an answer.
func (c *call) noAnswer(err error) *llm.Error {
	var refusal wire.Refusal
	if errors.As(err, &refusal) {
		return c.answered(http.StatusOK, nil, refusal)
	}
	var garbled wire.Garbled
	errors.As(err, &garbled)
	return c.unreadable(string(garbled), err)
}

var errNoAnswer = errors.New("no event looks like an answer")

var errLingered = errors.New("the stream stayed open after its end")

// end judges the end of the stream: nil when the reply is complete.
func (s *stream) end(ctx context.Context, err error) *llm.Error {
	a, c := s.answer, s.call
	if garbage := c.events.Garbage(); garbage != "" && ctx.Err() == nil {
		return c.unreadable(garbage, err)
	}
	if errors.Is(err, io.EOF) && !c.body.Streams && c.events.Said == 1 {
		a.Over = true // it came in one piece, which is whole
	}
	something := a.Heard() > 0
	if ctx.Err() == nil && a.Finish == "" && errors.Is(err, io.EOF) {
		switch {
		case !something && !a.Known && a.Usage == nil && c.events.First != "":
			return c.unreadable(c.events.First, errNoAnswer)
		case a.Over && c.events.Odd != "":
			return c.unreadable(c.events.Odd, errNoFinish) // nobody knows whether that was the end
		}
	}
	if (a.Finish != "" || a.Over && something) && !errors.Is(err, wire.ErrTextTooLong) {
		// The reply is complete, however the connection ended; a user's cancel counts all the same.
		if ctx.Err() == nil || errors.Is(context.Cause(ctx), errLingered) {
			return nil
		}
	}
	if ctx.Err() != nil {
		return c.failed(ctx, err)
	}
	e := &llm.Error{
		Kind: llm.BadStream, Err: errNoFinish,
		Message: "The connection to " + c.ep.host + " ended in the middle of the answer.",
		Advice:  "Nothing was changed. Try again. If it happens again, make a smaller request, or check the server's log.",
	}
	switch {
	case errors.Is(err, wire.ErrEventTooLong), errors.Is(err, wire.ErrStreamTooLong), errors.Is(err, wire.ErrTextTooLong):
		e.Message = "Coauthor stopped the answer of " + c.ep.host + ": " + err.Error() + "."
		e.Hopeless = true
	case !something:
		e.Message = c.ep.host + " closed the connection before the answer began."
	}
	if !errors.Is(err, io.EOF) {
		e.Err = errors.New(c.secrets.redact(err.Error()))
	}
	return e
}

// unreadable is the error for an answer that is no stream of JSON events.
func (c *call) unreadable(sample string, err error) *llm.Error {
	e := &llm.Error{
		Kind: llm.BadStream, Err: err, Hopeless: true,
		Message: "Cannot read the answer of " + c.ep.host + ": " +
			quote(shorten(c.secrets.redact(wire.StripTags(sample)), 120)) + ".",
		Advice: "Check that apiBase is the URL of an OpenAI-compatible server, usually ending in /v1, and that no proxy changes the answer.",
	}
	return e
}

// notes are remarks about a reply that is otherwise good.
func (c *call) notes(r llm.Reply, told bool) []string {
	var list []string
	if c.body.Fields["reasoning_effort"] == "none" && c.request.Model.ExtraBody["reasoning_effort"] != "none" {
		list = append(list, c.request.Model.Name+" answered without reasoning, because this API does not support reasoning together with tools.")
	}
	guess := wire.Estimate(c.request.Messages)
	if told && guess > 2000 && r.Usage.Prompt > 0 && r.Usage.Prompt < guess/2 {
		list = append(list, "The prompt does not fit into the server's context window, so the model did not see all of it. "+
			"Raise the context window on the server (Ollama: num_ctx), and set contextWindow for this model.")
	}
	return list
}
