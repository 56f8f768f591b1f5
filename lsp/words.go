package lsp

import (
	"strings"

	"coauthor/agent"
)

// moduleCommands are what our Neovim module calls the commands that messages name.
var moduleCommands = map[string]string{
	"showPending": "show", "apply": "apply", "discard": "discard", "undoTurn": "undo", "redoTurn": "redo",
	"cancel": "cancel", "answer": "answer", "openPrompt": "prompt", "doctor": "doctor",
}

// how says by which keys or words the user of this client comes to a command: a message names
// nothing that does not work where it is read.
func (s *server) how(id string) string {
	if word, ok := moduleCommands[id]; ok && s.plugin == "neovim-module" {
		return ":Coauthor " + word
	}
	for _, a := range agent.Actions() {
		if a.ID != id || len(a.CodeActions) == 0 {
			continue
		}
		title, _, _ := strings.Cut(a.CodeActions[0].Title, " (")
		return s.menu() + `"` + title + `"`
	}
	return "the command " + agent.CommandPrefix + id
}

// menu says how the user opens the menu of code actions.
func (s *server) menu() string {
	if s.quirks.Menu != "" {
		return s.quirks.Menu + ", "
	}
	return "code action "
}
