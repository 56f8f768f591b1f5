package wire

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"coauthor/agent/llm"
	"coauthor/agent/model"
)

// Nothing stands where a server refuses an empty text.
const Nothing = "(nothing)"

// PlainID are the letters that every server takes in the id of a call.
var PlainID = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// OriginOf names who can read what goes back unread: nobody but the model that said it.
func OriginOf(p model.Profile) string { return p.APIBase + " " + p.ID }

// PackItems keeps the pieces of an answer in their order, with where they came from in front. nil is for none.
func PackItems(origin string, list []json.RawMessage) json.RawMessage {
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

// OwnItems are the pieces of an answer as they came, of which those of a kind are calls. nil is for an answer of
// another model's, and for one whose calls are not those of the message: a call without a result is refused.
func OwnItems(m llm.Message, origin, kind, id string) []map[string]any {
	open := map[string]bool{}
	for _, p := range m.Parts {
		if p.Kind == llm.PartCall {
			open[p.Call.ID] = true
		}
	}
	var out []map[string]any
	for _, raw := range unpackItems(m.Back, origin) {
		item := FieldsOf(raw)
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

// ArgumentsOf are the arguments of a call as they go back: a JSON object, since servers read them. What was
// wrong with them stands in the result.
func ArgumentsOf(c llm.Call) string {
	args := strings.TrimSpace(c.Arguments)
	if !strings.HasPrefix(args, "{") || !json.Valid([]byte(args)) {
		return "{}"
	}
	return args
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// NameOf is the name of a call in the letters that names may have.
func NameOf(c llm.Call) string {
	name := notInNames.ReplaceAllString(c.Name, "_")
	return OrElse(name[:min(len(name), 64)], "unknown")
}

// IdOf is the id of a call in the letters and the length that ids may have.
func IdOf(c llm.Call) string {
	if len(c.ID) <= 64 && PlainID.MatchString(c.ID) {
		return c.ID
	}
	return ShortID(c.ID)
}

// ShortID makes an id that every server takes, another one for another id.
func ShortID(id string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(id)))[:9] }

// FieldsOf reads what a server wants back.
func FieldsOf(raw json.RawMessage) map[string]any {
	fields := map[string]json.RawMessage{}
	if len(raw) == 0 || json.Unmarshal(raw, &fields) != nil {
		return nil // the kind of interface that it came by was another one
	}
	out := make(map[string]any, len(fields))
	for name, v := range fields {
		out[name] = v
	}
	return out
}

// DataURL is a file as a URL.
func DataURL(p llm.Part) string {
	return "data:" + OrElse(p.MIME, "application/octet-stream") + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
}

// ResultOf is the text of a result, which is never empty.
func ResultOf(p llm.Part) string {
	if strings.TrimSpace(p.Text) == "" {
		return Nothing
	}
	return p.Text
}
