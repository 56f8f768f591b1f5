package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"coauthor/agent/settings"
)

// another is a value of a setting that is not its default, as YAML has it.
func another(t *testing.T, r settings.Row) string {
	t.Helper()
	switch r.Type {
	case settings.Enum:
		for _, v := range r.Enum {
			if v != r.Default {
				return fmt.Sprintf("%q", v)
			}
		}
	case settings.Bool:
		return fmt.Sprint(r.Default != true)
	case settings.Int, settings.Tokens, settings.Number:
		n := max(r.Min, 1)
		if fmt.Sprint(r.Default) == fmt.Sprint(n) {
			n++
		}
		return fmt.Sprint(n)
	case settings.Duration:
		return fmt.Sprintf("%ds", int(r.Min)+7)
	case settings.String:
		return "another"
	case settings.List:
		return "[~/one, ~/two]"
	case settings.Switches:
		return "{noProgress: true}"
	case settings.Models:
		return "{one: {model: two}}"
	case settings.Commands:
		return "[go vet]"
	case settings.Actions:
		return "[{name: one, prompt: two}]"
	}
	t.Fatalf("%s: there is no value of the type %s", r.Name, r.Type)
	return ""
}

// TestEverySettingIsReadAgain: whatever changes in the files counts when the settings are read next, which a turn does once, and
// so does that it was taken back. What describes the editor comes from there, and each change of it counts, too.
func TestEverySettingIsReadAgain(t *testing.T) {
	env := noEnvironment(t)
	config := t.TempDir()
	s := Streams{Env: func(name string) string {
		if name == "XDG_CONFIG_HOME" {
			return config
		}
		return env(name)
	}}
	w, root := newWiring(s, nil, nil), lay(t, map[string]string{".coauthor/x": "x\n"})
	if err := os.Mkdir(filepath.Join(config, "coauthor"), 0o755); err != nil {
		t.Fatal(err)
	}
	value := func(r settings.Row, client settings.Editor) string {
		t.Helper()
		v, warnings := w.settings(root, client)
		for _, warning := range warnings {
			t.Errorf("%s: %s", r.Name, warning)
		}
		list := v.InForce()
		i := slices.IndexFunc(list, func(x settings.InForce) bool { return x.Name == r.Name })
		if i < 0 {
			return ""
		}
		return list[i].Value
	}
	for _, r := range settings.Rows() {
		text, trust := r.Name+": "+another(t, r)+"\n", "trust: always\n"
		plain := value(r, settings.Editor{})
		places := []string{filepath.Join(config, "coauthor", "config.yaml")}
		if r.Scope != settings.Client && !r.Own {
			places = append(places, filepath.Join(root, ".coauthor", "config.yaml"))
		}
		if r.Scope == settings.Client {
			places = nil
			changed := value(r, settings.Editor{Own: true, Settings: []byte(`{"client.name":"helix","client.quirks":{"noProgress":true}}`)})
			if again := value(r, settings.Editor{Own: true, Settings: []byte(`{}`)}); changed == plain || again != plain {
				t.Errorf("%s: %q, changed %q, taken back %q", r.Name, plain, changed, again)
			}
		}
		for i, place := range places {
			if i > 0 { // the workspace's
				if err := os.WriteFile(places[0], []byte(trust), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(place, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			changed := value(r, settings.Editor{})
			for _, name := range places {
				if err := os.RemoveAll(name); err != nil {
					t.Fatal(err)
				}
			}
			if again := value(r, settings.Editor{}); changed == plain || again != plain {
				t.Errorf("%s in %s: %q, changed %q, taken back %q", r.Name, place, plain, changed, again)
			}
		}
	}
}
