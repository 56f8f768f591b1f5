package openai

import (
	"encoding/json"
	"slices"

	openai "github.com/sashabaranov/go-openai"

	"coauthor/agent/llm/wire"
)

// responseEvent is one event of an answer through Responses, as far as it is read.
type responseEvent struct {
	Type     wire.Word       `json:"type"`
	Object   wire.Word       `json:"object"` // "response" for a whole answer
	ID       wire.Mark       `json:"item_id"`
	Index    wire.Mark       `json:"output_index"`
	Part     wire.Count      `json:"summary_index"`
	Delta    wire.Prose      `json:"delta"`
	Item     json.RawMessage `json:"item"`
	Response json.RawMessage `json:"response"`
}

// response is an answer, whole or at its end.
type response struct {
	Status     wire.Word                  `json:"status"`
	Error      json.RawMessage            `json:"error"`
	Output     wire.Many[json.RawMessage] `json:"output"`
	Usage      responseUsage              `json:"usage"`
	Incomplete struct {
		Reason wire.Word `json:"reason"`
	} `json:"incomplete_details"`
}

type responseUsage struct {
	Input   wire.Count  `json:"input_tokens"`
	Output  wire.Count  `json:"output_tokens"`
	Cost    wire.Amount `json:"cost"`
	Details struct {
		Cached wire.Count `json:"cached_tokens"`
		Write  wire.Count `json:"cache_write_tokens"`
	} `json:"input_tokens_details"`
}

// outputItem is one piece of an answer: a message, a call, or what the model thought.
type outputItem struct {
	Type      wire.Word             `json:"type"`
	ID        wire.Mark             `json:"id"`
	CallID    wire.Mark             `json:"call_id"`
	Name      wire.Word             `json:"name"`
	Arguments wire.Arguments        `json:"arguments"`
	Content   json.RawMessage       `json:"content"`
	Summary   wire.Many[wire.Prose] `json:"summary"`
}

// responsesReader reads an answer through Responses.
type responsesReader struct {
	answer *wire.Answer
	items  wire.Items
}

// Take implements wire.Reader.
func (w *responsesReader) Take(data []byte, name string) error {
	a := w.answer
	var e responseEvent
	if !wire.Decode(data, &e) {
		return wire.Garbled(data)
	}
	a.Known = a.Known || len(wire.Objects(e.Response)) > 0
	at := func(kind wire.ItemKind) int { return w.items.At(kind, wire.IdOfItem(e.ID), string(e.Index)) }
	switch kind := openai.ResponseStreamEventType(wire.OrElse(string(e.Type), name)); kind {
	case openai.ResponseStreamEventOutputTextDelta, openai.ResponseStreamEventRefusalDelta:
		a.Refusal = a.Refusal || kind == openai.ResponseStreamEventRefusalDelta
		w.items.Say(a, at(wire.ItemText), e.Delta.All())
	case openai.ResponseStreamEventReasoningSummaryTextDelta, openai.ResponseStreamEventReasoningTextDelta:
		w.items.Think(a, at(wire.ItemThought), e.Delta.All())
	case openai.ResponseStreamEventReasoningSummaryPartAdded:
		if e.Part > 0 {
			w.items.Think(a, at(wire.ItemThought), "\n\n")
		}
	case openai.ResponseStreamEventFunctionArgumentsDelta:
		w.items.Grow(a, at(wire.ItemCall), e.Delta.All())
	case openai.ResponseStreamEventOutputItemAdded:
		kind, id := headOf(e.Item)
		w.takeItem(w.items.Begin(kind, id, string(e.Index)), e.Item, false)
	case openai.ResponseStreamEventOutputItemDone:
		kind, id := headOf(e.Item)
		w.takeItem(w.items.Unfinished(kind, id, string(e.Index)), e.Item, true)
	case openai.ResponseStreamEventCompleted, openai.ResponseStreamEventIncomplete, openai.ResponseStreamEventFailed:
		return w.end(e.Response, kind == openai.ResponseStreamEventFailed)
	case openai.ResponseStreamEventError:
		return wire.Refusal(data)
	case "":
		var r response
		if wire.Decode(data, &r); e.Object == "response" || len(r.Output) > 0 {
			return w.end(data, false)
		}
		if _, failed := wire.ParseServerError(data); failed {
			return wire.Refusal(data)
		}
	default: // what nobody needs, or knows
	}
	return nil
}

