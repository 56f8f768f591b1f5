package model

import (
	"slices"
	"testing"
	"time"
)

// TestEveryRowSaysFromWhenItIs: prices and sizes change, so a row without a day says less than it seems to.
func TestEveryRowSaysFromWhenItIs(t *testing.T) {
	c := catalog(t, nil)
	for _, r := range c.table.Models {
		if _, err := time.Parse(time.DateOnly, r.Checked); err != nil {
			t.Errorf("row %v: checked %q", r.Match, r.Checked)
		}
		if r.Price != (Price{}) && (r.Price.In <= 0 || r.Price.Out < r.Price.In || r.Price.CacheRead > r.Price.In || r.Provider == "") {
			t.Errorf("row %v: price %+v of provider %q", r.Match, r.Price, r.Provider)
		}
		if r.Editor != "" && c.Resolve(r.Editor).Provider != r.Provider {
			t.Errorf("row %v: editor model %q answers elsewhere", r.Match, r.Editor)
		}
		if r.Output > r.Window {
			t.Errorf("row %v: answers of %d in a window of %d", r.Match, r.Output, r.Window)
		}
	}
	if p := c.Resolve("sonnet"); p.Checked == "" {
		t.Error("the profile does not say it")
	}
	for _, name := range []string{"nobody-knows-it", "local", "ollama/qwen3-coder"} {
		if p := c.Resolve(name); p.Checked != "" || p.ContextWindow != 0 {
			t.Errorf("%s: checked %q, window %d, which nobody knows", name, p.Checked, p.ContextWindow)
		}
	}
}

