package settings

import (
	"testing"

	"coauthor/agent/model"
)

// TestAliases: a short name of the user's is whatever stands behind it, with what they wrote of that.
func TestAliases(t *testing.T) {
	const user = `
models:
  fast: {model: gemini-2.5-flash}
  home: {model: ollama/qwen3-coder}
  big: {model: sonnet}
  work: {model: mine}
  haiku: {model: claude-opus-4-5}
  own: {model: mine, apiBase: 'https://own.example/v1'}
  mine: {model: gpt-4o, apiBase: 'https://mine.example/v1', apiKeyEnv: MINE, headers: {X-Team: a}}
  taken: {model: gpt-4.1}
  gemini-2.5-flash: {contextWindow: 5000}
`
	s, ws := Load(LoadOptions{UserFile: []byte(user)})
	if len(ws) > 0 {
		t.Fatal(ws)
	}
	c, err := model.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		id, base, key string
		window        int
	}{
		"fast":  {"gemini-2.5-flash", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY", 5000},
		"home":  {"qwen3-coder", "http://127.0.0.1:11434/v1", "", 0},
		"big":   {"claude-sonnet-4-5", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", 200_000},
		"work":  {"gpt-4o", "https://mine.example/v1", "MINE", 128_000},
		"mine":  {"gpt-4o", "https://mine.example/v1", "MINE", 128_000},
		"taken": {"gpt-4.1", "https://api.openai.com/v1", "OPENAI_API_KEY", 1_047_576},
		"haiku": {"claude-opus-4-5", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", 200_000},
	} {
		p := s.Profile(c, name)
		if p.Name != name || p.ID != want.id || p.APIBase != want.base || p.APIKeyEnv != want.key || p.ContextWindow != want.window {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if p := s.Profile(c, "work"); p.Headers["X-Team"] != "a" {
		t.Errorf("the headers of the model behind it: %v", p.Headers)
	}
	if p := s.Profile(c, "own"); p.ID != "mine" || p.APIBase != "https://own.example/v1" {
		t.Errorf("an entry that says more than a name has another's endpoint: %+v", p)
	}
	for _, text := range []string{"{a: {model: b}, b: {model: a}}", "{a: {model: a}}"} {
		if s, ws := Load(LoadOptions{UserFile: []byte("models: " + text)}); len(ws) > 0 || s.Profile(c, "a").ID != "a" {
			t.Errorf("%s: %+v, %v", text, s.Profile(c, "a"), ws)
		}
	}
}

// TestAnAddressInTheEnvironment: Azure's variable holds the address of the user's resource, and nothing of a
// workspace can stand in for it.
func TestAnAddressInTheEnvironment(t *testing.T) {
	c, err := model.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	env := func(n string) string {
		return map[string]string{"AZURE_OPENAI_ENDPOINT": "https://me.openai.azure.com/"}[n]
	}
	s, _ := Load(LoadOptions{Env: env, UserFile: []byte("model: azure/dep")})
	if p := s.Profile(c, ""); p.APIBase != "https://me.openai.azure.com/openai/v1" || p.APIKeyEnv != "AZURE_OPENAI_API_KEY" || p.ID != "dep" {
		t.Errorf("%+v", p)
	}
	s, _ = Load(LoadOptions{UserFile: []byte("model: azure/dep")})
	if p := s.Profile(c, ""); p.APIBase != "" {
		t.Errorf("without the variable: %s", p.APIBase)
	}
	s, _ = Load(LoadOptions{Env: env, UserFile: []byte("model: azure/dep\napiBase: https://proxy.example/v1\napiKeyEnv: PROXY")})
	if p := s.Profile(c, ""); p.APIBase != "https://proxy.example/v1" || p.APIKeyEnv != "PROXY" || p.ID != "dep" {
		t.Errorf("%+v", p)
	}
}