// headOf is of which kind a piece is, and the name of its id.
func headOf(raw json.RawMessage) (wire.ItemKind, string) {
	var item outputItem
	wire.Decode(raw, &item)
	kind := map[wire.Word]wire.ItemKind{"message": wire.ItemText, "reasoning": wire.ItemThought, "function_call": wire.ItemCall}[item.Type]
	return kind, wire.IdOfItem(item.ID)
}

// takeItem takes in a piece of the answer at its beginning or, whole, at its end.
func (w *responsesReader) takeItem(place int, raw json.RawMessage, done bool) {
	a := w.answer
	var item outputItem
	wire.Decode(raw, &item)
	if item.Type == "function_call" && len(a.Request.Tools) > 0 {
		args := string(item.Arguments)
		if !done {
			args = ""
		}
		a.Excess = !a.Calls.Settle(place, string(item.CallID), string(item.Name), args)
	}
	if !done || len(wire.Objects(raw)) == 0 {
		return
	}
	w.items.Finish(place, raw)
	var parts wire.Many[struct {
		Refusal wire.Word `json:"refusal"`
	}]
	var content []string
	if text, ok := wire.Unquoted(item.Content); ok {
		content = append(content, text)
	}
	wire.Decode(item.Content, &parts)
	for i, raw := range wire.Objects(item.Content) {
		var said wire.Prose
		said.Read(raw, wire.Deepest)
		a.Refusal = a.Refusal || parts[i].Refusal != ""
		content = append(content, said.Text+string(parts[i].Refusal))
	}
	switch {
	case item.Type == "reasoning":
		if w.items.Thought[place] {
			return // it came in pieces
		}
		for i, s := range item.Summary {
			if i > 0 {
				w.items.Think(a, place, "\n\n")
			}
			w.items.Think(a, place, s.All())
		}
	case w.items.Said[place]:
	case item.Type == "function_call":
		if args := string(item.Arguments); len(a.Request.Tools) == 0 && !a.Unasked(args) {
			w.items.Say(a, place, args)
		}
	default:
		for _, text := range content {
			w.items.Say(a, place, text)
		}
	}
}

// end takes in the end of the answer, or all of it.
func (w *responsesReader) end(raw json.RawMessage, failed bool) error {
	a := w.answer
	var r response
	wire.Decode(raw, &r)
	if _, said := wire.ReadError(r.Error); said || failed || r.Status == "failed" {
		body := slices.Concat([]byte(`{"error":`), r.Error, []byte("}"))
		if !said {
			body = []byte(`{"error":{"code":"server_error","message":"it gives no reason"}}`)
		}
		return wire.Refusal(body)
	}
	for i, item := range r.Output {
		_, id := headOf(item)
		if place, done := w.items.Ended(id, i); !done {
			w.takeItem(place, item, true)
		}
	}
	if u := r.Usage; u.Input+u.Output > 0 {
		a.Usage = &wire.Usage{Prompt: u.Input, Completion: u.Output, Cost: u.Cost}
		a.Usage.Details.Cached, a.Usage.Details.Write = u.Details.Cached, u.Details.Write
	}
	a.Over = true
	if len(wire.Objects(raw)) == 0 {
		return nil
	}
	a.Finish = "stop"
	if r.Status == "incomplete" {
		a.Finish = wire.OrElse(string(r.Incomplete.Reason), "incomplete")
	}
	return nil
}

// Back implements wire.Reader.
func (w *responsesReader) Back() json.RawMessage {
	return wire.PackItems(wire.OriginOf(w.answer.Request.Model), w.items.Raw())
}
