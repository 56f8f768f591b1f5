package llm

import (
	"strings"

	"coauthor/agent/model"
)

// withoutThought: the endpoint takes no word on how much the model is to think.
const withoutThought adaptation = "thought"

// roomBeside is what an answer may take beside the tokens to think with, where nobody knows how long
// answers of the model can be.
const roomBeside = 16_384

// thought puts into the body how much the model is to think, in the way of whoever serves it.
func (b *body) thought(r Request, without map[adaptation]bool) {
	p := r.Model
	if without[withoutThought] {
		return
	}
	router := p.Provider == "openrouter"
	if p.ReasoningEffort != "" && r.effortFits() {
		if router {
			b.fields["reasoning"] = map[string]any{"effort": p.ReasoningEffort}
		} else {
			b.fields["reasoning_effort"] = p.ReasoningEffort
		}
	}
	if p.ThinkingTokens == 0 || r.MaxTokens > 0 && r.MaxTokens <= p.ThinkingTokens {
		return // a budget that leaves nothing for the answer is refused
	}
	if router {
		b.fields["reasoning"] = map[string]any{"max_tokens": p.ThinkingTokens}
	} else {
		b.fields["thinking"] = map[string]any{"type": "enabled", "budget_tokens": p.ThinkingTokens}
	}
	delete(b.fields, "temperature") // a model that thinks takes none
	if r.MaxTokens == 0 {
		b.fields["max_tokens"] = max(p.MaxOutput, p.ThinkingTokens+roomBeside)
	}
}

// effortFits says whether reasoningEffort goes along. A call for a handful of tokens asks for no thinking:
// a model that takes none for "no" answers it with the default, and that is enough.
func (r Request) effortFits() bool { return r.MaxTokens == 0 || r.MaxTokens > 256 }

// unthink leaves out of the call how much the model is to think, when the endpoint refused that. It is false
// when that was not it; it happens once for an endpoint and model.
func (c *call) unthink(err *Error) bool {
	p := c.request.Model
	if err.Kind != BadRequest || p.ReasoningEffort == "" && p.ThinkingTokens == 0 || c.client.lesson(c).without[withoutThought] {
		return false
	}
	said := strings.ToLower(err.Message)
	if !strings.Contains(said, "reasoning") && !strings.Contains(said, "thinking") && !strings.Contains(said, "effort") {
		return false
	}
	l := c.client.learn(c, func(l *lesson) { l.without[withoutThought] = true })
	c.body = newBody(c.request, l.without)
	c.remarks = append(c.remarks, c.ep.host+" rejected "+thoughtSettings(p)+" for "+p.Name+". Coauthor will stop sending these settings.")
	return true
}

func thoughtSettings(p model.Profile) string {
	switch {
	case p.ReasoningEffort == "":
		return "thinkingTokens"
	case p.ThinkingTokens == 0:
		return "reasoningEffort"
	}
	return "reasoningEffort and thinkingTokens"
}

// unsent tells once of a setting that does not suit the model of a turn.
func (c *call) unsent() {
	p := c.request.Model
	if p.Unsent == "" || c.request.Role != RoleMain || c.client.lesson(c).told {
		return
	}
	c.client.learn(c, func(l *lesson) { l.told = true })
	c.remarks = append(c.remarks, p.Unsent)
}
