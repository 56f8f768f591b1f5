package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/repomap"
)

// mapped runs `coauthor map` below a folder with a state directory of its own.
func mapped(t *testing.T, root string, args ...string) (code int, out, errs string) {
	t.Helper()
	state := t.TempDir()
	var o, e bytes.Buffer
	s := Streams{In: strings.NewReader("please fix Beta"), Out: &o, Err: &e, Env: func(name string) string {
		switch name {
		case "XDG_STATE_HOME", "HOME":
			return state
		}
		return ""
	}}
	code = run(t.Context(), append([]string{"map", "--root", root}, args...), s)
	return code, o.String(), e.String()
}

func TestMapPrintsWhatATurnWouldGet(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"a.go": "package a\n\nfunc Alpha() { Beta() }\n", "b.go": "package a\n\nfunc Beta() {}\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	code, out, errs := mapped(t, root, "--tokens", "200", "--chat", "a.go", "--mention=", "--message-file", "-")
	if code != 0 || out != "b.go:\n func Beta()\n" || errs != "" {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	code, out, _ = mapped(t, root, "--tokens", "200", "--chat", filepath.Join(root, "b.go"), "--json", "--mention=Alpha,x")
	var m repomap.Map
	if err := json.Unmarshal([]byte(out), &m); code != 0 || err != nil {
		t.Fatalf("exit %d, %v\n%s", code, err, out)
	}
	for _, key := range []string{"text", "tokens", "complete", "generation", "files", "path", "score", "shown", "names", "signals", "name", "value", "weight"} {
		if !strings.Contains(out, fmt.Sprintf("%q:", key)) {
			t.Errorf("no key %q in\n%s", key, out)
		}
	}
	if m.Tokens != 5 || m.Text != "a.go:\n func Alpha()\n" {
		t.Errorf("%d tokens: %q", m.Tokens, m.Text)
	}
	code, fewer, _ := mapped(t, root, "--json", "--without", "kind,size")
	if code != 0 || strings.Contains(fewer, `"kind"`) || strings.Contains(fewer, `"size"`) || !strings.Contains(out, `"kind"`) {
		t.Errorf("exit %d, two signals were left out:\n%s", code, fewer)
	}
	if len(m.Files) != 1 || m.Files[0].Path != "a.go" || !m.Files[0].Shown || len(m.Files[0].Signals) == 0 || m.Complete != 1 {
		t.Errorf("got %+v", m)
	}
}

func TestMapRefusesWhatItCannotUse(t *testing.T) {
	root := t.TempDir()
	for _, args := range [][]string{{"--tokens", "0"}, {"--tokens", "x"}, {"--message-file", filepath.Join(root, "absent")},
		{"--root", filepath.Join(root, "absent")}, {"--message", "a", "--message-file", "b"}} {
		if code, out, errs := mapped(t, root, args...); code != 2 || out != "" || errs == "" {
			t.Errorf("%v: exit %d, %q, %q", args, code, out, errs)
		}
	}
}

// A tokenizer that does not exist is no estimate: the budget would mean something else.
func TestMapRefusesAnUnknownTokenizer(t *testing.T) {
	for name, want := range map[string]int{"nope": 2, "": 2, "chars4": 0, "o200k_base": 0, "CL100K": 0, "estimate": 0} {
		var out, errs strings.Builder
		code := run(t.Context(), []string{"map", "--root", t.TempDir(), "--tokenizer", name},
			Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(string) string { return "" }})
		if code != want || (want == 2) != strings.Contains(errs.String(), "chars4, cl100k, o200k") {
			t.Errorf("%q: exit %d: %s", name, code, errs.String())
		}
	}
}

// TestMapOfHere: without a root it is the folder in which the command runs, and names are meant from there.
func TestMapOfHere(t *testing.T) {
	t.Chdir(lay(t, map[string]string{"a.go": "package a\n\nfunc Alpha() { Beta() }\n", "sub/b.go": "package b\n\nfunc Beta() {}\n"}))
	for _, args := range []string{"map", "map --root .", "map --chat ./a.go", "map --chat sub/../a.go"} {
		r := runLine(t, nil, "", strings.Fields(args)...)
		if r.code != 0 || !strings.Contains(r.out, "func Beta()") || strings.Contains(r.out, "func Alpha()") == strings.Contains(args, "--chat") {
			t.Errorf("%s: exit %d\n%s%s", args, r.code, r.out, r.err)
		}
	}
}

// TestMapMentions: each word that the request names is one of code or a file, and blanks between them are none.
func TestMapMentions(t *testing.T) {
	root := lay(t, map[string]string{"a.go": "package a\n\nfunc Alpha() {}\n", "b.go": "package a\n\nfunc Beta() {}\n", "sub/c.go": "package sub\n\nfunc Gamma() {}\n"})
	scores := func(mention string) map[string]float64 {
		code, out, errs := mapped(t, root, "--json", "--mention", mention)
		var m repomap.Map
		if err := json.Unmarshal([]byte(out), &m); code != 0 || err != nil {
			t.Fatalf("exit %d, %v\n%s%s", code, err, out, errs)
		}
		all := map[string]float64{}
		for _, f := range m.Files {
			all[f.Path] = f.Score
		}
		return all
	}
	plain := scores(" , ")
	for mention, raised := range map[string]string{"": "", " Alpha": "a.go", "x, Gamma ,": "sub/c.go", "b.go": "b.go", "y , sub/c.go": "sub/c.go"} {
		for path, score := range scores(mention) {
			if (score > plain[path]) != (path == raised) {
				t.Errorf("%q gives %s the score %v in place of %v", mention, path, score, plain[path])
			}
		}
	}
}
