package wire

import (
	"encoding/json"
	"strings"
)

// Kept collects the fields of an answer that we do not read and that the server wants to see again with
// the next request: signatures of thoughts, and the thoughts themselves.
type Kept struct {
	fields fieldsKept
	Size   int // of what was taken in
}

// Fields of an answer's message, and of a call in it, that are read or that nobody wants back.
var (
	messageFields = map[string]bool{"role": true, "content": true, "tool_calls": true, "function_call": true,
		"refusal": true, "audio": true, "annotations": true}
	callFields = map[string]bool{"id": true, "index": true, "type": true, "function": true}
)

// TakeMessage takes in a message, or a piece of one.
func (k *Kept) TakeMessage(raw json.RawMessage) { k.take(raw, messageFields) }

// takeCall takes in a call, or a piece of one.
func (k *Kept) takeCall(raw json.RawMessage) { k.take(raw, callFields) }

func (k *Kept) take(raw json.RawMessage, read map[string]bool) {
	var fields map[string]json.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &fields) != nil {
		return
	}
	for name, raw := range fields {
		if read[name] || empty(raw) {
			continue
		}
		if k.fields == nil {
			k.fields = fieldsKept{}
		}
		k.Size += len(name) + len(raw)
		k.fields.take(name, raw, Deepest)
	}
}

// Json returns what was kept, nil for nothing.
func (k *Kept) Json() json.RawMessage {
	if len(k.fields) == 0 {
		return nil
	}
	raw, err := json.Marshal(k.fields)
	if err != nil {
		return nil // it came as JSON
	}
	return raw
}

// empty says that a value takes nothing away from what came before.
func empty(raw json.RawMessage) bool {
	switch string(raw) {
	case "null", `""`, "[]", "{}":
		return true
	}
	return false
}

// fieldsKept are the fields of an object: texts of thoughts grow, lists grow by their new elements, and everything
// else has its last value. What has come of a field is never copied for a later piece of it.
type fieldsKept map[string]any

// take adds a later value of a field. depth is how far the objects in it are put together.
func (f fieldsKept) take(name string, raw json.RawMessage, depth int) {
	switch {
	case empty(raw):
	case depth == 0:
		f[name] = raw
	case raw[0] == '"':
		s, _ := Unquoted(raw)
		text, ok := f[name].(*textKept)
		if !ok || !grows(name) {
			text = &textKept{}
			f[name] = text
		}
		text.b = append(text.b, s...)
	case raw[0] == '{':
		var fields map[string]json.RawMessage
		if json.Unmarshal(raw, &fields) != nil {
			return
		}
		inner, ok := f[name].(fieldsKept)
		if !ok {
			inner = fieldsKept{}
			f[name] = inner
		}
		for name, raw := range fields {
			inner.take(name, raw, depth-1)
		}
	case raw[0] == '[':
		list, ok := f[name].(*listKept)
		if !ok {
			list = &listKept{at: map[string]fieldsKept{}}
			f[name] = list
		}
		list.take(raw, depth)
	default:
		f[name] = raw
	}
}

// grows says whether a field comes in pieces.
func grows(name string) bool {
	return name == "text" || name == "summary" || strings.Contains(name, "reasoning") || strings.Contains(name, "thinking")
}

// textKept is a text that may grow.
type textKept struct{ b []byte }

// MarshalJSON implements json.Marshaler.
func (t *textKept) MarshalJSON() ([]byte, error) { return json.Marshal(Joined(string(t.b))) }

// listKept is a list that grows. Elements with an index go on with the one that has the same.
type listKept struct {
	items []any
	at    map[string]fieldsKept // by index and type
}

// MarshalJSON implements json.Marshaler.
func (l *listKept) MarshalJSON() ([]byte, error) { return json.Marshal(l.items) }

func (l *listKept) take(raw json.RawMessage, depth int) {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return
	}
	for _, raw := range items {
		var fields map[string]json.RawMessage
		if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &fields) != nil {
			l.items = append(l.items, raw)
			continue
		}
		key := ""
		if index := fields["index"]; index != nil && !empty(index) {
			key = string(index) + " " + string(fields["type"])
		}
		item := l.at[key]
		if item == nil {
			item = fieldsKept{}
			l.items = append(l.items, item)
			if key != "" {
				l.at[key] = item
			}
		}
		for name, raw := range fields {
			item.take(name, raw, depth-1)
		}
	}
}
