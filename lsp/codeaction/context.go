package codeaction

import (
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/custom"
	"coauthor/agent/event"
	"coauthor/agent/mention"
	"coauthor/agent/problems"
	"coauthor/agent/proposal"
	"coauthor/lsp/annotate"
	"coauthor/lsp/document"
	"coauthor/lsp/review"
)

// MostCustom is how many of the user's own commands a menu has; of more the last is the way to all of them.
const MostCustom = 4

// AtOnce is how many things of a kind are offered: a menu should fit the screen.
const AtOnce = 3

// MostProblems is how many diagnostics one code action is about.
const MostProblems = 50

// Context is what the code actions of one request depend on, as it was when the request came.
type Context struct {
	URI       string         // of the document, as the client spells it
	Version   int32          // of the document
	Path      string         // relative to the folder; "" for what is no file of it
	Range     protocol.Range // that the client asks about
	Selection bool           // it is a selection

	Running     *agent.TurnStatus     // the oldest
	Waiting     []proposal.Proposal   // the newest first
	Part        *Part                 // of one of waiting, that the place is about; nil for none
	Asked       []event.Question      // what the user is asked, the oldest first
	Suggested   []string              // commands for the shell that the last answer suggests
	Custom      []custom.Command      // the user's own commands
	Regenerable string                // the proposal among waiting that is of the last request; "" for none
	Roomy       bool                  // the menu has room for a second way to regenerate it
	Undoable    string                // the applied turn that touched this document last
	Redoable    string                // the undone turn that touched this document last
	UndoLabel   string                // what that was asked for
	RedoLabel   string                // the same
	Problems    problems.Found        // on the lines that the last applied turn changed
	Complained  []document.Diagnostic // that other servers have about the place, the worst first
	Prose       string                // what is selected says so; "" where that is no prose
	Unready     string                // what is missing in the set-up; "" for nothing that is known
	Prompt      bool                  // the document is a prompt document
	Comment     mention.AIKind        // what a marked comment there wants; "" for none
	Marked      bool                  // a review shows something in this document
	Refused     []annotate.Rejected   // that are marked in this place
	Hunks       []annotate.Hunk       // under review, in this place or deleted
	Reviewed    string                // how much is under review; "" for nothing
	Elsewhere   bool                  // some of it can be gone to
	Ours        bool                  // it is one of those that the server writes for the user to look at
	Now         time.Time
	FileURI     func(path string) string // names a file of the folder as the client does
}

// Part is what a place is about of a proposal that waits, and what can be offered of it: in the document with its diff the
// file or the hunk on the line, in a file of the user's the hunks that would change something there. Each can be decided
// on by itself.
type Part struct {
	review.Part
	of           proposal.Proposal
	hunks, files bool // the hunks, or the files, can be decided on without the rest
}

// partOf says what can be offered of a part; nil is nothing. In the diff that is all but what "apply pending change" means
// as well; elsewhere the file stands for its only hunk.
func partOf(p proposal.Proposal, find func() (review.Part, bool), inDiff bool) *Part {
	part, ok := find()
	if !ok {
		return nil
	}
	files, units := 0, 0
	for i := range p.Files {
		if n := len(p.Files[i].Undecided()); n > 0 {
			files, units = files+1, units+n
		}
	}
	one := &Part{Part: part, of: p, hunks: len(part.Hunks) > 0 && units > len(part.Hunks), files: files > len(part.Files)}
	if !one.hunks && !one.files {
		return nil
	}
	if f, found := p.File(part.Files[0]); found && !inDiff && len(f.Undecided()) == len(part.Hunks) {
		one.hunks = false
	}
	return one
}
