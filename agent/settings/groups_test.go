package settings

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// groupless are the settings that stand in no group, and why.
var groupless = map[string]string{
	"models":        "each of its entries is a group, by a name of the user's",
	"apiBase":       "a field of an entry of models, which this is short for while there is one endpoint",
	"apiKeyEnv":     "a field of an entry of models, as apiBase",
	"apiKeyCommand": "a field of an entry of models, as apiBase",
	"editFormat":    "a field of an entry of models, as apiBase",
	"actions":       "each of its entries is a command, by a name of the user's",
}

// TestEverySettingHasAGroup: but for those that are named above, and what stands above is true.
func TestEverySettingHasAGroup(t *testing.T) {
	groups := map[string][]string{}
	for _, r := range Rows() {
		_, known := groupless[r.Name]
		if group := r.Group(); group == "" != known || strings.Count(r.Name, ".") > 1 {
			t.Errorf("%s: in the group %q", r.Name, group)
		} else if group != "" {
			groups[group] = append(groups[group], r.Name)
		}
		if known && r.Name != "models" && r.Name != "actions" && !slices.Contains(entryFields(), r.Name) {
			t.Errorf("%s is no field of an entry of models", r.Name)
		}
		if r.Bare != (r.Short() != r.Name) || r.Bare && r.Short() != r.Group() {
			t.Errorf("%s: short %s", r.Name, r.Short())
		}
	}
	for _, r := range Rows() {
		if groups[r.Name] != nil {
			t.Errorf("%s is a setting and the group of %q", r.Name, groups[r.Name])
		}
		if r.Bare && slices.ContainsFunc(Rows(), func(o Row) bool { return o.Bare && o.Name != r.Name && o.Group() == r.Group() }) {
			t.Errorf("the name of the group stands for %s and for another one", r.Name)
		}
	}
	if len(groups) < 10 {
		t.Errorf("only %d groups", len(groups))
	}
}

// TestTheShortNameIsTheSetting: in every layer, and with the same rules about who may set it.
func TestTheShortNameIsTheSetting(t *testing.T) {
	values := map[string]string{"model.name": "gpt-4o", "verify.level": "full", "preview.mode": "diff", "client.name": "helix", "trust.roots": "never"}
	for _, r := range Rows() {
		if !r.Bare {
			continue
		}
		value := values[r.Name]
		if value == "" {
			t.Fatalf("no value for %s", r.Name)
		}
		delete(values, r.Name)
		_, field, _ := strings.Cut(r.Name, ".")
		same := func(what string, taken bool, load func(text string) LoadOptions, spellings ...string) {
			for _, text := range spellings {
				s, ws := Load(load(text))
				if got := strings.Trim(fmt.Sprint(reflect.ValueOf(r.field(&s)).Elem()), "[]"); (got == value) != taken || (len(ws) == 0) != taken {
					t.Errorf("%s, %s: %q with the warnings %v", what, text, got, ws)
				}
			}
		}
		yaml := []string{r.Short() + ": " + value, r.Name + ": " + value, r.Short() + ":\n  " + field + ": " + value}
		objects := []string{`{"` + r.Short() + `": "` + value + `"}`, `{"` + r.Name + `": "` + value + `"}`, `{"` + r.Short() + `": {"` + field + `": "` + value + `"}}`,
			`{"coauthor.` + r.Short() + `": "` + value + `"}`}
		file := func(text string) LoadOptions { return LoadOptions{UserFile: []byte(text)} }
		same("the user's file", true, file, yaml...)
		same("the workspace's file", false, func(text string) LoadOptions { return LoadOptions{WorkspaceFile: []byte(text)} }, yaml...)
		same("an editor", true, func(text string) LoadOptions { return LoadOptions{Client: json.RawMessage(text), ClientOwn: true} }, objects...)
		same("an editor that a repository configures", r.Scope == Client, func(text string) LoadOptions { return LoadOptions{Client: json.RawMessage(text)} }, objects...)
		same("a flag", true, func(name string) LoadOptions { return LoadOptions{Flags: map[string]string{name: value}} }, r.Short(), r.Name)
		same("the variable", true, func(name string) LoadOptions {
			return LoadOptions{Env: func(n string) string { return map[string]string{name: value}[n] }}
		}, r.Env)
	}
	for name := range values {
		t.Errorf("%s has no short name", name)
	}
}

// TestTheWrongGroup: a name that is right and stands in a wrong group, or in one where it should have none, is found.
func TestTheWrongGroup(t *testing.T) {
	for wrong, want := range map[string]string{
		"model.editFormat": "editFormat", "model:\n  apiBase": "apiBase", "turn.requestTimeout": "network.requestTimeout", "commitPrompt": "git.commitPrompt",
		"tokens": "repoMap.tokens or history.tokens", "mode": "history.mode or git.mode or preview.mode", "zzz.zzz": "",
		"modl": "model", "prevew": "preview", "netwrok.proxy": "network.proxy", "files.denyGlob": "files.denyGlobs",
	} {
		_, ws := Load(LoadOptions{UserFile: []byte(wrong + ": 1")})
		if want == "" && len(ws) == 1 && strings.Contains(ws[0].Text, "did you mean") || want != "" && (len(ws) != 1 || !strings.Contains(ws[0].Text, "did you mean "+want+"?")) {
			t.Errorf("%q: %v", wrong, ws)
		}
	}
}
