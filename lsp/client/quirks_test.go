package client

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// A profile says which of its switches are on, by the names that users set them by.
func TestSwitchesOfAProfile(t *testing.T) {
	q := Quirks{Client: "x", Names: []string{"X"}, Menu: "m"}
	if got := q.Switches(); len(got) != 0 {
		t.Errorf("%q are on", got)
	}
	if unknown := q.Override(map[string]bool{"splitFiles": true, "watchTree": true, "onlyLF": false}); len(unknown) != 0 {
		t.Errorf("unknown %q", unknown)
	}
	if got := q.Switches(); !slices.Equal(got, []string{"splitFiles", "watchTree"}) {
		t.Errorf("%q are on", got)
	}
	if unknown := q.Override(map[string]bool{"writtenBy": true, "client": true, "menu": true, "": true}); len(unknown) != 4 || q.Client != "x" || q.WrittenBy != AnybodyWrites {
		t.Errorf("unknown %q, %+v", unknown, q)
	}
	if _, err := QuirksOf("nonsense"); err == nil || !strings.Contains(err.Error(), "nonsense") || !strings.Contains(err.Error(), "neovim") {
		t.Errorf("%v", err)
	}
	for _, c := range []struct {
		caps Capabilities
		want Writers
	}{
		{Capabilities{Name: "Neovim"}, UserWrites}, {Capabilities{Name: "a stranger"}, AnybodyWrites}, {Capabilities{Name: "helix"}, profileOf(t, "helix").WrittenBy},
		{Capabilities{FailureHandling: "textOnlyTransactional", HonorsAnnotations: true}, profileOf(t, "vscode").WrittenBy},
	} {
		if got := WritersOf(&c.caps); got != c.want {
			t.Errorf("%+v: %q", c.caps, got)
		}
	}
}

// A switch that no client needs any more goes, with the code that it serves.
func TestEverySwitchHasAClient(t *testing.T) {
	used := map[string]bool{}
	for _, name := range Profiles() {
		q := profileOf(t, name)
		for _, s := range q.Switches() {
			used[s] = true
		}
	}
	of := reflect.TypeFor[Quirks]()
	for i := range of.NumField() {
		if f := of.Field(i); f.Type.Kind() == reflect.Bool && !used[f.Tag.Get("yaml")] {
			t.Errorf("no profile sets %s", f.Tag.Get("yaml"))
		}
	}
}
