package llm

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
)

// anthropicEvent is one event of an answer of Anthropic's, or a whole one.
type anthropicEvent struct {
	Type    string          `json:"type"`
	Index   int             `json:"index"`
	Block   json.RawMessage `json:"content_block"`
	Delta   anthropicDelta  `json:"delta"`
	Message struct {
		Usage *anthropicUsage `json:"usage"`
	} `json:"message"`
	Usage   *anthropicUsage   `json:"usage"`
	Content []json.RawMessage `json:"content"`     // of a whole answer
	Reason  string            `json:"stop_reason"` // of a whole answer
}

type anthropicDelta struct {
	Type      string `json:"type"`
	Text      string `json:"text"`
	Thinking  string `json:"thinking"`
	Signature string `json:"signature"`
	JSON      string `json:"partial_json"`
	Reason    string `json:"stop_reason"`
}

type anthropicUsage struct {
	Input    int `json:"input_tokens"`
	Output   int `json:"output_tokens"`
	Read     int `json:"cache_read_input_tokens"`
	Creation int `json:"cache_creation_input_tokens"`
}

// anthropicBlock is a piece of an answer.
type anthropicBlock struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Thinking string          `json:"thinking"`
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	Input    json.RawMessage `json:"input"`
}

// takeAnthropic takes in an event of an answer of Anthropic's, and gives the error that it carries.
func (a *answer) takeAnthropic(data []byte) *Error {
	var e anthropicEvent
	if err := json.Unmarshal(data, &e); err != nil {
		return a.call.unreadable(string(data), err)
	}
	switch e.Type {
	case "message_start":
		a.count(e.Message.Usage)
	case "content_block_start":
		return a.takeBlock(e.Index, e.Block, false)
	case "content_block_delta":
		a.growBlock(e.Index, e.Delta)
	case "message_delta":
		a.count(e.Usage)
		a.finish = orElse(e.Delta.Reason, a.finish)
	case "message_stop":
		if a.finish == "" && a.heard() > 0 {
			a.finish = "end_turn" // the sign of the end says it as well
		}
		a.over = a.finish != ""
	case "message":
		for i, raw := range e.Content {
			if failure := a.takeBlock(i, raw, true); failure != nil {
				return failure
			}
		}
		a.count(e.Usage)
		a.finish, a.over = e.Reason, e.Reason != ""
	default:
		if _, failed := parseServerError(data); failed {
			return a.call.answered(http.StatusOK, nil, data)
		}
	}
	return nil
}

// takeBlock takes in a piece of the answer at its beginning, or whole.
func (a *answer) takeBlock(index int, raw json.RawMessage, whole bool) *Error {
	var b anthropicBlock
	var fields map[string]any
	if err := json.Unmarshal(raw, &b); err != nil {
		return a.call.unreadable(string(raw), err)
	}
	if json.Unmarshal(raw, &fields) == nil && fields != nil {
		if a.items.blocks == nil {
			a.items.blocks = map[int]map[string]any{}
		}
		a.items.blocks[index] = fields
	}
	switch b.Type {
	case "text":
		a.sayOf(index, b.Text)
	case "thinking":
		a.thinkOf(index, b.Thinking)
	case "tool_use":
		args := string(b.Input)
		if !whole && args == "{}" {
			args = "" // the pieces follow
		}
		if len(a.call.request.Tools) > 0 {
			a.excess = !a.calls.settle(index, b.ID, b.Name, args)
		} else if !a.unasked(args) {
			a.sayOf(index, args)
		}
	}
	return nil
}

// growBlock adds to a piece of the answer.
func (a *answer) growBlock(index int, d anthropicDelta) {
	switch d.Type {
	case "text_delta":
		a.sayOf(index, d.Text)
		a.items.grow(index, "text", d.Text)
	case "thinking_delta":
		a.thinkOf(index, d.Thinking)
		a.items.grow(index, "thinking", d.Thinking)
	case "signature_delta":
		a.items.grow(index, "signature", d.Signature)
	case "input_json_delta":
		if len(a.call.request.Tools) > 0 {
			a.excess = !a.calls.grow(index, d.JSON)
		} else if !a.unasked(d.JSON) {
			a.sayOf(index, d.JSON)
		}
	}
}

// grow adds to a field of a piece.
func (s *items) grow(index int, field, text string) {
	block := s.blocks[index]
	if block == nil || text == "" {
		return
	}
	if s.texts == nil {
		s.texts = map[textOf][]byte{}
	}
	at := textOf{index, field}
	s.texts[at] = append(s.texts[at], text...)
}

// textOf names a field of a piece that comes in pieces itself.
type textOf struct {
	index int
	field string
}

// keptBlocks are the pieces of the answer as they go back: with the signatures of what the model thought.
func (a *answer) keptBlocks() []json.RawMessage {
	for at, text := range a.items.texts {
		before, _ := a.items.blocks[at.index][at.field].(string)
		a.items.blocks[at.index][at.field] = before + string(text)
	}
	for _, s := range a.calls.slots {
		if block := a.items.blocks[*s.index]; block != nil {
			block["input"] = json.RawMessage(argumentsOf(Call{Arguments: s.arguments.String()}))
		}
	}
	var list []json.RawMessage
	for _, i := range slices.Sorted(maps.Keys(a.items.blocks)) {
		block := a.items.blocks[i]
		if text, ok := block["text"].(string); ok && block["type"] == "text" && text == "" {
			continue // it would be refused
		}
		if raw, err := json.Marshal(block); err == nil {
			list = append(list, raw)
		}
	}
	return list
}

// count takes in what was counted: the prompt at the beginning, the answer at the end. What came from the cache
// and what went into it is counted beside the rest.
func (a *answer) count(u *anthropicUsage) {
	if u == nil {
		return
	}
	if a.usage == nil {
		a.usage = &usage{}
	}
	a.usage.Completion = max(a.usage.Completion, u.Output)
	if n := u.Input + u.Read + u.Creation; n > 0 {
		a.usage.Prompt, a.usage.CacheRead, a.usage.CacheCreation = n, u.Read, u.Creation
	}
}
