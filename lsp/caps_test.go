package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"coauthor/lsp/document"
	"coauthor/lsp/wire"
)

// shared is the folder of captures and other data that tests read in place.
func shared(t testing.TB) string {
	dir := os.Getenv("COAUTHOR_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "clients", "captures")); err != nil {
		t.Skip("the captures of real clients are not here; set COAUTHOR_SHARED to their folder")
	}
	return dir
}

// capture reads what a real client sent with initialize.
func capture(t testing.TB, name string) *initializeParams {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(shared(t), "clients", "captures", name))
	if err != nil {
		t.Fatal(err)
	}
	p := &initializeParams{}
	if err := wire.Decode(raw, p); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCapturedClients boils the declarations of real clients down and compares with what the
// clients' own documentation and measurements say.
func TestCapturedClients(t *testing.T) {
	for file, want := range map[string]string{
		"neovim_v0.7.2.json":                    "neovim utf-16 docs create dialog",
		"neovim_v0.10.4.json":                   "neovim utf-16 docs create show dialog",
		"neovim_v0.12.4.json":                   "neovim utf-16 docs create show dialog disabled annotations",
		"helix_v25.01.1.json":                   "helix utf-8 docs create show disabled",
		"helix_v25.07.1+20260723.json":          "helix utf-8 docs create show dialog disabled",
		"eglot_v1.9_emacs28.2.json":             "eglot utf-16 docs dialog",
		"eglot_v1.17.30_emacs30.1.json":         "eglot utf-8 docs show dialog",
		"lsp-mode_v9.0.0_emacs30.1.json":        "lsp-mode utf-16 docs create show dialog",
		"coc.nvim_v0.0.82.json":                 "coc utf-16 docs create show virtual dialog disabled annotations watch",
		"vscode_v1.139.1_languageclient11.json": "vscode utf-16 docs create show virtual dialog disabled annotations tag watch",
	} {
		p := capture(t, file)
		s := &server{caps: boilDown(p, initOptions{})}
		s.client = &client{caps: &s.caps, quirks: &s.quirks}
		q, err := detect("", "", &s.caps)
		if err != nil {
			t.Fatal(err)
		}
		if profile := profileOf(t, q.Client); !reflect.DeepEqual(q, profile) {
			t.Errorf("%s: %+v, want %+v", file, q, profile)
		}
		s.quirks = q
		enc, err := document.ChooseEncoding(s.caps.Encodings, q.PreferUTF16)
		if err != nil {
			t.Error(err)
		}
		got := []string{q.Client, string(enc)}
		for _, f := range []struct {
			name string
			is   bool
		}{
			{"docs", s.caps.DocumentChanges}, {"create", s.caps.CreateFile}, {"show", s.client.canShow()},
			{"virtual", s.client.canShowVirtual()}, {"dialog", s.client.canAsk()}, {"disabled", s.caps.DisabledActions},
			{"annotations", s.caps.Annotations}, {"tag", s.caps.ActionTagLLM}, {"watch", s.caps.WatchConfiguration},
		} {
			if f.is {
				got = append(got, f.name)
			}
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%s: %s\nwant %s", file, g, want)
		}
		if !s.caps.ApplyEdit || !s.caps.ActionLiterals {
			t.Errorf("%s: applyEdit %v, literals %v", file, s.caps.ApplyEdit, s.caps.ActionLiterals)
		}
		raw, err := wire.Encode(s.capabilities())
		if err != nil || !json.Valid(raw) {
			t.Errorf("%s: %s, %v", file, raw, err)
		}
	}
}

