// Package event is the closed set of things a turn can tell, and the one port through which it asks.
//
// It is a leaf: every room may use it and it imports none of ours. It knows neither editors nor
// terminals; package lsp turns events into progress and notifications, the command line prints them
// (one JSON object a line with --json), tests record them. Start at Event and Asker.
package event

// Kind says which of an Event's fields carry its content.
type Kind string

// The closed set of kinds.
const (
	KindState    Kind = "state"    // State, and what it is about: the turn entered it
	KindDelta    Kind = "delta"    // Channel, Text: a piece of the model's reply
	KindEdit     Kind = "edit"     // Path, Op: an edit was seen in the reply, not yet applied
	KindTool     Kind = "tool"     // Op, Text, Path: the model looks around with this tool; Text says at what
	KindOutput   Kind = "output"   // Text: a line that a command wrote which checks the change; it may hold anything
	KindRound    Kind = "round"    // Round, Of, Text: a further model call begins, and why; without Of it corrects nothing
	KindUsage    Kind = "usage"    // Usage: what one model call cost
	KindNote     Kind = "note"     // Note: something the user should know
	KindProposal Kind = "proposal" // Proposal: a proposal came to be or changed its state
	KindLanded   Kind = "landed"   // Landed: a change was seen to arrive in the user's files
	KindCommit   Kind = "commit"   // Commit: the changes of a turn became a commit, or could not
	KindEnded    Kind = "ended"    // Ended: the turn is over; only its proposal's fate is told after it
)

// After says whether an event of this kind may come after the end of its turn: what the user decides on its
// proposal, and what becomes of that.
func (k Kind) After() bool { return k == KindProposal || k == KindLanded || k == KindCommit }

// State is where a turn stands.
type State string

// The states of a turn. The last four are final.
const (
	TurnQueued     State = "queued"
	TurnCollecting State = "collecting"
	TurnRequesting State = "requesting"
	TurnStreaming  State = "streaming"
	TurnVerifying  State = "verifying"
	TurnReflecting State = "reflecting"
	TurnAnswered   State = "answered"
	TurnProposed   State = "proposed"
	TurnFailed     State = "failed"
	TurnCancelled  State = "cancelled"
)

// States lists every state of a turn in its usual order.
func States() []State {
	return []State{
		TurnQueued, TurnCollecting, TurnRequesting, TurnStreaming, TurnVerifying, TurnReflecting,
		TurnAnswered, TurnProposed, TurnFailed, TurnCancelled,
	}
}

// Final reports whether a turn in this state is over.
func (s State) Final() bool {
	switch s {
	case TurnAnswered, TurnProposed, TurnFailed, TurnCancelled:
		return true
	case TurnQueued, TurnCollecting, TurnRequesting, TurnStreaming, TurnVerifying, TurnReflecting:
		return false
	}
	return false
}

// ProposalState is where a proposal stands.
type ProposalState string

// The states of a proposal.
const (
	ProposalPending    ProposalState = "pending"
	ProposalApplying   ProposalState = "applying"
	ProposalApplied    ProposalState = "applied"
	ProposalUnverified ProposalState = "unverified"
	ProposalPartial    ProposalState = "partial"
	ProposalConflict   ProposalState = "conflict"
	ProposalDiscarded  ProposalState = "discarded"
	ProposalUndone     ProposalState = "undone"
	ProposalSuperseded ProposalState = "superseded"
)

// Channel tells the model's answer from its reasoning.
type Channel string

// The channels of a reply. An answer in words may hold edits; one that holds nothing else, such as the arguments of a
// call, is in a channel of its own.
const (
	ChannelAnswer    Channel = "answer"
	ChannelReasoning Channel = "reasoning"
	ChannelEdit      Channel = "edit"
)

// Level grades a note.
type Level string

// The levels of a note.
const (
	LevelDetail  Level = "detail" // how an answer was read, for who asks for it
	LevelInfo    Level = "info"
	LevelWarning Level = "warning"
	LevelError   Level = "error"
)

// Event is one thing that happened in a turn. Only the fields that its Kind names are set.
type Event struct {
	Turn     string       `json:"turn"`
	Seq      uint64       `json:"seq"` // counts from 1 within the turn
	Kind     Kind         `json:"kind"`
	State    State        `json:"state,omitempty"`
	Channel  Channel      `json:"channel,omitempty"`
	Text     string       `json:"text,omitempty"`
	Path     string       `json:"path,omitempty"`  // slash-separated, relative to the root
	Op       string       `json:"op,omitempty"`    // create, update, rename or delete; the name of a tool
	Model    string       `json:"model,omitempty"` // of the state requesting: who is asked
	Files    int          `json:"files,omitempty"` // of the state verifying: how many files are checked; its Text is the command that runs
	Round    int          `json:"round,omitempty"`
	Of       int          `json:"of,omitempty"` // the most corrections there may be; 0 when this call is none
	Usage    *Usage       `json:"usage,omitempty"`
	Note     *Note        `json:"note,omitempty"`
	Proposal *ProposalRef `json:"proposal,omitempty"`
	Landed   *Landed      `json:"landed,omitempty"`
	Commit   *Commit      `json:"commit,omitempty"`
	Ended    *Ended       `json:"ended,omitempty"`
}

