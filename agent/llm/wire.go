package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// protocol is one of the interfaces through which models are asked: how a request is written, and how the events of its answer
// read. Everything else is the same for all: keys, retries, clocks, refusals, limits, usage.
type protocol interface {
	Form() form
	// Write writes a request's body, but for the name of the model and what all take alike.
	Write(b *body, r Request, without adaptations)
	// Send makes the request. Whoever carries it out puts the body in and has the events; closing ends the answer.
	Send(ctx context.Context, through doer) (io.Closer, error)
	Reader(to *answer) reader
}

// form is what is fixed of a wire.
type form struct {
	Path     string // of a call, behind the address of the endpoint
	Messages string // the field of a request in which they stand
	Lines    bool   // each line of an answer is an event
	// Plain gives the text that an event adds to the answer where it does that and nothing else; nil knows none.
	Plain   func(event []byte) (text string, ok bool)
	OwnKey  bool // the key goes into a header of its own, beside the version of the interface
	OwnBase bool // the path is no part of the interface that an address ending in /v1 is of
}

// reader reads the events of an answer.
type reader interface {
	// Take takes in an event. The error is a refusal or garbled.
	Take(data []byte, name string) error
	// Back is what goes back unread with the reply.
	Back() json.RawMessage
}

// doer carries a request out.
type doer interface {
	Do(*http.Request) (*http.Response, error)
}

// post makes a request that no library knows.
func post(ctx context.Context, through doer, path string) (io.Closer, error) {
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

// body is a request: the fields of its JSON, and its messages.
type body struct {
	form     form
	api      string // the interface that it is for
	fields   map[string]any
	messages []map[string]any
	streams  bool // the answer is asked for piece by piece
}

// adaptation is something an endpoint refused and that the request can do without.
type adaptation string

// adaptations are those that an endpoint made necessary.
type adaptations map[adaptation]bool

// The adaptations, most of them named by the request field that was refused.
const (
	withoutStream      adaptation = "stream" // the answer comes in one piece
	withoutUsage       adaptation = "stream_options"
	withoutTemperature adaptation = "temperature"
	otherMaxTokens     adaptation = "max_tokens"
	withoutForce       adaptation = "tool_choice"       // the tool is offered instead
	withoutEffort      adaptation = "reasoning_effort"  // beside tools it must be none
	withoutBack        adaptation = "back"              // it does not take its own fields again
	withoutMixture     adaptation = "mixture"           // no text and no thinking beside calls, the system text first
	withoutThought     adaptation = "thought"           // it takes no word on how much the model is to think
	withoutInclude     adaptation = "include"           // the model has no reasoning to hand over
	withoutSummary     adaptation = "reasoning.summary" // not for this account
	overResponses      adaptation = "responses"         // the model answers through Responses alone, whatever its row or its user says
	overChat           adaptation = "chat"              // the server has no interface of Ollama's
)

// newBody writes a request for an interface.
func newBody(w protocol, api string, r Request, without adaptations) body {
	r.Model.Streaming = r.Model.Streaming && !without[withoutStream]
	p := r.Model
	b := body{form: w.Form(), api: api, fields: map[string]any{"model": p.ID}, streams: p.Streaming}
	if !b.streams {
		b.fields["stream"] = false
	}
	if p.UseTemperature && !without[withoutTemperature] {
		b.fields["temperature"] = temperatureOf(r)
	}
	w.Write(&b, r, without)
	return b
}

// toolsOf are the tools that are offered, or the one that is forced.
func toolsOf(r Request) []Tool {
	if r.Tool != nil {
		return []Tool{*r.Tool}
	}
	return r.Tools
}

func temperatureOf(r Request) float64 {
	switch {
	case r.Temperature != nil:
		return *r.Temperature
	case r.Model.Temperature != nil:
		return *r.Model.Temperature
	}
	return 0
}

// effortFits says whether reasoningEffort goes along. A call for a handful of tokens asks for no thinking:
// a model that takes none for "no" answers it with the default, and that is enough.
func effortFits(r Request) bool { return r.MaxTokens == 0 || r.MaxTokens > 256 }

// merge puts the body into the JSON that a library made.
func (b body) merge(data []byte) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	fields := map[string]any{b.form.Messages: b.messages}
	for name, v := range b.fields {
		fields[name] = v
	}
	for name, v := range fields {
		raw, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		all[name] = raw
	}
	for name, v := range b.fields {
		if v == nil {
			delete(all, name) // null in extraBody takes a field away
		}
	}
	return json.Marshal(all)
}
