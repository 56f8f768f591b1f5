package remote

import (
	"context"

	"coauthor/agent/llm"
	"coauthor/agent/llm/ollama"
	"coauthor/agent/model"
)

const ollamaPort = "11434"

// ollama says whether the endpoint is Ollama's own.
func (e endpoint) ollama(p model.Profile) bool {
	return p.Provider == "ollama" || e.local && e.base.Port() == ollamaPort
}

// dropped tells once of each size of window that a request was too long for.
func (c *call) dropped(ctx context.Context, r llm.Reply) {
	asked := ollama.TokensOf(c.request)
	read := !r.Usage.Estimated && r.Usage.Prompt >= asked*9/10
	if asked < ollama.OllamaLeast || read || !c.ep.ollama(c.request.Model) || c.body.Api == model.Ollama {
		return
	}
	window := ollama.OllamaWindow(ctx, c.client.http(c), c.ep.base, c.request.Model.ID)
	if window == 0 || asked*9/10 <= window || c.client.lesson(c).window == window {
		return
	}
	c.client.learn(c, func(l *lesson) { l.window = window })
	c.remarks = append(c.remarks, ollama.DroppedBy(c.request.Model, window, asked))
}
