package lsp

import (
	"encoding/json"
	"time"

	"coauthor/agent/event"
	"coauthor/lsp/document"
)

// Our own methods, for editor plug-ins that know them. Everything works without them; the server
// sends one only to a client that announced it; how it does, and the one request, stand in
// client/ext.go, and those about a turn in turnview/ext.go. EXTENSIONS.md describes them for authors of plug-ins
// and begins with the digest of the three files, so that none changes without it.
const (
	methodDraft         = "coauthor/draft"         // server to client, notification
	methodPending       = "coauthor/pending"       // server to client, notification
	methodMoved         = "coauthor/pendingMoved"  // server to client, notification
	methodReview        = "coauthor/review"        // server to client, notification
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

// draftView is what a turn has changed as far as the model has written it.
type draftView struct {
	TurnID string        `json:"turnId"`
	URI    string        `json:"uri"` // of the root
	Files  []pendingFile `json:"files"`
}

// pendingView is a proposal with its hunks, for editors that draw a diff themselves. It is what
// coauthor/pending carries and coauthor/getPending answers.
type pendingView struct {
	TurnID     string   `json:"turnId"`
	ProposalID string   `json:"proposalId"`
	Revision   int      `json:"revision"`
	State      string   `json:"state"`
	Label      string   `json:"label,omitzero"`
	URI        string   `json:"uri,omitzero"`       // of the diff document, where one was made
	Warnings   []string `json:"warnings,omitempty"` // what the checks say against it; show them first
	Verdict    string   `json:"verdict,omitzero"`   // what was checked, in one line: "syntax ✓, go vet ✓, 41 tests ✓, 12 s"
	// Attempts are the states that the turn came by, where there is more than one, and Attempt is the number of the one
	// that this is, from 1.
	Attempts []event.AttemptRef `json:"attempts,omitempty"`
	Attempt  int                `json:"attempt,omitzero"`
	Files    []pendingFile      `json:"files"`
}

// pendingFile is one file of a proposal.
type pendingFile struct {
	URI     string        `json:"uri"`
	Op      string        `json:"op"`              // update, create, delete or rename
	NewURI  string        `json:"newUri,omitzero"` // of a rename
	Version *int32        `json:"version,omitzero"`
	Added   int           `json:"added"`          // lines of the hunks that are still open
	Removed int           `json:"removed"`        // the same
	State   string        `json:"state,omitzero"` // of a file without hunks: as of a hunk
	Hunks   []pendingHunk `json:"hunks"`
}

// pendingHunk is one hunk. OldRange is in the text that the proposal was made on, in the client's
// encoding, and covers whole lines with their line breaks.
type pendingHunk struct {
	Number   int            `json:"number"`
	OldRange document.Range `json:"oldRange"`
	OldText  string         `json:"oldText"`
	NewText  string         `json:"newText"`
	State    string         `json:"state,omitzero"` // "" open, sent, landed or discarded
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

// textsView are both sides of one file of a proposal: as it is now, and as applying what is undecided would leave it.
type textsView struct {
	TurnID     string     `json:"turnId"`
	ProposalID string     `json:"proposalId"`
	Revision   int        `json:"revision"`
	URI        string     `json:"uri"`
	NewURI     string     `json:"newUri,omitzero"` // of a rename
	Op         string     `json:"op"`
	Version    *int32     `json:"version,omitzero"` // of the document whose text Base is; absent where none is open
	Base       *string    `json:"base"`             // null for no file
	New        *string    `json:"new"`              // null for no file
	Conflict   string     `json:"conflict,omitzero"`
	Hunks      []textHunk `json:"hunks"` // that nothing was decided on
}

// textHunk is a hunk with its places in both texts, which cover whole lines with their line breaks.
type textHunk struct {
	Number    int            `json:"number"`
	BaseRange document.Range `json:"baseRange"`
	NewRange  document.Range `json:"newRange"`
	Conflict  bool           `json:"conflict,omitzero"` // it is not in New
}

// movedParams tells that the text of a file has changed of which coauthor/getTexts gave both sides.
type movedParams struct {
	TurnID     string `json:"turnId"`
	ProposalID string `json:"proposalId"`
	Revision   int    `json:"revision"`
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
	Became     string    `json:"became,omitzero"` // the state of its proposal, as far as that is known
}

// reviewView is what of a folder was applied at once and is to be looked at. It is what coauthor/review carries and
// coauthor/getReview answers.
type reviewView struct {
	URI   string       `json:"uri"` // of the root
	Files []reviewFile `json:"files"`
}

// reviewFile is one file of a change. A file that several changes touched stands there once for each.
type reviewFile struct {
	URI        string       `json:"uri"`             // of a deleted file, where it lay
	OldURI     string       `json:"oldUri,omitzero"` // of a rename
	Op         string       `json:"op"`              // update, create, delete or rename
	Version    *int32       `json:"version,omitzero"`
	TurnID     string       `json:"turnId"`
	ProposalID string       `json:"proposalId"`
	Label      string       `json:"label,omitzero"`
	Hunks      []reviewHunk `json:"hunks"`
}

// reviewHunk is one hunk. Range covers whole lines with their breaks in the text as it is now, and is empty where lines were
// taken out; a deleted file has none.
type reviewHunk struct {
	Number  int             `json:"number"` // 0 is the file itself, which was created, deleted or renamed
	Range   *document.Range `json:"range,omitzero"`
	OldText string          `json:"oldText"`
	Touched bool            `json:"touched,omitzero"` // the user has changed it since: it can be kept, and not undone
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
