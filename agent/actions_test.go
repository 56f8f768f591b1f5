package agent_test

import (
	"strings"
	"testing"

	"coauthor/agent/command"
)

// The commands that the product promises.
func TestActionsNameEveryCommand(t *testing.T) {
	seen := map[string]command.Action{}
	for _, a := range command.Actions() {
		if _, twice := seen[a.ID]; twice {
			t.Errorf("%s stands in the table twice", a.ID)
		}
		seen[a.ID] = a
		if a.Title == "" || a.Doc == "" || a.Result == "" || a.Command() != "coauthor."+a.ID {
			t.Errorf("%s is not described", a.ID)
		}
		for _, arg := range a.Args {
			if arg.Name == "" || arg.Type == "" || arg.Doc == "" {
				t.Errorf("%s: argument %+v is not described", a.ID, arg)
			}
		}
	}
	for _, id := range strings.Fields("edit ask apply discard showPending undoTurn redoTurn cancel status answer followUp openPrompt runPrompt doctor") {
		if _, ok := seen[id]; !ok {
			t.Errorf("the command %s is missing", id)
		}
	}
}
