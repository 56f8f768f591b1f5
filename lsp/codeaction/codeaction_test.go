package codeaction

import (
	"slices"
	"testing"

	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/lsp/client"
)

// Each row of the table of code actions is one of a command that there is, and says all that a page says of it.
func TestProducersAreWhole(t *testing.T) {
	for _, p := range NewTable(coder.All()).rows {
		if _, known := command.ActionOf(command.Actions(), command.CommandPrefix+p.command); !known || p.title == "" || p.kind == "" || p.when == "" || p.fill == nil {
			t.Errorf("%+v", p)
		}
	}
}

// A menu has no more than it bears, and what waits for the user is never left out of it; a light bulb has only what may
// appear unasked.
func TestMenuLeavesOutTheLeast(t *testing.T) {
	table, caps := NewTable(coder.All()), &client.Capabilities{InputBox: true}
	titles := func(now *Context, automatic bool) (list []string) {
		for _, a := range table.Menu(caps, now, nil, automatic) {
			list = append(list, a.Title)
		}
		return list
	}
	idle := &Context{URI: "file:///a.go", Path: "a.go"}
	if got := titles(idle, false); len(got) != mostActions {
		t.Errorf("idle: %q", got)
	}
	if got := titles(idle, true); len(got) > 0 {
		t.Errorf("idle, unasked: %q", got)
	}
	busy := &Context{URI: "file:///a.go", Path: "a.go", Undoable: "t0", UndoLabel: "x",
		Waiting: []proposal.Proposal{{ID: "p", State: event.ProposalPending}}, Asked: []event.Question{{ID: "q", Text: "Go on?", Choices: []string{"Yes", "No"}}}}
	got := titles(busy, false)
	for _, want := range []string{"Coauthor: Yes (Go on?)", "Coauthor: No (Go on?)", "Coauthor: show pending change", "Coauthor: discard pending change", "Coauthor: undo last change (x)"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if room := table.Room(caps, busy); room >= mostActions {
		t.Errorf("room for %d beside them", room)
	}
}
