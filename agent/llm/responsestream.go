package llm

import (
	"encoding/json"
	"slices"

	openai "github.com/sashabaranov/go-openai"
)

// responseEvent is one event of an answer through Responses, as far as it is read.
type responseEvent struct {
	Type     word            `json:"type"`
	Object   word            `json:"object"` // "response" for a whole answer
	ID       mark            `json:"item_id"`
	Index    mark            `json:"output_index"`
	Part     count           `json:"summary_index"`
	Delta    prose           `json:"delta"`
	Item     json.RawMessage `json:"item"`
	Response json.RawMessage `json:"response"`
}

// response is an answer, whole or at its end.
type response struct {
	Status     word                  `json:"status"`
	Error      json.RawMessage       `json:"error"`
	Output     many[json.RawMessage] `json:"output"`
	Usage      responseUsage         `json:"usage"`
	Incomplete struct {
		Reason word `json:"reason"`
	} `json:"incomplete_details"`
}

type responseUsage struct {
	Input   count  `json:"input_tokens"`
	Output  count  `json:"output_tokens"`
	Cost    amount `json:"cost"`
	Details struct {
		Cached count `json:"cached_tokens"`
		Write  count `json:"cache_write_tokens"`
	} `json:"input_tokens_details"`
}

// outputItem is one piece of an answer: a message, a call, or what the model thought.
type outputItem struct {
	Type      word            `json:"type"`
	ID        mark            `json:"id"`
	CallID    mark            `json:"call_id"`
	Name      word            `json:"name"`
	Arguments arguments       `json:"arguments"`
	Content   json.RawMessage `json:"content"`
	Summary   many[prose]     `json:"summary"`
}

// responsesReader reads an answer through Responses.
type responsesReader struct {
	answer *answer
	items  items
}

// Take implements reader.
func (w *responsesReader) Take(data []byte, name string) error {
	a := w.answer
	var e responseEvent
	if !decode(data, &e) {
		return garbled(data)
	}
	a.known = a.known || len(objects(e.Response)) > 0
	at := func(kind itemKind) int { return w.items.at(kind, idOfItem(e.ID), string(e.Index)) }
	switch kind := openai.ResponseStreamEventType(orElse(string(e.Type), name)); kind {
	case openai.ResponseStreamEventOutputTextDelta, openai.ResponseStreamEventRefusalDelta:
		a.refusal = a.refusal || kind == openai.ResponseStreamEventRefusalDelta
		w.items.say(a, at(itemText), e.Delta.all())
	case openai.ResponseStreamEventReasoningSummaryTextDelta, openai.ResponseStreamEventReasoningTextDelta:
		w.items.think(a, at(itemThought), e.Delta.all())
	case openai.ResponseStreamEventReasoningSummaryPartAdded:
		if e.Part > 0 {
			w.items.think(a, at(itemThought), "\n\n")
		}
	case openai.ResponseStreamEventFunctionArgumentsDelta:
		w.items.grow(a, at(itemCall), e.Delta.all())
	case openai.ResponseStreamEventOutputItemAdded:
		kind, id := headOf(e.Item)
		w.takeItem(w.items.begin(kind, id, string(e.Index)), e.Item, false)
	case openai.ResponseStreamEventOutputItemDone:
		kind, id := headOf(e.Item)
		w.takeItem(w.items.unfinished(kind, id, string(e.Index)), e.Item, true)
	case openai.ResponseStreamEventCompleted, openai.ResponseStreamEventIncomplete, openai.ResponseStreamEventFailed:
		return w.end(e.Response, kind == openai.ResponseStreamEventFailed)
	case openai.ResponseStreamEventError:
		return refusal(data)
	case "":
		var r response
		if decode(data, &r); e.Object == "response" || len(r.Output) > 0 {
			return w.end(data, false)
		}
		if _, failed := parseServerError(data); failed {
			return refusal(data)
		}
	default: // what nobody needs, or knows
	}
	return nil
}

// headOf is of which kind a piece is, and the name of its id.
func headOf(raw json.RawMessage) (itemKind, string) {
	var item outputItem
	decode(raw, &item)
	kind := map[word]itemKind{"message": itemText, "reasoning": itemThought, "function_call": itemCall}[item.Type]
	return kind, idOfItem(item.ID)
}

// takeItem takes in a piece of the answer at its beginning or, whole, at its end.
func (w *responsesReader) takeItem(place int, raw json.RawMessage, done bool) {
	a := w.answer
	var item outputItem
	decode(raw, &item)
	if item.Type == "function_call" && len(a.request.Tools) > 0 {
		args := string(item.Arguments)
		if !done {
			args = ""
		}
		a.excess = !a.calls.settle(place, string(item.CallID), string(item.Name), args)
	}
	if !done || len(objects(raw)) == 0 {
		return
	}
	w.items.finish(place, raw)
	var parts many[struct {
		Refusal word `json:"refusal"`
	}]
	var content []string
	if text, ok := unquoted(item.Content); ok {
		content = append(content, text)
	}
	decode(item.Content, &parts)
	for i, raw := range objects(item.Content) {
		var said prose
		said.read(raw, deepest)
		a.refusal = a.refusal || parts[i].Refusal != ""
		content = append(content, said.Text+string(parts[i].Refusal))
	}
	switch {
	case item.Type == "reasoning":
		if w.items.thought[place] {
			return // it came in pieces
		}
		for i, s := range item.Summary {
			if i > 0 {
				w.items.think(a, place, "\n\n")
			}
			w.items.think(a, place, s.all())
		}
	case w.items.said[place]:
	case item.Type == "function_call":
		if args := string(item.Arguments); len(a.request.Tools) == 0 && !a.unasked(args) {
			w.items.say(a, place, args)
		}
	default:
		for _, text := range content {
			w.items.say(a, place, text)
		}
	}
}

// end takes in the end of the answer, or all of it.
func (w *responsesReader) end(raw json.RawMessage, failed bool) error {
	a := w.answer
	var r response
	decode(raw, &r)
	if _, said := readError(r.Error); said || failed || r.Status == "failed" {
		body := slices.Concat([]byte(`{"error":`), r.Error, []byte("}"))
		if !said {
			body = []byte(`{"error":{"code":"server_error","message":"it gives no reason"}}`)
		}
		return refusal(body)
	}
	for i, item := range r.Output {
		_, id := headOf(item)
		if place, done := w.items.ended(id, i); !done {
			w.takeItem(place, item, true)
		}
	}
	if u := r.Usage; u.Input+u.Output > 0 {
		a.usage = &usage{Prompt: u.Input, Completion: u.Output, Cost: u.Cost}
		a.usage.Details.Cached, a.usage.Details.Write = u.Details.Cached, u.Details.Write
	}
	a.over = true
	if len(objects(raw)) == 0 {
		return nil
	}
	a.finish = "stop"
	if r.Status == "incomplete" {
		a.finish = orElse(string(r.Incomplete.Reason), "incomplete")
	}
	return nil
}

// Back implements reader.
func (w *responsesReader) Back() json.RawMessage {
	return packItems(originOf(w.answer.request.Model), w.items.raw())
}
