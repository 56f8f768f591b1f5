package settings

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"coauthor/agent/model"
)

// TestLoad runs the archives: user.yaml, workspace.yaml, client.json, env, flags and trusted are the
// layers, own says whose the client's is; settings lists what differs from the defaults; warnings is what is told.
func TestLoad(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			o := LoadOptions{UserPath: "user.yaml", WorkspacePath: "workspace.yaml", Flags: map[string]string{}}
			env := map[string]string{}
			var want, warnings string
			for _, f := range ar.Files {
				switch f.Name {
				case "user.yaml":
					o.UserFile = f.Data
				case "workspace.yaml":
					o.WorkspaceFile = f.Data
				case "client.json":
					o.Client = json.RawMessage(f.Data)
				case "trusted":
					o.Trusted = true
				case "own": // no repository can write the client's layer
					o.ClientOwn = true
				case "env":
					pairs(f.Data, env)
				case "flags":
					pairs(f.Data, o.Flags)
				case "settings":
					want = string(f.Data)
				case "warnings":
					warnings = string(f.Data)
				default:
					t.Fatalf("unknown file %q", f.Name)
				}
			}
			o.Env = func(n string) string { return env[n] }
			s, ws := Load(o)
			if s.Trusted != o.Trusted {
				t.Errorf("trusted: %v", s.Trusted)
			}
			if d := cmp.Diff(want, changed(s)); d != "" {
				t.Errorf("settings (-want +got):\n%s", d)
			}
			var told strings.Builder
			for _, w := range ws {
				fmt.Fprintln(&told, w)
			}
			if d := cmp.Diff(warnings, told.String()); d != "" {
				t.Errorf("warnings (-want +got):\n%s", d)
			}
		})
	}
}

func pairs(data []byte, into map[string]string) {
	for line := range strings.Lines(string(data)) {
		k, v, _ := strings.Cut(strings.TrimSpace(line), "=")
		into[k] = v
	}
}

// changed lists what differs from the defaults.
func changed(s Settings) string {
	var b strings.Builder
	d := Defaults()
	for _, r := range Rows() {
		got, was := reflect.ValueOf(r.field(&s)).Elem().Interface(), reflect.ValueOf(r.field(&d)).Elem().Interface()
		if !reflect.DeepEqual(got, was) {
			if p, ok := got.(*float64); ok && p != nil {
				got = *p
			}
			if m, ok := got.(map[string]model.UserModel); ok {
				for name, u := range m {
					fmt.Fprintf(&b, "models.%s: %s %s %d %v\n", name, u.Model, u.APIBase, u.ContextWindow, u.Headers)
				}
				continue
			}
			fmt.Fprintf(&b, "%s: %v\n", r.Name, got)
		}
	}
	return b.String()
}

// TestTable holds the table to its own rules: every field of the struct has a row, every row has a
// sentence, and every default passes its own check.
func TestTable(t *testing.T) {
	var s Settings
	fields := map[any]bool{}
	seen := map[string]bool{}
	for _, r := range Rows() {
		if seen[r.Name] || seen["--"+r.Flag] && r.Flag != "" {
			t.Errorf("%s: name or flag used twice", r.Name)
		}
		seen[r.Name], seen["--"+r.Flag] = true, true
		fields[r.field(&s)] = true
		if !strings.HasSuffix(r.Doc, ".") || r.Doc[:1] != strings.ToUpper(r.Doc[:1]) {
			t.Errorf("%s: the doc is no sentence: %q", r.Name, r.Doc)
		}
		if n := len([]rune(r.Doc)); n > 200 {
			t.Errorf("%s: the doc has %d characters, more than two lines", r.Name, n)
		}
		if r.EnumDocs != nil && len(r.EnumDocs) != len(r.Enum) {
			t.Errorf("%s: %d docs of %d values", r.Name, len(r.EnumDocs), len(r.Enum))
		}
		if (r.Type == Enum) != (len(r.Enum) > 0) {
			t.Errorf("%s: enum without values or values without enum", r.Name)
		}
		d := Defaults()
		got := reflect.ValueOf(r.field(&d)).Elem().Interface()
		if r.Default == nil || !reflect.DeepEqual(got, r.Default) {
			t.Errorf("%s: Defaults has %v, the table %v", r.Name, got, r.Default)
		}
		switch v := r.Default.(type) {
		case string, bool, int:
			if err := r.set(&d, v, false); err != nil {
				t.Errorf("%s: the default is refused: %v", r.Name, err)
			}
		case time.Duration:
			if err := r.set(&d, v.String(), false); err != nil {
				t.Errorf("%s: the default is refused: %v", r.Name, err)
			}
		}
	}
	var count func(v reflect.Value) int
	count = func(v reflect.Value) (n int) {
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if v.Field(i).Kind() == reflect.Struct && name != "Bound" && name != "Said" {
				n += count(v.Field(i))
			} else if name != "EnvBase" && name != "ExtraBody" && name != "EnvBases" && name != "Unchosen" && name != "Trusted" && name != "Bound" && name != "Said" && name != "Unread" {
				n++
			}
		}
		return n
	}
	if n := count(reflect.ValueOf(s)); n != len(fields) {
		t.Errorf("the struct has %d settings, the table fills %d", n, len(fields))
	}
}

