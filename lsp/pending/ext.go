package pending

import (
	"coauthor/agent/event"
	"coauthor/lsp/document"
)

// What an editor plug-in is told of changes that wait, by methods of our own: see ext.go of package lsp, which says who is
// sent them.
const (
	MethodDraft   = "coauthor/draft"        // server to client, notification
	MethodPending = "coauthor/pending"      // server to client, notification
	MethodMoved   = "coauthor/pendingMoved" // server to client, notification
)

// draftView is what a turn has changed as far as the model has written it.
type draftView struct {
	TurnID string `json:"turnId"`
	URI    string `json:"uri"` // of the root
	Files  []File `json:"files"`
}

// View is a proposal with its hunks, for editors that draw a diff themselves. It is what
// coauthor/pending carries and coauthor/getPending answers.
type View struct {
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
	Files    []File             `json:"files"`
}

// File is one file of a proposal.
type File struct {
	URI     string `json:"uri"`
	Op      string `json:"op"`              // update, create, delete or rename
	NewURI  string `json:"newUri,omitzero"` // of a rename
	Version *int32 `json:"version,omitzero"`
	Added   int    `json:"added"`          // lines of the hunks that are still open
	Removed int    `json:"removed"`        // the same
	State   string `json:"state,omitzero"` // of a file without hunks: as of a hunk
	Hunks   []Hunk `json:"hunks"`
}

// Hunk is one hunk. OldRange is in the text that the proposal was made on, in the client's
// encoding, and covers whole lines with their line breaks.
type Hunk struct {
	Number   int            `json:"number"`
	OldRange document.Range `json:"oldRange"`
	OldText  string         `json:"oldText"`
	NewText  string         `json:"newText"`
	State    string         `json:"state,omitzero"` // "" open, sent, landed or discarded
}

// TextsView are both sides of one file of a proposal: as it is now, and as applying what is undecided would leave it.
type TextsView struct {
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
	Hunks      []TextHunk `json:"hunks"` // that nothing was decided on
}

// TextHunk is a hunk with its places in both texts, which cover whole lines with their line breaks.
type TextHunk struct {
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
