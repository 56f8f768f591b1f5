package llm

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"strings"
)

// kept collects the fields of an answer that we do not read and that the server wants to see again with
// the next request: signatures of thoughts, and the thoughts themselves.
type kept struct{ fields map[string]any }

// Fields of an answer's message, and of a call in it, that are read or that nobody wants back.
var (
	messageFields = map[string]bool{"role": true, "content": true, "tool_calls": true, "function_call": true,
		"refusal": true, "audio": true, "annotations": true}
	callFields = map[string]bool{"id": true, "index": true, "type": true, "function": true}
)

// takeMessage takes in a message, or a piece of one.
func (k *kept) takeMessage(raw json.RawMessage) { k.take(raw, messageFields) }

// takeCall takes in a call, or a piece of one.
func (k *kept) takeCall(raw json.RawMessage) { k.take(raw, callFields) }

func (k *kept) take(raw json.RawMessage, read map[string]bool) {
	var fields map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&fields) != nil {
		return
	}
	maps.DeleteFunc(fields, func(name string, v any) bool { return read[name] || empty(v) })
	if len(fields) == 0 {
		return
	}
	if k.fields == nil {
		k.fields = map[string]any{}
	}
	mergeInto(k.fields, fields)
}

// json returns what was kept, nil for nothing.
func (k *kept) json() json.RawMessage {
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
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// mergeInto adds later fields to earlier ones: texts of thoughts grow, lists grow by their new elements,
// and everything else has its last value.
func mergeInto(all, more map[string]any) {
	for name, v := range more {
		if empty(v) {
			continue
		}
		switch v := v.(type) {
		case string:
			if before, ok := all[name].(string); ok && grows(name) {
				all[name] = before + v
				continue
			}
		case map[string]any:
			if before, ok := all[name].(map[string]any); ok {
				mergeInto(before, v)
				continue
			}
		case []any:
			if before, ok := all[name].([]any); ok {
				all[name] = mergeList(before, v)
				continue
			}
			all[name] = mergeList(nil, v)
			continue
		}
		all[name] = v
	}
}

// grows says whether a field comes in pieces.
func grows(name string) bool {
	return name == "text" || name == "summary" || strings.Contains(name, "reasoning") || strings.Contains(name, "thinking")
}

// mergeList adds elements to a list. Those with an index go on with the one that has the same.
func mergeList(all, more []any) []any {
next:
	for _, v := range more {
		m, ok := v.(map[string]any)
		if ok && m["index"] != nil {
			for _, e := range all {
				if before, ok := e.(map[string]any); ok && reflect.DeepEqual(before["index"], m["index"]) && before["type"] == m["type"] {
					mergeInto(before, m)
					continue next
				}
			}
		}
		all = append(all, v)
	}
	return all
}
