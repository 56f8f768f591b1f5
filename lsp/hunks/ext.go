package hunks

import "coauthor/lsp/document"

// MethodReview tells a client what is under review. It is a notification of the server.
const MethodReview = "coauthor/review"

// Review is what of a folder was applied at once and is to be looked at. It is what coauthor/review carries and
// coauthor/getReview answers.
type Review struct {
	URI   string `json:"uri"` // of the root
	Files []file `json:"files"`
}

// file is one file of a change. A file that several changes touched stands there once for each.
type file struct {
	URI        string `json:"uri"`             // of a deleted file, where it lay
	OldURI     string `json:"oldUri,omitzero"` // of a rename
	Op         string `json:"op"`              // update, create, delete or rename
	Version    *int32 `json:"version,omitzero"`
	TurnID     string `json:"turnId"`
	ProposalID string `json:"proposalId"`
	Label      string `json:"label,omitzero"`
	Hunks      []hunk `json:"hunks"`
}

// hunk is one hunk. Range covers whole lines with their breaks in the text as it is now, and is empty where lines were
// taken out; a deleted file has none.
type hunk struct {
	Number  int             `json:"number"` // 0 is the file itself, which was created, deleted or renamed
	Range   *document.Range `json:"range,omitzero"`
	OldText string          `json:"oldText"`
	Touched bool            `json:"touched,omitzero"` // the user has changed it since: it can be kept, and not undone
}