func TestModelFieldsAreTheStruct(t *testing.T) {
	var want []string
	typ := reflect.TypeFor[model.UserModel]()
	for i := range typ.NumField() {
		want = append(want, typ.Field(i).Tag.Get("yaml"))
	}
	if d := cmp.Diff(want, entryFields()); d != "" {
		t.Errorf("documented fields (-struct +doc):\n%s", d)
	}
}

// TestNothingDangerousFromAnUntrustedWorkspace tries every setting that only the user may set, in
// both spellings.
func TestNothingDangerousFromAnUntrustedWorkspace(t *testing.T) {
	var names []string
	for _, r := range Rows() {
		if r.Scope == User {
			names = append(names, r.Name)
		}
	}
	if len(names) < 10 {
		t.Fatalf("only %q are the user's", names)
	}
	for _, name := range names {
		value := map[string]string{"actions": "[{name: a, prompt: x}]", "models": "{a: {apiBase: 'http://evil'}}", "model.reasoningEffort": "max", "model.showThinking": "false", "model.thinkingTokens": "8k", "model.cacheKeepalivePings": "5", "network.allowInsecureHttp": "true",
			"git.mode": "commitAll", "git.hooks": "false", "git.attribution": "off",
			"files.allowIgnored": "true", "preview.mode": "none", "context.addMentioned": "always", "verify.level": "full", "verify.lint": "[make]", "verify.format": "[make]", "verify.test": "[make]", "verify.timeout": "6",
			"log.level": "debug", "turn.stepwise": "true", "auto.rounds": "20", "auto.time": "5", "auto.cost": "2", "trust.roots": "[/]",
			"history.mode": "off", "history.tokens": "7", "comments.watch": "onSave",
			"pipeline.run": "always", "pipeline.startedAfter": "5", "pipeline.useCache": "true"}[name]
		if value == "" {
			value = "evil"
		}
		texts := []string{name + ": " + value}
		if group, key, ok := strings.Cut(name, "."); ok {
			texts = append(texts, group+":\n  "+key+": "+value)
		}
		for _, text := range texts {
			s, ws := Load(LoadOptions{WorkspaceFile: []byte(text)})
			if got := changed(s); got != "" || len(ws) != 1 || ws[0].Line == 0 {
				t.Errorf("%q set %q with warnings %v", text, got, ws)
			}
			s, ws = Load(LoadOptions{WorkspaceFile: []byte(text), Trusted: true})
			never := strings.HasPrefix(name, "trust") || name == "apiKeyCommand" || name == "network.caFile" || name == "network.proxy" || name == "log.level" || name == "files.redactSecrets" || name == "shell.allow" || name == "verify.visible" || strings.HasPrefix(name, "env.") || name == "web.fetch" || name == "web.privateHosts" || name == "pipeline.run"
			if got := changed(s); (got == "") != never || never != (len(ws) == 1) {
				t.Errorf("trusted: %q set %q with warnings %v", text, got, ws)
			}
		}
	}
}

