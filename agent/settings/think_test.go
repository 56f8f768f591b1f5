package settings

import (
	"strings"
	"testing"

	"coauthor/agent/model"
)

// TestHowMuchToThinkSuitsTheModel: the setting goes to models that are known to take it, the user is told of
// the others, and a model's own entry is the last word.
func TestHowMuchToThinkSuitsTheModel(t *testing.T) {
	c, err := model.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		user, name string
		effort     string
		tokens     int
		told       string
	}{
		{"", "gpt-5", "", 0, ""},
		{"model.reasoningEffort: auto", "gpt-5", "", 0, ""},
		{"model.reasoningEffort: high", "gpt-5", "high", 0, ""},
		{"model.reasoningEffort: xhigh", "gpt-5", "", 0, "minimal, low, medium, high"},
		{"model.reasoningEffort: high", "gpt-4o", "", 0, "model.reasoningEffort"},
		{"model.reasoningEffort: max", "openrouter/vendor/thing", "max", 0, ""},
		{"model.reasoningEffort: high", "local", "", 0, "model.reasoningEffort"},
		{"model.thinkingTokens: 8k", "claude-sonnet-4-5", "", 8192, ""},
		{"model.reasoningEffort: high", "claude-opus-4-5", "high", 0, ""},
		{"model.reasoningEffort: high\nmodels: {claude-opus-4-5: {api: chat}}", "claude-opus-4-5", "", 0, "model.reasoningEffort"},
		{"model.reasoningEffort: high", "openrouter/anthropic/claude-opus-4.5", "high", 0, ""},
		{"model.thinkingTokens: 8k", "gpt-5", "", 0, "model.thinkingTokens"},
		{"model.thinkingTokens: 0", "gpt-5", "", 0, ""},
		{"model.thinkingTokens: 4k", "openrouter/anthropic/claude-sonnet-4.5", "", 4096, ""},
		{"model.reasoningEffort: low\nmodel.thinkingTokens: 1k", "gpt-4o", "", 0, "model.reasoningEffort, model.thinkingTokens"},
		{"model.reasoningEffort: low\nmodels: {gpt-4o: {reasoningEffort: odd, thinkingTokens: 2k}}", "gpt-4o", "odd", 2048, ""},
		{"models: {mine: {apiBase: 'http://127.0.0.1:1', thinkingTokens: 512}}", "mine", "", 512, ""},
	} {
		s, ws := Load(LoadOptions{UserFile: []byte(x.user)})
		p := s.Profile(c, x.name)
		if len(ws) > 0 || p.ReasoningEffort != x.effort || p.ThinkingTokens != x.tokens || (p.Unsent == "") != (x.told == "") || !strings.Contains(p.Unsent, x.told) {
			t.Errorf("%s, %s: %q, %d, %q, %v", x.user, x.name, p.ReasoningEffort, p.ThinkingTokens, p.Unsent, ws)
		}
	}
}

// TestWhatIsSaidOfThinkingForNow: an entry of models stands above the settings, a flag above both, and each of them can
// take away what stands below it.
func TestWhatIsSaidOfThinkingForNow(t *testing.T) {
	c, err := model.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		user, entry string
		flags       map[string]string
		effort      string
		tokens      int
	}{
		{"model.thinkingTokens: 8k", "thinkingTokens: 0", nil, "", 0},
		{"model.thinkingTokens: 8k", "thinkingTokens: 10.5k", nil, "", 10_752},
		{"model.thinkingTokens: 8k", "thinkingTokens: 0.5M", nil, "", 524_288},
		{"model.thinkingTokens: 8k", "thinkingTokens: null", nil, "", 8192},
		{"model.thinkingTokens: 8k", "lazy: true", nil, "", 8192},
		{"model.thinkingTokens: 8k", "thinkingTokens: 2k", map[string]string{"model.thinkingTokens": "0"}, "", 0},
		{"model.thinkingTokens: 8k", "thinkingTokens: 2k", map[string]string{"model.thinkingTokens": "1.5k"}, "", 1536},
		{"model.thinkingTokens: 8k", "thinkingTokens: 0", map[string]string{"model.thinkingTokens": "4k"}, "", 4096},
		{"model.thinkingTokens: 8k", "thinkingTokens: 2k", map[string]string{"model.thinkingTokens": "much"}, "", 2048},
		{"model.reasoningEffort: high", "reasoningEffort: auto", nil, "", 0},
		{"model.reasoningEffort: high", "reasoningEffort: odd", nil, "odd", 0},
		{"model.reasoningEffort: high", "reasoningEffort: odd", map[string]string{"model.reasoningEffort": "auto"}, "", 0},
		{"model.reasoningEffort: high", "reasoningEffort: odd", map[string]string{"model.reasoningEffort": "low"}, "low", 0},
		{"model.reasoningEffort: high", "reasoningEffort: odd", map[string]string{"model.reasoningEffort": "very"}, "odd", 0},
	} {
		for _, name := range []string{"claude-opus-4-5", "opus", "mine"} {
			s, ws := Load(LoadOptions{UserFile: []byte(x.user + "\nmodels: {mine: {model: claude-opus-4-5}, claude-opus-4-5: {" + x.entry + "}}"), Flags: x.flags})
			wrong := x.flags["model.thinkingTokens"] == "much" || x.flags["model.reasoningEffort"] == "very"
			if p := s.Profile(c, name); p.ReasoningEffort != x.effort || p.ThinkingTokens != x.tokens || p.Unsent != "" || (len(ws) > 0) != wrong {
				t.Errorf("%s, %s, %s, %v: %q, %d, %q, %v", name, x.user, x.entry, x.flags, p.ReasoningEffort, p.ThinkingTokens, p.Unsent, ws)
			}
		}
	}
}

