package lsp

import (
	"encoding/json"
	"time"

	"coauthor/lsp/document"
)

// Our own methods, for editor plug-ins that know them. Everything works without them; the server sends one only to a client that
// announced it; how it does, and its requests, stand in client/ext.go, turns in turnview/ext.go, changes that wait in pending/ext.go,
// what is under review in hunks/ext.go. EXTENSIONS.md describes them and begins with the digest of these files.
const (
	methodGetReview     = "coauthor/getReview"     // client to server, request
	methodGetPending    = "coauthor/getPending"    // client to server, request
	methodGetTexts      = "coauthor/getTexts"      // client to server, request
	methodGetTranscript = "coauthor/getTranscript" // client to server, request
	methodDidFocus      = "coauthor/didFocus"      // client to server, notification
	methodDiagnostics   = "coauthor/diagnostics"   // client to server, notification
	methodSetTrust      = "coauthor/setTrust"      // client to server, notification
	methodSetSecret     = "coauthor/setSecret"     // client to server, notification
)

// initOptions are the fields of initializationOptions that are no settings.
type initOptions struct {
	// HasInput says that the client asks for an instruction itself before it runs coauthor.edit.
	HasInput bool `json:"hasInput"`
	// Client names the plug-in, for example "neovim-module".
	Client string `json:"client"`
	// Trusted is the editor's word on whether the user trusts the workspace; nil says nothing.
	Trusted *bool `json:"trusted"`
	// Settings are the settings; without it the options themselves are.
	Settings json.RawMessage `json:"settings"`
}

// getPendingParams selects a proposal; without fields it is the pending proposal, of several the newest.
type getPendingParams struct {
	TurnID     string `json:"turnId"`
	ProposalID string `json:"proposalId"`
	URI        string `json:"uri"`
}

// getTextsParams selects one file of a proposal, by its URI before or after the change.
type getTextsParams struct {
	TurnID     string `json:"turnId"`
	ProposalID string `json:"proposalId"`
	URI        string `json:"uri"`
}

// getTranscriptParams selects a page of the conversation of a folder.
type getTranscriptParams struct {
	URI    string `json:"uri"`
	Before int    `json:"before"` // the number of an entry, before which the page ends; 0 is the end
	Limit  int    `json:"limit"`  // the most entries; 0 is 50
}

// transcriptPage is a page of a conversation, oldest first.
type transcriptPage struct {
	URI     string            `json:"uri"` // of the root
	Entries []transcriptEntry `json:"entries"`
	More    bool              `json:"more"` // there are entries before these
}

// transcriptEntry is a request and its answer.
type transcriptEntry struct {
	Number     int       `json:"number"`
	TurnID     string    `json:"turnId"`
	At         time.Time `json:"at"`
	Request    string    `json:"request"`
	Answer     string    `json:"answer"` // without its edits
	Coder      string    `json:"coder,omitzero"`
	Model      string    `json:"model,omitzero"`
	ProposalID string    `json:"proposalId,omitzero"`
	Became     string    `json:"became,omitzero"`    // the state of its proposal, as far as that is known
	Commands   []string  `json:"commands,omitempty"` // for the shell, that the answer suggests
}

// getReviewParams selects a folder by a document in it; without one it is that of the document that was used last.
type getReviewParams struct {
	URI string `json:"uri"`
}

// didFocusParams tells which document the user is in, which the protocol never does.
type didFocusParams struct {
	URI     string          `json:"uri"`
	Range   *document.Range `json:"range"`
	Visible *[]string       `json:"visible"` // the URIs of the documents that the user sees; nil says nothing of that
}

// setTrustParams tells whether the user trusts a folder; without a URI, all folders of the client.
type setTrustParams struct {
	URI     string `json:"uri"`
	Trusted bool   `json:"trusted"`
}

// setSecretParams is a key that the client keeps for the user. Nothing of it may be logged.
type setSecretParams struct {
	Name  string `json:"name"`  // of the variable that a setting names for the key
	Value string `json:"value"` // "" forgets it
}

// diagnosticsParams are the complaints of all servers about a document: several clients give each
// server only its own.
type diagnosticsParams struct {
	URI         string                `json:"uri"`
	Diagnostics []document.Diagnostic `json:"diagnostics"`
}
