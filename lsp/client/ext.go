package client

import (
	"encoding/json"

	"go.lsp.dev/protocol"
)

// The requests among our own methods from server to client; the others stand in the ext.go of package lsp.
const (
	MethodInputBox = "coauthor/inputBox"
	MethodLookUp   = "coauthor/lookUp"
)

// Extensions is capabilities.experimental.coauthor: what the client understands.
type Extensions struct {
	InputBox    bool `json:"inputBox"`
	Pending     bool `json:"pending"`
	Stream      bool `json:"stream"`
	StreamEdits bool `json:"streamEdits"` // edits of the reply come in a channel of their own
	Draft       bool `json:"draft"`
	Turn        bool `json:"turn"`
	Progress    bool `json:"progress"` // turns have a progress item beside coauthor/turn
	Review      bool `json:"review"`
	Failures    bool `json:"failures"` // with turn: it tells itself of turns that failed
	Question    bool `json:"question"` // it shows questions until they are answered
	LookUp      bool `json:"lookUp"`   // it asks the editor's other language servers for us
}

func (e Extensions) any() bool {
	return e.InputBox || e.Pending || e.Stream || e.Draft || e.Turn || e.Review || e.Question
}

// InputBoxParams asks the user for a text.
type InputBoxParams struct {
	Prompt    string   `json:"prompt"`
	Value     string   `json:"value,omitzero"`
	Multiline bool     `json:"multiline,omitzero"`
	History   []string `json:"history,omitzero"`
}

// InputBoxResult is the answer; null instead of it, or a null value, is a cancelled box.
type InputBoxResult struct {
	Value *string `json:"value"`
}

// LookUpParams asks what the editor's other language servers know of a place, or which problems they have found.
type LookUpParams struct {
	What     string             `json:"what"` // definition, references, hover or diagnostics
	URI      string             `json:"uri,omitzero"`
	Position *protocol.Position `json:"position,omitempty"`
}

// LookUpResult is what they know; null instead of it is nothing.
type LookUpResult struct {
	Locations []Location        `json:"locations"` // of definition and references
	Text      string            `json:"text"`      // of hover
	Files     []FileDiagnostics `json:"files"`     // of diagnostics, with all files that have some
}

// Location is a place in a file. Only the line in which it begins counts, in which all encodings agree.
type Location struct {
	URI   string         `json:"uri"`
	Range protocol.Range `json:"range"`
}

// FileDiagnostics are the complaints about a file, as the client has them.
type FileDiagnostics struct {
	URI         string            `json:"uri"`
	Diagnostics []json.RawMessage `json:"diagnostics"`
}
