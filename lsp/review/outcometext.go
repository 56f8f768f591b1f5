package review

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"coauthor/agent/command"
	"coauthor/agent/proposal"
)

// moduleCommands are what our plug-ins for Neovim and Emacs call the commands that messages name, behind what
// moduleCalls has of each.
var moduleCommands = map[string]string{
	"showPending": "show", "apply": "apply", "discard": "discard", "undoTurn": "undo", "redoTurn": "redo",
	"cancel": "cancel", "answer": "answer", "openPrompt": "prompt", "doctor": "doctor", "fix": "fix",
}

// moduleCalls is how the commands of each plug-in begin, as the user types them.
var moduleCalls = map[string]string{"neovim-module": ":Coauthor ", "eglot-module": "M-x coauthor-", "lsp-mode-module": "M-x coauthor-"}

// actions is the table of commands, made once: messages name them all the time.
var actions = sync.OnceValue(command.Actions)

// Words are what a message has to know of the client it is read in.
type Words struct {
	Plugin      string            // what our own plug-in calls itself; "" for none
	Menu        string            // how the user opens the menu of code actions; "" where that is not known
	Titles      map[string]string // of the first code action of each command that has any, by its id
	SavesHidden bool              // the editor saves documents that are not in front
}

// How says by which keys or words the user of this client comes to a command: a message names
// nothing that does not work where it is read.
func (w Words) How(id string) string {
	if call, ok := w.module(id); ok {
		return call
	}
	if w.Plugin == "vscode-module" {
		table := actions()
		if i := slices.IndexFunc(table, func(a command.Action) bool { return a.ID == id }); i >= 0 {
			return `"Coauthor: ` + table[i].Title + `"` // as the palette lists it
		}
	}
	if title, offered := w.Titles[id]; offered {
		if w.Menu != "" {
			return w.Menu // the titles there say the rest
		}
		title, _, _ = strings.Cut(title, " (")
		return `code action "` + title + `"`
	}
	return "the command " + command.CommandPrefix + id
}

// module is how the user types a command of the plug-in; false where it has none of that name.
func (w Words) module(id string) (call string, ok bool) {
	begins, known := moduleCalls[w.Plugin]
	word, named := moduleCommands[id]
	return begins + word, known && named
}

// Outcome tells in a line what became of applying, undoing or redoing, and how to take it back.
// left is how many files are still to be decided on.
func (w Words) Outcome(out proposal.Outcome, left int) string {
	done := countPaths(out.Files, func(f proposal.FileOutcome) bool { return f.State == proposal.LandLanded })
	reason := sentence(out.Reason)
	if slices.ContainsFunc(out.Files, func(f proposal.FileOutcome) bool { return f.Unwritable }) {
		reason += ". Make it writable and try again"
	}
	switch out.Status {
	case proposal.StatusApplied, proposal.StatusUndone:
		saved := ", not saved yet"
		if w.SavesHidden {
			saved = "; your editor saves files in the background"
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
		return "No files changed: " + reason
	case proposal.StatusPartial:
		if done == 0 {
			return "Only partly done: " + reason
		}
		return fmt.Sprintf("Only %s changed: %s", CountFiles(done), reason)
	case proposal.StatusUnverified:
		return "Could not confirm the change: " + reason
	}
	return reason
}

// countPaths counts the files of some outcomes. One that was changed in two steps has an outcome for each.
func countPaths(list []proposal.FileOutcome, which func(proposal.FileOutcome) bool) int {
	paths := map[string]bool{}
	for _, f := range list {
		if which(f) {
			paths[f.Path] = true
		}
	}
	return len(paths)
}

// DiscardedText tells what became of discarding.
func DiscardedText(before, after *proposal.Proposal) string {
	left, _, _ := after.Open()
	files, whole, applied := 0, true, false
	for i := range before.Files {
		f := &before.Files[i]
		now := 0
		if later, ok := after.File(f.Path()); ok {
			now = len(later.Undecided())
		}
		for _, d := range f.Done {
			applied = applied || d == proposal.HunkLanded || d == proposal.HunkSent
		}
		if open := len(f.Undecided()); open != now {
			files++
			whole = whole && now == 0 && len(f.Hunks) <= open
		}
	}
	text := fmt.Sprintf("Discarded the change in %s. ", CountFiles(files))
	switch {
	case left == 0 && applied:
		return "Discarded the rest of the change. The applied part is kept"
	case left == 0:
		return text + "Your files are unchanged"
	case !whole:
		text = "Discarded part of the change. "
	}
	return text + "Still open: " + CountFiles(left)
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
