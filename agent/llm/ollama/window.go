package ollama

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
	"coauthor/agent/model"
)

// Ollama's OpenAI-compatible interface takes no size of the context window with a request, other than its own one. What does
// not fit into the one that it was started with it drops without a word, so it is asked which one that is.
const (
	OllamaLeast   = 2000 // no window is smaller
	ollamaReplies = 8192 // what should be left for the answer
	ollamaWithin  = 2 * time.Second
)

// DroppedBy says that a request is too long for the window that Ollama runs a model with, and what to do.
func DroppedBy(p model.Profile, window, asked int) string {
	start := "Start Ollama"
	if p.Provider != "ollama" {
		start = fmt.Sprintf("Use the model ollama/%s, so that each request sets a large enough window. Or start Ollama", p.ID)
	}
	return fmt.Sprintf("Ollama runs %s with a context window of %d tokens, but this request has about %d. Ollama silently drops the rest. "+
		"%s with OLLAMA_CONTEXT_LENGTH=%[5]d, and set contextWindow: %[5]d for this model in models.",
		p.Name, window, asked, start, windowFor(asked))
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

// OllamaWindow asks with how many tokens the model runs that has just answered; 0 is unknown.
func OllamaWindow(ctx context.Context, client *http.Client, base *url.URL, id string) int {
	ctx, cancel := context.WithTimeout(ctx, ollamaWithin)
	defer cancel()
	u := *base
	u.Path, u.RawQuery = strings.TrimSuffix(u.Path, "/v1")+"/api/ps", ""
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return 0
	}
	resp, err := client.Do(req)
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
	if resp.StatusCode != http.StatusOK || json.NewDecoder(io.LimitReader(resp.Body, wire.MaxError)).Decode(&running) != nil {
		return 0
	}
	for _, m := range running.Models {
		if strings.TrimSuffix(m.Name, ":latest") == strings.TrimSuffix(id, ":latest") {
			return m.Window
		}
	}
	return 0
}

// askedWindow is the window that a request asks for: room for it and its answer, and never more than the model is said to have.
func askedWindow(r llm.Request) int {
	window := windowFor(TokensOf(r))
	if most := r.Model.ContextWindow; most > 0 {
		window = min(window, most)
	}
	return window
}

// TokensOf estimates what a request has the model read.
func TokensOf(r llm.Request) int {
	n := wire.Estimate(r.Messages)
	for _, t := range wire.ToolsOf(r) {
		n += model.Estimate{}.Count(t.Description) + model.Estimate{}.Count(string(t.Schema))
	}
	return n
}
