package review

import (
	"fmt"
	"strings"

	"coauthor/agent"
	"coauthor/agent/proposal"
)

// moduleCommands are what our Neovim module calls the commands that messages name.
var moduleCommands = map[string]string{
	"showPending": "show", "apply": "apply", "discard": "discard", "undoTurn": "undo", "redoTurn": "redo",
	"cancel": "cancel", "answer": "answer", "openPrompt": "prompt", "doctor": "doctor", "fix": "fix",
}

// Words are what a message has to know of the client it is read in.
type Words struct {
	Plugin      string // what our own plug-in calls itself; "" for none
	Menu        string // how the user opens the menu of code actions; "" where that is not known
	SavesHidden bool   // the editor saves documents that are not in front
}

// How says by which keys or words the user of this client comes to a command: a message names
// nothing that does not work where it is read.
func (w Words) How(id string) string {
	if word, ok := moduleCommands[id]; ok && w.Plugin == "neovim-module" {
		return ":Coauthor " + word
	}
	for _, a := range agent.Actions() {
		if a.ID != id || len(a.CodeActions) == 0 {
			continue
		}
		if w.Menu != "" {
			return w.Menu // the titles there say the rest
		}
		title, _, _ := strings.Cut(a.CodeActions[0].Title, " (")
		return `code action "` + title + `"`
	}
	return "the command " + agent.CommandPrefix + id
}

// Outcome tells in a line what became of applying, undoing or redoing, and how to take it back.
// left is how many files are still to be decided on.
func (w Words) Outcome(out proposal.Outcome, left int) string {
	done := 0
	for _, f := range out.Files {
		if f.State == proposal.LandLanded {
			done++
		}
	}
	reason := sentence(out.Reason)
	switch out.Status {
	case proposal.StatusApplied, proposal.StatusUndone:
		saved := ", not saved yet"
		if w.SavesHidden {
			saved = "; your editor saves those that are not in front"
		}
		text := fmt.Sprintf("Applied to %s%s. Undo: %s", CountFiles(done), saved, w.How("undoTurn"))
		if out.Status == proposal.StatusUndone {
			text = fmt.Sprintf("Undid the change in %s%s. Redo: %s", CountFiles(done), saved, w.How("redoTurn"))
		}
		if left > 0 {
			text += fmt.Sprintf(". Still open: %s", CountFiles(left))
		}
		if out.Remark != "" { // it matters more than the rest, and a status line cuts its end off
			text = fmt.Sprintf("Applied to %s; %s", CountFiles(done), sentence(out.Remark))
			if out.Status == proposal.StatusUndone {
				text = fmt.Sprintf("Undid the change in %s; %s", CountFiles(done), sentence(out.Remark))
			}
		}
		if reason != "" {
			text += ". " + reason
		}
		return text
	case proposal.StatusConflict, proposal.StatusPending:
		return "Nothing was changed: " + reason
	case proposal.StatusPartial:
		if done == 0 {
			return "Done only in part: " + reason
		}
		return fmt.Sprintf("Done in %s, not in all: %s", CountFiles(done), reason)
	case proposal.StatusUnverified:
		return "Could not confirm the change: " + reason
	}
	return reason
}

// DiscardedText tells what became of discarding.
func DiscardedText(before, after *proposal.Proposal) string {
	was, _, _ := before.Open()
	left, _, _ := after.Open()
	if left == 0 {
		return fmt.Sprintf("Discarded the change in %s. Your files are as they were", CountFiles(was))
	}
	if left == was {
		return fmt.Sprintf("Discarded a part of the change. Still open: %s", CountFiles(left))
	}
	return fmt.Sprintf("Discarded the change in %s. Still open: %s", CountFiles(was-left), CountFiles(left))
}

// Newest says which of several changes a message is about, where the user named none; "" where there is no choice.
func Newest(among int, p *proposal.Proposal) string {
	if among == 0 {
		return ""
	}
	return fmt.Sprintf("The newest of %d pending changes (%s): ", among, strings.TrimRight(p.Label, "."))
}

// sentence is a reason without what would stand twice at the end.
func sentence(text string) string { return strings.TrimSuffix(strings.TrimSpace(text), ".") }

// OpenSize says how much of a proposal is still to be decided on.
func OpenSize(p *proposal.Proposal) string {
	files, added, removed := p.Open()
	return fmt.Sprintf("%s, +%d -%d", CountFiles(files), added, removed)
}

// CountFiles says how many files these are.
func CountFiles(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}
