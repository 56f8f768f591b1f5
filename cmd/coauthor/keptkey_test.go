package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/llm/llmtest"
)

// TestTheUsualKey goes to an endpoint that the user gives in one command or file with it. Where they do not it is kept back,
// and the message says which key, why, and how to send it; whether the server is on this machine or not.
func TestTheUsualKey(t *testing.T) {
	const key = "sk-usual-0123456789"
	for what, x := range map[string]struct {
		config, args string
		env          map[string]string
		sent         bool
		told         string
	}{
		"a flag":                    {args: "--model gpt-4o --api-base URL", sent: true},
		"a flag, any model":         {args: "--model mine --api-base URL", sent: true},
		"a flag, a local name":      {args: "--model local --api-base URL", sent: true},
		"a flag above the file":     {config: "model: mine\napiBase: https://other.example\n", args: "--api-base URL", sent: true},
		"a file with both":          {config: "model: mine\napiBase: URL\napiKeyEnv: OPENAI_API_KEY\n", sent: true},
		"a file with the endpoint":  {config: "model: mine\napiBase: URL\n", told: "OPENAI_API_KEY was not sent, because"},
		"our variable":              {env: map[string]string{"COAUTHOR_API_BASE": "URL", "COAUTHOR_MODEL": "mine"}, told: "OPENAI_API_KEY was not sent, because"},
		"another's key":             {args: "--model deepseek-chat --api-base URL", env: map[string]string{"DEEPSEEK_API_KEY": "sk-deep-0123456789"}, told: "DEEPSEEK_API_KEY was not sent, because"},
		"a remote host in the file": {config: "model: mine\napiBase: https://models.invalid\n", told: "OPENAI_API_KEY was not sent, because your settings do not assign it to models.invalid"},
	} {
		t.Run(what, func(t *testing.T) {
			script, err := llmtest.Parse([]byte("key: " + key + "\n-- 1.md --\nFine.\n"))
			if err != nil {
				t.Fatal(err)
			}
			server := llmtest.Start(script)
			defer server.Close()
			home := t.TempDir()
			file := filepath.Join(home, ".config", "coauthor", "config.yaml")
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(strings.ReplaceAll(x.config, "URL", server.URL)), 0o600); err != nil {
				t.Fatal(err)
			}
			env := map[string]string{"HOME": home, "OPENAI_API_KEY": key}
			for name, value := range x.env {
				env[name] = strings.ReplaceAll(value, "URL", server.URL)
			}
			var out, errs strings.Builder
			ctx, cancel := context.WithTimeout(t.Context(), hung)
			defer cancel()
			args := append([]string{"ask", "-m", "Well?", "--root", t.TempDir()}, strings.Fields(strings.ReplaceAll(x.args, "URL", server.URL))...)
			code := run(ctx, args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(name string) string { return env[name] }})
			if (code == 0) != x.sent || !strings.Contains(errs.String(), x.told) {
				t.Errorf("exit %d\n%s%s", code, out.String(), errs.String())
			}
			for _, r := range server.Requests() {
				if got := r.Header.Get("Authorization"); (got == "Bearer "+key) != x.sent || !x.sent && got != "" {
					t.Errorf("sent %q", got)
				}
			}
		})
	}
}

// TestTheWordsOfATerminal: without configuration, and whatever is wrong with a key, a command speaks of the terminal and names
// the commands that make a set-up and check it.
func TestTheWordsOfATerminal(t *testing.T) {
	for _, args := range []string{"ask -m x", "edit -m x", "architect -m x", "improve -m x --preview", "ask -m x --model claude-sonnet-4-5", "ask -m x --model openrouter/x/y", "commit", "review", "models", "help -m x", "generate -m x --preview",
		"ask -m x --model local --api-base URL", "ask -m x --model azure/x", "ask -m x --api-base https://models.invalid", "doctor"} {
		script, err := llmtest.Parse([]byte("key: sk-right-0123456789\n-- 1.md --\nFine.\n"))
		if err != nil {
			t.Fatal(err)
		}
		server := llmtest.Start(script)
		h := &shell{t: t, root: t.TempDir(), server: server}
		h.put("a.py", "x = 1\n")
		(&gitShell{shell: h}).git("init", "-q")
		(&gitShell{shell: h}).git("add", "a.py")
		h.put(".git/config", h.read(".git/config")+"[user]\nname = Ann\nemail = ann@example.org\n")
		home := t.TempDir()
		var out, errs strings.Builder
		ctx, cancel := context.WithTimeout(t.Context(), hung)
		line := append(strings.Fields(strings.ReplaceAll(args, "URL", server.URL)), "--root", h.root)
		code := run(ctx, line, Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(name string) string { return map[string]string{"HOME": home}[name] }})
		cancel()
		server.Close()
		all := out.String() + errs.String()
		want := 1
		if args == "commit" {
			want = 0 // its message is made of the names of the files
		}
		if code != want || args != "models" && strings.Contains(all, "editor") || !strings.Contains(all, "coauthor init") || !strings.Contains(args+all, "coauthor doctor") && args != "doctor" {
			t.Errorf("%s: exit %d\n%s", args, code, all)
		}
	}
}