// TestTheUserMendsARow: what the user writes of a model holds under each of its names, and the table's day
// does not stand beside figures that are the user's.
func TestTheUserMendsARow(t *testing.T) {
	c := catalog(t, map[string]UserModel{
		"claude-sonnet-4-5": {Price: &Price{In: 2, Out: 9}, ContextWindow: 1_000_000},
		"gpt-5":             {MaxOutput: 1000, Checked: "2026-11-01"},
		"gpt-4o":            {APIKeyEnv: "WORK_KEY"},
	})
	for _, name := range []string{"claude-sonnet-4-5", "sonnet", "Sonnet"} {
		p := c.Resolve(name)
		if p.Price != (Price{In: 2, Out: 9}) || p.ContextWindow != 1_000_000 || p.Checked != "" || p.WeakModel != "claude-haiku-4-5" || p.Name != name {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if p := c.Resolve("gpt"); p.MaxOutput != 1000 || p.Checked != "2026-11-01" || p.ID != "gpt-5" || p.Price.In != 1.25 {
		t.Errorf("gpt: %+v", p)
	}
	if p := c.Resolve("4o"); p.APIKeyEnv != "WORK_KEY" || p.Checked == "" {
		t.Errorf("4o: %+v", p)
	}
}

// TestAnAddressOfTheUsersOwn: Azure has one for each of its users, which a variable holds.
func TestAnAddressOfTheUsersOwn(t *testing.T) {
	c := catalog(t, nil)
	p := c.Resolve("azure/my-deployment")
	if p.APIBase != "" || p.BaseEnv != "AZURE_OPENAI_ENDPOINT" || p.ID != "my-deployment" || p.APIKeyEnv != "AZURE_OPENAI_API_KEY" {
		t.Errorf("%+v", p)
	}
	if !slices.Contains(BaseVariables(), p.BaseEnv) {
		t.Errorf("the variables are %v", BaseVariables())
	}
	for address, want := range map[string]string{
		"":                                       "",
		"https://me.openai.azure.com":            "https://me.openai.azure.com/openai/v1",
		"https://me.openai.azure.com/":           "https://me.openai.azure.com/openai/v1",
		" https://me.openai.azure.com/openai/ ":  "https://me.openai.azure.com/openai/v1",
		"https://me.openai.azure.com/openai/v1/": "https://me.openai.azure.com/openai/v1",
		"https://me.openai.azure.com/openai/deployments/x?api-version":    "https://me.openai.azure.com/openai/deployments/x?api-version",
		"https://me.openai.azure.com/openai/v1?api-version=preview":       "https://me.openai.azure.com/openai/v1?api-version=preview",
		"https://me.openai.azure.com/?api-version=2024-10-21":             "https://me.openai.azure.com/openai/deployments/my-deployment?api-version=2024-10-21",
		"https://gateway.example/azure/openai?x=1&api-version=2024-10-21": "https://gateway.example/azure/openai/deployments/my-deployment?x=1&api-version=2024-10-21",
		"https://gateway.example/azure":                                   "https://gateway.example/azure/openai/v1",
	} {
		if got := p.Based(address); got.APIBase != want || got.ID != "my-deployment" {
			t.Errorf("%q gives %q", address, got.APIBase)
		}
	}
	if p := c.Resolve("gpt-4o"); p.Based("https://elsewhere.example").APIBase != p.APIBase {
		t.Error("a provider that has an address got another")
	}
	for name, id := range map[string]string{"azure/dep": "dep", "github/openai/gpt-4.1": "openai/gpt-4.1", "vllm/a/b": "a/b", "llamacpp/x": "x"} {
		if p := c.Resolve(name).At("https://proxy.example/v1", ""); p.ID != id || p.APIKeyEnv != "" || p.ListURL != "" || p.WholeBase {
			t.Errorf("%s elsewhere: %+v", name, p)
		}
	}
}

// TestPrefillElsewhere: another server is not known to go on, unless the user says so; one of a kind that the
// name chooses is, wherever it runs.
func TestPrefillElsewhere(t *testing.T) {
	c := catalog(t, map[string]UserModel{
		"gateway": {Model: "claude-sonnet-4-5", APIBase: "https://gateway.example/v1", Prefill: "plain"},
		"silent":  {Model: "claude-sonnet-4-5", Prefill: "none"},
		"mine":    {APIBase: "http://127.0.0.1:1", Prefill: "continue"},
	})
	for name, want := range map[string]string{"gateway": "plain", "silent": "", "mine": "continue"} {
		if got := c.Resolve(name).Prefill; got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	for name, want := range map[string]string{"claude-sonnet-4-5": "", "vllm/qwen3-coder-30b": "continue"} {
		if got := c.Resolve(name).At("http://127.0.0.1:9999/v1", "").Prefill; got != want {
			t.Errorf("%s elsewhere: %q", name, got)
		}
	}
}

// TestPrefillIsTheProvidersWay: a model that goes on with a given beginning is told so in the way of whoever
// serves it, and nowhere else.
func TestPrefillIsTheProvidersWay(t *testing.T) {
	c := catalog(t, nil)
	for name, want := range map[string]string{
		"claude-sonnet-4-5": "plain", "claude-opus-4-8": "", "claude-sonnet-5": "", "openrouter/anthropic/claude-sonnet-4.5": "plain",
		"codestral-latest": "prefix", "qwen3-coder-plus": "partial", "vllm/qwen3-coder-30b": "continue", "llamacpp/qwen3-coder-30b": "plain",
		"gpt-4o": "", "nobody-knows-it": "", "local": "", "groq/qwen3-coder": "",
	} {
		if got := c.Resolve(name).Prefill; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestWhichInterface: a model is asked through the one that its row names at its maker's own endpoint, through
// chat everywhere else, and through the user's in any case.
func TestWhichInterface(t *testing.T) {
	c := catalog(t, map[string]UserModel{
		"gateway": {Model: "gpt-5-pro", APIBase: "https://gateway.example/v1"},
		"mine":    {Model: "gpt-5-pro", APIBase: "https://gateway.example/v1", API: Responses},
		"gpt-5.4": {API: Chat},
		"claude":  {Model: "claude-sonnet-4-5", APIBase: "https://gateway.example/v1"},
		"native":  {Model: "claude-sonnet-4-5", APIBase: "https://gateway.example/v1", API: Anthropic},
	})
	for name, want := range map[string]string{
		"gpt-5-pro": Responses, "gpt-5.5-pro-2026-04-01": Responses, "gpt-5-codex": Responses, "gpt-5.1-codex-max": Responses,
		"gpt-5.1-codex-mini": Responses, "gpt-5.3-codex": Responses, "gpt-5.3-codex-spark": Responses, "openai/o3-pro": Responses,
		"o1-pro": Responses, "gpt-5.5": Responses, "gpt-5.4-mini": Responses, "gpt-5.6-nano": Responses, "gpt-6": Responses,
		"gpt-5": Chat, "gpt-5.1": Chat, "gpt-5.2": Chat, "gpt-4o": Chat, "o3": Chat, "o4-mini": Chat, "deepseek-chat": Chat,
		"openrouter/openai/gpt-5-pro": Chat, "github/openai/gpt-5.5": Chat, "azure/gpt-5-codex": Responses, "azure/my-deployment": Chat,
		"gateway": Chat, "mine": Responses, "gpt-5.4": Chat, "nobody-knows-it": Chat, "local": Chat,
		"sonnet": Anthropic, "anthropic/claude-of-tomorrow": Anthropic, "openrouter/anthropic/claude-sonnet-4.5": Chat, "claude": Chat, "native": Anthropic,
	} {
		if got := orElse(c.Resolve(name).API, Chat); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	p := c.Resolve("gpt-5-pro")
	if got := p.At("https://elsewhere.example/v1", "").API; orElse(got, Chat) != Chat {
		t.Errorf("elsewhere: %q", got)
	}
	if got := p.At("https://api.openai.com/v1/", "").API; got != Responses {
		t.Errorf("at the same host: %q", got)
	}
	p = c.Resolve("azure/gpt-5-codex")
	for address, want := range map[string]string{"https://me.openai.azure.com": Responses, "https://me.openai.azure.com/openai/deployments/x?api-version=1": Chat} {
		if got := orElse(p.Based(address).API, Chat); got != want {
			t.Errorf("%s: %q", address, got)
		}
	}
}

// TestWhatSwitchesAModel: the line by which a model is switched, and the temperature that its makers advise, are in
// its row, and the user has the last word about both.
func TestWhatSwitchesAModel(t *testing.T) {
	none, own, warm, refused := "", "/no_think", 0.3, false
	c := catalog(t, map[string]UserModel{
		"o3":    {SystemPrefix: &none},
		"quick": {Model: "qwen3-8b", APIBase: "http://127.0.0.1:1", SystemPrefix: &own, Temperature: &warm},
		"cold":  {Model: "qwq-32b", APIBase: "http://127.0.0.1:1", UseTemperature: &refused},
	})
	const formatted = "Formatting re-enabled"
	for name, want := range map[string]struct {
		prefix      string
		use         bool
		temperature float64 // 0: none of its own
	}{
		"o4-mini": {formatted, false, 0}, "openrouter/openai/o1": {formatted, false, 0}, "o1-mini": {"", false, 0}, "o3": {"", false, 0},
		"gpt-4o": {"", true, 0}, "gpt-5": {"", false, 0}, "nobody-knows": {"", true, 0}, "local": {"", true, 0},
		"ollama/qwq:32b": {"", true, 0.6}, "ollama/qwen3:8b": {"", true, 0.6}, "deepseek-r1-distill-qwen-7b": {"", true, 0.6}, "r1": {"", false, 0},
		"qwen3-coder-30b": {"", true, 0}, "qwen2.5-coder:1.5b": {"", true, 0}, "magistral-small": {"", true, 0.7},
		"quick": {own, true, warm}, "cold": {"", false, 0.6},
	} {
		p, got := c.Resolve(name), 0.0
		if p.Temperature != nil {
			got = *p.Temperature
		}
		if p.SystemPrefix != want.prefix || p.UseTemperature != want.use || got != want.temperature {
			t.Errorf("%s: prefix %q, temperature %v %g", name, p.SystemPrefix, p.UseTemperature, got)
		}
	}
}

// Ollama is asked through its own interface, wherever it runs, unless the user says otherwise.
func TestOllamasInterface(t *testing.T) {
	c := catalog(t, map[string]UserModel{
		"ollama/elsewhere": {APIBase: "http://10.0.0.7:11434"}, "ollama/chatty": {API: Chat}, "mine": {Model: "qwen3:8b", APIBase: "http://10.0.0.7:11434", API: Ollama},
	})
	for name, want := range map[string]string{"ollama/qwen3:8b": Ollama, "ollama/elsewhere": Ollama, "ollama/chatty": "", "mine": Ollama, "lmstudio/qwen3-8b": "", "local": ""} {
		if got := c.Resolve(name).API; got != want {
			t.Errorf("%s is asked through %q, want %q", name, got, want)
		}
	}
	if got := c.Resolve("ollama/qwen3:8b").At("http://10.0.0.7:11434/v1", "").API; got != Ollama {
		t.Errorf("at another address it is asked through %q", got)
	}
}
