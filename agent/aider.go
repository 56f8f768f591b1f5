package agent

import (
	"slices"
	"strings"

	"coauthor/agent/coder"
)

// AiderCommand is what became of a command of aider. Without an Action it is not built, or is a coder's word.
type AiderCommand struct {
	Name   string // without its slash
	Action Action
	Coder  string // the coder whose word it is; "" is none
	Why    string // what is other than there, or why it is not built, in whole sentences; "" says that it does the same
}

// Built says whether the command is there.
func (c AiderCommand) Built() bool { return c.Action.ID != "" || c.Coder != "" }

// AiderCommands lists every command of aider, by name.
func AiderCommands(coders coder.Table) []AiderCommand {
	list := []AiderCommand{
		{Name: "edit", Why: "The prompt document is written in your editor already."},
		{Name: "editor", Why: "The prompt document is written in your editor already."},
		{Name: "exit", Why: "The server ends with the editor, and each command of the command line with its work."},
		{Name: "quit", Why: "The server ends with the editor, and each command of the command line with its work."},
		{Name: "multiline-mode", Why: "A prompt document has as many lines as you write."},
		{Name: "voice", Why: "A language server has no microphone; editors and systems have dictation that writes into any document."},
		{Name: "report", Why: "A server opens no pages in a browser; `doctor` shows what a report needs."},
	}
	for _, c := range coders.Offered() {
		if slices.Contains([]string{"architect", "ask", "code", "context"}, c.Name) {
			list = append(list, AiderCommand{Name: c.Name, Coder: c.Name})
		}
	}
	for _, a := range ActionsOf(coders) {
		for _, name := range a.Aider {
			list = append(list, AiderCommand{Name: name, Action: a, Why: a.Differs})
		}
	}
	slices.SortFunc(list, func(a, b AiderCommand) int { return strings.Compare(a.Name, b.Name) })
	return list
}