func TestProfiles(t *testing.T) {
	names := quirkNames()
	if want := "coc eglot generic helix kakoune lsp-mode neovim sublime vim-lsp vscode zed"; strings.Join(names, " ") != want {
		t.Errorf("profiles %v, want %s", names, want)
	}
	seen := map[string]string{}
	for _, name := range names {
		q, err := quirksOf(name)
		if err != nil {
			t.Error(err)
		}
		for _, n := range q.Names {
			if other, twice := seen[strings.ToLower(n)]; twice {
				t.Errorf("%s stands in %s and %s", n, other, name)
			}
			seen[strings.ToLower(n)] = name
		}
	}
	caps := &clientCaps{Name: "HELIX"}
	for _, c := range []struct{ setting, plugin, want string }{
		{"", "", "helix"}, {"auto", "", "helix"}, {"eglot", "", "eglot"}, {"eglot", "neovim-module", "eglot"},
		{"", "neovim-module", "neovim"}, {"", "vscode", "vscode"}, {"", "stranger", "helix"}, {"nonsense", "", "helix"},
	} {
		q, err := detect(c.setting, c.plugin, caps)
		if want := profileOf(t, c.want); !reflect.DeepEqual(q, want) || (err != nil) != (c.setting == "nonsense") {
			t.Errorf("%q, %q: %+v, %v, want %+v", c.setting, c.plugin, q, err, want)
		}
	}
	for _, c := range []struct {
		caps clientCaps
		want string
	}{
		{clientCaps{Name: "Some Fork", FailureHandling: "textOnlyTransactional", HonorsAnnotations: true}, "vscode"},
		{clientCaps{Name: "Some Fork", FailureHandling: "textOnlyTransactional"}, "generic"},
		{clientCaps{Name: "Some Fork", FailureHandling: "abort", HonorsAnnotations: true}, "generic"},
		{clientCaps{}, "generic"},
	} {
		if q, err := detect("", "", &c.caps); err != nil || !reflect.DeepEqual(q, profileOf(t, c.want)) {
			t.Errorf("%+v is %+v, %v, want %s", c.caps, q, err, c.want)
		}
	}
	for _, name := range names { // by each of its names, in any case
		for _, n := range profileOf(t, name).Names {
			if q, err := detect("", "", &clientCaps{Name: strings.ToUpper(n)}); err != nil || !reflect.DeepEqual(q, profileOf(t, name)) {
				t.Errorf("%s is %+v, %v, want %s", n, q, err, name)
			}
		}
	}
}

// profileOf is a profile as its file has it, read here without the type that the server reads it into: each key
// must be a field of that name.
func profileOf(t *testing.T, name string) quirks {
	t.Helper()
	raw, err := quirkFiles.ReadFile("quirks/" + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]any{}
	if err := yaml.Unmarshal(raw, &keys); err != nil {
		t.Fatal(err)
	}
	q := quirks{Client: name}
	v := reflect.ValueOf(&q).Elem()
	for key, value := range keys {
		f := v.FieldByName(strings.ToUpper(key[:1]) + key[1:])
		switch value := value.(type) {
		case bool:
			f.SetBool(value)
		case string:
			f.SetString(value)
		case []any:
			for _, one := range value {
				f.Set(reflect.Append(f, reflect.ValueOf(one)))
			}
		default:
			t.Fatalf("%s: %s is %v", name, key, value)
		}
	}
	return q
}

func TestOverride(t *testing.T) {
	q, _ := quirksOf("generic")
	if unknown := q.override(map[string]bool{"newFileByEdit": false, "splitFiles": true, "names": true, "nope": true}); !reflect.DeepEqual(unknown, []string{"names", "nope"}) {
		t.Errorf("unknown %v", unknown)
	}
	if q.NewFileByEdit || !q.SplitFiles {
		t.Errorf("%+v", q)
	}
}

// TestStrangeDeclarations: what a client sends beside the types of the protocol costs only itself.
func TestStrangeDeclarations(t *testing.T) {
	for _, raw := range []string{
		`{"capabilities":null}`, `{"capabilities":{"workspace":5,"window":{"showDocument":true,"workDoneProgress":true}}}`,
		`{"processId":"x","capabilities":{"window":{"workDoneProgress":true}},"workspaceFolders":{}}`,
		`{"capabilities":{"general":{"positionEncodings":"utf-8"},"window":{"workDoneProgress":true}},"clientInfo":[]}`,
	} {
		p := &initializeParams{}
		if err := wire.Decode([]byte(raw), p); err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		if c := boilDown(p, initOptions{}); strings.Contains(raw, "workDoneProgress") && !c.Progress {
			t.Errorf("%s: progress was lost", raw)
		}
	}
}

func TestClientIsGuarded(t *testing.T) {
	c := &client{Caller: wire.NewCaller(t.Context()), caps: &clientCaps{}, quirks: &quirks{NoMessageRequest: true}}
	_, apply := c.applyEdit(t.Context(), nil)
	_, ask := c.showMessageRequest(t.Context(), 1, "", nil)
	_, show := c.showDocument(t.Context(), "", true, nil)
	_, _, input := c.inputBox(t.Context(), inputBoxParams{})
	_, config := c.configuration(t.Context(), section)
	progress := c.createProgress(t.Context(), "x")
	for i, err := range []error{apply, ask, show, input, config, progress} {
		if err == nil || !strings.Contains(fmt.Sprint(err), wire.ErrUnsupported.Error()) {
			t.Errorf("%d: %v", i, err)
		}
	}
}
