package doctor

import (
	"context"
	"errors"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"coauthor/agent/llm"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/model"
	"coauthor/agent/settings"
)

// examine runs the checks against a scripted server and returns them by name.
func examine(t *testing.T, script string, change func(*Input)) map[string]Check {
	t.Helper()
	s, err := llmtest.Parse([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	server := llmtest.Start(s)
	t.Cleanup(server.Close)
	env := func(n string) string { return map[string]string{"GOOD_KEY": "k"}[n] }
	in := Input{Root: t.TempDir(), Settings: settings.Defaults(), Env: env}
	in.Settings.Model, in.Settings.APIBase, in.Settings.APIKeyEnv = "small", server.URL, "GOOD_KEY"
	in.Models = llm.New(llm.Options{Env: env, HTTP: &http.Client{Transport: &http.Transport{}}}).Models
	in.Ignored = func(context.Context, []string) (map[string]bool, error) { return map[string]bool{".env": true}, nil }
	in.Warnings = []settings.Warning{}
	if change != nil {
		change(&in)
	}
	if in.Catalog, err = model.Load(in.Settings.Models); err != nil {
		t.Fatal(err)
	}
	got := map[string]Check{}
	checks := Run(t.Context(), in)
	for _, c := range checks {
		if c.Text == "" || !c.OK && c.Advice == "" {
			t.Errorf("a check without words or advice: %+v", c)
		}
		got[c.Name] = c
	}
	for _, c := range got {
		if !c.OK && OK(checks) {
			t.Error("OK overlooks a problem")
		}
	}
	return got
}

const script = "models: small, other\nkey: k\n-- 1.md --\nx\n"

func TestAllIsWell(t *testing.T) {
	got := examine(t, script, func(in *Input) {
		if err := exec.Command("git", "init", "-q", in.Root).Run(); err != nil {
			t.Skip("git is not installed")
		}
		in.Client, in.Profile, in.Quirks = "Neovim", "neovim", []string{"versions"}
	})
	for name, says := range map[string]string{
		"client": "Neovim, treated as neovim (versions)", "settings": "no mistakes", "model": "/v1/chat/completions",
		"key": "GOOD_KEY is set", "endpoint": "offers 2 models", "offered": "small", "root": "/", "git": "is a repository", "ignore": "stay here",
	} {
		if c, ok := got[name]; !ok || !c.OK || !strings.Contains(c.Text, says) {
			t.Errorf("%s: %+v", name, c)
		}
	}
	if len(got) != 9 {
		t.Errorf("%d checks", len(got))
	}
}

func TestProblems(t *testing.T) {
	for _, x := range []struct {
		what   string
		change func(*Input)
		name   string
		says   string
	}{
		{"unknown model", func(in *Input) { in.Settings.Model = "smal" }, "offered", "other, small"},
		{"wrong key", func(in *Input) { in.Settings.APIKeyEnv = "NOT_SET" }, "key", "NOT_SET"},
		{"no key", func(in *Input) { in.Settings.APIBase, in.Settings.APIKeyEnv = "https://x.invalid", "NOT_SET" }, "key", "NOT_SET is not set"},
		{"plain http", func(in *Input) { in.Settings.APIBase = "http://x.invalid" }, "model", "allowInsecureHttp"},
		{"no endpoint", func(in *Input) { in.Settings.APIBase = "" }, "model", "apiBase"},
		{"unreachable", func(in *Input) { in.Settings.APIBase = "http://127.0.0.1:1" }, "endpoint", "Start the model server"},
		{"no root", func(in *Input) { in.Root = "" }, "root", "Open a file"},
		{"settings", func(in *Input) {
			in.Warnings = []settings.Warning{{Source: "config.yaml", Line: 3, Column: 1, Text: "there is no setting x"}}
		}, "settings", "config.yaml:3:1: there is no setting x"},
		{"secrets", func(in *Input) {
			in.Ignored = func(context.Context, []string) (map[string]bool, error) { return nil, nil }
		}, "ignore", ".env"},
		{"ignore rules", func(in *Input) {
			in.Ignored = func(context.Context, []string) (map[string]bool, error) { return nil, errors.New("bad rule") }
		}, "ignore", "bad rule"},
	} {
		got := examine(t, script, x.change)
		if c := got[x.name]; c.OK || !strings.Contains(c.Text+" "+c.Advice, x.says) {
			t.Errorf("%s: %+v", x.what, c)
		}
	}
}

// TestSlowEndpoint: the endpoint that accepts and says nothing does not hold the doctor up.
func TestSlowEndpoint(t *testing.T) {
	got := examine(t, script, func(in *Input) {
		in.Timeout = 20 * time.Millisecond
		in.Models = func(ctx context.Context, _ model.Profile) ([]llm.ModelInfo, error) {
			<-ctx.Done()
			return nil, &llm.Error{Kind: llm.Timeout, Err: ctx.Err()}
		}
	})
	if c := got["endpoint"]; c.OK || !strings.Contains(c.Text, "20ms") {
		t.Errorf("%+v", c)
	}
}

func TestOneLocalModelAnswersToAnyName(t *testing.T) {
	got := examine(t, "models: qwen.gguf\n-- 1.md --\nx\n", func(in *Input) { in.Settings.Model = "" })
	if c := got["offered"]; !c.OK || !strings.Contains(c.Text, "qwen.gguf") {
		t.Errorf("%+v", c)
	}
}
