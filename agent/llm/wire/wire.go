// Package wire is what the interfaces of models have in common: how a request is written, and how an answer is put together
// while its events arrive.
//
// Each interface is a Protocol in a folder of its own. It writes into a Body and reads into an Answer; what those of one
// server do differently from another's stays in its folder. Nothing here sends, waits or decides.
package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"coauthor/agent/llm"
)

// Protocol is one of the interfaces through which models are asked: how a request is written, and how the events of its answer
// read. Everything else is the same for all: keys, retries, clocks, refusals, limits, usage.
type Protocol interface {
	Form() Form
	// Write writes a request's body, but for the name of the model and what all take alike.
	Write(b *Body, r llm.Request, without Adaptations)
	// Send makes the request. Whoever carries it out puts the body in and has the events; closing ends the answer.
	Send(ctx context.Context, through Doer) (io.Closer, error)
	Reader(to *Answer) Reader
}

// Form is what is fixed of a wire.
type Form struct {
	Path     string // of a call, behind the address of the endpoint
	Messages string // the field of a request in which they stand
	Lines    bool   // each line of an answer is an event
	// Plain gives the text that an event adds to the answer where it does that and nothing else; nil knows none.
	Plain  func(event []byte) (text string, ok bool)
	OwnKey bool // the key goes into a header of its own, beside the version of the interface
}

// Reader reads the events of an answer.
type Reader interface {
	// Take takes in an event. The error is a refusal or garbled.
	Take(data []byte, name string) error
	// Back is what goes back unread with the reply.
	Back() json.RawMessage
}

// Doer carries a request out.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Post makes a request that no library knows.
func Post(ctx context.Context, through Doer, path string) (io.Closer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, path, strings.NewReader("{}"))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	resp, err := through.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode < http.StatusBadRequest {
		return resp.Body, nil
	}
	defer resp.Body.Close()
	return nil, fmt.Errorf("status %d", resp.StatusCode)
}

// Body is a request: the fields of its JSON, and its messages.
type Body struct {
	Form     Form
	Api      string // the interface that it is for
	Fields   map[string]any
	Messages []map[string]any
	Streams  bool // the answer is asked for piece by piece
}

// Adaptation is something an endpoint refused and that the request can do without.
type Adaptation string

// Adaptations are those that an endpoint made necessary.
type Adaptations map[Adaptation]bool

// The adaptations, most of them named by the request field that was refused.
const (
	WithoutStream      Adaptation = "stream" // the answer comes in one piece
	WithoutUsage       Adaptation = "stream_options"
	WithoutTemperature Adaptation = "temperature"
	OtherMaxTokens     Adaptation = "max_tokens"
	WithoutForce       Adaptation = "tool_choice"       // the tool is offered instead
	WithoutEffort      Adaptation = "reasoning_effort"  // beside tools it must be none
	WithoutBack        Adaptation = "back"              // it does not take its own fields again
	WithoutMixture     Adaptation = "mixture"           // no text and no thinking beside calls, the system text first
	WithoutThought     Adaptation = "thought"           // it takes no word on how much the model is to think
	WithoutInclude     Adaptation = "include"           // the model has no reasoning to hand over
	WithoutSummary     Adaptation = "reasoning.summary" // not for this account
	OverResponses      Adaptation = "responses"         // the model answers through Responses alone, whatever its row or its user says
	OverChat           Adaptation = "chat"              // the server has no interface of Ollama's
)

// NewBody writes a request for an interface.
func NewBody(w Protocol, api string, r llm.Request, without Adaptations) Body {
	r.Model.Streaming = r.Model.Streaming && !without[WithoutStream]
	p := r.Model
	b := Body{Form: w.Form(), Api: api, Fields: map[string]any{"model": p.ID}, Streams: p.Streaming}
	if !b.Streams {
		b.Fields["stream"] = false
	}
	if p.UseTemperature && !without[WithoutTemperature] {
		b.Fields["temperature"] = temperatureOf(r)
	}
	w.Write(&b, r, without)
	return b
}

// ToolsOf are the tools that are offered, or the one that is forced.
func ToolsOf(r llm.Request) []llm.Tool {
	if r.Tool != nil {
		return []llm.Tool{*r.Tool}
	}
	return r.Tools
}

func temperatureOf(r llm.Request) float64 {
	switch {
	case r.Temperature != nil:
		return *r.Temperature
	case r.Model.Temperature != nil:
		return *r.Model.Temperature
	}
	return 0
}

// EffortFits says whether reasoningEffort goes along. A call for a handful of tokens asks for no thinking:
// a model that takes none for "no" answers it with the default, and that is enough.
func EffortFits(r llm.Request) bool { return r.MaxTokens == 0 || r.MaxTokens > 256 }

// Merge puts the body into the JSON that a library made.
func (b Body) Merge(data []byte) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	fields := map[string]any{b.Form.Messages: b.Messages}
	for name, v := range b.Fields {
		fields[name] = v
	}
	for name, v := range fields {
		raw, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		all[name] = raw
	}
	for name, v := range b.Fields {
		if v == nil {
			delete(all, name) // null in extraBody takes a field away
		}
	}
	return json.Marshal(all)
}
