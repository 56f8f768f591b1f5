//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/llm/llmtest"
)

// newcomer is somebody with a home of their own, a server of models on their machine, and perhaps settings.
type newcomer struct {
	*shell
	home, config string
}

const theirKey = "sk-newcomer-0123456789"

func newNewcomer(t *testing.T, script, config string) *newcomer {
	t.Helper()
	n := &newcomer{shell: newShell(t, script), home: t.TempDir()}
	n.env = map[string]string{"HOME": n.home, "XDG_CONFIG_HOME": filepath.Join(n.home, "config"), "XDG_STATE_HOME": filepath.Join(n.home, "state"), "THEIR_KEY": theirKey}
	n.config = filepath.Join(n.home, "config", "coauthor", "config.yaml")
	if config != "" {
		if err := os.MkdirAll(filepath.Dir(n.config), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(n.config, []byte(strings.ReplaceAll(config, "URL", n.server.URL)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// init runs the command on a terminal.
func (n *newcomer) init(args ...string) *screen {
	return n.onScreen(append([]string{"init", "--root", n.root, "--local-server", n.server.URL}, args...)...)
}

// settings are what the file holds, with the address of the server as URL.
func (n *newcomer) settings() string {
	data, err := os.ReadFile(n.config)
	if err != nil {
		return "absent"
	}
	return strings.ReplaceAll(string(data), n.server.URL, "URL")
}

// asked counts what the model was asked.
func (n *newcomer) asked() int { return len(n.server.Requests()) }

// TestInit: from a machine without settings to an answer of a model. A yes writes and sends, and nothing else does.
func TestInit(t *testing.T) {
	const script = "models: small, large\n-- 1.md --\nready\n-- 2.md --\nIt works.\n"
	for _, answer := range []string{"n\n", "\n", "\x04", "y\n"} {
		n := newNewcomer(t, script, "")
		s := n.init()
		s.expect("1  Local server at " + n.server.URL + ", 2 models")
		s.expect("2  another server")
		s.expect("[1/2] (default: 1)")
		s.types("\n")
		s.expect("1  large")
		s.expect("2  small")
		s.types("2\n")
		s.expect("Changes in " + n.config)
		s.expect("+ model: small\n+ apiBase: " + n.server.URL + "\n")
		s.expect("Write this and send the model one short request? [yes/no] (default: no)")
		s.types(answer)
		if answer != "y\n" {
			s.expect("coauthor: nothing was written or sent")
			s.exit(1)
			if n.settings() != "absent" || n.asked() > 0 {
				t.Errorf("%q: %d requests, %s", answer, n.asked(), n.settings())
			}
			continue
		}
		s.expect("small answered: ready")
		s.expect("Next, run coauthor to start a session")
		s.exit(0)
		if got := n.settings(); got != "model: small\napiBase: URL\n" {
			t.Errorf("written %q", got)
		}
		if info, err := os.Stat(n.config); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		s = n.onScreen("ask", "-m", "Does it?", "--root", n.root)
		s.expect("It works.")
		s.exit(0)
	}
}

// TestInitKeepsWhatIsThere: of settings that are there the lines that must change do, and the rest stays byte for byte. What
// cannot be changed in that way is left to the user, with the lines to write.
func TestInitKeepsWhatIsThere(t *testing.T) {
	const script = "-- 1.md --\nready\n-- 1.yaml --\nrepeat: true\n"
	const before = "# mine\nmodel: gpt-5 # for now\napiKeyEnv: THEIR_KEY\npreview: diff\napiBase: https://models.invalid\n"
	n := newNewcomer(t, script, before)
	s := n.init()
	s.expect("3  keep gpt-5")
	s.expect("(default: 3)")
	s.types("1\n")
	s.expect("- model: gpt-5 # for now\n- apiKeyEnv: THEIR_KEY\n+ model: scripted # for now\n- apiBase: https://models.invalid\n+ apiBase: " + n.server.URL + "\n")
	s.types("y\n")
	s.expect("scripted answered: ready")
	s.exit(0)
	if got := n.settings(); got != "# mine\nmodel: scripted # for now\npreview: diff\napiBase: URL\n" {
		t.Errorf("written %q", got)
	}
	s = n.init() // once more, with what is there
	s.expect("3  keep scripted")
	s.types("\n")
	s.expect("Send the model one short request? [yes/no] (default: no)")
	s.types("y\n")
	s.expect("scripted answered: ready")
	s.exit(0)
	for config, told := range map[string]string{
		"{preview: diff}\n":                       "add these lines yourself:\nmodel: scripted\napiBase: ",
		"model: >-\n  gpt-5\n":                    "add these lines yourself:\nmodel: scripted\napiBase: ",
		"apiBas: https://a.example\nmodel: m\n":   "there is no setting apiBas",
		"model: gpt-5\n\tpreview: diff\n":         "tabs",
		"model: gpt-5\napiBase: [not, a, base]\n": "apiBase",
	} {
		n := newNewcomer(t, script, config)
		s := n.init()
		if strings.HasPrefix(told, "add") {
			s.expect("another server")
			s.types("1\n")
		}
		s.expect(told)
		s.exit(1)
		if n.settings() != config || n.asked() > 0 {
			t.Errorf("%q became %q, with %d requests", config, n.settings(), n.asked())
		}
	}
}

// TestInitWithAnotherServer: a server that is not found is named, with the variable that has its key. A key itself is taken
// nowhere, and none is shown.
func TestInitWithAnotherServer(t *testing.T) {
	const script = "key: " + theirKey + "\nmodels: openai/gpt-oss\n-- 1.md --\nready\n"
	n := newNewcomer(t, script, "") // which needs a key, and so is not found
	another := func() *screen {
		s := n.init()
		s.expect("Found none. To use a provider, set its key")
		s.expect("1  another server")
		s.types("1\n")
		s.expect("URL of an OpenAI-compatible server")
		s.types(n.server.URL + "\n")
		s.expect("Environment variable that contains its key")
		return s
	}
	for typed, told := range map[string]string{theirKey: "that is not the name of an environment variable, so nothing was written", "": "cannot list the models of the server", "NO_KEY": "cannot list the models of the server"} {
		s := another()
		s.types(typed + "\n")
		s.expect(told)
		s.exit(1)
		if n.settings() != "absent" || strings.Contains(strings.Replace(s.text(), typed+"\n", "", 1), theirKey) {
			t.Errorf("%q: %s\n%s", typed, n.settings(), s.text())
		}
	}
	s := another()
	s.types("THEIR_KEY\n")
	s.expect("Write this and send")
	s.types("y\n")
	s.expect("answered: ready")
	s.exit(0)
	if got := n.settings(); got != "model: local/openai/gpt-oss\napiBase: URL\napiKeyEnv: THEIR_KEY\n" || strings.Contains(s.text(), theirKey) {
		t.Errorf("written %q\n%s", got, s.text())
	}
	if r := n.server.Requests()[0]; r.Model != "openai/gpt-oss" || r.Header.Get("Authorization") != "Bearer "+theirKey {
		t.Errorf("sent for %q with %q", r.Model, r.Header.Get("Authorization"))
	}
}

// TestInitWithoutATerminal tells what there is and what to write, and chooses nothing. What is named is written where --yes
// says so. A model that does not answer is told of in a sentence.
func TestInitWithoutATerminal(t *testing.T) {
	home := t.TempDir()
	config := filepath.Join(home, "config", "coauthor", "config.yaml")
	script, err := llmtest.Parse([]byte("models: small, large\n-- 1.md --\nready\n-- 2.md --\nNo such model here.\n-- 2.yaml --\nstatus: 404\n"))
	if err != nil {
		t.Fatal(err)
	}
	server := llmtest.Start(script)
	defer server.Close()
	env := map[string]string{"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, "config"), "XDG_STATE_HOME": filepath.Join(home, "state")}
	for _, args := range [][]string{{"init"}, {"init", "--yes"}} {
		r := runLine(t, env, "1\ny\n", append(args, "--root", home, "--local-server", server.URL)...)
		if r.code != 1 || r.out != "Local server at "+server.URL+", 2 models:\n  model: large\n  apiBase: "+server.URL+"\n" ||
			!strings.Contains(r.err, "nothing was written, because coauthor cannot ask without a terminal; add the lines for one of these to "+config) {
			t.Errorf("%q: exit %d\n%s%s", args, r.code, r.out, r.err)
		}
		r = runLine(t, env, "1\ny\n", append(args, "--root", home, "--local-server", "http://127.0.0.1:1")...)
		if r.code != 1 || !strings.Contains(r.err, "found no API key and no model server") {
			t.Errorf("%q with nothing: exit %d\n%s%s", args, r.code, r.out, r.err)
		}
	}
	r := runLine(t, env, "y\n", "init", "--model", "small", "--api-base", server.URL, "--root", home)
	if _, err := os.Stat(config); r.code != 1 || err == nil || !strings.Contains(r.err, "add --yes to write without asking") {
		t.Errorf("without --yes: exit %d, %v\n%s", r.code, err, r.err)
	}
	for i, says := range []string{"small answered: ready", "coauthor: the settings are in " + config + ", but small did not answer. "} {
		r := runLine(t, env, "", "init", "--model", "small", "--api-base", server.URL, "--root", home, "--yes")
		if data, err := os.ReadFile(config); r.code != i || err != nil || string(data) != "model: small\napiBase: "+server.URL+"\n" || !strings.Contains(r.err, says) {
			t.Errorf("exit %d, %v\n%s%s", r.code, err, data, r.err)
		}
	}
}
