package main

import (
	"strings"
	"testing"

	"coauthor/agent/settings"
)

// What is missing before a model can be asked is told of the model that is in force, as soon as it is there no more.
func TestLacks(t *testing.T) {
	w := newWiring(Streams{Env: noEnvironment(t)}, nil, nil)
	t.Cleanup(w.close)
	v, _ := w.settings("", settings.Editor{})
	if !v.Unchosen {
		t.Fatalf("somebody has chosen %s", v.Model)
	}
	lacks := func(want string) {
		t.Helper()
		if got := w.lacks(v); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s lacks %q, want %q", v.Model, got, want)
		}
	}
	lacks("OPENAI_API_KEY")
	w.user.SetSecret("OPENAI_API_KEY", "sk-x")
	lacks("")
	v.Model = "claude-sonnet-4-5"
	lacks("ANTHROPIC_API_KEY")
	v.Model = "ollama/qwen"
	lacks("")
	w.user.SetSecret("OPENAI_API_KEY", "")
	v.Model = "gpt-5"
	lacks("OPENAI_API_KEY")
}
