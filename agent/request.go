package agent

import (
	"time"

	"coauthor/agent/aicomment"
	"coauthor/agent/chosen"
	"coauthor/agent/codereview"
	"coauthor/agent/event"
	"coauthor/agent/problems"
	"coauthor/agent/prompt"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/strategy"
	"coauthor/agent/tool"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// Request is what a user asked for. Paths are relative to the root of the session.
type Request struct {
	// Instruction is the user's own text.
	Instruction string
	// Quoted is a text of others that comes along, such as what a program said: it is shown, and names no files and no pages.
	Quoted string
	// Target is the file, and within it the selection, that the user points at; nil points nowhere.
	Target *Target
	// Files are further chat files, which the model may edit.
	Files []string
	// ReadOnly are files that the model sees and may not edit.
	ReadOnly []string
	// Pictures are images and documents that are no files, such as pasted ones.
	Pictures []Picture
	// Coder names a row of the table of coders; "" is that of the followed-up turn, else of the settings.
	Coder string
	// Format names an edit format; "" leaves it to the settings and the model.
	Format string
	// Model overrides the settings for this turn.
	Model string
	// FollowUp is the id of the turn that this request goes on with; "" for a new one.
	FollowUp string
	// Diagnostics are complaints that the user wants fixed.
	Diagnostics []Diagnostic
	// Problems are what the editor's other tools say of files; the model is shown them when it asks.
	Problems []Diagnostic
	// Visible are the open files that the user sees: they are shown to the model before the other open ones.
	Visible []string
	// Goals are commands that have to pass: every reply with edits is checked by them, and what fails goes back to the model,
	// whether it failed before or not, as long as the settings let it be asked again.
	Goals []verify.Goal
	// Preview is carried to whoever shows the proposal.
	Preview string
	// Label is a short name for progress and undo; "" makes one of the instruction.
	Label string

	// Given is an answer that a model gave elsewhere: it is taken for the reply, and nobody is asked.
	Given string

	// Changes are those that a review is about; Session.Review sets them.
	Changes *codereview.Changes

	// Job leads the turn in the place of a coder; nil for a turn of a coder. Such a request needs no instruction.
	Job *Job

	// again is the turn whose request this is, once more, and on what that had gone on with; Session.Again sets them.
	again     string
	baseFiles []proposal.File

	first    string             // of the request that asks again for an edit of a job: the instruction of that
	comments []aicomment.Marked // that are to be taken out again; Session.DoComments sets them
	Quotes   bool               // the instruction holds what a program said, whose addresses are not the user's
	notes    []event.Note       // what the user should know of how the request came to be
}

// words is all that a request says in words.
func (r Request) words() string { return r.Instruction + prompt.Quoted(r.Quoted) }

func (r Request) wanted() strategy.Wanted { return strategy.Wanted{Model: r.Model, Format: r.Format} }

// Picture is an image or a document that came with a request. The extension of its name says what it is.
type Picture struct {
	Name string
	Data []byte
}

// Target is a file and a selection in it, in byte offsets; Start equal to End is the whole file.
type Target struct {
	Path       string
	Start, End int
	Version    int32
}

// Diagnostic is one complaint of an editor's other tools.
type Diagnostic = problems.Diagnostic

// Ports connect a turn with whoever started it.
type Ports struct {
	// Sink is told everything that happens; nil discards.
	Sink event.Sink
	// Ask answers questions; nil answers each with its default, which never writes and never runs.
	Ask event.Asker
	// Snapshot is what the user saw when the request came; nil takes it now.
	Snapshot *workspace.Snapshot
	// Draft is told what the turn has changed as far as the reply that comes is written, each time one of its edits is
	// whole. It stands for what was told before it, and only what is proposed counts. It is called from a goroutine of
	// the turn, which waits for it; nil wants to know nothing.
	Draft func(turn string, changes []edits.Change)
	// Editor asks the editor's other language servers; nil where there are none to ask.
	Editor tool.Editor
}

// Started tells what became of a request.
type Started struct {
	Turn    string         // id of the new turn; "" when there is none
	Status  string         // StatusStarted, StatusBusy, StatusQueued or StatusSwitched
	Busy    string         // id of the turn that runs already
	InForce chosen.InForce // what holds for the next turn, when the request only switched
}

// What Started.Status can be.
const (
	StatusStarted  = "started"
	StatusBusy     = "busy"
	StatusQueued   = "queued"
	StatusSwitched = "switched" // to another coder
)

// Result is how a turn ended.
type Result struct {
	Turn     string
	State    event.State
	Answer   string             // the last reply's prose, without its edits
	Proposal *proposal.Proposal // a copy, of several the last; nil when nothing is proposed
	// Proposals are copies of all that it proposed: one for each round that changed something where the turn
	// proposes in rounds, oldest first.
	Proposals []proposal.Proposal
	Usage     event.Usage        // of all rounds
	Err       error              // why the turn failed; says what to do
	Failures  []edits.Failure    // edits that were refused and are not in the proposal
	Findings  []verify.Finding   // what the checks still complain about
	Review    *codereview.Review // what a review found; nil for another turn
	// Then is the request that follows from the turn, which whoever started it is to start: when all of its proposal is
	// decided on and some of it was applied, or at once where it proposes nothing. A proposal that is discarded takes it
	// along. nil for none.
	Then *Request
	// HeldEdits says that the model sent edits, whatever became of them. Without any it only answered.
	HeldEdits bool
	// Reached says that the turn proposes nothing and every goal of its request passes all the same.
	Reached bool
}

// Status is what a session is doing.
type Status struct {
	Busy      bool              // an editing turn runs
	Turns     []TurnStatus      // running and queued, oldest first
	Model     string            // in force for the next turn
	Settings  settings.Settings // the same, with what was chosen over them
	LastError string
	Usage     event.Usage // of the session
	Pending   []proposal.Proposal
}

// TurnStatus describes one running or queued turn.
type TurnStatus struct {
	ID      string
	State   event.State
	Coder   string
	Label   string
	Started time.Time
}
