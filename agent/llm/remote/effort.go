package remote

import (
	"strings"

	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
	"coauthor/agent/model"
)

// unthink leaves out of the call how much the model is to think, when the endpoint refused that. It is false
// when that was not it; it happens once for an endpoint and model.
func (c *call) unthink(err *llm.Error) bool {
	p := c.request.Model
	if err.Kind != llm.BadRequest || p.ReasoningEffort == "" && p.ThinkingTokens == 0 || c.client.lesson(c).without[wire.WithoutThought] {
		return false
	}
	said := strings.ToLower(err.Message)
	if !strings.Contains(said, "reasoning") && !strings.Contains(said, "thinking") && !strings.Contains(said, "effort") {
		return false
	}
	l := c.client.learn(c, func(l *lesson) { l.without[wire.WithoutThought] = true })
	c.body = bodyOf(c.request, l.without)
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
	if p.Unsent == "" || c.request.Role != llm.RoleMain || c.client.lesson(c).told {
		return
	}
	c.client.learn(c, func(l *lesson) { l.told = true })
	c.remarks = append(c.remarks, p.Unsent)
}
