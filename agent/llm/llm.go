// Package llm talks to language models that speak the OpenAI chat protocol.
//
// It streams one completion at a time and knows neither prompts nor edits: package agent hands it
// messages and a model's profile and gets text, reasoning, usage and the reason why the model
// stopped. It is the only room that imports go-openai and the only one that reads an API key. The
// main types are Client, Request, Reply and Error.
package llm

import (
	"context"
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
)

// PartKind says what a part of a message holds.
type PartKind string

// The kinds of part.
const (
	PartText  PartKind = "text"
	PartImage PartKind = "image"
	PartFile  PartKind = "file"
)

// Part is a piece of a message. Text holds the content of a text part, Data that of the others.
type Part struct {
	Kind  PartKind
	Text  string
	Name  string
	MIME  string
	Data  []byte
	Cache bool // the provider may cache the prompt up to and including this part
}

// Message is one turn of the conversation.
type Message struct {
	Role  Role
	Parts []Part
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

// Tool is a function that the model is forced to call; its arguments come back as the reply's text.
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
	Tool        *Tool
	// OnRetry is told before the client waits and tries again, so that the user sees why nothing
	// comes; attempt counts from 1. nil tells nobody.
	OnRetry func(attempt int, wait time.Duration, err *Error)
}

// Delta is a piece of a reply as it arrives.
type Delta struct {
	Channel event.Channel
	Text    string
}

// Finish says why a reply ended.
type Finish string

// The reasons. FinishCut means that the stream ended without one.
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
	Finish      Finish
	Usage       event.Usage
	Notes       []string // remarks for the user about a reply that is otherwise good
}

// Client streams one completion. It calls on for every piece, from the calling goroutine, and
// returns when the reply is complete, cut off, or ctx is done. Every error is an *Error; what had
// arrived by then is in its Partial.
type Client interface {
	Stream(ctx context.Context, r Request, on func(Delta)) (Reply, error)
}
