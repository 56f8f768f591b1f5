package settings

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An entry of actions that is wrong is told with what to do, and the others count.
func TestActions(t *testing.T) {
	for _, c := range []struct{ entry, want string }{
		{`{name: a, prompt: Do it.}`, ""},
		{`{name: /a, prompt: Do it., title: T, coder: ask, model: m, kind: refactor.extract, languages: go, needsSelection: yes, hint: "[file]"}`, ""},
		{`{name: a, prompt: Do it., kind: source.tidy, title: null}`, ""},
		{`just a text`, `must be a map of fields`},
		{`{prompt: Do it.}`, `the name is missing`},
		{`{name: 7, prompt: Do it.}`, `the name must be a string`},
		{`{name: a b, prompt: Do it.}`, `(a b): the name "a b" is not valid`},
		{`{name: a}`, `(a): the prompt is missing`},
		{`{name: a, prompt: [x]}`, `the prompt must be a string`},
		{`{name: a, prompt: x, coder: painter}`, `there is no coder "painter"`},
		{`{name: a, prompt: x, coder: editor}`, `there is no coder "editor"`},
		{`{name: a, prompt: x, kind: menu}`, `kind must be one of refactor, quickfix, source`},
		{`{name: a, prompt: x, kind: source.fixAll.mine}`, `editors run such actions on save`},
		{`{name: a, prompt: x, languages: [1]}`, `languages must be a list of strings`},
		{`{name: a, prompt: x, needsSelection: perhaps}`, `needsSelection must be true or false`},
		{`{name: a, prompt: x, mode: ask}`, `"mode" (did you mean coder?)`},
		{`{name: a, prompt: x, promt: y}`, `"promt" (did you mean prompt?)`},
	} {
		s, warnings := Load(LoadOptions{UserPath: "f", UserFile: []byte("actions:\n  - {name: first, prompt: x}\n  - " + c.entry + "\n  - {name: last, prompt: x}\n")})
		told := ""
		for _, w := range warnings {
			told += w.String() + "\n"
		}
		want := 3
		if c.want != "" {
			want = 2
		}
		if len(s.Actions) != want || s.Actions[0].Name != "first" || s.Actions[want-1].Name != "last" || !strings.Contains(told, c.want) || (told == "") != (c.want == "") ||
			told != "" && (!strings.HasPrefix(told, "f:1:1: actions: entry 2") || !strings.Contains(told, "; this entry is ignored\n")) {
			t.Errorf("%s: %+v, told %q, want %q", c.entry, s.Actions, told, c.want)
		}
	}
	s, _ := Load(LoadOptions{UserFile: []byte("actions: [{name: /a, prompt: ' Do it. ', coder: ask, languages: [go, c], needsSelection: true}]\n")})
	if diff := cmp.Diff([]Action{{Name: "a", Prompt: "Do it.", Coder: "ask", Languages: []string{"go", "c"}, NeedsSelection: true}}, s.Actions); diff != "" {
		t.Error(diff)
	}
	_, warnings := Load(LoadOptions{UserFile: []byte("actions: {name: a}\n")})
	if len(warnings) != 1 || !strings.Contains(warnings[0].Text, "must be a list of actions") {
		t.Errorf("a map: %v", warnings)
	}
	s, warnings = Load(LoadOptions{UserFile: []byte("actions: [{name: a, prompt: x}, {name: a, prompt: y}]\n")})
	if len(s.Actions) != 1 || s.Actions[0].Prompt != "x" || len(warnings) != 1 || !strings.Contains(warnings[0].Text, "entry 2 (a): it has the same name as entry 1") {
		t.Errorf("twice: %+v, %v", s.Actions, warnings)
	}
}

// The entries of several layers add up, the later of two with one name counts, and a workspace that is not trusted has none.
func TestActionsOfLayers(t *testing.T) {
	o := LoadOptions{
		UserFile:      []byte("actions: [{name: a, prompt: user}, {name: b, prompt: user}]\n"),
		WorkspaceFile: []byte("actions: [{name: b, prompt: workspace}, {name: c, prompt: workspace}]\n"),
		Client:        json.RawMessage(`{"actions":[{"name":"c","prompt":"client"},{"name":"d","prompt":"client"}]}`),
	}
	for trusted, want := range map[bool]string{false: "a user, b user", true: "a user, b workspace, c client, d client"} {
		o.Trusted = trusted
		s, warnings := Load(o)
		var got []string
		for _, a := range s.Actions {
			got = append(got, a.Name+" "+a.Prompt)
		}
		if strings.Join(got, ", ") != want || (len(warnings) == 0) != trusted {
			t.Errorf("trusted %v: %q, %v", trusted, got, warnings)
		}
	}
}

// Whatever stands in an entry, what is taken of it can be called.
func FuzzActions(f *testing.F) {
	f.Add(`[{"name":"a","prompt":"x"},{"name":"a","prompt":"y"}]`)
	f.Add(`[{"name":"a","prompt":"x","kind":"source.x","languages":["go"],"needsSelection":1}]`)
	f.Add(`[1,null,{"name":null}]`)
	f.Add(`{"name":"a"}`)
	f.Fuzz(func(t *testing.T, text string) {
		s, _ := Load(LoadOptions{Client: json.RawMessage(`{"actions":` + text + `}`), ClientOwn: true})
		seen := map[string]bool{}
		for _, a := range s.Actions {
			if !ActionName(a.Name) || a.Prompt == "" || ValidateActionKind(a.Kind) != nil || seen[a.Name] {
				t.Errorf("%s: %+v", text, a)
			}
			seen[a.Name] = true
		}
	})
}

// TestActionName: letters of every script and few signs, none of them first, and no more than a menu shows.
func TestActionName(t *testing.T) {
	for _, name := range []string{"fix", "2nd", "Überprüfe", "检查", "team:fix-it_v1.2", strings.Repeat("ä", maxName)} {
		if !ActionName(name) {
			t.Errorf("%q is refused", name)
		}
	}
	for _, name := range []string{"", " ", "a b", "-x", ".x", ":x", "_x", "a/b", `a\b`, "a\n", "\nfix", "a\xff", "x·y", "a\x00", strings.Repeat("ä", maxName+1)} {
		if ActionName(name) {
			t.Errorf("%q is allowed", name)
		}
	}
}
