package agent_test

import (
	"strings"
	"testing"

	"coauthor/agent/command"
)

// A request for a change is one command, which still goes by its earlier name.
func TestOneCommandChangesCode(t *testing.T) {
	for _, name := range []string{"coauthor.edit", "coauthor.code"} {
		if a, ok := command.ActionOf(command.Actions(), name); !ok || a.ID != "edit" {
			t.Errorf("%s is %q", name, a.ID)
		}
	}
	seen := map[string]string{}
	for _, a := range command.Actions() {
		if other, twice := seen[a.Title]; twice {
			t.Errorf("%s and %s are both called %s", other, a.ID, a.Title)
		}
		seen[a.Title] = a.ID
	}
}

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
