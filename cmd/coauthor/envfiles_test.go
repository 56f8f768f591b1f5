package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/settings"
)

// reloading is a wiring of a user with a home and a folder.
type reloading struct {
	*wiring
	t          *testing.T
	home, root string
	log        strings.Builder
}

func newReloading(t *testing.T, env map[string]string) *reloading {
	r := &reloading{t: t, home: t.TempDir(), root: t.TempDir()}
	log := slog.New(slog.NewTextHandler(&r.log, nil))
	r.wiring = newWiring(Streams{Env: func(name string) string {
		if name == "HOME" {
			return r.home
		}
		return env[name]
	}}, nil, log)
	return r
}

func (r *reloading) write(dir, name, text string) {
	r.t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

const userConfig = ".config/coauthor/config.yaml"

// TestKeysInFiles: of a file of variables only keys of models are read, and what the environment has comes first.
func TestKeysInFiles(t *testing.T) {
	r := newReloading(t, map[string]string{"HERE_KEY": "from the environment"})
	r.write(r.home, ".env", "# mine\nexport OPENAI_API_KEY='sk-file' # old\nOTHER_API_KEY=sk-other\nMINE_KEY=sk-mine\nHERE_KEY=sk-here\nCOAUTHOR_MODEL=evil\n")
	r.write(r.home, "broken.env", "OPENAI_API_KEY sk-secret\n=\n")
	r.write(r.home, userConfig, "models: {mine: {apiBase: 'https://a', apiKeyEnv: MINE_KEY}, here: {apiBase: 'https://b', apiKeyEnv: HERE_KEY}}\nenv:\n  files: [relative.env, ~/none.env, ~/broken.env, ~/.env]\n")
	s, warnings := r.settings("", settings.Editor{})
	if len(warnings) != 2 || !strings.Contains(warnings[0].String(), "relative.env: a path") || !strings.Contains(warnings[1].String(), "broken.env:1:1: ") {
		t.Errorf("of files that are not read it is told: %v", warnings)
	}
	keys := r.keys(s)
	for name, want := range map[string]string{"OPENAI_API_KEY": "sk-file", "OTHER_API_KEY": "", "MINE_KEY": "sk-mine", "HERE_KEY": "from the environment", "COAUTHOR_MODEL": ""} {
		if got := keys(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if !strings.HasPrefix(s.Model, "gpt") {
		t.Errorf("the model is %s, though there is a key of OpenAI's", s.Model)
	}
	for _, told := range []string{"relative.env", "none.env", "broken.env"} {
		if !strings.Contains(r.log.String(), told) {
			t.Errorf("nothing was logged of %s", told)
		}
	}
	if strings.Contains(r.log.String(), "sk-") {
		t.Errorf("a key is in the log: %s", r.log.String())
	}
	r.write(r.home, ".env", "OPENAI_API_KEY=sk-new\n")
	if got := keys("OPENAI_API_KEY"); got != "sk-new" {
		t.Errorf("the new key is %q", got)
	}
	r.write(r.root, ".coauthor/config.yaml", "env.files: [~/other.env]\n")
	r.write(r.home, userConfig, "trust: always\n")
	if s, warnings := r.settings(r.root, settings.Editor{}); len(s.EnvFiles) != 0 || len(warnings) != 1 {
		t.Errorf("a workspace lists %v: %v", s.EnvFiles, warnings)
	}
}

// TestSettingsAreReadAgain: a change of each layer holds from the next look on.
func TestSettingsAreReadAgain(t *testing.T) {
	r := newReloading(t, nil)
	want := func(model, effort string, client settings.Editor) {
		t.Helper()
		s, warnings := r.settings(r.root, client)
		if s.Model != model || s.ReasoningEffort != effort || len(warnings) > 0 {
			t.Errorf("model %s, effort %s, %v; want %s and %s", s.Model, s.ReasoningEffort, warnings, model, effort)
		}
	}
	r.write(r.home, userConfig, "models: {one: {apiBase: 'https://a'}, two: {apiBase: 'https://a'}, three: {apiBase: 'https://a'}}\nmodel: one\n")
	want("one", "auto", settings.Editor{})
	r.write(r.root, ".coauthor/config.yaml", "model: two\n")
	want("two", "auto", settings.Editor{})
	r.write(r.root, ".coauthor/config.yaml", "")
	r.write(r.home, userConfig, "models: {one: {apiBase: 'https://a'}, two: {apiBase: 'https://a'}, three: {apiBase: 'https://a'}}\nmodel: three\nmodel.reasoningEffort: low\n")
	want("three", "low", settings.Editor{})
	want("one", "low", settings.Editor{Settings: []byte(`{"model": "one"}`), Own: true})
	want("two", "high", settings.Editor{Settings: []byte(`{"model": "two", "model.reasoningEffort": "high"}`), Own: true})
	want("three", "low", settings.Editor{})
}
