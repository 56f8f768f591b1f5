package verify_test

import (
	"context"
	"strings"
	"testing"

	"coauthor/agent/verify"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// callersOf runs the checks over a change of files that lie beside others, all of them known to an index; each finding is
// a line.
func callersOf(t *testing.T, files map[string]string, hidden string, changes ...edits.Change) string {
	t.Helper()
	ws, err := workspace.Open(t.TempDir(), workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	var laid []edits.Change
	for path, text := range files {
		laid = append(laid, edits.Change{Path: path, Op: edits.OpCreate, After: text})
	}
	in := verify.Input{Tree: ws.Snapshot().With(laid).With(changes), Changes: changes, Settings: verify.Settings{Level: verify.Syntax}}
	in.Using = func(_ context.Context, name string) (list []string, ok bool) {
		ok = true
		for path, text := range files {
			if strings.Contains(text, name) {
				list, ok = append(list, path), ok && path != hidden
			}
		}
		return list, ok
	}
	results, err := verify.Run(t.Context(), verify.Checks(), in)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, r := range results {
		for _, f := range r.Findings {
			if !f.Told && f.Check != "syntax" {
				said = append(said, f.String())
			}
		}
	}
	return strings.Join(said, "\n")
}

// A name that a change takes out of its package and that files which it leaves alone still use is found, where the compiler
// would say so; where another declaration may be meant, nothing is said.
func TestCallersThatAreLeft(t *testing.T) {
	const a = "package a\n\ntype T struct{}\n\nfunc Load() {}\n\nfunc (t T) parse() {}\n"
	load, parse := strings.Replace(a, "Load", "Read", 1), strings.Replace(a, "parse", "scan", 1)
	const mod = "module example.org/m\n\ngo 1.24\n"
	for name, c := range map[string]struct {
		other, text string // beside go.mod and a/a.go
		after       string
		want        string
	}{
		"a function of the package":        {"a/b.go", "package a\n\nfunc b() { Load() }\n", load, "a/b.go, line 3 still uses Load, which a/a.go no longer declares"},
		"on several lines":                 {"a/b.go", "package a\n\nfunc b() {\n\tLoad()\n\tLoad()\n}\n", load, "a/b.go, lines 4 and 5 still use Load, which a/a.go no longer declares"},
		"a method that the package sees":   {"a/b.go", "package a\n\nfunc b(t T) { t.parse() }\n", parse, "a/b.go, line 3 still uses parse, which a/a.go no longer declares"},
		"from another package":             {"c/c.go", "package c\n\nimport \"example.org/m/a\"\n\nvar x = a.Load\n", load, "c/c.go, line 5 still uses Load, which a/a.go no longer declares"},
		"under another name":               {"c/c.go", "package c\n\nimport z \"example.org/m/a\"\n\nvar x = z.Load\n", load, "c/c.go, line 5 still uses Load, which a/a.go no longer declares"},
		"from its outer tests":             {"a/a_test.go", "package a_test\n\nimport \"example.org/m/a\"\n\nvar x = a.Load\n", load, "a/a_test.go, line 5 still uses Load, which a/a.go no longer declares"},
		"a variable of the file":           {"a/b.go", "package a\n\nfunc b(Load func()) { Load() }\n", load, ""},
		"declared in another file":         {"a/b.go", "package a\n\nfunc Load() {}\n\nvar x = Load\n", load, ""},
		"a field of the same name":         {"a/b.go", "package a\n\ntype u struct{ parse func() }\n\nfunc b(x u) { x.parse() }\n", parse, ""},
		"an embedded type of the name":     {"a/b.go", "package a\n\ntype u struct{ parse }\n\nfunc b(x u) { _ = x.parse }\n", parse, ""},
		"a package called like it":         {"a/b.go", "package a\n\nimport \"other.org/go-scan\"\n\nvar x = parse.All(1)\n", parse, ""},
		"a variable before a dot":          {"a/b.go", "package a\n\nvar x = Load.name\n", load, "a/b.go, line 3 still uses Load, which a/a.go no longer declares"},
		"a package of the same name":       {"c/c.go", "package c\n\nimport \"other.org/a\"\n\nvar x = a.Load\n", load, ""},
		"a method of something else":       {"c/c.go", "package c\n\nfunc f(x interface{ Load() }) { x.Load() }\n", load, ""},
		"a variable called like it":        {"c/c.go", "package c\n\nimport _ \"example.org/m/a\"\n\nfunc f(a interface{ Load() }) { a.Load() }\n", load, ""},
		"imported without a name":          {"a/b.go", "package a\n\nimport . \"example.org/m/d\"\n\nvar x = Load\n", load, ""},
		"a comment and a text":             {"a/b.go", "package a\n\n// Load is\nvar x = \"Load\"\n", load, ""},
		"a file that cannot be read as Go": {"a/b.go", "package a\n\nvar x = Load(\n", load, ""},
		"a function of C":                  {"a/b.go", "package a\n\nimport \"C\"\n\nvar x = C.parse\n", parse, ""},
	} {
		got := callersOf(t, map[string]string{"go.mod": mod, "a/a.go": a, c.other: c.text}, "",
			edits.Change{Path: "a/a.go", Op: edits.OpUpdate, Before: a, After: c.after})
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	many := map[string]string{"go.mod": mod, "a/a.go": a}
	for _, n := range []string{"b", "c", "d", "e", "f"} {
		many["a/"+n+".go"] = "package a\n\nvar " + n + " = Load\n"
	}
	got := callersOf(t, many, "", edits.Change{Path: "a/a.go", Op: edits.OpUpdate, Before: a, After: load})
	if strings.Count(got, "still uses Load") != 3 || !strings.Contains(got, "2 more of such files") {
		t.Errorf("of five files: %q", got)
	}
	if got := callersOf(t, many, "a/b.go", edits.Change{Path: "a/a.go", Op: edits.OpUpdate, Before: a, After: load}); got != "" {
		t.Errorf("where a file may not be looked at: %q", got)
	}
	moved := edits.Change{Path: "a/new.go", Op: edits.OpCreate, After: "package a\n\nfunc Load() {}\n"}
	if got := callersOf(t, many, "", edits.Change{Path: "a/a.go", Op: edits.OpUpdate, Before: a, After: load}, moved); got != "" {
		t.Errorf("what has moved: %q", got)
	}
	if got := callersOf(t, many, "", edits.Change{Path: "a/a.go", Op: edits.OpDelete, Before: a}); !strings.Contains(got, "still uses Load") {
		t.Errorf("of a deleted file: %q", got)
	}
}

// Scripts and Python that import by name are found beside the files that the turn shows.
func TestImportersThatAreLeft(t *testing.T) {
	const before, after = "def load():\n    pass\n", "def read():\n    pass\n"
	files := map[string]string{"a.py": before, "b.py": "from a import load\n\nload()\n", "c.py": "import json as load\n\nload()\n"}
	got := callersOf(t, files, "", edits.Change{Path: "a.py", Op: edits.OpUpdate, Before: before, After: after})
	if want := "b.py, line 1 imports load from a.py, which has no load"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := callersOf(t, files, "b.py", edits.Change{Path: "a.py", Op: edits.OpUpdate, Before: before, After: after}); got != "" {
		t.Errorf("of a file that may not be looked at: %q", got)
	}
}
