package strategy

import (
	"errors"
	"strings"
	"testing"

	"coauthor/agent/coder"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/settings"
)

// A model that nobody knows may be one whose name is written wrongly; elsewhere its name is not ours to judge.
func TestMeantModels(t *testing.T) {
	catalog, err := model.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	missing := &llm.Error{Kind: llm.NotFound, Message: "It is not there.", Advice: "Look."}
	nowhere := &llm.Error{Kind: llm.BadRequest, Message: "No endpoint.", Advice: "Look."}
	mine := settings.Settings{Models: map[string]model.UserModel{"team-coder": {APIBase: "http://127.0.0.1:1"}}}
	for _, c := range []struct {
		what, name string
		err        error
		set        settings.Settings
		want       string
	}{
		{"at its provider", "claude-sonet-4-5", missing, settings.Settings{}, "claude-sonnet-4-5"},
		{"nowhere", "sonet", nowhere, settings.Settings{}, "sonnet"},
		{"an entry of the user's", "team-codre", nowhere, mine, "team-coder"},
		{"like no other", "llama-of-my-own", nowhere, settings.Settings{}, ""},
		{"the user's own server", "sonet", missing, settings.Settings{APIBase: "http://127.0.0.1:1"}, ""},
		{"the environment's server", "sonet", missing, settings.Settings{EnvBase: "http://127.0.0.1:1"}, ""},
		{"refused for something else", "claude-sonet-4-5", &llm.Error{Kind: llm.Auth, Advice: "Look."}, settings.Settings{}, ""},
		{"no error of a call", "sonet", errors.New("Look."), settings.Settings{}, ""},
	} {
		got := SuggestModel(c.err, c.name, c.set, catalog)
		if has := strings.Contains(got.Error(), "Did you mean"); has != (c.want != "") || !strings.Contains(got.Error(), c.want) || !strings.Contains(got.Error(), "Look.") {
			t.Errorf("%s: %v", c.what, got)
		}
	}
	if missing.Advice != "Look." {
		t.Error("the error itself was changed")
	}
}

// What is missing in the set-up is told from what merely went wrong.
func TestMissingSetup(t *testing.T) {
	catalog, err := model.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, none := Choose(catalog, settings.Settings{}, Wanted{}, coder.Coder{}, coder.HandOver{})
	for _, c := range []struct {
		err  error
		want MissingSetup
	}{
		{none, MissingSetup{Text: "No model is configured."}},
		{&llm.Error{Kind: llm.NoKey, Message: "No key."}, MissingSetup{"No key.", true}},
		{&llm.Error{Kind: llm.NotFound, Message: "No such model."}, MissingSetup{"No such model.", false}},
		{&llm.Error{Kind: llm.BadRequest, Message: "Too long."}, MissingSetup{}},
		{errors.New("something else"), MissingSetup{}},
	} {
		if got := Missing(c.err); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.err, got, c.want)
		}
	}
}