// TestWhoseKeyCommandRuns: the user's own, for the endpoint that they meant it for, and never one of a
// workspace, however much it is trusted.
func TestWhoseKeyCommandRuns(t *testing.T) {
	c, err := model.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		what string
		o    LoadOptions
		name string
		want string
		told int
	}{
		{"the user's file", LoadOptions{UserFile: []byte("apiBase: https://mine.example\napiKeyCommand: mine")}, "m", "mine", 0},
		{"the environment", LoadOptions{Env: func(n string) string { return map[string]string{"COAUTHOR_API_KEY_COMMAND": "mine"}[n] }, UserFile: []byte("apiBase: https://mine.example")}, "m", "mine", 0},
		{"the user's own editor", LoadOptions{UserFile: []byte("apiBase: https://mine.example"), Client: map[string]any{"apiKeyCommand": "mine"}, ClientOwn: true}, "m", "mine", 0},
		{"it stands above the variable", LoadOptions{UserFile: []byte("apiBase: https://mine.example\napiKeyEnv: none\napiKeyCommand: mine")}, "m", "mine", 0},
		{"without an endpoint it is for none", LoadOptions{UserFile: []byte("apiKeyCommand: mine")}, "gpt-4o", "", 0},
		{"a model's own", LoadOptions{UserFile: []byte("models: {gpt-4o: {apiKeyCommand: its}}")}, "gpt-4o", "its", 0},
		{"a model's own under its alias", LoadOptions{UserFile: []byte("models: {gpt-4o: {apiKeyCommand: its}, fast: {model: gpt-4o}}")}, "fast", "its", 0},
		{"a model's own before that for all", LoadOptions{UserFile: []byte("apiBase: https://mine.example\napiKeyCommand: mine\nmodels: {m: {apiKeyCommand: its}}")}, "m", "its", 0},
		{"a workspace's", LoadOptions{UserFile: []byte("apiBase: https://mine.example"), WorkspaceFile: []byte("apiKeyCommand: evil")}, "m", "", 1},
		{"a trusted workspace's", LoadOptions{UserFile: []byte("apiBase: https://mine.example"), WorkspaceFile: []byte("apiKeyCommand: evil"), Trusted: true}, "m", "", 1},
		{"an editor's that a repository can write", LoadOptions{UserFile: []byte("apiBase: https://mine.example"), Client: map[string]any{"apiKeyCommand": "evil"}, Trusted: true}, "m", "", 1},
		{"a trusted workspace's model", LoadOptions{WorkspaceFile: []byte("models: {m: {apiBase: 'https://x.example', apiKeyCommand: evil}}"), Trusted: true}, "m", "", 1},
		{"a trusted editor's model", LoadOptions{Client: map[string]any{"models": map[string]any{"m": map[string]any{"apiBase": "https://x.example", "apiKeyCommand": "evil"}}}, Trusted: true}, "m", "", 1},
		{"an endpoint of the workspace", LoadOptions{UserFile: []byte("apiBase: https://mine.example\napiKeyCommand: mine"), WorkspaceFile: []byte("apiBase: https://evil.example"), Trusted: true}, "m", "", 0},
		{"the same host", LoadOptions{UserFile: []byte("apiBase: https://mine.example\napiKeyCommand: mine"), WorkspaceFile: []byte("apiBase: https://mine.example/v2"), Trusted: true}, "m", "mine", 0},
		{"a model's own, moved by the workspace", LoadOptions{UserFile: []byte("models: {gpt-4o: {apiKeyCommand: its}}"), WorkspaceFile: []byte("apiBase: https://evil.example"), Trusted: true}, "gpt-4o", "", 0},
	} {
		s, ws := Load(x.o)
		p := s.Profile(c, x.name)
		if p.APIKeyCommand != x.want || len(ws) != x.told || p.APIKeyCommand != "" && p.NoKey {
			t.Errorf("%s: %q at %s, told %v", x.what, p.APIKeyCommand, p.APIBase, ws)
		}
		if x.told > 0 && x.o.Trusted && x.name == "m" && strings.Contains(x.what, "model") && p.APIBase != "https://x.example" {
			t.Errorf("%s: the rest of the entry is gone: %+v", x.what, p)
		}
	}
}
