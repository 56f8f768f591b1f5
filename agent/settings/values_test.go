package settings

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// value is what stands in the field of a row, without pointers.
func value(s *Settings, r Row) any {
	switch p := r.field(s).(type) {
	case *string:
		return *p
	case *int:
		return *p
	case **float64:
		if *p == nil {
			return nil
		}
		return **p
	case *time.Duration:
		return *p
	case *[]string:
		return *p
	}
	return fmt.Sprintf("%T", r.field(s))
}

// TestValuesOfEachType writes values into every number, time, list and enumeration, in a file and in the
// editor's settings. Each is taken as it is meant or told, and then the value below stays.
func TestValuesOfEachType(t *testing.T) {
	for _, r := range Rows() {
		good := map[string]any{}
		var bad []string
		switch r.Type {
		case Int:
			good = map[string]any{fmt.Sprint(r.Min): int(r.Min), fmt.Sprint(int(r.Max)): int(r.Max), "'7'": 7, "' 8 '": 8, "9.0": 9, "1e1": 10}
			bad = []string{fmt.Sprint(r.Min - 1), fmt.Sprint(int(r.Max) + 1), "1.5", "'1.5'", "many", "true", "[]", "{}", ".nan", ".inf", "'NaN'", "''"}
		case Tokens:
			good = map[string]any{"0": 0, "8k": 8192, "'10.5K'": 10752, "0.5M": 1 << 19, "1m": 1 << 20, "2048": 2048, "'  2k '": 2048}
			bad = []string{"-1", "1.5", "2M", "-1k", "k", "8kk", "8 k k", "many", "true", "[]", "{}", "''"}
		case Number:
			good = map[string]any{fmt.Sprint(r.Min): r.Min, fmt.Sprint(r.Max): r.Max, "0.25": 0.25, "'0.5'": 0.5, "1": 1.0, "null": nil}
			bad = []string{fmt.Sprint(r.Min - 0.01), fmt.Sprint(r.Max + 0.01), "warm", "true", "[]", "{}", ".nan", ".inf", "'-Inf'"}
		case Duration:
			second := func(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
			good = map[string]any{fmt.Sprint(r.Min): second(r.Min), fmt.Sprint(int(r.Max)): second(r.Max), "1.5": second(1.5), "'2'": second(2), "90s": second(90), "1m 30s": second(90), "2m": second(120), "2500ms": second(2.5)}
			bad = []string{"0", "-1", "'-5s'", fmt.Sprint(int(r.Max) + 1), fmt.Sprintf("%ds", int(r.Max)+1), "999ms", "1e10", "-1e10", "1e300", "soon", "10 parsecs", "true", "[]", "{}", "''", ".inf"}
		case List:
			good = map[string]any{"null": []string(nil), "''": []string(nil), "one": []string{"one"}, "'two words'": []string{"two words"}, "[]": []string(nil), "[a, b, a]": []string{"a", "b", "a"}}
			bad = []string{"1", "true", "{}", "{a: b}", "[1]", "[a, true]", "[[a]]", "[{}]"}
		case Enum:
			for _, word := range r.Enum {
				good["'"+word+"'"] = word
			}
			bad = []string{"nothing of the kind", "[]", "{}", "'" + r.Enum[0] + "x'", "'" + strings.ToUpper(r.Enum[0]) + "'", strings.Repeat("x", 100)}
		default:
			continue
		}
		below := Defaults()
		for text, want := range good {
			s, told := Load(LoadOptions{UserFile: []byte(r.Name + ": " + text)})
			if diff := cmp.Diff(want, value(&s, r)); diff != "" || len(told) > 0 {
				t.Errorf("%s: %s: %s %v", r.Name, text, diff, told)
			}
		}
		for _, text := range bad {
			s, told := Load(LoadOptions{UserFile: []byte(r.Name + ": " + text)})
			if diff := cmp.Diff(value(&below, r), value(&s, r)); diff != "" || len(told) != 1 || told[0].Key != r.Name || told[0].Line != 1 {
				t.Errorf("%s: %s: %s %v", r.Name, text, diff, told)
			}
			if len(told) == 1 && len(told[0].Text) > 400 {
				t.Errorf("%s: %d bytes are told", r.Name, len(told[0].Text))
			}
		}
	}
}

// TestListsOfAWorkspaceAdd: what a workspace may only add to stays with what the user has.
func TestListsOfAWorkspaceAdd(t *testing.T) {
	for _, r := range Rows() {
		if r.Type != List {
			continue
		}
		s, _ := Load(LoadOptions{UserFile: []byte(r.Name + ": [mine, both]"), WorkspaceFile: []byte(r.Name + ": [both, theirs]")})
		want := []string{"mine", "both"}
		if r.Scope == WorkspaceAdds {
			want = []string{"mine", "both", "both", "theirs"}
		}
		if diff := cmp.Diff(any(want), value(&s, r)); diff != "" {
			t.Errorf("%s: %s", r.Name, diff)
		}
	}
}

// TestShapesOfSections: groups are maps, files and sections are maps of settings, and a wrong one is told
// once and leaves the rest.
func TestShapesOfSections(t *testing.T) {
	for _, x := range []struct {
		file string
		told int
		want int
	}{
		{"", 0, 3}, {"# only a comment\n", 0, 3}, {"---\n", 0, 3}, {"null\n", 0, 3}, {"turn.maxReflections: 5\n", 0, 5}, {"turn.maxReflections: 5\n---\nturn.maxReflections: 6\n", 0, 6},
		{"repoMap:\nturn.maxReflections: 5\n", 0, 5}, {"repoMap: 7\nturn.maxReflections: 5\n", 1, 5}, {"repoMap: [a]\nturn.maxReflections: 5\n", 1, 5}, {"repoMap: {tokens: 9}\nturn.maxReflections: 5\n", 0, 5}, {"repoMap: {nothing: 9}\nturn.maxReflections: 5\n", 1, 5},
		{"1: 2\nturn.maxReflections: 5\n", 1, 5}, {"retreis: 5\n", 1, 3}, {"- retries\n", 1, 3}, {"retries\n", 1, 3}, {"turn.maxReflections: *none\n", 1, 3}, {"turn.maxReflections: 5\n\tx: 6\n", 1, 3},
	} {
		s, told := Load(LoadOptions{UserFile: []byte(x.file)})
		if s.MaxReflections != x.want || len(told) != x.told {
			t.Errorf("%q: %d, %v", x.file, s.MaxReflections, told)
		}
	}
	for _, x := range []struct {
		client any
		told   int
		want   int
	}{
		{nil, 0, 3}, {[]byte(nil), 0, 3}, {[]byte("null"), 0, 3}, {[]byte(`{"turn.maxReflections": 5}`), 0, 5}, {[]byte(`{"coauthor": {"turn.maxReflections": 5}}`), 0, 5}, {[]byte(`{"coauthor.turn.maxReflections": 5}`), 0, 5},
		{[]byte(`{"turn.maxReflections": null}`), 0, 3}, {[]byte(`{"repoMap": null, "turn.maxReflections": 5}`), 0, 5}, {[]byte(`{"repoMap": 1, "turn.maxReflections": 5}`), 1, 5}, {[]byte(`{"repoMap": {"tokens": 9}, "turn.maxReflections": 5}`), 0, 5},
		{[]byte(`{`), 1, 3}, {[]byte(`[]`), 1, 3}, {[]byte(`"retries"`), 1, 3}, {7, 1, 3},
	} {
		s, told := Load(LoadOptions{Client: x.client, ClientOwn: true})
		if s.MaxReflections != x.want || len(told) != x.told {
			t.Errorf("%s: %d, %v", x.client, s.MaxReflections, told)
		}
	}
}

// TestTrusts: the user's own layers and the editor's word say whether a workspace is trusted; its own file
// and settings that a repository can write do not.
func TestTrusts(t *testing.T) {
	yes, no := true, false
	always := map[string]any{"trust": "always"}
	for what, x := range map[string]struct {
		o      LoadOptions
		editor *bool
		want   bool
	}{
		"nothing":                {LoadOptions{}, nil, false},
		"the editor":             {LoadOptions{}, &yes, true},
		"not the editor":         {LoadOptions{UserFile: []byte("trust.roots: [/src]")}, &no, false},
		"a root":                 {LoadOptions{UserFile: []byte("trust.roots: [/src]")}, nil, true},
		"the user":               {LoadOptions{UserFile: []byte("trust: always")}, &no, true},
		"never":                  {LoadOptions{UserFile: []byte("trust: never")}, &yes, false},
		"the workspace":          {LoadOptions{WorkspaceFile: []byte("trust: [/, always]")}, nil, false},
		"a workspace trusted":    {LoadOptions{WorkspaceFile: []byte("trust: always"), Trusted: true}, nil, false},
		"the user's client":      {LoadOptions{Client: always, ClientOwn: true}, nil, true},
		"a repository's client":  {LoadOptions{Client: always}, nil, false},
		"a client in good hands": {LoadOptions{Client: always, Trusted: true}, nil, false},
	} {
		if got := x.o.Trusts("/src/p", x.editor); got != x.want {
			t.Errorf("%s: %v", what, got)
		}
	}
}

// TestHints: the nearest name is offered for a slip, and none for another word.
func TestHints(t *testing.T) {
	names := []string{"model", "models", "verify", "retries", "requestTimeout"}
	for wrong, want := range map[string]string{
		"mdel": "model", "Model": "model", "modells": "models", "verfy": "verify", "retires": "retries", "requesttimeout": "requestTimeout", "timeoutRequest": "", "xyz": "", "colour": "",
		strings.Repeat("model", 20): "",
	} {
		got := didYouMean(wrong, names)
		if want == "" && got != "" || want != "" && !strings.Contains(got, " "+want+"?") {
			t.Errorf("%q: %q", wrong, got)
		}
	}
}

// TestServersOnThisMachine: an address of this machine, in every way to write it, and no other.
func TestServersOnThisMachine(t *testing.T) {
	for base, want := range map[string]bool{
		"http://localhost:11434/v1": true, "localhost:8080": true, "LOCALHOST": true, "http://127.0.0.1": true, "127.8.9.1:80": true, "http://[::1]:8080/v1": true, "https://api.localhost": true,
		"http://example.com": false, "http://localhost.example.com": false, "http://mylocalhost": false, "http://10.0.0.1": false, "http://[::2]": false, "http://0.0.0.0": false, "": false, "http://%zz": false, "://": false, "http://127.0.0.1.example.com": false,
	} {
		if got := localURL(base); got != want {
			t.Errorf("%q: %v", base, got)
		}
	}
}

// TestNoPasswordIsInForce: the settings in force are shown to people and put into reports.
func TestNoPasswordIsInForce(t *testing.T) {
	for value, want := range map[string]string{
		"http://me:word@proxy.example:3128": "http://…@proxy.example:3128", "me:wo@rd@proxy.example": "…@proxy.example", "socks5://:word@h": "socks5://…@h",
		"http://proxy.example:3128": "http://proxy.example:3128", "none": "none", "https://x.example/a:b@c": "https://x.example/a:b@c",
	} {
		s, _ := Load(LoadOptions{UserFile: []byte("network.proxy: '" + value + "'")})
		for _, x := range s.InForce() {
			if x.Name == "network.proxy" && x.Value != want {
				t.Errorf("%s is shown as %s", value, x.Value)
			}
		}
	}
}
