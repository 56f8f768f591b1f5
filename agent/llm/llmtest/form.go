package llmtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// form is how one interface puts a reply.
type form interface {
	begin() []any                 // the events before the reply
	think(piece string) []any     // those of a piece of thinking
	say(piece string) []any       // those of a piece of the text
	calls() []any                 // those of the calls behind it
	end(reason, usage bool) []any // those after it, with the reason of the end and the usage
	fail() any                    // the event that says that the reply failed half-way
	last() string                 // what comes after the last event
	whole() any                   // the reply in one piece
	refuse(w http.ResponseWriter, status int, code, kind, message string)
}

// forms are the interfaces by the end of their path.
var forms = map[string]func(*delivery) form{
	"/chat/completions": func(d *delivery) form { return chat{d} },
	"/messages":         func(d *delivery) form { return &messages{delivery: d} },
	"/responses":        func(d *delivery) form { return &responses{delivery: d} },
	ollamaPath:          func(d *delivery) form { return ollama{d} },
}

// request is what the server wants to know of a request, through whichever interface.
type request struct {
	Model         string `json:"model"`
	Stream        bool   `json:"stream"`
	StreamOptions *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Messages []said `json:"messages"`
	Input    []said `json:"input"`
	Tools    []struct {
		Name     string `json:"name"`
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"`
	ToolChoice json.RawMessage `json:"tool_choice"` // an object forces the tool that it names
	System     json.RawMessage `json:"system"`
}

// said is a message, or an item in its place.
type said struct {
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	Output  json.RawMessage `json:"output"`
}

// forced is the tool that has to be called, "" for none.
func (r request) forced() string {
	if len(r.Tools) == 0 || !bytes.HasPrefix(bytes.TrimSpace(r.ToolChoice), []byte("{")) {
		return ""
	}
	return orElse(r.Tools[0].Name, r.Tools[0].Function.Name)
}

// tool is the only tool that is offered, "" for none and for several.
func (r request) tool() string {
	if len(r.Tools) != 1 {
		return ""
	}
	return orElse(r.Tools[0].Name, r.Tools[0].Function.Name)
}

// messages are the messages of the request, their parts joined.
func (r request) messages() []Message {
	var list []Message
	if len(r.System) > 0 {
		list = append(list, Message{Role: "system", Content: content(r.System)})
	}
	for _, m := range append(r.Messages, r.Input...) {
		switch m.Type {
		case "function_call_output":
			list = append(list, Message{Role: "tool", Content: content(m.Output)})
		case "function_call":
			list = append(list, Message{Role: "assistant", Content: "[function_call]"})
		case "reasoning":
		default:
			list = append(list, Message{Role: m.Role, Content: content(m.Content)})
		}
	}
	return list
}

// content joins the text of a message's content, which is a string or a list of parts.
func content(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct {
		Type    string          `json:"type"`
		Text    string          `json:"text"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	var b strings.Builder
	for _, p := range parts {
		switch p.Type {
		case "text", "input_text", "output_text":
			b.WriteString(p.Text)
		case "tool_result":
			b.WriteString(content(p.Content))
		default:
			fmt.Fprintf(&b, "[%s]", p.Type)
		}
	}
	return b.String()
}

// callID is the id of a call of the reply.
func (d *delivery) callID(i int) string {
	return orElse(d.reply.Calls[i].ID, fmt.Sprintf("call_%d_%d", d.number, i+1))
}
