package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/pipeline"
	"coauthor/agent/settings"
)

const smallManifest = `{
  "name": "x",
  "version": "1",
  "contributes": {
    "commands": [
      {"command": "coauthor.edit", "title": "old words", "category": "Coauthor"},
      {"command": "coauthor.gone", "title": "no row", "category": "Coauthor"},
      {"command": "coauthor.client.chat", "title": "Chat <1>", "category": "Coauthor", "icon": "$(comment)"}
    ],
    "menus": {"b": [], "a": []},
    "configuration": {"title": "Coauthor", "properties": {
      "coauthor.gone": {"type": "string"},
      "coauthor.server.path": {"type": "string"}
    }}
  },
  "scripts": {"test": "true && true"}
}`

// TestTheManifestHasTheTables: rows come in, what is no row goes out, and what was written by hand stays as it was and
// where it was.
func TestTheManifestHasTheTables(t *testing.T) {
	made, err := manifestWith([]byte(smallManifest))
	if err != nil {
		t.Fatal(err)
	}
	again, err := manifestWith(made)
	if err != nil || string(again) != string(made) {
		t.Errorf("written twice it changes: %v", err)
	}
	text := string(made)
	for _, gone := range []string{"old words", "coauthor.gone"} {
		if strings.Contains(text, gone) {
			t.Errorf("%s is still there", gone)
		}
	}
	last := -1
	for _, want := range []string{`"name": "x"`, `"version"`, `"contributes"`, `"commands"`, `"coauthor.edit"`, `"Chat <1>"`, `"icon": "$(comment)"`, `"menus"`, `"b": []`, `"a": []`, `"configuration"`, `"coauthor.server.path"`, `"coauthor.model.name"`, `"true && true"`} {
		at := strings.Index(text, want)
		if at <= last {
			t.Errorf("%s stands at %d, behind %d", want, at, last)
		}
		last = at
	}
	for _, bad := range []string{"", "[]", `{"contributes": 1}`, `{"contributes": {"commands": {}}}`} {
		if _, err := manifestWith([]byte(bad)); err == nil {
			t.Errorf("%q is taken for a manifest", bad)
		}
	}
}

// TestScopesGuardTheUser: what a repository may not choose can be set for the machine alone.
func TestScopesGuardTheUser(t *testing.T) {
	made, err := manifestWith([]byte(smallManifest))
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Contributes struct {
			Commands      []struct{ Command, Title string }
			Configuration struct {
				Properties map[string]struct {
					Scope                    string
					Type                     any
					Default                  any
					MarkdownDescription      string
					MarkdownEnumDescriptions []string
				}
			}
		}
	}
	if err := json.Unmarshal(made, &m); err != nil {
		t.Fatal(err)
	}
	properties := m.Contributes.Configuration.Properties
	for _, r := range settings.Rows() {
		p, there := properties["coauthor."+r.Name]
		if !there {
			t.Errorf("%s is missing", r.Name)
			continue
		}
		if own := r.Scope == settings.User || r.Scope == settings.Client; own != (p.Scope == "machine") {
			t.Errorf("%s: scope %s of a setting of %s", r.Name, p.Scope, r.Scope)
		}
		if p.Type == nil || p.MarkdownDescription != r.Doc || !slices.Equal(p.MarkdownEnumDescriptions, r.EnumDocs) {
			t.Errorf("%s: %+v", r.Name, p)
		}
	}
	for name, want := range map[string]any{"coauthor.apiBase": "", "coauthor.repoMap.tokens": nil, "coauthor.model.temperature": nil} {
		if p := properties[name]; want != nil && p.Default != want {
			t.Errorf("%s: default %v", name, p.Default)
		}
	}
	if p := properties["coauthor.apiBase"]; p.Scope != "machine" {
		t.Errorf("a repository may name the endpoint: %+v", p)
	}
	lists := string(vscodeLists())
	for i, a := range pipeline.Actions() {
		if c := m.Contributes.Commands[i]; c.Command != a.Command() || c.Title != a.Title || !strings.Contains(lists, `command: "`+a.Command()+`"`) {
			t.Errorf("%s: %+v", a.Command(), c)
		}
	}
	if !strings.Contains(lists, `name: "openai", base: "https://api.openai.com`) || !strings.Contains(lists, `keyName: "OPENAI_API_KEY"`) {
		t.Errorf("no providers in\n%s", lists)
	}
}
