//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/settings"
)

// TestWhereATurnWorks: which folder is the root and which file a name means, from wherever it is said; what
// lies outside is refused before anything is sent.
func TestWhereATurnWorks(t *testing.T) {
	for what, x := range map[string]struct {
		git   bool
		cwd   string
		args  string
		shown string // the name by which the model knows the file; "" for a refusal
		told  string
	}{
		"a repository, from below":  {git: true, cwd: "sub", args: "b.py", shown: "sub/b.py"},
		"a repository, from above":  {git: true, cwd: ".", args: "sub/b.py", shown: "sub/b.py"},
		"a repository, up":          {git: true, cwd: "sub", args: "../a.py", shown: "a.py"},
		"no repository":             {cwd: "sub", args: "b.py", shown: "b.py"},
		"no repository, up":         {cwd: "sub", args: "../a.py", told: "../a.py is outside "},
		"a root in other words":     {cwd: "sub", args: "--root .. b.py", shown: "sub/b.py"},
		"a root that is a link":     {cwd: ".", args: "--root ROOT/link b.py", told: "b.py is outside "},
		"and its file":              {cwd: ".", args: "--root ROOT/link link/b.py", shown: "b.py"},
		"and its real file":         {cwd: ".", args: "--root ROOT/link ROOT/sub/b.py", shown: "b.py"},
		"dots at the beginning":     {cwd: ".", args: "--root ROOT ..c.py", shown: "..c.py"},
		"the folder above":          {cwd: "sub", args: "--root ROOT/sub ..", told: ".. is outside "},
		"a file to read, from here": {cwd: "sub", args: "--root .. --read b.py", shown: "sub/b.py"},
		"a file to read, outside":   {cwd: "sub", args: "--root . --read ../a.py", told: "../a.py is outside "},
		"no such root":              {cwd: ".", args: "--root absent", told: "the root: "},
		"a root that is a file":     {cwd: ".", args: "--root a.py", told: "a.py"},
	} {
		h := newShell(t, "repeat: true\n-- 1.md --\nfine\n")
		for _, name := range []string{"a.py", "sub/b.py", "..c.py"} {
			h.put(name, "x = 'inside'\n")
		}
		if x.git {
			h.put(".git/HEAD", "ref: refs/heads/main\n")
		}
		if err := os.Symlink("sub", filepath.Join(h.root, "link")); err != nil {
			t.Fatal(err)
		}
		t.Chdir(filepath.Join(h.root, x.cwd))
		args := append([]string{"ask", "-m", "x", "--map-tokens", "0", "--model", "local", "--api-base", h.server.URL}, strings.Fields(strings.ReplaceAll(x.args, "ROOT", h.root))...)
		r := runLine(t, nil, "", args...)
		if x.shown == "" {
			if r.code != 1 || len(h.server.Requests()) > 0 || !strings.Contains(r.err, x.told) || strings.Contains(x.told, "outside") != strings.Contains(r.err, "--root") || strings.Contains(r.err, "internal error") {
				t.Errorf("%s: exit %d, %d requests, told %s", what, r.code, len(h.server.Requests()), r.err)
			}
			continue
		}
		if r.code != 0 || len(h.server.Requests()) != 1 {
			t.Errorf("%s: exit %d, %d requests, told %s", what, r.code, len(h.server.Requests()), r.err)
			continue
		}
		all := ""
		for _, m := range h.server.Requests()[0].Messages {
			all += m.Content + "\n"
		}
		if !strings.Contains(all, "\n"+x.shown+"\n") || strings.Count(all, "x = 'inside'") != 1 {
			t.Errorf("%s: %s is not what the model gets:\n%s", what, x.shown, all)
		}
	}
}

// TestFlagsAreSettings: each flag stands for its setting, and what is left out for none.
func TestFlagsAreSettings(t *testing.T) {
	cool, none, some := 0.0, 0, 700
	for what, x := range map[string]struct {
		flags turnFlags
		want  map[string]string
	}{
		"nothing":     {turnFlags{}, map[string]string{}},
		"a model":     {turnFlags{Model: "m", APIBase: "http://127.0.0.1:1"}, map[string]string{"model.name": "m", "apiBase": "http://127.0.0.1:1"}},
		"temperature": {turnFlags{Temperature: &cool}, map[string]string{"model.temperature": "0"}},
		"no map":      {turnFlags{MapTokens: &none}, map[string]string{"repoMap.tokens": "0"}},
		"a map":       {turnFlags{MapTokens: &some}, map[string]string{"repoMap.tokens": "700"}},
	} {
		if diff := cmp.Diff(x.want, x.flags.settings()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
}

// TestNoTemporariesWithoutAHome: there is no place to remember them in.
func TestNoTemporariesWithoutAHome(t *testing.T) {
	t.Setenv("HOME", "")
	w := newWiring(Streams{Env: func(string) string { return "" }}, nil, nil)
	if temps := newTemps(w.user.State(), w.log); temps != nil {
		t.Errorf("without a home there are temporaries: %v", temps)
	}
	if done, err := w.temps.Begin("/x"); done != nil || err != nil {
		t.Errorf("without a home: %v", err)
	}
}

// TestWithoutAHome a change is made all the same.
func TestWithoutAHome(t *testing.T) {
	t.Setenv("HOME", "")
	none := map[string]string{"HOME": "", "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""}
	h := newShell(t, "-- 1.md --\n"+twoReply)
	r := runLine(t, none, "", "edit", "-m", "x", "--yes", "--format", "diff", "--root", h.root, "--model", "local", "--api-base", h.server.URL, filepath.Join(h.root, "a.py"))
	if r.code != 0 || h.read("a.py") != "x = 2\r\nz = 1" {
		t.Errorf("edit: exit %d\n%s", r.code, r.err)
	}
	h.put("a.txt", "one\ntwo\n")
	if r := runLine(t, none, goodBlock, "apply", "--root", h.root); r.code != 0 || h.read("a.txt") != "uno\ntwo\n" {
		t.Errorf("apply: exit %d\n%s", r.code, r.err)
	}
}

// TestOneIndexARoot: who asks for the index of a root gets the one that is open, and after it was closed
// another; closing an old one leaves the new one alone.
func TestOneIndexARoot(t *testing.T) {
	w := newWiring(Streams{Env: noEnvironment(t)}, nil, nil)
	ws, err := w.workspace(lay(t, map[string]string{"a.go": "package a\n"}), settings.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	index := func() *rootIndex {
		x, ok := w.mapper(ws).(*rootIndex)
		if !ok {
			t.Fatal("no index")
		}
		return x
	}
	first := index()
	if index().Index != first.Index {
		t.Error("a second index of the same root")
	}
	first.Close()
	second := index()
	if second.Index == first.Index {
		t.Error("an index that is closed was given out")
	}
	first.Close()
	if index().Index != second.Index {
		t.Error("closing the old index took the new one away")
	}
	w.close()
	if third := index(); third.Index == second.Index {
		t.Error("an index that is closed was given out")
	} else {
		third.Close()
	}
}
