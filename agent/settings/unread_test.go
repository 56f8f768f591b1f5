package settings

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"coauthor/agent/model"
)

// TestUnreadNamesNoOtherProvider: whatever is wrong where a file may name an endpoint, nothing is sent until it is right
// or a higher layer names one.
func TestUnreadNamesNoOtherProvider(t *testing.T) {
	bad := map[string]string{
		"a tab before a line": "model: a\nmodels:\n\ta: {}\n", "an empty line of a tab": "model: a\n\t\napiBase: http://h\n", "no YAML": "apiBase http://h\nmodel: a\n",
		"no map": "- apiBase: http://h\n", "a wrong type": "apiBase: [http://h]\n", "a wrong entry": "models:\n  a: http://h\n", "a wrong field": "models:\n  a: {apibase: http://h}\n",
		"a misspelled name": "apibase: h\n", "another program's name": "base_url: http://h\n", "another program's group": "provider:\n  url: http://h\n", "wrong aliases": "model.aliases: 5\n",
		"a wrong model": "model: {name: [a]}\n", "Latin-1": "# \xfc\napiBase: http://h\n", "UTF-16 without a mark": "m\x00:\x00", "twice": "apiBase: a\napiBase: b\n", "the section's name": "coauthor:\n  apiBase: http://h\n",
		"cut": "apiBase: {\n", "a tag": "apiBase: !x {}\n", "much": strings.Repeat("[", 100),
	}
	named := LoadOptions{Flags: map[string]string{"apiBase": "http://127.0.0.1:1"}}
	for name, text := range bad {
		for layer, o := range map[string]LoadOptions{
			"user": {UserPath: "config.yaml", UserFile: []byte(text)}, "trusted workspace": {WorkspacePath: "config.yaml", WorkspaceFile: []byte(text), Trusted: true},
		} {
			s, ws := Load(o)
			c, err := model.Load(nil)
			if err != nil {
				t.Fatal(err)
			}
			if p := s.Profile(c, "gpt-4o"); !strings.HasPrefix(p.Withheld, "config.yaml:") || len(ws) == 0 {
				t.Errorf("%s, %s: withheld %q, told %v", layer, name, p.Withheld, ws)
			}
			if strings.ContainsRune(fmt.Sprint(ws), '\t') {
				t.Errorf("%s: told with a tab: %v", name, ws)
			}
			o.Flags = named.Flags
			if s, _ := Load(o); s.Unread != "" || s.APIBase != named.Flags["apiBase"] {
				t.Errorf("%s, %s: an endpoint of a flag is not used: %q", layer, name, s.Unread)
			}
		}
		if s, _ := Load(LoadOptions{UserFile: []byte("apiBase: http://h\n"), WorkspaceFile: []byte(text)}); s.Unread != "" {
			t.Errorf("%s: a workspace that nobody trusts keeps everything from being sent: %s", name, s.Unread)
		}
	}
	if s, ws := Load(LoadOptions{UserPath: "config.yaml", UserError: errors.New("permission denied")}); s.Unread == "" || len(ws) != 1 {
		t.Errorf("a file that cannot be opened: %q, %v", s.Unread, ws)
	}
	if s, ws := Load(LoadOptions{ClientOwn: true, Client: "apiBase"}); s.Unread == "" || len(ws) != 1 {
		t.Errorf("an editor's settings that are none: %q, %v", s.Unread, ws)
	}
	for _, good := range []string{"", "\uFEFF", "# nothing\n", "verify: of\n", "zzzzzzzzz: 1\n", "auto.rounds: many\n", "\uFEFFmodel: a\r\n"} {
		if s, _ := Load(LoadOptions{UserFile: []byte(good)}); s.Unread != "" {
			t.Errorf("%q keeps everything from being sent: %s", good, s.Unread)
		}
	}
	if s, _ := Load(LoadOptions{UserFile: []byte("models: 5\n"), WorkspaceFile: []byte("apiBase: http://h\n"), Trusted: true, Flags: map[string]string{"apiBase": ""}}); s.Unread != "" {
		t.Errorf("a higher layer names the endpoint, and still: %s", s.Unread)
	}
	if s, _ := Load(LoadOptions{UserFile: []byte("models: 5\napiBase: http://h\n")}); s.Unread == "" {
		t.Error("the same layer may have meant another endpoint for the model")
	}
}

// TestManyMistakes: ten mistakes of a layer are told, and a file is parsed once.
func TestManyMistakes(t *testing.T) {
	var b strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&b, "k%d: 1\n", i)
	}
	texts := &Texts{}
	o := LoadOptions{UserPath: "u", UserFile: []byte("auto.rounds: 3\n"), WorkspacePath: "w", WorkspaceFile: []byte(b.String()), Texts: texts}
	_, ws := Load(o)
	if len(ws) != mostWarnings+1 || !strings.Contains(ws[mostWarnings].Text, "8990 more") || ws[0].Line != 1 {
		t.Fatalf("%d told, the last is %v", len(ws), ws[len(ws)-1])
	}
	first := texts.read["w"].says
	if s, _ := Load(o); &texts.read["w"].says[0] != &first[0] || s.Auto.Rounds != 3 {
		t.Error("a file that did not change was parsed again")
	}
	o.UserFile = []byte("auto.rounds: 4\n")
	if s, _ := Load(o); s.Auto.Rounds != 4 {
		t.Errorf("a changed file was not read again: %d", s.Auto.Rounds)
	}
	long := strings.Repeat("a", 1<<18)
	o.WorkspaceFile = []byte(long + ": 1\n")
	if _, ws := Load(o); len(ws) != 1 || len(ws[0].Text) > 300 {
		t.Errorf("a long name is told in %d bytes", len(ws[0].Text))
	}
}
