package client

// MethodInputBox is the request among our own methods, from server to client; the others stand in the ext.go of package lsp.
const MethodInputBox = "coauthor/inputBox"

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
