package chat

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"coauthor/agent"
	"coauthor/agent/chosen"
	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/agent/index"
	"coauthor/agent/mapper"
	"coauthor/agent/model"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// completing is a completer of a folder with these files, whose map is ready.
func completing(t *testing.T, files map[string]string, inChat ...string) completer {
	t.Helper()
	root := t.TempDir()
	if out, err := exec.Command("git", "-C", root, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, text := range files {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	set := settings.Defaults()
	set.Model = "gpt-5"
	engine := agent.NewEngine(agent.Options{Coders: coder.All(), Settings: func(string) settings.Settings { return set },
		Catalog: sync.OnceValue(func() *model.Catalog {
			c, err := model.Load(nil)
			if err != nil {
				t.Error(err)
			}
			return c
		}),
		Map: func(ws *workspace.Workspace) mapper.Drawer {
			x, err := index.Open(context.Background(), ws.Root(), index.Options{Door: ws.Door().Lister(t.Context())})
			if err != nil {
				t.Error(err)
				return nil
			}
			t.Cleanup(x.Close)
			if err := x.Wait(t.Context()); err != nil {
				t.Error(err)
			}
			return x
		}})
	t.Cleanup(engine.Close)
	session := engine.Session(ws)
	if _, err := session.Choose(chosen.Choice{Files: inChat}); err != nil {
		t.Fatal(err)
	}
	return completer{t.Context(), session, command.Actions()}
}

// TestComplete: what stands before the cursor may become this, the best first; more stands for others behind.
func TestComplete(t *testing.T) {
	c := completing(t, map[string]string{
		"lib/parser.py": "def parse_file(name):\n    pass\n", "lib/paper_sack_reader.py": "x = 1\n", "my notes.md": "Words.\n", ".gitignore": "secret-parser.py\n", "secret-parser.py": "y = 1\n",
		".env": "KEY=parser\n",
	}, "lib/parser.py", "lib/paper_sack_reader.py", "my notes.md")
	for text, want := range map[string]string{
		// The word of a command: its beginning, else letters in order.
		"/mode": "/model /models",
		"/cmmt": "/commit more",
		"/exi":  "/exit",
		"/zzz":  "",
		// The files in the chat, in the same way as other files, in quotes where a blank would end the name.
		"/drop ":                 "lib/parser.py lib/paper_sack_reader.py 'my notes.md'",
		"/drop pars":             "lib/parser.py lib/paper_sack_reader.py",
		"/drop prdr":             "lib/paper_sack_reader.py",
		"/drop NOTES":            "'my notes.md'",
		"/drop lib/parser.py my": "'my notes.md'",
		"/drop zzz":              "",
		"/add pars":              "lib/parser.py lib/paper_sack_reader.py",
		"/add secr":              "",
		"/add .en":               "",
		"/read-only notes":       "'my notes.md'",
		"/lint prsr":             "lib/parser.py lib/paper_sack_reader.py",
		// Models, coders and words of settings.
		"/model gpt-5-m":         "gpt-5-mini more",
		"/model gpt5mi":          "gpt-5-mini more",
		"/weak-model gpt-5-mini": "gpt-5-mini more",
		"/models haiku-4":        "claude-haiku-4-5",
		"/chat-mode arch":        "architect",
		"/chat-mode udif":        "udiff more",
		"/reasoning-effort hi":   "high xhigh",
		// Commands that take nothing, or what nobody knows.
		"/undo x":         "",
		"/think-tokens 1": "",
		"/web htt":        "",
		"/rewind ":        "",
		// In a text: files and names the map knows.
		"look at @prsr":    "@lib/parser.py @lib/paper_sack_reader.py",
		"look at @parse_f": "@parse_file",
		"call parse_f":     "parse_file",
		"/ask how parse_f": "parse_file",
		"see @secret":      "",
		"see .env":         "",
		"x\n@notes":        "@my notes.md",
	} {
		found := c.complete(text, len([]rune(text)))
		var got []string
		for _, one := range found.list {
			got = append(got, strings.ReplaceAll(one.text, `"`, "'"))
		}
		all := strings.Join(got, " ")
		if first, others := strings.CutSuffix(want, " more"); others && strings.HasPrefix(all, first) {
			continue
		}
		if all != want {
			t.Errorf("%q: %s; want %s", text, all, want)
		}
	}
	for _, one := range c.complete("/model gpt-5", 12).list {
		if one.text == "gpt-5" && one.doc != "in use · 400k window · $1.25 / $10" {
			t.Errorf("gpt-5: %q", one.doc)
		}
	}
}