func TestProfile(t *testing.T) {
	user := map[string]model.UserModel{
		"mine": {Model: "big", APIBase: "https://mine.example/v1", APIKeyEnv: "MINE_KEY"},
		"open": {Model: "big", APIBase: "https://open.example/v1", APIKeyEnv: model.NoKey},
		"bare": {Model: "big", APIBase: "https://bare.example/v1"},
		"work": {Model: "gpt-4o", APIKeyEnv: "WORK_KEY"},
	}
	c, err := model.Load(user)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		what, name, apiBase, keyEnv, envBase string
		wantBase, wantKey, wantID            string
	}{
		{"plain", "gpt-4o", "", "", "", "https://api.openai.com/v1", "OPENAI_API_KEY", "gpt-4o"},
		{"apiKeyEnv alone changes nothing elsewhere", "sonnet", "", "K", "", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", "claude-sonnet-4-5"},
		{"local server", "gpt-4o", "http://127.0.0.1:1", "", "", "http://127.0.0.1:1", "", "gpt-4o"},
		{"the usual key stays home", "foo", "https://x.example", "", "", "https://x.example", "", "foo"},
		{"the usual key of a usual model, too", "gpt-4o", "https://x.example", "", "", "https://x.example", "", "gpt-4o"},
		{"unless the user says so", "gpt-4o", "https://x.example", "OPENAI_API_KEY", "", "https://x.example", "OPENAI_API_KEY", "gpt-4o"},
		{"a provider's key stays home", "sonnet", "https://x.example", "", "", "https://x.example", "", "claude-sonnet-4-5"},
		{"the provider's own host", "gpt-4o", "https://api.openai.com", "", "", "https://api.openai.com", "OPENAI_API_KEY", "gpt-4o"},
		{"remote server, own key", "foo", "https://x.example", "X_KEY", "", "https://x.example", "X_KEY", "foo"},
		{"remote server without a key", "foo", "https://x.example", "none", "", "https://x.example", "", "foo"},
		{"usual variables", "gpt-4o", "", "", "http://127.0.0.1:4000", "http://127.0.0.1:4000", "OPENAI_API_KEY", "gpt-4o"},
		{"usual variables are OpenAI's", "sonnet", "", "", "http://127.0.0.1:4000", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", "claude-sonnet-4-5"},
		{"own entry", "mine", "http://127.0.0.1:1", "K", "", "https://mine.example/v1", "MINE_KEY", "big"},
		{"own entry without a key", "open", "", "", "", "https://open.example/v1", "", "big"},
		{"own entry that names no key", "bare", "", "", "", "https://bare.example/v1", "", "big"},
		{"own key", "work", "", "", "", "https://api.openai.com/v1", "WORK_KEY", "gpt-4o"},
	} {
		s := Defaults()
		s.Models, s.APIBase, s.APIKeyEnv, s.EnvBase = user, x.apiBase, x.keyEnv, x.envBase
		p := s.Profile(c, x.name)
		if p.APIBase != x.wantBase || p.APIKeyEnv != x.wantKey || p.ID != x.wantID {
			t.Errorf("%s: %q at %q with %q", x.what, p.ID, p.APIBase, p.APIKeyEnv)
		}
	}
	s := Defaults()
	s.Models, s.APIBase = map[string]model.UserModel{"gpt-4o": {API: model.Responses}}, "http://127.0.0.1:1"
	if p := s.Profile(c, "gpt-4o"); p.API != model.Responses {
		t.Errorf("the interface of the user's own entry: %+v", p)
	}
	s = Defaults()
	s.Model, s.AllowInsecureHTTP = "opus", true
	if p := s.Profile(c, ""); p.Name != "opus" || !p.AllowInsecure {
		t.Errorf("profile = %+v", p)
	}
	none := func(string) string { return "" }
	s = Settings{APIBase: "http://localhost:8080"}
	if got := s.DefaultModel(c, none); got != "local" {
		t.Errorf("DefaultModel = %q", got)
	}
}

func TestTrustsRoot(t *testing.T) {
	yes, no := true, false
	for _, x := range []struct {
		trust  []string
		editor *bool
		want   bool
	}{
		{nil, nil, false}, {nil, &yes, true}, {[]string{"/src"}, nil, true},
		{[]string{"/src"}, &no, false}, {[]string{"always"}, &no, true}, {[]string{"never", "always", "/src"}, &yes, false},
		{[]string{"/sr"}, nil, false}, {[]string{"/src/p/q"}, nil, false}, {[]string{"/src/p/"}, nil, true},
	} {
		s := Settings{Trust: x.trust}
		if got := s.trustsRoot("/src/p", x.editor); got != x.want {
			t.Errorf("%+v: %v", x, got)
		}
	}
}

func TestFiles(t *testing.T) {
	env := map[string]string{}
	get := func(n string) string { return env[n] }
	if u, w := Files(get, "/home/a", "/src"); u != "/home/a/.config/coauthor/config.yaml" || w != "/src/.coauthor/config.yaml" {
		t.Error(u, w)
	}
	env["XDG_CONFIG_HOME"] = "/c"
	if u, w := Files(get, "", ""); u != "/c/coauthor/config.yaml" || w != "" {
		t.Error(u, w)
	}
	env["XDG_CONFIG_HOME"] = "relative"
	if u, _ := Files(get, "", ""); u != "" {
		t.Error(u)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("model: a\nrepoMap: {tokens: 3}\n")
	f.Add("models:\n  a: {price: {in: 1}}\n")
	f.Add("a: &x [*x]\n? b\n")
	f.Add("- 1\n---\nmodel: !!binary x")
	f.Fuzz(func(t *testing.T, text string) {
		s, _ := Load(LoadOptions{UserFile: []byte(text), WorkspaceFile: []byte(text), Client: json.RawMessage(text)})
		if s.Auto.Rounds < 1 || s.Preview == "" {
			t.Errorf("a setting left its range: %+v", s)
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	text := []byte("model: sonnet\nrepoMap:\n  tokens: 2048\nmodels:\n  mine:\n    model: foo\n    apiBase: http://localhost:1/v1\n")
	for b.Loop() {
		Load(LoadOptions{UserFile: text})
	}
}
