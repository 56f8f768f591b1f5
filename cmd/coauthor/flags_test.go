package main

import (
	"io"
	"testing"

	"github.com/alecthomas/kong"

	"coauthor/agent/coder"
	"coauthor/agent/settings"
)

// TestFlagsOfSettingsExist: the page of settings names only flags that some command takes.
func TestFlagsOfSettingsExist(t *testing.T) {
	parser := grammar(coder.All(), "", kong.Writers(io.Discard, io.Discard))
	taken := map[string]bool{}
	for _, command := range parser.Model.Children {
		for _, flag := range command.Flags {
			taken[flag.Name] = true
		}
	}
	named := 0
	for _, row := range settings.Rows() {
		if row.Flag == "" {
			continue
		}
		named++
		if !taken[row.Flag] {
			t.Errorf("setting %s: no command takes --%s", row.Name, row.Flag)
		}
	}
	if named == 0 {
		t.Error("no setting has a flag")
	}
}
