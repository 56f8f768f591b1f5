package command

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

// AiderCommands lists every command of aider, by name.
func AiderCommands(coders coder.Table) []AiderCommand {
	list := []AiderCommand{
		{Name: "edit", Why: "Not needed: you already write requests in your editor."},
		{Name: "editor", Why: "Not needed: you already write requests in your editor."},
		{Name: "exit", Why: "Not needed: the server exits with the editor."},
		{Name: "quit", Why: "Not needed: the server exits with the editor."},
		{Name: "multiline-mode", Why: "Not needed: an instruction can have any number of lines."},
		{Name: "voice", Why: "Not available: use your editor's or system's dictation."},
		{Name: "report", Why: "Not available: a server cannot open a browser. `/doctor` shows the details that a report needs."},
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
