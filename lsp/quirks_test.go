package lsp

import (
	"slices"
	"strings"
	"testing"
)

// A profile says which of its switches are on, by the names that users set them by.
func TestSwitchesOfAProfile(t *testing.T) {
	q := quirks{Client: "x", Names: []string{"X"}, Menu: "m"}
	if got := q.switches(); len(got) != 0 {
		t.Errorf("%q are on", got)
	}
	if unknown := q.override(map[string]bool{"splitFiles": true, "watchTree": true, "onlyLF": false}); len(unknown) != 0 {
		t.Errorf("unknown %q", unknown)
	}
	if got := q.switches(); !slices.Equal(got, []string{"splitFiles", "watchTree"}) {
		t.Errorf("%q are on", got)
	}
	if unknown := q.override(map[string]bool{"writtenBy": true, "client": true, "menu": true, "": true}); len(unknown) != 4 || q.Client != "x" || q.WrittenBy != anybodyWrites {
		t.Errorf("unknown %q, %+v", unknown, q)
	}
	if _, err := quirksOf("nonsense"); err == nil || !strings.Contains(err.Error(), "nonsense") || !strings.Contains(err.Error(), "neovim") {
		t.Errorf("%v", err)
	}
	for _, c := range []struct {
		caps clientCaps
		want writers
	}{
		{clientCaps{Name: "Neovim"}, userWrites}, {clientCaps{Name: "a stranger"}, anybodyWrites}, {clientCaps{Name: "helix"}, profileOf(t, "helix").WrittenBy},
		{clientCaps{FailureHandling: "textOnlyTransactional", HonorsAnnotations: true}, profileOf(t, "vscode").WrittenBy},
	} {
		if got := writersOf(&c.caps); got != c.want {
			t.Errorf("%+v: %q", c.caps, got)
		}
	}
}
