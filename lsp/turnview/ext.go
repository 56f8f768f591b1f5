package turnview

// What an editor plug-in is told of a turn by methods of our own: see ext.go of package lsp, which says who is sent them.
const (
	MethodTurn     = "coauthor/turn"     // server to client, notification
	MethodStream   = "coauthor/stream"   // server to client, notification
	MethodQuestion = "coauthor/question" // server to client, notification
)

// turnParams tells where a turn stands.
type turnParams struct {
	TurnID  string `json:"turnId"`
	URI     string `json:"uri,omitzero"` // of the root
	State   string `json:"state"`        // a state of a turn or of its proposal
	Label   string `json:"label,omitzero"`
	Message string `json:"message,omitzero"`
	Unready bool   `json:"unready,omitzero"` // of one that failed: a model, its key or its endpoint is missing
	Usage   *Usage `json:"usage,omitzero"`
	// Refused are the edits that a turn has ended without, at its end.
	Refused []refused `json:"refused,omitempty"`
	// Commands are those for the shell that the answer of a turn suggests, at its end.
	Commands []string `json:"commands,omitempty"`
}

// refused is an edit that was not applied.
type refused struct {
	Hunk    int    `json:"hunk"` // its number, as coauthor.askAgain takes it
	Path    string `json:"path,omitzero"`
	Message string `json:"message"`
	Askable bool   `json:"askable,omitzero"` // coauthor.askAgain may bring it
}

// questionParams is what the user is asked, or how that ended.
type questionParams struct {
	ID     string `json:"id"`
	TurnID string `json:"turnId,omitzero"`
	URI    string `json:"uri,omitzero"` // of the root
	// State is open, answered, defaulted (nobody answered) or withdrawn.
	State    string           `json:"state"`
	Text     string           `json:"text"`
	Body     string           `json:"body,omitzero"` // what Text is about, such as a script; to be read before the answer
	Choices  []questionChoice `json:"choices,omitempty"`
	FreeText bool             `json:"freeText,omitzero"` // a text of the user's own is an answer, too
	Answer   string           `json:"answer,omitzero"`   // of one that has ended, in words
}

// questionChoice is one of the answers to choose from.
type questionChoice struct {
	Choice  string `json:"choice"` // as coauthor.answer takes it
	Title   string `json:"title"`
	Default bool   `json:"default,omitzero"` // what is meant by no answer; it writes and runs nothing
}

// Usage counts tokens.
type Usage struct {
	In        int     `json:"in"`
	Out       int     `json:"out"`
	CacheRead int     `json:"cacheRead,omitzero"`
	Estimated bool    `json:"estimated,omitzero"`
	Cost      float64 `json:"cost,omitzero"` // US dollars; absent when unknown
}

// streamParams is a piece of the model's reply. Seq counts from 1 within the turn.
type streamParams struct {
	TurnID  string `json:"turnId"`
	Seq     uint64 `json:"seq"`
	Delta   string `json:"delta"`
	Channel string `json:"channel"` // answer, reasoning, or edit for a client that takes edits apart
}
