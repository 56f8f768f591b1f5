package model

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/event"
)

func catalog(t *testing.T, user map[string]UserModel) *Catalog {
	t.Helper()
	c, err := Load(user)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestResolve(t *testing.T) {
	type want struct{ id, provider, key, format, weak string }
	c := catalog(t, nil)
	for name, w := range map[string]want{
		"gpt-4o":            {"gpt-4o", "openai", "OPENAI_API_KEY", "diff", "gpt-4o-mini"},
		"gpt-4o-2024-11-20": {"gpt-4o-2024-11-20", "openai", "OPENAI_API_KEY", "diff", "gpt-4o-mini"},
		"gpt-4o-mini":       {"gpt-4o-mini", "openai", "OPENAI_API_KEY", "whole", ""},
		"GPT-4.1":           {"GPT-4.1", "openai", "OPENAI_API_KEY", "diff", "gpt-4.1-mini"},
		"gpt-5":             {"gpt-5", "openai", "OPENAI_API_KEY", "diff", "gpt-5-mini"},
		"gpt-5.4-mini":      {"gpt-5.4-mini", "openai", "OPENAI_API_KEY", "diff", ""},
		"sonnet":            {"claude-sonnet-4-5", "anthropic", "ANTHROPIC_API_KEY", "diff", "claude-haiku-4-5"},
		"openrouter/anthropic/claude-sonnet-4.5": {
			"anthropic/claude-sonnet-4.5", "openrouter", "OPENROUTER_API_KEY", "diff", "",
		},
		"openrouter/deepseek/deepseek-r1:free": {
			"deepseek/deepseek-r1:free", "openrouter", "OPENROUTER_API_KEY", "diff", "",
		},
		"deepseek":                  {"deepseek-chat", "deepseek", "DEEPSEEK_API_KEY", "diff", ""},
		"gemini/gemini-2.5-pro":     {"gemini-2.5-pro", "gemini", "GEMINI_API_KEY", "diff", "gemini-2.5-flash"},
		"local":                     {"local", "local", "", "whole", ""},
		"local/qwen-coder-1.5b":     {"qwen-coder-1.5b", "local", "", "whole", ""},
		"ollama/qwen2.5-coder:7b":   {"qwen2.5-coder:7b", "ollama", "", "whole", ""},
		"ollama/qwen2.5-coder:32b":  {"qwen2.5-coder:32b", "ollama", "", "diff", ""},
		"ollama/deepseek-r1:14b":    {"deepseek-r1:14b", "ollama", "", "whole", ""},
		"something-nobody-heard-of": {"something-nobody-heard-of", "", "", "whole", ""},
		"unknown/gpt-4o":            {"unknown/gpt-4o", "", "", "diff", ""},
		"openai/":                   {"openai/", "", "", "whole", ""},
		"fireworks_ai/accounts/fireworks/models/glm-5p2": {
			"accounts/fireworks/models/glm-5p2", "fireworks_ai", "FIREWORKS_API_KEY", "diff", "",
		},
		"fireworks_ai/accounts/fireworks/models/llama-v3p1-8b-instruct": {
			"accounts/fireworks/models/llama-v3p1-8b-instruct", "fireworks_ai", "FIREWORKS_API_KEY", "whole", "",
		},
		"4-turbo":                   {"gpt-4-turbo", "openai", "OPENAI_API_KEY", "diff", "gpt-4o-mini"},
		"3":                         {"gpt-3.5-turbo", "openai", "OPENAI_API_KEY", "whole", ""},
		"flash-lite":                {"gemini-2.5-flash-lite", "gemini", "GEMINI_API_KEY", "diff", ""},
		"zai/glm-5.2":               {"glm-5.2", "zai", "ZAI_API_KEY", "diff", ""},
		"github/openai/gpt-4.1":     {"openai/gpt-4.1", "github", "GITHUB_TOKEN", "diff", ""},
		"lmstudio/qwen2.5-coder-7b": {"qwen2.5-coder-7b", "lmstudio", "", "whole", ""},
		"llamacpp/gpt-oss-20b":      {"gpt-oss-20b", "llamacpp", "", "diff", ""},
		"vllm/Qwen/Qwen3-Coder-30B": {"Qwen/Qwen3-Coder-30B", "vllm", "", "diff", ""},
		"":                          {"", "", "", "whole", ""},
	} {
		p := c.Resolve(name)
		got := want{p.ID, p.Provider, p.APIKeyEnv, p.EditFormat, p.WeakModel}
		if got != w {
			t.Errorf("Resolve(%q) = %+v, want %+v", name, got, w)
		}
		if p.Name != name {
			t.Errorf("Resolve(%q).Name = %q", name, p.Name)
		}
		if (p.APIBase == "") != (p.Provider == "") {
			t.Errorf("Resolve(%q): provider %q with base %q", name, p.Provider, p.APIBase)
		}
	}
	// What the table says of the price, and of who goes with a model, is true of its maker's own house.
	for _, name := range []string{"openrouter/anthropic/claude-sonnet-4.5", "github/openai/gpt-4.1", "azure/gpt-4o", "unknown/gpt-4o", "fireworks_ai/accounts/fireworks/models/deepseek-v4-pro"} {
		if p := c.Resolve(name); p.ContextWindow == 0 || p.Price != (Price{}) || p.WeakModel != "" || p.EditorModel != "" {
			t.Errorf("%s elsewhere: %+v", name, p)
		}
	}
}

func TestReasoningModelsGetNoTemperature(t *testing.T) {
	c := catalog(t, nil)
	for name, use := range map[string]bool{
		"o3": false, "o3-mini": false, "o1": false, "gpt-5": false, "gpt-5.5": false, "gpt-6-sol": false,
		"gpt-4o": true, "sonnet": true, "local": true, "r1": false,
	} {
		if got := c.Resolve(name).UseTemperature; got != use {
			t.Errorf("%s: UseTemperature = %v", name, got)
		}
	}
	if c.Resolve("o1-mini").UseSystemPrompt {
		t.Error("o1-mini takes no system prompt")
	}
}

func TestUserModelsGoOverTheTable(t *testing.T) {
	no, warm := false, 0.7
	c := catalog(t, map[string]UserModel{
		"mine": {
			Model: "openai/gpt-oss-120b", APIBase: "http://127.0.0.1:9000", ContextWindow: 9000,
			EditFormat: "whole", Streaming: &no, ReasoningTag: "think", Temperature: &warm,
			Headers: map[string]string{"X-Team": "a"}, ExtraBody: map[string]any{"top_k": 1},
			Price: &Price{In: 1, Out: 2},
		},
		"gpt-4o": {APIKeyEnv: "WORK_KEY", MaxOutput: 100},
		"free":   {Model: "gpt-4o", APIBase: "https://proxy.example/v1", APIKeyEnv: NoKey},
	})
	mine := c.Resolve("mine")
	want := Profile{
		Name: "mine", ID: "openai/gpt-oss-120b", Provider: "openai", APIBase: "http://127.0.0.1:9000",
		ContextWindow: 9000, MaxOutput: 32768, EditFormat: "whole", Reminder: "user", UseTemperature: true,
		Efforts:         []string{"low", "medium", "high"},
		UseSystemPrompt: true, ReasoningTag: "think", Tokenizer: "o200k", Temperature: &warm,
		Headers: map[string]string{"X-Team": "a"}, ExtraBody: map[string]any{"top_k": 1},
		Price: Price{In: 1, Out: 2},
	}
	if d := cmp.Diff(want, mine); d != "" {
		t.Errorf("mine (-want +got):\n%s", d)
	}
	work := c.Resolve("gpt-4o")
	if work.APIKeyEnv != "WORK_KEY" || work.MaxOutput != 100 || work.EditFormat != "diff" ||
		work.APIBase != "https://api.openai.com/v1" {
		t.Errorf("gpt-4o = %+v", work)
	}
	if free := c.Resolve("free"); free.APIKeyEnv != "" || free.ID != "gpt-4o" || free.WeakModel != "" {
		t.Errorf("free = %+v", free)
	}
}

func TestAKeyStaysWithItsHost(t *testing.T) {
	c := catalog(t, nil)
	for _, x := range []struct{ name, base, keyEnv, wantKey, wantID string }{
		{"gpt-4o", "https://elsewhere.example/v1", "", "", "gpt-4o"},
		{"gpt-4o", "https://api.openai.com", "", "OPENAI_API_KEY", "gpt-4o"},
		{"gpt-4o", "https://elsewhere.example/v1", "THEIR_KEY", "THEIR_KEY", "gpt-4o"},
		{"openai/foo", "http://localhost:1", "", "", "foo"},
		{"anthropic/claude-sonnet-4.5", "https://reseller.example/v1", "", "", "anthropic/claude-sonnet-4.5"},
		{"local/foo", "http://localhost:1", "", "", "foo"},
		{"gpt-4o", "", NoKey, "", "gpt-4o"},
		{"gpt-4o", "", "", "OPENAI_API_KEY", "gpt-4o"},
	} {
		p := c.Resolve(x.name).At(x.base, x.keyEnv)
		if p.APIKeyEnv != x.wantKey || p.ID != x.wantID {
			t.Errorf("%+v: key %q, id %q", x, p.APIKeyEnv, p.ID)
		}
	}
}

func TestTheTable(t *testing.T) {
	c := catalog(t, nil)
	for _, list := range []map[string]string{c.table.Aliases, c.table.Older} {
		for alias, target := range list {
			if _, again := c.table.standsFor(target); again || alias == target {
				t.Errorf("alias %q leads to alias %q", alias, target)
			}
			// One that the table has no price for is not known to be had.
			if p := c.Resolve(alias); p.APIBase == "" || p.ID != target || p.Price == (Price{}) {
				t.Errorf("alias %q leads nowhere", alias)
			}
		}
	}
	for alias := range c.table.Older {
		if _, offered := c.table.Aliases[alias]; offered || slices.Contains(c.Names(), alias) {
			t.Errorf("%q is offered", alias)
		}
	}
	for _, d := range c.table.Defaults {
		if p := c.Resolve(d.Model); p.APIKeyEnv != d.KeyEnv {
			t.Errorf("default %q wants the key %q, not %q", d.Model, p.APIKeyEnv, d.KeyEnv)
		}
	}
	for i, r := range c.table.Models {
		if _, ok := c.table.Providers[r.Provider]; r.Provider != "" && !ok {
			t.Errorf("row %v: unknown provider %q", r.Match, r.Provider)
		}
		if r.Weak != "" && c.Resolve(r.Weak).Provider != r.Provider {
			t.Errorf("row %v: weak model %q answers elsewhere", r.Match, r.Weak)
		}
		for _, m := range r.Match {
			example := strings.NewReplacer("*", "zz", "?", "0").Replace(m)
			if got, ok := c.row(example); !ok || !cmp.Equal(got.Match, r.Match) {
				t.Errorf("row %d: %q is taken by an earlier row %v", i, m, got.Match)
			}
		}
	}
	for _, n := range c.Names() {
		if c.Resolve(n).APIBase == "" {
			t.Errorf("listed name %q has no endpoint", n)
		}
	}
	if name, ok := c.Default(func(string) string { return "" }); ok || c.Resolve(name).APIKeyEnv == "" {
		t.Errorf("Default without keys = %q, %v", name, ok)
	}
}

// Of several keys the first in the order of the table decides, and any other key decides nothing.
func TestTheModelWithoutAChoice(t *testing.T) {
	c := catalog(t, nil)
	order := []struct{ key, model string }{
		{"OPENROUTER_API_KEY", "openrouter/anthropic/claude-sonnet-4.5"}, {"ANTHROPIC_API_KEY", "claude-sonnet-4-5"},
		{"DEEPSEEK_API_KEY", "deepseek-chat"}, {"OPENAI_API_KEY", "gpt-5"}, {"GEMINI_API_KEY", "gemini-2.5-pro"},
	}
	have := map[string]string{"GROQ_API_KEY": "x", "AWS_PROFILE": "x"}
	env := func(n string) string { return have[n] }
	if name, ok := c.Default(env); ok {
		t.Errorf("with the keys of others: %s", name)
	}
	for _, x := range slices.Backward(order) {
		have[x.key] = "x"
		if name, ok := c.Default(env); !ok || name != x.model {
			t.Errorf("with %v: %s, want %s", have, name, x.model)
		}
	}
}

// A provider that writes another sign for the point of a version has the rows of the same models elsewhere.
func TestAnotherSignForThePoint(t *testing.T) {
	c := catalog(t, nil)
	for theirs, ours := range map[string]string{"glm-5p2": "glm-5.2", "qwen3p6-plus": "qwen3.6-plus", "minimax-m2p1": "minimax-m2.1", "gpt-oss-120b": "gpt-oss-120b", "Kimi-K2P6": "kimi-k2.6"} {
		p, want := c.Resolve("fireworks_ai/accounts/fireworks/models/"+theirs), c.Resolve("openrouter/x/"+ours)
		if p.ContextWindow == 0 || p.ContextWindow != want.ContextWindow || p.EditFormat != want.EditFormat || p.ID != "accounts/fireworks/models/"+theirs {
			t.Errorf("%s: %+v", theirs, p)
		}
	}
	if p := c.Resolve("groq/glm-5p2"); p.ContextWindow == c.Resolve("groq/glm-5.2").ContextWindow {
		t.Errorf("elsewhere it is another name: %+v", p)
	}
}

func TestCount(t *testing.T) {
	for _, x := range []struct {
		tokenizer, text string
		want            int
	}{
		{"o200k", "hello world", 2},
		{"cl100k_base", "hello world", 2},
		{"o200k", "", 0},
		{"o200k", "a\xffb", 3},
		{"chars4", "12345", 2},
		{"", strings.Repeat("a", 38), 10},
		{"nonsense", "", 0},
		{"", "日本語", 2},
	} {
		if got := NewCounter(x.tokenizer).Count(x.text); got != x.want {
			t.Errorf("%s of %q = %d, want %d", x.tokenizer, x.text, got, x.want)
		}
	}
	// A long run without a boundary must not take forever.
	if n := NewCounter("o200k").Count(strings.Repeat("a", 200_000)); n == 0 {
		t.Error("a run of one letter counts for nothing")
	}
}

func TestCost(t *testing.T) {
	p := Price{In: 3, Out: 15, CacheRead: 0.3, CacheWrite: 3.75}
	for _, x := range []struct {
		p    Price
		u    event.Usage
		want float64
	}{
		{p, event.Usage{Prompt: 1_000_000}, 3},
		{p, event.Usage{Prompt: 1_000_000, CacheRead: 500_000, CacheWrite: 100_000, Completion: 10_000}, 1.2 + 0.15 + 0.375 + 0.15},
		{Price{In: 1}, event.Usage{Prompt: 1_000_000, CacheRead: 1_000_000}, 1},
		{Price{}, event.Usage{Prompt: 5, Completion: 5}, 0},
		{p, event.Usage{Prompt: 1, CacheRead: 1_000_000}, 0.3},
	} {
		if got := Cost(x.p, x.u); math.Abs(got-x.want) > 1e-9 {
			t.Errorf("Cost(%+v, %+v) = %v, want %v", x.p, x.u, got, x.want)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, x := range []struct {
		pattern, s string
		want       bool
	}{
		{"a*b", "ab", true}, {"a*b", "axxb", true}, {"a*b", "axxbc", false}, {"?", "", false},
		{"a?c", "abc", true}, {"*", "", true}, {"", "", true}, {"", "x", false}, {"a**", "a", true},
	} {
		if got := Matches(x.pattern, x.s); got != x.want {
			t.Errorf("Matches(%q, %q) = %v", x.pattern, x.s, got)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := Load(nil); err != nil {
			b.Fatal(err)
		}
	}
}

// Cache marks go where they are known to be understood, or where the user says so.
func TestCacheMarks(t *testing.T) {
	yes, no := true, false
	c := catalog(t, map[string]UserModel{"proxy": {Model: "claude-sonnet-4-5", APIBase: "http://127.0.0.1:4000", CacheMarks: &yes},
		"moved": {Model: "claude-sonnet-4-5", APIBase: "http://127.0.0.1:4000"}, "own": {Model: "x", APIBase: "http://127.0.0.1:4000", API: Anthropic},
		"silent": {Model: "x", APIBase: "http://127.0.0.1:4000", API: Anthropic, CacheMarks: &no}, "claude-haiku-4-5": {API: Chat}})
	for name, want := range map[string]bool{
		"openrouter/anthropic/claude-sonnet-4.5": true,
		"openrouter/deepseek/deepseek-r1:free":   false,
		"sonnet":                                 true, "gpt-5": false, "local/x": false, "proxy": true, "moved": false, "own": true, "silent": false, "haiku": false,
	} {
		if got := c.Resolve(name).CacheMarks; got != want {
			t.Errorf("%s: marks %v, want %v", name, got, want)
		}
	}
}

// A long text is counted within a tenth of a second, and about right.
func TestCountOfALongText(t *testing.T) {
	c := NewCounter("o200k")
	piece := "func (s *server) close() error { return s.in.Close() } // ends the session\n"
	short := strings.Repeat(piece, 200_000/len(piece))
	long := strings.Repeat(piece, 4_000_000/len(piece))
	want := float64(c.Count(short)) * float64(len(long)) / float64(len(short))
	start := time.Now()
	got := float64(c.Count(long))
	if took := time.Since(start); took > time.Second {
		t.Errorf("took %v", took)
	}
	if got < 0.98*want || got > 1.02*want {
		t.Errorf("%v tokens, want about %v", got, want)
	}
}
