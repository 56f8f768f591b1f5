package remote

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
	"coauthor/agent/model"
)

// mostParts is how often an answer that was cut off at its length goes on. A model that has not ended by then
// never will.
const mostParts = 4

// whole asks one model, and has it go on with an answer that was cut off at its length where the model's row
// says how.
func (c *Client) whole(ctx context.Context, r llm.Request, on func(llm.Delta)) (llm.Reply, *llm.Error) {
	reply, err := c.one(ctx, r, on)
	for part := 1; err == nil && c.canGoOn(r, reply); part++ {
		if part > mostParts {
			reply.Notes = append(reply.Notes, fmt.Sprintf("The answer of %s is still incomplete after %d continuations.", r.Model.Name, mostParts))
			break
		}
		var more bool
		if reply, more, err = c.goOn(ctx, r, reply, on); !more {
			break
		}
	}
	return reply, err
}

// canGoOn says whether a reply is the beginning of an answer that the model can be given back. A limit of the
// caller's own is meant; a call of a tool is no text; thinking does not go with a given beginning.
func (c *Client) canGoOn(r llm.Request, reply llm.Reply) bool {
	p := r.Model
	return reply.Finish == llm.FinishLength && p.Prefill != "" && p.API != model.Responses && r.MaxTokens == 0 && r.Tool == nil && len(reply.Calls) == 0 && p.ThinkingTokens == 0 &&
		!reply.OnlyThought && strings.TrimSpace(reply.Text) != "" && len(reply.Text) < wire.MaxText && !c.cannotGoOn(r)
}

// goOn asks for what follows a reply and joins the two. more is false when there is no use in going on again.
func (c *Client) goOn(ctx context.Context, r llm.Request, so llm.Reply, on func(llm.Delta)) (joined llm.Reply, more bool, err *llm.Error) {
	// Some servers refuse a beginning that ends in blanks; the model writes them again.
	begun := strings.TrimRight(so.Text, " \t\r\n")
	s := &seam{begun: begun, blanks: so.Text[len(begun):], on: on}
	r.Begun, r.Messages = true, append(slices.Clone(r.Messages), llm.Text(llm.RoleAssistant, begun))
	next, err := c.one(ctx, r, s.hear)
	s.flush()
	if err != nil {
		next = err.Partial
	}
	text := next.Text
	if next.OnlyThought {
		text = ""
	}
	if len(begun) >= leastEcho {
		text = strings.TrimPrefix(text, begun)
	}
	joined = so
	joined.Usage = so.Usage.Add(next.Usage)
	switch {
	case err != nil && (ctx.Err() != nil || text != ""):
		joined.Text, joined.Reasoning, joined.Finish = begun+text, so.Reasoning+next.Reasoning, llm.FinishCut
		err.Partial = joined
		return joined, false, err
	case err != nil:
		if err.Kind == llm.BadRequest {
			c.learnCannotGoOn(r)
		}
		joined.Notes = append(joined.Notes, "The answer reached the length limit and could not be continued: "+err.Message)
		return joined, false, nil
	}
	joined.Notes = joinNotes(so.Notes, next.Notes)
	if strings.TrimSpace(text) == "" {
		if next.Finish == llm.FinishStop {
			joined.Finish = llm.FinishStop // that was all
		}
		return joined, false, nil
	}
	joined.Text, joined.Reasoning, joined.Finish, joined.Back = begun+text, so.Reasoning+next.Reasoning, next.Finish, next.Back
	joined.Calls = next.Calls
	return joined, true, nil
}

// joinNotes adds remarks that were not made before.
func joinNotes(notes, more []string) []string {
	for _, n := range more {
		if !slices.Contains(notes, n) {
			notes = append(notes, n)
		}
	}
	return notes
}

// leastEcho is how long a beginning must be to be taken for an echo: a few letters may well come twice.
const leastEcho = 16

// seam passes on what follows the beginning of an answer: without the beginning, which some servers repeat,
// and without the blanks that were passed on before.
type seam struct {
	begun  string // that may be repeated
	blanks string // that may come again
	on     func(llm.Delta)

	held   string // the beginning of the answer, as long as it may be a repetition
	passed bool   // the beginning is over
}

func (s *seam) hear(d llm.Delta) {
	if d.Channel != event.ChannelAnswer {
		s.on(d)
		return
	}
	if s.passed {
		s.pass(d.Text)
		return
	}
	s.held += d.Text
	switch {
	case len(s.begun) >= leastEcho && strings.HasPrefix(s.held, s.begun):
		s.held = s.held[len(s.begun):]
	case len(s.begun) >= leastEcho && strings.HasPrefix(s.begun, s.held):
		return // it may still become one
	}
	s.flush()
}

// flush passes on what was held.
func (s *seam) flush() {
	held := s.held
	s.passed, s.held = true, ""
	if len(s.begun) >= leastEcho && held == s.begun {
		return
	}
	s.pass(held)
}

func (s *seam) pass(text string) {
	for text != "" && s.blanks != "" {
		if text[0] != s.blanks[0] {
			s.blanks = ""
			break
		}
		text, s.blanks = text[1:], s.blanks[1:]
	}
	if text != "" {
		s.on(llm.Delta{Channel: event.ChannelAnswer, Text: text})
	}
}

func (c *Client) cannotGoOn(r llm.Request) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended[awayKey(r)]
}

func (c *Client) learnCannotGoOn(r llm.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended[awayKey(r)] = true
}
