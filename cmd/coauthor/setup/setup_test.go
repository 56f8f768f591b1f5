package setup

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/doctor"
	"coauthor/agent/event"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
	"coauthor/agent/settings"
)

// machine is what somebody has: keys, files of them, and a provider's server in the place of all providers.
type machine struct {
	t       *testing.T
	server  *llmtest.Server
	env     map[string]string
	answers []string // as they are typed
	asked   []string
}

func newMachine(t *testing.T, models string) *machine {
	t.Helper()
	script, err := llmtest.Parse([]byte("models: " + models + "\n-- 1.md --\nready\n"))
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{t: t, server: llmtest.Start(script), env: map[string]string{}}
	t.Cleanup(m.server.Close)
	return m
}

func (m *machine) options() Options {
	catalog, err := model.Load(nil)
	if err != nil {
		m.t.Fatal(err)
	}
	return Options{
		Catalog: catalog, Env: func(name string) string { return m.env[name] },
		Offers: func(s settings.Settings) func(context.Context, model.Profile) ([]remote.ModelInfo, error) {
			return func(ctx context.Context, p model.Profile) ([]remote.ModelInfo, error) {
				if p.APIKeyEnv != "" { // else it is the server of this machine
					p.APIBase, p.ListURL = m.server.URL, ""
				}
				keys := func(name string) string {
					if len(s.EnvFiles) > 0 {
						return "sk-of-a-file"
					}
					return m.env[name]
				}
				return remote.New(remote.Options{Env: keys}).Models(ctx, p)
			}
		},
		Ask: func(_ context.Context, q event.Question) (event.Answer, error) {
			m.asked = append(m.asked, q.Text)
			for i, choice := range q.Choices {
				m.asked = append(m.asked, choice+" "+q.Titles[i])
			}
			if len(m.answers) == 0 {
				m.t.Fatalf("%s: nobody answers", q.Text)
			}
			answer, ok := q.Choose(m.answers[0])
			if !ok {
				m.t.Fatalf("%q is no answer to %s", m.answers[0], q.Text)
			}
			m.answers = m.answers[1:]
			return answer, nil
		},
	}
}

// TestFind: keys of the environment and of files with variables lead to models of their providers, the usual ones first, and
// servers of this machine to what they offer, under names by which exactly that is sent.
func TestFind(t *testing.T) {
	m := newMachine(t, "openai/gpt-oss, qwen3:8b")
	m.env = map[string]string{"GROQ_API_KEY": "k", "OPENAI_API_KEY": "k", "AZURE_OPENAI_API_KEY": "k", "OTHER": "k"}
	o := m.options()
	o.Have = []string{"/mine.env"}
	o.Files = []File{{"~/.env", []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "PATH"}}, {"/p/.env", []string{"ANTHROPIC_API_KEY"}}}
	o.Locals = []doctor.LocalServer{{Name: "Nobody", Base: "http://127.0.0.1:1"}, {Name: "LM Studio", Base: m.server.URL}}
	var got []string
	ways := Find(t.Context(), o)
	for line := range strings.Lines(Report(ways)) {
		got = append(got, strings.ReplaceAll(strings.TrimRight(line, "\n"), m.server.URL, "URL"))
	}
	if diff := cmp.Diff([]string{
		"anthropic, with the key in ANTHROPIC_API_KEY of ~/.env:", "  model: claude-sonnet-4-5", "  env.files: [/mine.env, ~/.env]",
		"openai, with the key in OPENAI_API_KEY:", "  model: gpt-5",
		"LM Studio at URL, 2 models:", "  model: local/openai/gpt-oss", "  apiBase: URL",
		"groq, with the key in GROQ_API_KEY:", "  model: groq/NAME",
	}, got); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if w := o.server(doctor.RunningServer{LocalServer: doctor.LocalServers()[0], Models: []string{"qwen3:8b"}}); w.Models[0] != "ollama/qwen3:8b" || w.Given != nil {
		t.Errorf("Ollama: %v %v", w.Models, w.Given)
	}
	for _, w := range ways {
		if strings.Contains(w.Title, "LM Studio") {
			for i, id := range []string{"openai/gpt-oss", "qwen3:8b"} {
				if p := (settings.Settings{APIBase: m.server.URL}).Profile(o.Catalog, w.Models[i]); p.ID != id || p.APIBase != m.server.URL {
					t.Errorf("%s is sent as %s to %s", w.Models[i], p.ID, p.APIBase)
				}
			}
		}
	}
}

