package proposal

import (
	"context"

	"coauthor/agent/event"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// Delivery is the way to the user's files: package lsp implements it with workspace/applyEdit, the
// command line with the one door to the disk.
type Delivery interface {
	// Current returns what the user has now.
	Current() *workspace.Snapshot
	// Deliver carries out the plan in the given order and says what became of each step. A step
	// without an answer counts as Unknown, so an implementation that stops early answers Absent for
	// what it never sent. The error is for what concerns the whole plan.
	Deliver(ctx context.Context, label string, plan []Step) ([]Landed, error)
}

// Step is one file of a plan. Its change is computed on what the user has now.
type Step struct {
	Change  edits.Change
	Hunks   []edits.Hunk // of Change
	Open    bool         // the file was an open document when the plan was made
	Version int32        // of the open document
	Hash    string       // of the text that Change was computed on
	// Encoding is how the file is written on disk, or was before an earlier delivery deleted it; "" when that is not known.
	Encoding workspace.Encoding
	Consent  bool // the user must consent to this file by name before it is touched
}

// LandState says what became of a step.
type LandState string

// The states. Unknown is honest: many editors tell only with the user's next key what they did.
const (
	LandLanded  LandState = "landed"  // the file reads as it was meant to
	LandAbsent  LandState = "absent"  // nothing of it is there
	LandDiffers LandState = "differs" // something is there, but not what was meant
	LandUnknown LandState = "unknown" // it was sent and nothing was seen yet
	LandRefused LandState = "refused" // the editor, the user or the door said no
)

// Landed is the answer to a step.
type Landed struct {
	Path   string // of the step's change
	State  LandState
	Reason string
	// Text is what the file reads now where an editor wrote the planned text in its own way (line
	// ends, a last newline); nil means as planned. Only for LandLanded.
	Text *string
	// Stale says that the file moved on after the plan was made, so that it was not sent or was
	// dropped: the Store plans it again. Only for LandAbsent.
	Stale bool
	// Remark is what the user must know although the step landed. Only for LandLanded.
	Remark string
	// Awaited says that the editor will still tell, so that until then the user can decide on it again:
	// see Sent.Told. Only for LandUnknown, and for LandDiffers where a file was moved and not edited.
	Awaited bool
	// Unwritable says that this is a file for which the disk is at fault. Others of the plan may land without it. Only for
	// LandAbsent.
	Unwritable bool
}

// Outcome says what came of applying, undoing or redoing.
type Outcome struct {
	Turn, Proposal string
	Status         Status
	Reason         string // one sentence when something was refused
	Remark         string // what the user must know although it was done
	// Meant is what was to be applied; it names the proposal and its revision.
	Meant Selector
	// Among is how many proposals were pending where none was named and the newest was meant; else 0.
	Among int
	// Awaited says that all that is unverified may still be told: there is nothing for the user to do.
	Awaited bool
	Files   []FileOutcome
}

// Status sums an outcome up.
type Status string

// The statuses. StatusPending means that nothing was changed and the proposal still waits.
const (
	StatusApplied    Status = Status(event.ProposalApplied)
	StatusPartial    Status = Status(event.ProposalPartial)
	StatusConflict   Status = Status(event.ProposalConflict)
	StatusUnverified Status = Status(event.ProposalUnverified)
	StatusUndone     Status = Status(event.ProposalUndone)
	StatusPending    Status = Status(event.ProposalPending)
)

// FileOutcome is what came of one file.
type FileOutcome struct {
	Path           string
	Op             edits.Op
	To             string
	State          LandState
	Reason         string
	Remark         string // see Landed
	Unwritable     bool   // see Landed
	Added, Removed int
}
