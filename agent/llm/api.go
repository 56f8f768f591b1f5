package llm

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"coauthor/agent/model"
)

// What differs from one interface to the next: the path, how a request is written and how the events of its
// answer read. Everything else is the same for all: keys, retries, clocks, refusals, limits, usage.

// overResponses: the model answers through Responses alone, whatever its row or its user says.
const overResponses adaptation = "responses"

// apiOf is the interface through which a model is asked.
func apiOf(p model.Profile, without map[adaptation]bool) string {
	if without[overResponses] {
		return model.Responses
	}
	if p.API == model.Ollama && without[overChat] {
		return model.Chat
	}
	return orElse(p.API, model.Chat)
}

// protocol is one of the interfaces.
type protocol struct {
	path     string // of a call, behind the address of the endpoint
	messages string // the field of a request in which they stand
	lines    bool   // each line of an answer is an event
	ownKey   bool   // the key goes into a header of its own, beside the version of the interface
	// write writes a request's body, but for the name of the model and what all take alike.
	write func(b *body, r Request, without map[adaptation]bool)
	// send makes the request through the library; nil where that does not know the interface.
	send func(ctx context.Context, client *openai.Client, r openai.ChatCompletionRequest) (io.Closer, error)
	read func(to *answer) reader
}

// reader reads the events of an answer.
type reader interface {
	// take takes in an event, and gives the error that it carries.
	take(data []byte, name string) *Error
	// back is what goes back unread with the reply.
	back() json.RawMessage
}

func protocolOf(api string) protocol {
	switch api {
	case model.Responses:
		return throughResponses()
	case model.Anthropic:
		return throughAnthropic()
	case model.Ollama:
		return throughOllama()
	}
	return throughChat()
}

func pathOf(api string) string { return protocolOf(api).path }

// TrimCall takes the path of a call off a URL, which some copy together with the address.
func TrimCall(url string) string {
	for _, api := range model.APIs() {
		url = strings.TrimSuffix(url, pathOf(api))
	}
	return url
}

// send makes the request. Of its answer the transport has the events; closing ends it.
func (c *call) send(ctx context.Context) (io.Closer, error) {
	config := openai.DefaultConfig("")
	config.BaseURL, config.HTTPClient = "", c
	client := openai.NewClientWithConfig(config)
	if send := protocolOf(c.body.api).send; send != nil {
		return send(ctx, client, c.body.request)
	}
	return c.post(ctx)
}

// post makes a request that the library does not know.
func (c *call) post(ctx context.Context) (io.Closer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, pathOf(c.body.api), strings.NewReader("{}"))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	resp, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode < http.StatusBadRequest {
		return resp.Body, nil
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	return nil, &openai.RequestError{HTTPStatusCode: resp.StatusCode, Err: err, Body: said}
}

// onlyResponses are the words with which OpenAI and Azure refuse chat for a model that has only Responses.
var onlyResponses = regexp.MustCompile(`(?i)only supported in v1/responses|chatcompletion operation does not work with the specified model`)

// originOf names who can read what goes back unread: nobody but the model that said it.
func originOf(p model.Profile) string { return p.APIBase + " " + p.ID }

// packItems keeps the pieces of an answer in their order, with where they came from in front. nil is for none.
func packItems(origin string, list []json.RawMessage) json.RawMessage {
	if len(list) == 0 {
		return nil
	}
	raw, err := json.Marshal(append([]any{origin}, anys(list)...))
	if err != nil {
		return nil // it came as JSON
	}
	return raw
}

// unpackItems returns the pieces that packItems kept of an answer of the same origin; nil for any other.
func unpackItems(raw json.RawMessage, origin string) []json.RawMessage {
	var list []json.RawMessage
	var from string
	if len(raw) == 0 || json.Unmarshal(raw, &list) != nil || len(list) == 0 || json.Unmarshal(list[0], &from) != nil || from != origin {
		return nil
	}
	return list[1:]
}

// ownItems are the pieces of an answer as they came, of which those of a kind are calls. nil is for an answer of
// another model's, and for one whose calls are not those of the message: a call without a result is refused.
func ownItems(m Message, origin, kind, id string) []map[string]any {
	open := map[string]bool{}
	for _, p := range m.Parts {
		if p.Kind == PartCall {
			open[p.Call.ID] = true
		}
	}
	var out []map[string]any
	for _, raw := range unpackItems(m.Back, origin) {
		item := fieldsOf(raw)
		if item == nil {
			return nil
		}
		if field(item, "type") == kind {
			if call := field(item, id); open[call] {
				delete(open, call)
			} else {
				return nil
			}
		}
		out = append(out, item)
	}
	if len(open) > 0 {
		return nil
	}
	return out
}

// field is a field of text.
func field(item map[string]any, name string) string {
	raw, _ := item[name].(json.RawMessage)
	return scalar(raw)
}

func anys(list []json.RawMessage) []any {
	out := make([]any, len(list))
	for i, raw := range list {
		out[i] = raw
	}
	return out
}

// argumentsOf are the arguments of a call as they go back: a JSON object, since servers read them. What was
// wrong with them stands in the result.
func argumentsOf(c Call) string {
	args := strings.TrimSpace(c.Arguments)
	if !strings.HasPrefix(args, "{") || !json.Valid([]byte(args)) {
		return "{}"
	}
	return args
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// nameOf is the name of a call in the letters that names may have.
func nameOf(c Call) string {
	name := notInNames.ReplaceAllString(c.Name, "_")
	return orElse(name[:min(len(name), 64)], "unknown")
}

// idOf is the id of a call in the letters and the length that ids may have.
func idOf(c Call) string {
	if len(c.ID) <= 64 && claudeID.MatchString(c.ID) {
		return c.ID
	}
	return shortID(c.ID)
}