// TestChooseOfAProvider: its models are asked for with the key that was chosen, also one of a file. The proposed model is the
// first, those that are known come next, and any other that the provider has can be typed.
func TestChooseOfAProvider(t *testing.T) {
	const many = "a1, a2, a3, a4, a5, a6, a7, a8, gpt-5-mini, gpt-5, o3, zz"
	for name, x := range map[string]struct {
		models  string
		answers []string
		want    string
		failed  string
	}{
		"the proposed one":    {many, []string{"1", ""}, "model: gpt-5\n", ""},
		"one that is known":   {many, []string{"1", "2"}, "model: gpt-5-mini\n", ""},
		"one of the others":   {many, []string{"1", "10", "zz"}, "model: openai/zz\n", ""},
		"one that is not":     {many, []string{"1", "10", "yy"}, "", `does not list the model "yy"`},
		"none":                {many, []string{"1", "10", ""}, "", "no model was chosen"},
		"without a proposal":  {"llama, kimi", []string{"2", "2"}, "model: groq/llama\nenv.files: [~/.env]\n", ""},
		"one alone":           {"llama", []string{"2"}, "model: groq/llama\nenv.files: [~/.env]\n", ""},
		"a key that is wrong": {"\nkey: another", []string{"1"}, "", "cannot list the models of openai, so nothing was written: "},
	} {
		m := newMachine(t, x.models)
		m.env["OPENAI_API_KEY"] = "sk-theirs-0123456789"
		o := m.options()
		o.Files = []File{{"~/.env", []string{"GROQ_API_KEY"}}}
		m.answers = x.answers
		given, err := o.Choose(t.Context(), Find(t.Context(), o), "")
		if x.failed != "" {
			if err == nil || !strings.Contains(err.Error(), x.failed) || strings.Contains(err.Error(), "sk-theirs") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || Lines(given) != x.want || len(m.answers) > 0 {
			t.Errorf("%s: %q, %v\n%s", name, Lines(given), err, strings.Join(m.asked, "\n"))
		}
	}
}

// TestWrite: a link stays a link, a file keeps its rights, and one that changed meanwhile is not replaced.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "deep", "config.yaml")
	if err := Write(path, nil, []byte("model: a\n")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.yaml")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	if err := Write(link, []byte("model: a\n"), []byte("model: b\n")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if data, _ := os.ReadFile(path); err != nil || string(data) != "model: b\n" || runtime.GOOS != "windows" && info.Mode() != 0o640 {
		t.Errorf("%q, %v, %v", data, info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link: %v, %v", info.Mode(), err)
	}
	if err := Write(path, []byte("model: a\n"), []byte("model: c\n")); err == nil || !strings.Contains(err.Error(), "has changed meanwhile") {
		t.Errorf("over a change: %v", err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

// TestChooseAnotherServer: it is asked with the key that its variable holds, and what it has is offered under the names by which
// exactly that is sent. Nothing is written of a server that is not there, refuses the key, or of a key itself; one that
// lists no models is taken at the user's word.
func TestChooseAnotherServer(t *testing.T) {
	const many = "a1, a2, a3"
	for name, x := range map[string]struct {
		models       string
		answers      []string // URL is that of the server
		want, failed string
	}{
		"without a key":       {"openai/gpt-oss", []string{"1", " URL ", ""}, "model: local/openai/gpt-oss\napiBase: URL\napiKeyEnv: " + model.NoKey + "\n", ""},
		"with a key":          {"only\nkey: sk-mine", []string{"1", "URL", " MINE "}, "model: only\napiBase: URL\napiKeyEnv: MINE\n", ""},
		"the second of three": {many, []string{"1", "URL", "", "2"}, "model: a2\napiBase: URL\napiKeyEnv: " + model.NoKey + "\n", ""},
		"no server":           {many, []string{"1", " "}, "", "no server was chosen, so nothing was written"},
		"a key itself":        {many, []string{"1", "URL", "sk-theirs-0123456789"}, "", "Coauthor does not store keys"},
		"a key that is wrong": {many + "\nkey: another", []string{"1", "URL", "MINE"}, "", "cannot list the models of the server, so nothing was written: "},
		"none there":          {many, []string{"1", "http://127.0.0.1:1", ""}, "", "cannot list the models of the server, so nothing was written: "},
		"another path":        {many, []string{"1", "URL/nothing/here", "", "openai/mine"}, "model: local/openai/mine\napiBase: URL/nothing/here\napiKeyEnv: " + model.NoKey + "\n", ""},
		"no model":            {many, []string{"1", "URL/nothing/here", "", ""}, "", "no model was chosen, so nothing was written"},
	} {
		m := newMachine(t, x.models)
		m.env["MINE"] = "sk-mine"
		for _, answer := range x.answers {
			m.answers = append(m.answers, strings.ReplaceAll(answer, "URL", m.server.URL))
		}
		o := m.options()
		o.Offers = func(s settings.Settings) func(context.Context, model.Profile) ([]remote.ModelInfo, error) {
			return remote.New(remote.Options{Env: o.Env}).Models
		}
		given, err := o.Choose(t.Context(), nil, "")
		got := strings.ReplaceAll(Lines(given), m.server.URL, "URL")
		if x.failed != "" {
			if err == nil || !strings.Contains(err.Error(), x.failed) || strings.Contains(err.Error(), "sk-") {
				t.Errorf("%s: %q, %v", name, got, err)
			}
			continue
		}
		if err != nil || got != x.want || len(m.answers) > 0 {
			t.Errorf("%s: %q, %v\n%s", name, got, err, strings.Join(m.asked, "\n"))
		}
	}
	if got := Lines(Endpoint("gpt-5", "")); got != "model: gpt-5\n" {
		t.Errorf("without an endpoint: %q", got)
	}
	if list := Endpoint("gpt-5", ""); len(list) != 4 || list[1] != (settings.Given{Name: "apiBase"}) {
		t.Errorf("what belonged to another endpoint stays: %v", list)
	}
}
