package settings

import (
	"strings"
	"testing"

	"coauthor/agent/model"
)

// TestAliases: a short name of the user's is whatever stands behind it, with what they wrote of that.
func TestAliases(t *testing.T) {
	const user = `
model.aliases: {fast: gemini-2.5-flash, home: ' ollama/qwen3-coder ', big: sonnet, work: mine, taken: gpt-4o, haiku: claude-opus-4-5}
models:
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
	if s, _ := Load(LoadOptions{UserFile: []byte("model.aliases: {fast: a}"), Client: map[string]any{"model.aliases": map[string]any{"slow": "b"}}, ClientOwn: true}); len(s.Aliases) != 2 {
		t.Errorf("layers: %v", s.Aliases)
	}
	for _, bad := range []string{"fast", "[fast]", "{fast: [a]}", "{fast: ''}", "{fast: 5}", "{fast: {model: a}}", "{fast: slow, slow: gpt-4o}", "{fast: fast}"} {
		s, ws := Load(LoadOptions{UserFile: []byte("network.retries: 1\nmodel.aliases: " + bad)})
		if len(ws) != 1 || ws[0].Line != 2 || len(s.Models) > 0 || s.Retries != 1 {
			t.Errorf("%s: %v, %v", bad, s.Models, ws)
		}
	}
	_, ws = Load(LoadOptions{UserFile: []byte("model.aliases: {fast: slow, slow: gpt-4o}")})
	if len(ws) != 1 || !strings.Contains(ws[0].Text, "slow") {
		t.Errorf("an alias of an alias: %v", ws)
	}
	for _, o := range []LoadOptions{
		{WorkspaceFile: []byte("model.aliases: {gpt-4o: evil}")},
		{Client: map[string]any{"model.aliases": map[string]any{"gpt-4o": "evil"}}},
	} {
		if s, ws := Load(o); len(s.Models) > 0 || len(ws) != 1 {
			t.Errorf("nobody trusts it: %v, %v", s.Models, ws)
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
