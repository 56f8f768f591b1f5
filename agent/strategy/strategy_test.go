package strategy

import (
	"testing"

	"coauthor/agent/coder"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/settings"
)

// Who has a role beside the main model: the one that the settings name, else the one that goes with the main model, else the
// main model itself. The models that go with that one have no say.
func TestWhichModelHasARole(t *testing.T) {
	chain := map[string]model.UserModel{
		"main":   {APIBase: "http://127.0.0.1:1", WeakModel: "weak", EditorModel: "editor", EditFormat: "diff", EditorFormat: "editor-whole"},
		"weak":   {APIBase: "http://127.0.0.1:1", WeakModel: "weaker", EditorModel: "weaker", EditFormat: "whole"},
		"editor": {APIBase: "http://127.0.0.1:1", WeakModel: "weaker", EditorModel: "weaker", EditFormat: "diff", EditorFormat: "editor-diff"},
		"alone":  {APIBase: "http://127.0.0.1:1", EditFormat: "diff"},
		"weaker": {APIBase: "http://127.0.0.1:1"},
	}
	catalog, err := model.Load(chain)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		main, weak, editor           string // of the settings
		wantWeak, wantEditor, format string // format of who writes the edits of a plan
	}{
		{"main", "", "", "weak", "editor", "editor-whole"},
		{"main", "alone", "", "alone", "editor", "editor-whole"},
		{"main", "", "alone", "weak", "alone", "editor-diff"},
		{"main", "main", "main", "main", "main", "editor-whole"},
		{"main", "weak", "editor", "weak", "editor", "editor-whole"},
		{"alone", "", "", "alone", "alone", "editor-diff"},
		{"alone", "main", "main", "main", "main", "editor-whole"},
		{"alone", "", "editor", "alone", "editor", "editor-diff"},
		{"claude-3-opus-latest", "", "", "claude-haiku-4-5", "claude-3-opus-latest", "editor-diff"},
		{"openrouter/anthropic/claude-opus-4.5", "", "", "openrouter/anthropic/claude-opus-4.5", "openrouter/anthropic/claude-opus-4.5", "editor-diff"},
		{"nobody-knows", "", "", "nobody-knows", "nobody-knows", "editor-whole"},
	} {
		set := settings.Settings{Model: x.main, WeakModel: x.weak, EditorModel: x.editor, Models: chain}
		of := func(role llm.ModelRole) Strategy {
			s, err := Choose(catalog, set, Wanted{}, coder.Coder{Role: role, Edits: true}, coder.HandOver{})
			if err != nil {
				t.Fatalf("%s: %v", x.main, err)
			}
			return s
		}
		if got := of(llm.RoleWeak).Model; got.Profile.Name != x.wantWeak || got.Role != llm.RoleWeak {
			t.Errorf("%+v: the weak model is %s", x, got.Profile.Name)
		}
		got := of(llm.RoleEditor)
		if got.Model.Profile.Name != x.wantEditor || got.Format.Name != x.format {
			t.Errorf("%+v: the editor is %s in %s", x, got.Model.Profile.Name, got.Format.Name)
		}
	}
}

// The forms of edit formats for who carries out a plan: those that have one are prefixed.
func TestTheFormatOfWhoCarriesOutAPlan(t *testing.T) {
	for format, want := range map[string]string{
		"diff": "editor-diff", "whole": "editor-whole", "diff-fenced": "editor-diff-fenced", "editor-diff": "editor-diff",
		"udiff": "udiff", "patch": "patch", "func": "func", "auto": "", "": "",
	} {
		if got := forEditor(format); got != want {
			t.Errorf("%q becomes %q, want %q", format, got, want)
		}
	}
}
