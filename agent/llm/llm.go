// Package llm has the words for talking to language models: messages, tools, requests, replies and errors.
//
// A Client streams one completion at a time and knows neither prompts nor edits: package agent hands it
// messages and a model's profile and gets text, reasoning, usage and the reason why the model
// stopped. The client over the network is in agent/llm/remote, the only room that reads an API key. It speaks OpenAI's
// chat completions, which nearly every server knows, its Responses, Anthropic's Messages and Ollama's own interface, each
// of which has a folder. The main types are Client, Request, Reply and Error.
package llm

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/model"
)

// Role says who speaks in a message.
type Role string

// The roles of a message.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool" // what the tools gave, a part for each call of the message before
)

// PartKind says what a part of a message holds.
type PartKind string

// The kinds of part.
const (
	PartText   PartKind = "text"
	PartImage  PartKind = "image"
	PartFile   PartKind = "file"
	PartCall   PartKind = "call"   // of an assistant's message
	PartResult PartKind = "result" // of a tool message
)

// Part is a piece of a message. Text holds the content of a text part and of a result, Data that of an
// image or a file.
type Part struct {
	Kind  PartKind
	Text  string
	Name  string
	MIME  string
	Data  []byte
	Call  *Call // that a PartCall is, or that a PartResult answers
	Cache bool  // the provider may cache the prompt up to and including this part
}

// Call is a tool that the model wants to have run. Name and Arguments are as the model wrote them, which
// need be neither the name of a tool nor JSON.
type Call struct {
	ID        string
	Name      string
	Arguments string
	Back      json.RawMessage // what the server wants back unread with the call; nil for nothing
}

// Message is one turn of the conversation.
type Message struct {
	Role  Role
	Parts []Part
	Back  json.RawMessage // what the server wants back unread with the message; nil for nothing
}

// Text returns a message of one text part.
func Text(role Role, s string) Message {
	return Message{Role: role, Parts: []Part{{Kind: PartText, Text: s}}}
}

// String returns the text of the message's text parts, one after the other.
func (m Message) String() string {
	var b strings.Builder
	for _, p := range m.Parts {
		if p.Kind == PartText {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// ModelRole says what a call is for.
type ModelRole string

// The roles a model can have in a turn.
const (
	RoleMain   ModelRole = "main"
	RoleWeak   ModelRole = "weak"
	RoleEditor ModelRole = "editor"
)

// Results is the message that answers calls, with a text for each of them in their order. Every call of a
// reply that is sent back must be answered, and none twice.
func Results(calls []Call, texts []string) Message {
	m := Message{Role: RoleTool}
	for i, c := range calls {
		m.Parts = append(m.Parts, Part{Kind: PartResult, Call: &c, Text: texts[i]})
	}
	return m
}

// Tool is a function that the model can call.
type Tool struct {
	Name        string
	Description string
	Schema      []byte // JSON schema of the arguments
}

// Request is one call. Temperature overrides the profile's; MaxTokens 0 leaves the length to the
// server.
type Request struct {
	Model       model.Profile
	Role        ModelRole
	Messages    []Message
	MaxTokens   int
	Temperature *float64
	// Tools are offered: the model calls some of them or none, and its calls are the reply's Calls.
	Tools []Tool
	// Tool is forced: the arguments of its call are the reply's Text. It goes without Tools.
	Tool *Tool
	// OnRetry is told before the client waits and tries again, so that the user sees why nothing
	// comes; attempt counts from 1. nil tells nobody.
	OnRetry func(attempt int, wait time.Duration, err *Error)
	// Fallback answers when Model cannot be had; nil has none. OnFallback, if not nil, is told why before.
	Fallback   *model.Profile
	OnFallback func(why *Error)

	Begun bool // the last message is the beginning of the answer
}

// Delta is a piece of a reply as it arrives.
type Delta struct {
	Channel event.Channel
	Text    string
}

// Finish says why a reply ended.
type Finish string

// The reasons. FinishCut means that the stream ended without one and without its own sign of the end, or that the server
// said so.
const (
	FinishStop    Finish = "stop"
	FinishLength  Finish = "length"
	FinishCut     Finish = "cut"
	FinishRefused Finish = "refused"
)

// Reply is what the model said. Text is what counts: with a chat template that hides the opening tag
// of the thinking, pieces of it were passed on as answer before the closing tag told them apart.
type Reply struct {
	Text      string
	Reasoning string
	// OnlyThought says that the reply began with thinking and ended without leaving it. Text is that
	// thinking then: something to show, but no answer to act upon.
	OnlyThought bool
	// Calls of the tools that were offered. A reply that ended before its time has none: what was to
	// come of a call nobody knows.
	Calls  []Call
	Back   json.RawMessage // what the server wants back unread with the reply; nil for nothing
	Finish Finish
	Usage  event.Usage
	Notes  []string // remarks for the user about a reply that is otherwise good
	// Instead is the fall-back that answered; nil for the model that was asked.
	Instead *model.Profile
}

// Message is the reply as it goes back to the model.
func (r Reply) Message() Message {
	m := Message{Role: RoleAssistant, Back: r.Back}
	if strings.TrimSpace(r.Text) != "" {
		m.Parts = append(m.Parts, Part{Kind: PartText, Text: r.Text})
	}
	for _, c := range r.Calls {
		m.Parts = append(m.Parts, Part{Kind: PartCall, Call: &c})
	}
	return m
}

// Client streams one completion. It calls on for every piece, from the calling goroutine, and
// returns when the reply is complete, cut off, or ctx is done. Every error is an *Error; what had
// arrived by then is in its Partial.
type Client interface {
	Stream(ctx context.Context, r Request, on func(Delta)) (Reply, error)
}
