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
	"coauthor/agent/llm/remote"
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
	in.Models = remote.New(remote.Options{Env: env, HTTP: &http.Client{Transport: &http.Transport{}}}).Models
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
		"key": "GOOD_KEY is set", "endpoint": "offers 2 models", "offered": "small", "root": "/", "git": "is a git repository", "ignore": "does not send",
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
		{"plain http", func(in *Input) { in.Settings.APIBase = "http://x.invalid" }, "model", "network.allowInsecureHttp"},
		{"no endpoint", func(in *Input) { in.Settings.APIBase = "" }, "model", "apiBase"},
		{"unreachable", func(in *Input) { in.Settings.APIBase = "http://127.0.0.1:1" }, "endpoint", "Start the local model server"},
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
		in.Models = func(ctx context.Context, _ model.Profile) ([]remote.ModelInfo, error) {
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

// A path that answers but is not the API's fails, and so does one that nobody can judge; the one request
// that the user allows decides.
func TestWrongPaths(t *testing.T) {
	complete := func(in *Input) func(context.Context, model.Profile) error {
		client := remote.New(remote.Options{Env: in.Env, HTTP: &http.Client{Transport: &http.Transport{}}, Retries: -1})
		return func(ctx context.Context, p model.Profile) error {
			_, err := client.Stream(ctx, llm.Request{Model: p, Messages: []llm.Message{llm.Text(llm.RoleUser, "ready?")}}, func(llm.Delta) {})
			return err
		}
	}
	for _, asked := range []bool{false, true} {
		got := examine(t, script, func(in *Input) {
			in.Settings.APIBase += "/v2"
			if asked {
				in.Complete = complete(in)
			}
		})
		if c := got["endpoint"]; c.OK || !strings.Contains(c.Advice, "apiBase") {
			t.Errorf("/v2, asked %v: %+v", asked, c)
		}
	}
	got := examine(t, script, func(in *Input) { in.Complete = complete(in) })
	if c := got["request"]; !c.OK {
		t.Errorf("a good endpoint: %+v", c)
	}
	got = examine(t, script, func(in *Input) {
		in.Complete = func(context.Context, model.Profile) error {
			return &llm.Error{Kind: llm.Overloaded, Message: "The model is overloaded.", Advice: "Wait."}
		}
	})
	if c := got["request"]; c.OK || !strings.Contains(c.Text, "overloaded") {
		t.Errorf("a model that does not answer: %+v", c)
	}
	got = examine(t, script, func(in *Input) {
		in.Models = func(context.Context, model.Profile) ([]remote.ModelInfo, error) {
			return nil, &llm.Error{Kind: llm.NotFound, Message: "No such path.", Advice: "Check it."}
		}
		in.Complete = complete(in)
	})
	if c := got["endpoint"]; !c.OK || !strings.Contains(c.Text, "does not list") {
		t.Errorf("an endpoint without a list: %+v", c)
	}
}

// Someone who has configured nothing learns which file to write and what runs here already.
func TestNothingConfigured(t *testing.T) {
	local, err := llmtest.Parse([]byte("models: qwen, gemma\n-- 1.md --\nx\n"))
	if err != nil {
		t.Fatal(err)
	}
	running := llmtest.Start(local)
	defer running.Close()
	for _, here := range []bool{false, true} {
		got := examine(t, script, func(in *Input) {
			in.Settings.Model, in.Settings.APIBase, in.Settings.APIKeyEnv = "", "", ""
			in.Env = func(string) string { return "" }
			in.Models = remote.New(remote.Options{Env: in.Env, HTTP: &http.Client{Transport: &http.Transport{}}}).Models
			in.UserFile = "/home/me/.config/coauthor/config.yaml"
			in.Locals = []LocalServer{{"Nobody", "http://127.0.0.1:1/v1"}}
			if here {
				in.Locals = append(in.Locals, LocalServer{"Ollama", running.URL + "/v1"})
			}
		})
		if c := got["model"]; c.OK || !strings.Contains(c.Advice, "/home/me/.config/coauthor/config.yaml") {
			t.Errorf("%+v", c)
		}
		if c, ok := got["local"]; ok != here || here && (!strings.Contains(c.Text, "gemma, qwen") || !strings.Contains(c.Advice, running.URL+"/v1")) {
			t.Errorf("a server runs here: %v; %+v", here, c)
		}
	}
	for _, s := range LocalServers() {
		if !strings.HasPrefix(s.Base, "http://127.0.0.1:") {
			t.Errorf("%+v is not on this machine", s)
		}
	}
}
