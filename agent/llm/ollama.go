package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"coauthor/agent/model"
)

// Ollama's OpenAI-compatible interface takes no size of the context window with a request. What does not fit into the one
// that it was started with it drops without a word, so it is asked which one that is.
const (
	ollamaPort    = "11434"
	ollamaLeast   = 2000 // no window is smaller
	ollamaReplies = 8192 // what should be left for the answer
	ollamaWithin  = 2 * time.Second
)

// ollama says whether the endpoint is Ollama's own.
func (c *call) ollama() bool {
	return c.request.Model.Provider == "ollama" || c.ep.local && c.ep.base.Port() == ollamaPort
}

// dropped tells once of each size of window that a request was too long for.
func (c *call) dropped(ctx context.Context, r Reply) {
	asked := estimate(c.request.Messages)
	for _, t := range c.request.tools() {
		asked += model.Estimate{}.Count(t.Description) + model.Estimate{}.Count(string(t.Schema))
	}
	read := !r.Usage.Estimated && r.Usage.Prompt >= asked*9/10
	if asked < ollamaLeast || read || !c.ollama() {
		return
	}
	window := c.ollamaWindow(ctx)
	if window == 0 || asked*9/10 <= window || c.client.lesson(c).window == window {
		return
	}
	c.client.learn(c, func(l *lesson) { l.window = window })
	c.remarks = append(c.remarks, fmt.Sprintf("Ollama runs %s with a context window of %d tokens, and this request has about %d: what does not fit is dropped without a word. "+
		"Start Ollama with OLLAMA_CONTEXT_LENGTH=%[4]d, and set contextWindow: %[4]d for this model in the setting models.",
		c.request.Model.Name, window, asked, windowFor(asked)))
}

// windowFor is a window with room for a request and its answer. Each size is twice the one before, so that requests which
// grow do not have the model loaded again and again.
func windowFor(asked int) int {
	size := ollamaReplies
	for size < asked*5/4+ollamaReplies {
		size *= 2
	}
	return size
}

// ollamaWindow asks with how many tokens the model runs that has just answered; 0 is unknown.
func (c *call) ollamaWindow(ctx context.Context) int {
	ctx, cancel := context.WithTimeout(ctx, ollamaWithin)
	defer cancel()
	u := *c.ep.base
	u.Path, u.RawQuery = strings.TrimSuffix(u.Path, "/v1")+"/api/ps", ""
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return 0
	}
	resp, err := c.client.http(c).Do(req)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	var running struct {
		Models []struct {
			Name   string `json:"name"`
			Window int    `json:"context_length"`
		} `json:"models"`
	}
	if resp.StatusCode != http.StatusOK || json.NewDecoder(io.LimitReader(resp.Body, maxError)).Decode(&running) != nil {
		return 0
	}
	for _, m := range running.Models {
		if strings.TrimSuffix(m.Name, ":latest") == strings.TrimSuffix(c.request.Model.ID, ":latest") {
			return m.Window
		}
	}
	return 0
}
