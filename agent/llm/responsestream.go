package llm

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// responseEvent is one event of an answer through Responses, as far as it is read. The library's own type fails
// on any field of another kind, also on those that nobody needs.
type responseEvent struct {
	Type     openai.ResponseStreamEventType `json:"type"`
	Object   string                         `json:"object"` // "response" for a whole answer
	Index    int                            `json:"output_index"`
	Part     int                            `json:"summary_index"`
	Delta    json.RawMessage                `json:"delta"`
	Item     json.RawMessage                `json:"item"`
	Response json.RawMessage                `json:"response"`
}

// response is an answer, whole or at its end.
type response struct {
	Status     string            `json:"status"`
	Error      json.RawMessage   `json:"error"`
	Output     []json.RawMessage `json:"output"`
	Usage      *responseUsage    `json:"usage"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
}

type responseUsage struct {
	Input   int     `json:"input_tokens"`
	Output  int     `json:"output_tokens"`
	Cost    float64 `json:"cost"`
	Details struct {
		Cached int `json:"cached_tokens"`
		Write  int `json:"cache_write_tokens"`
	} `json:"input_tokens_details"`
}

// outputItem is one piece of an answer: a message, a call, or what the model thought.
type outputItem struct {
	Type      string    `json:"type"`
	CallID    string    `json:"call_id"`
	Name      string    `json:"name"`
	Arguments arguments `json:"arguments"`
	Content   []struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	} `json:"content"`
	Summary []struct {
		Text string `json:"text"`
	} `json:"summary"`
}

// items are the pieces of an answer by their place in it.
type items struct {
	done  map[int]json.RawMessage // as the server gave them at their end
	heard map[int]bool            // pieces of which text was passed on
	last  int                     // the place of the text that was passed on last

	blocks map[int]map[string]any // of an answer of Anthropic's, as they began
	texts  map[textOf][]byte      // what came for them since
}

// raw returns the pieces in their order.
func (s *items) raw() []json.RawMessage {
	var list []json.RawMessage
	for _, i := range slices.Sorted(maps.Keys(s.done)) {
		list = append(list, s.done[i])
	}
	return list
}

// takeResponse takes in an event of an answer through Responses, and gives the error that it carries.
func (a *answer) takeResponse(data []byte) *Error {
	var e responseEvent
	if err := json.Unmarshal(data, &e); err != nil {
		return a.call.unreadable(string(data), err)
	}
	switch e.Type {
	case openai.ResponseStreamEventOutputTextDelta, openai.ResponseStreamEventRefusalDelta:
		a.refusal = a.refusal || e.Type == openai.ResponseStreamEventRefusalDelta
		a.sayOf(e.Index, scalar(e.Delta))
	case openai.ResponseStreamEventReasoningSummaryTextDelta, openai.ResponseStreamEventReasoningTextDelta:
		a.thinkOf(e.Index, scalar(e.Delta))
	case openai.ResponseStreamEventReasoningSummaryPartAdded:
		if e.Part > 0 {
			a.thinkOf(e.Index, "\n\n")
		}
	case openai.ResponseStreamEventFunctionArgumentsDelta:
		if args := scalar(e.Delta); len(a.call.request.Tools) > 0 {
			a.excess = !a.calls.grow(e.Index, args)
		} else if a.unasked(args) {
			a.hear(e.Index)
		} else {
			a.sayOf(e.Index, args)
		}
	case openai.ResponseStreamEventOutputItemAdded:
		return a.takeItem(e.Index, e.Item, false)
	case openai.ResponseStreamEventOutputItemDone:
		return a.takeItem(e.Index, e.Item, true)
	case openai.ResponseStreamEventCompleted, openai.ResponseStreamEventIncomplete, openai.ResponseStreamEventFailed:
		return a.endResponse(e.Response)
	case openai.ResponseStreamEventError:
		return a.call.answered(http.StatusOK, nil, data)
	case "":
		if e.Object == "response" {
			return a.endResponse(data)
		}
		if _, failed := parseServerError(data); failed {
			return a.call.answered(http.StatusOK, nil, data)
		}
	default: // what nobody needs, or knows
	}
	return nil
}

// takeItem takes in a piece of the answer at its beginning or, whole, at its end.
func (a *answer) takeItem(index int, raw json.RawMessage, done bool) *Error {
	var item outputItem
	if err := json.Unmarshal(raw, &item); err != nil {
		return a.call.unreadable(string(raw), err)
	}
	if item.Type == "function_call" && len(a.call.request.Tools) > 0 {
		args := string(item.Arguments)
		if !done {
			args = ""
		}
		a.excess = !a.calls.settle(index, item.CallID, item.Name, args)
	}
	if !done {
		return nil
	}
	heard := a.items.heard[index]
	if a.items.done == nil {
		a.items.done = map[int]json.RawMessage{}
	}
	a.items.done[index] = raw
	for _, c := range item.Content {
		a.refusal = a.refusal || c.Refusal != ""
	}
	if heard {
		return nil // it came in pieces
	}
	switch item.Type {
	case "message":
		for _, c := range item.Content {
			a.sayOf(index, c.Text+c.Refusal)
		}
	case "reasoning":
		for i, s := range item.Summary {
			if i > 0 {
				a.thinkOf(index, "\n\n")
			}
			a.thinkOf(index, s.Text)
		}
	case "function_call":
		if args := string(item.Arguments); len(a.call.request.Tools) == 0 && !a.unasked(args) {
			a.sayOf(index, args)
		}
	}
	return nil
}

// sayOf passes on text of a piece of the answer. Two pieces do not run into one line.
func (a *answer) sayOf(index int, text string) {
	if text == "" {
		return
	}
	if a.text.Len() > 0 && a.items.last != index && !strings.HasSuffix(a.text.String(), "\n") {
		text = "\n\n" + text
	}
	a.hear(index)
	a.items.last = index
	a.split.write(text)
}

func (a *answer) thinkOf(index int, text string) {
	if text != "" {
		a.hear(index)
		a.emit(true, text)
	}
}

func (a *answer) hear(index int) {
	if a.items.heard == nil {
		a.items.heard = map[int]bool{}
	}
	a.items.heard[index] = true
}

// endResponse takes in the end of the answer, or all of it.
func (a *answer) endResponse(raw json.RawMessage) *Error {
	var r response
	if err := json.Unmarshal(raw, &r); err != nil {
		return a.call.unreadable(string(raw), err)
	}
	if said := string(r.Error); said != "" && said != "null" || r.Status == "failed" {
		body, err := json.Marshal(map[string]json.RawMessage{"error": r.Error})
		if err != nil || said == "" || said == "null" {
			body = []byte(`{"error":{"code":"server_error","message":"it gives no reason"}}`)
		}
		return a.call.answered(http.StatusOK, nil, body)
	}
	for i, item := range r.Output {
		if a.items.done[i] != nil {
			continue
		}
		if failure := a.takeItem(i, item, true); failure != nil {
			return failure
		}
	}
	if u := r.Usage; u != nil && u.Input+u.Output > 0 {
		a.usage = &usage{Prompt: u.Input, Completion: u.Output, Cost: u.Cost}
		a.usage.Details.Cached, a.usage.Details.Write = u.Details.Cached, u.Details.Write
	}
	a.over, a.finish = true, "stop"
	if r.Status == "incomplete" {
		a.finish = orElse(r.Incomplete.Reason, "incomplete")
	}
	return nil
}