// Usage counts tokens. Prompt includes what was read from and written to the provider's cache.
type Usage struct {
	Prompt     int     `json:"prompt"`
	Completion int     `json:"completion"`
	CacheRead  int     `json:"cacheRead,omitempty"`
	CacheWrite int     `json:"cacheWrite,omitempty"`
	Estimated  bool    `json:"estimated,omitempty"` // the server sent none, or it was cut off before
	Cost       float64 `json:"cost,omitempty"`      // in US dollars; 0 is unknown or free
}

// Add returns the sum of both; it is estimated when either is.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Prompt:     u.Prompt + v.Prompt,
		Completion: u.Completion + v.Completion,
		CacheRead:  u.CacheRead + v.CacheRead,
		CacheWrite: u.CacheWrite + v.CacheWrite,
		Estimated:  u.Estimated || v.Estimated,
		Cost:       u.Cost + v.Cost,
	}
}

// Since is what was used after before.
func (u Usage) Since(before Usage) Usage {
	return Usage{
		Prompt: u.Prompt - before.Prompt, Completion: u.Completion - before.Completion,
		CacheRead: u.CacheRead - before.CacheRead, CacheWrite: u.CacheWrite - before.CacheWrite,
		Estimated: u.Estimated, Cost: u.Cost - before.Cost,
	}
}

// Note is a remark for the user that ends nothing.
type Note struct {
	Level Level  `json:"level"`
	Text  string `json:"text"`
	Shown bool   `json:"shown,omitempty"` // it is to be seen also where notes only go into a log
	Wait  *Wait  `json:"wait,omitempty"`  // the turn waits and then asks the model again
}

// Detail makes a note of how an answer was read.
func Detail(text string) Note { return Note{Level: LevelDetail, Text: text} }

// Info makes a note for who wants to know.
func Info(text string) Note { return Note{Level: LevelInfo, Text: text} }

// Warning makes a note of what may go against the user's wish.
func Warning(text string) Note { return Note{Level: LevelWarning, Text: text} }

// Wait says for how long nothing is asked, counted from its event, and why.
type Wait struct {
	Seconds float64 `json:"seconds"`
	Why     string  `json:"why"`
}

// ProposalRef names a proposal and says how large it is.
type ProposalRef struct {
	ID       string        `json:"id"`
	Revision int           `json:"revision"`
	Round    int           `json:"round,omitempty"` // of a turn that proposes after each of its rounds, from 1
	State    ProposalState `json:"state"`
	Label    string        `json:"label,omitempty"`  // one line that says what it is about
	Reason   string        `json:"reason,omitempty"` // why the last attempt to apply it did not do all
	Files    []FileRef     `json:"files,omitempty"`
	Added    int           `json:"added"`
	Removed  int           `json:"removed"`
	Warnings []string      `json:"warnings,omitempty"` // what the checks say against it
	Verdict  string        `json:"verdict,omitempty"`  // what was checked, in one line: "syntax ✓, go vet ✓, 41 tests ✓, 12 s"
	// Attempts are the states that the turn came by, oldest first, each of which can be made the content. Attempt is the
	// number of the one that is, from 1; 0 for none.
	Attempts []AttemptRef `json:"attempts,omitempty"`
	Attempt  int          `json:"attempt,omitempty"`
}

// Landed says what of a proposal is in the user's files now.
type Landed struct {
	Proposal string       `json:"proposal"`
	Revision int          `json:"revision"`
	Action   string       `json:"action"` // apply, undo or redo
	Files    []LandedFile `json:"files"`
}

// LandedFile is one file that a change has reached.
type LandedFile struct {
	Path string `json:"path"`
	Op   string `json:"op"`
	To   string `json:"to,omitempty"`
}

// Commit tells what became of the changes of a turn in git. Without a Hash nothing was committed, for the Reason.
type Commit struct {
	Hash    string   `json:"hash,omitempty"`
	Subject string   `json:"subject,omitempty"`
	Files   []string `json:"files,omitempty"`
	Notes   []string `json:"notes,omitempty"`  // what the user should know about it
	Reason  string   `json:"reason,omitempty"` // whole sentences
}

// FileRef is one file of a proposal.
type FileRef struct {
	Path    string `json:"path"`
	Op      string `json:"op"`
	To      string `json:"to,omitempty"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
	Hunks   int    `json:"hunks"`
}

// FailureRef is one refused edit.
type FailureRef struct {
	Path    string `json:"path,omitempty"`
	Reason  string `json:"reason"` // the stable code of package edits
	Message string `json:"message"`
}

// Ended closes a turn. Message is one sentence; Advice says what the user can do next.
type Ended struct {
	State    State        `json:"state"`
	Message  string       `json:"message,omitempty"`
	Advice   string       `json:"advice,omitempty"`
	Failures []FailureRef `json:"failures,omitempty"`
}

// Sink takes the events of a turn in the order of Seq, from one goroutine at a time. It must not
// block for long: the model's stream waits for it. It may not call back into its turn, and after the turn's
// end not into what decides on its proposal.
type Sink func(Event)
