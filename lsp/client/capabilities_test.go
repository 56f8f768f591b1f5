package client

import (
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
		dir = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "clients", "captures")); err != nil {
		t.Skip("the captures of real clients are not here; set COAUTHOR_SHARED to their folder")
	}
	return dir
}

// hello is what a client sends with initialize, as far as it tells what the client can do.
type hello struct {
	ClientInfo   struct{ Name, Version string } `json:"clientInfo"`
	Capabilities Declaration                    `json:"capabilities"`
}

func (h *hello) derived(hasInput bool) Capabilities {
	return CapabilitiesOf(h.ClientInfo.Name, h.ClientInfo.Version, &h.Capabilities, hasInput)
}

// capture reads what a real client sent with initialize.
func capture(t testing.TB, name string) *hello {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(shared(t), "clients", "captures", name))
	if err != nil {
		t.Fatal(err)
	}
	p := &hello{}
	if err := wire.Decode(raw, p); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCapturedClients derives capabilities from the declarations of real clients and compares them with what the
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
		caps := p.derived(false)
		q, err := Detect("", "", &caps)
		if err != nil {
			t.Fatal(err)
		}
		if profile := profileOf(t, q.Client); !reflect.DeepEqual(q, profile) {
			t.Errorf("%s: %+v, want %+v", file, q, profile)
		}
		c := &Client{Caps: &caps, Quirks: &q}
		enc, err := document.ChooseEncoding(caps.Encodings, q.PreferUTF16)
		if err != nil {
			t.Error(err)
		}
		got := []string{q.Client, string(enc)}
		for _, f := range []struct {
			name string
			is   bool
		}{
			{"docs", caps.DocumentChanges}, {"create", caps.CreateFile}, {"show", c.canShow()},
			{"virtual", c.CanShowVirtual()}, {"dialog", c.CanAsk()}, {"disabled", caps.DisabledActions},
			{"annotations", caps.Annotations}, {"tag", caps.ActionTagLLM}, {"watch", caps.WatchConfiguration},
		} {
			if f.is {
				got = append(got, f.name)
			}
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%s: %s\nwant %s", file, g, want)
		}
		if !caps.ApplyEdit || !caps.ActionLiterals {
			t.Errorf("%s: applyEdit %v, literals %v", file, caps.ApplyEdit, caps.ActionLiterals)
		}
	}
}

func TestProfiles(t *testing.T) {
	names := Profiles()
	if want := "coc eglot generic helix kakoune lsp-mode neovim sublime vim-lsp vscode zed"; strings.Join(names, " ") != want {
		t.Errorf("profiles %v, want %s", names, want)
	}
	seen := map[string]string{}
	for _, name := range names {
		q, err := QuirksOf(name)
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
	caps := &Capabilities{Name: "HELIX"}
	for _, c := range []struct{ setting, plugin, want string }{
		{"", "", "helix"}, {"auto", "", "helix"}, {"eglot", "", "eglot"}, {"eglot", "neovim-module", "eglot"},
		{"", "neovim-module", "neovim"}, {"", "vscode", "vscode"}, {"", "stranger", "helix"}, {"nonsense", "", "helix"},
	} {
		q, err := Detect(c.setting, c.plugin, caps)
		if want := profileOf(t, c.want); !reflect.DeepEqual(q, want) || (err != nil) != (c.setting == "nonsense") {
			t.Errorf("%q, %q: %+v, %v, want %+v", c.setting, c.plugin, q, err, want)
		}
	}
	for _, c := range []struct {
		caps Capabilities
		want string
	}{
		{Capabilities{Name: "Some Fork", FailureHandling: "textOnlyTransactional", HonorsAnnotations: true}, "vscode"},
		{Capabilities{Name: "Some Fork", FailureHandling: "textOnlyTransactional"}, "generic"},
		{Capabilities{Name: "Some Fork", FailureHandling: "abort", HonorsAnnotations: true}, "generic"},
		{Capabilities{}, "generic"},
	} {
		if q, err := Detect("", "", &c.caps); err != nil || !reflect.DeepEqual(q, profileOf(t, c.want)) {
			t.Errorf("%+v is %+v, %v, want %s", c.caps, q, err, c.want)
		}
	}
	for _, name := range names { // by each of its names, in any case
		for _, n := range profileOf(t, name).Names {
			if q, err := Detect("", "", &Capabilities{Name: strings.ToUpper(n)}); err != nil || !reflect.DeepEqual(q, profileOf(t, name)) {
				t.Errorf("%s is %+v, %v, want %s", n, q, err, name)
			}
		}
	}
}

// profileOf is a profile as its file has it, read here without the type that the server reads it into: each key
// must be a field of that name.
func profileOf(t *testing.T, name string) Quirks {
	t.Helper()
	raw, err := quirkFiles.ReadFile("quirks/" + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]any{}
	if err := yaml.Unmarshal(raw, &keys); err != nil {
		t.Fatal(err)
	}
	q := Quirks{Client: name}
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
	q, _ := QuirksOf("generic")
	if unknown := q.Override(map[string]bool{"newFileByEdit": false, "splitFiles": true, "names": true, "nope": true}); !reflect.DeepEqual(unknown, []string{"names", "nope"}) {
		t.Errorf("unknown %v", unknown)
	}
	if q.NewFileByEdit || !q.SplitFiles {
		t.Errorf("%+v", q)
	}
}

func TestClientIsGuarded(t *testing.T) {
	c := &Client{Caller: wire.NewCaller(t.Context()), Caps: &Capabilities{}, Quirks: &Quirks{MessageRequestIfDeclared: true}}
	_, apply := c.ApplyEdit(t.Context(), nil)
	_, ask := c.ShowMessageRequest(t.Context(), 1, "", nil)
	_, show := c.ShowDocument(t.Context(), "", true, nil)
	_, _, input := c.InputBox(t.Context(), InputBoxParams{})
	_, config := c.Configuration(t.Context(), "coauthor")
	progress := c.CreateProgress(t.Context(), "x")
	for i, err := range []error{apply, ask, show, input, config, progress} {
		if err == nil || !strings.Contains(fmt.Sprint(err), wire.ErrUnsupported.Error()) {
			t.Errorf("%d: %v", i, err)
		}
	}
}
