package verify_test

import (
	"slices"
	"strings"
	"testing"

	"coauthor/agent/verify"
	"coauthor/edits"

	"github.com/google/go-cmp/cmp"
)

// bind gives the files after Bind, with what it says it did.
func bind(t *testing.T, before, after project) (project, []string) {
	t.Helper()
	in := verify.Input{Tree: after}
	for path, text := range after {
		in.Shown = append(in.Shown, path)
		old, was := before[path]
		switch {
		case !was:
			in.Changes = append(in.Changes, edits.Change{Path: path, Op: edits.OpCreate, After: text})
		case old != text:
			in.Changes = append(in.Changes, edits.Change{Path: path, Op: edits.OpUpdate, Before: old, After: text})
		}
	}
	slices.Sort(in.Shown)
	slices.SortFunc(in.Changes, func(a, b edits.Change) int { return strings.Compare(a.Path, b.Path) })
	list, err := verify.Bind(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	out := project{}
	for path, text := range after {
		out[path] = text
	}
	var said []string
	for _, b := range list {
		out[b.Path] = b.Text
		said = append(said, b.String())
	}
	return out, said
}

// A forgotten import is written where the file's own stand, in its way.
func TestForgottenImportsAreWritten(t *testing.T) {
	for _, c := range []struct {
		name          string
		file          string
		before, after string
		others        project
		want          string // the file; "" for as it is
	}{
		{"behind the documentation", "a.py", "\"\"\"Doc.\"\"\"\n\n\ndef f(x):\n    return x\n", "\"\"\"Doc.\"\"\"\n\n\ndef f(x):\n    return show(x)\n", project{"money.py": money}, "\"\"\"Doc.\"\"\"\n\nfrom money import show\n\n\ndef f(x):\n    return show(x)\n"},
		{"at the very top", "a.py", "def f(x):\n    return x\n", "def f(x):\n    return show(x)\n", project{"money.py": money}, "from money import show\n\n\ndef f(x):\n    return show(x)\n"},
		{"behind the last one", "a.py", "import os\nfrom re import (\n    sub,\n)\n\nx = os.name\n", "import os\nfrom re import (\n    sub,\n)\n\nx = show(os.name)\n", project{"money.py": money}, "import os\nfrom re import (\n    sub,\n)\nfrom money import show\n\nx = show(os.name)\n"},
		{"beside a name of the same file", "a.py", "from money import hide\nx = hide(1)\n", "from money import hide\nx = hide(show(1))\n", project{"money.py": money + "\n\ndef hide(c):\n    return ''\n"}, "from money import hide, show\nx = hide(show(1))\n"},
		{"in a package", "p/a.py", "x = 1\n", "x = show(1)\n", project{"p/money.py": money, "p/__init__.py": ""}, "from .money import show\n\nx = show(1)\n"},
		{"in a package that is named whole", "p/a.py", "from p.b import c\n\nx = c\n", "from p.b import c\n\nx = show(c)\n", project{"p/money.py": money, "p/__init__.py": "", "p/b.py": "c = 1\n"}, "from p.b import c\nfrom p.money import show\n\nx = show(c)\n"},
		{"from the package above", "p/q/a.py", "x = 1\n", "x = show(1)\n", project{"p/money.py": money, "p/__init__.py": "", "p/q/__init__.py": ""}, "from ..money import show\n\nx = show(1)\n"},
		{"of a package", "a.py", "x = 1\n", "x = show(1)\n", project{"p/money.py": money, "p/__init__.py": ""}, "from p.money import show\n\nx = show(1)\n"},
		{"two files have it", "a.py", "x = 1\n", "x = show(1)\n", project{"money.py": money, "more.py": money}, ""},
		{"behind a documentation of lines", "a.py", "\"\"\"Doc\n\nof it.\n\"\"\"\nx = 1\n", "\"\"\"Doc\n\nof it.\n\"\"\"\nx = show(1)\n", project{"money.py": money}, "\"\"\"Doc\n\nof it.\n\"\"\"\n\nfrom money import show\n\nx = show(1)\n"},
		{"a circle of a package", "p/a.py", "x = 1\n", "x = show(1)\n", project{"p/money.py": "from . import a\n" + money, "p/__init__.py": ""}, ""},
		{"a circle over lines", "a.py", "x = 1\n", "x = show(1)\n", project{"money.py": "from b import (\n    one,\n    two,\n)\n" + money, "b.py": "from p import (  # all\n    q,\n)\n", "p/__init__.py": "", "p/q.py": "import a\n"}, ""},
		{"a circle", "a.py", "x = 1\n", "x = show(1)\n", project{"money.py": "import b\n" + money, "b.py": "from a import x\n"}, ""},
		{"no names of modules", "x-y/a.py", "x = 1\n", "x = show(1)\n", project{"z/money.py": money}, ""},
		{"a module of the library", "a.py", "import os\nx = os.name\n", "import os\nx = json.dumps(os.name)\n", nil, ""},
		{"behind the future", "a.py", "from __future__ import annotations\nx = 1\n", "from __future__ import annotations\nx = show(1)\n", project{"money.py": money}, "from __future__ import annotations\nfrom money import show\nx = show(1)\n"},
		{"a definition that moved", "a.py", "class Bad(Exception):\n    pass\n\n\ndef f():\n    try:\n        g()\n    except Bad as e:\n        raise e\n", "def f():\n    try:\n        g()\n    except Bad as e:\n        raise e\n", project{"bad.py": "class Bad(Exception):\n    pass\n"}, "from bad import Bad\n\n\ndef f():\n    try:\n        g()\n    except Bad as e:\n        raise e\n"},
		{"a definition that moved and is only spoken of", "a.py", "class Bad(Exception):\n    pass\n\n\ndef f():\n    pass\n", "def f():\n    \"\"\"Raises no Bad.\"\"\"\n", project{"bad.py": "class Bad(Exception):\n    pass\n"}, ""},
		{"does not parse", "a.py", "x = 1\n", "x = show(1\n", project{"money.py": money}, ""},
		{"line ends", "a.py", "import os\r\nx = 1\r\n", "import os\r\nx = show(1)\r\n", project{"money.py": money}, "import os\r\nfrom money import show\r\nx = show(1)\r\n"},

		{"in another language", "a.js", "let x = 1;\n", "let x = show(1);\n", project{"money.js": "function show() {}\nmodule.exports = { show };\n", "money.py": money}, ""},
		{"a definition that moved, and its name set with others", "a.py", "class Bad(Exception):\n    pass\n\nraise Bad\n", "x, Bad = load()\n\nraise Bad\n", project{"bad.py": "class Bad(Exception):\n    pass\n"}, ""},
		{"a definition that moved, and its name of a loop", "a.py", "class Bad(Exception):\n    pass\n\nraise Bad\n", "for x, Bad in load():\n    raise Bad\n", project{"bad.py": "class Bad(Exception):\n    pass\n"}, ""},
		{"a definition that moved, and its name of a pattern", "a.py", "class Bad(Exception):\n    pass\n\nraise Bad\n", "match load():\n    case [x, Bad]:\n        raise Bad\n", project{"bad.py": "class Bad(Exception):\n    pass\n"}, ""},

		{"Go, what is missing", "a.go", "package a\n\nvar x = 1\n", "package a\n\nvar x = strings.ToUpper(\"a\")\n", nil, ""},

		{"Go, unused now", "a.go", "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nvar x = fmt.Sprint(os.Args)\n", "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nvar x = fmt.Sprint(1)\n", nil, "package a\n\nimport (\n\t\"fmt\"\n)\n\nvar x = fmt.Sprint(1)\n"},
		{"Go, the only one unused", "a.go", "package a\n\nimport \"fmt\"\n\nvar x = fmt.Sprint(1)\n", "package a\n\nimport \"fmt\"\n\nvar x = 1\n", nil, "package a\n\nvar x = 1\n"},
		{"Go, one for another", "a.go", "package a\n\nimport \"fmt\"\n\nvar x = fmt.Sprint(1)\n", "package a\n\nimport (\n\t\"fmt\"\n\t\"strconv\"\n)\n\nvar x = strconv.Itoa(1)\n", nil, "package a\n\nimport (\n\t\"strconv\"\n)\n\nvar x = strconv.Itoa(1)\n"},
		{"Go, perhaps of another name", "a.go", "package a\n\nimport \"x.org/log\"\n\nvar x = log.Info(zlog.X)\n", "package a\n\nimport \"x.org/log\"\n\nvar x = zlog.X\n", nil, ""},
		{"Go, of its own name", "a.go", "package a\n\nimport log \"x.org/y\"\n\nvar x = log.Info(cfg.X)\n", "package a\n\nimport log \"x.org/y\"\n\nvar x = cfg.X\n", nil, "package a\n\nvar x = cfg.X\n"},
		{"Go, on a line with more", "a.go", "package a; import \"fmt\"; var x = fmt.Sprint(1)\n", "package a; import \"fmt\"; var x = 1\n", nil, ""},
		{"Go, before another statement", "a.go", "package a\nimport \"fmt\"; var x = fmt.Sprint(1)\n", "package a\nimport \"fmt\"; var x = 1\n", nil, ""},
		{"Go, two on a line", "a.go", "package a\nimport (\n\t\"fmt\"; \"os\"\n)\nvar x = fmt.Sprint(os.Args)\n", "package a\nimport (\n\t\"fmt\"; \"os\"\n)\nvar x = os.Args\n", nil, ""},
		{"Go, a second version unused now", "a.go", "package a\n\nimport \"x.org/y/v2\"\n\nvar x = y.Z\n", "package a\n\nimport \"x.org/y/v2\"\n\nvar x = 1\n", nil, "package a\n\nvar x = 1\n"},
		{"Go, unused before", "a.go", "package a\n\nimport \"fmt\"\n\nvar x = 2\n", "package a\n\nimport \"fmt\"\n\nvar x = 1\n", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, after := project{c.file: c.before}, project{c.file: c.after}
			for path, text := range c.others {
				after[path] = text
				if path != "bad.py" { // which the change makes
					before[path] = text
				}
			}
			got, said := bind(t, before, after)
			want := c.want
			if want == "" {
				want = c.after
			}
			if d := cmp.Diff(want, got[c.file]); d != "" {
				t.Errorf("%s\nsaid %q", d, said)
			}
			if (c.want == "") != (len(said) == 0) {
				t.Errorf("said %q", said)
			}
			for path, text := range c.others {
				if got[path] != text {
					t.Errorf("%s became\n%s", path, got[path])
				}
			}
		})
	}
}

// The call of a name that another file defines is given its import; whatever may make the name known, and what was unknown
// before, is left.
func TestWhatMayBeKnownIsNotImported(t *testing.T) {
	for _, c := range []struct {
		name, file, before, after string
		bound                     bool
	}{
		{"a function of another file", "a.py", "x = 1\n", "x = show(1)\n", true},
		{"in a format string", "a.py", "x = 1\n", "x = 2\n\ny = f\"is {show(x)}\"\n", true},
		{"twice is told once", "a.py", "x = 1\n", "x = show(1)\ny = show(2)\n", true},
		{"in a new file", "n.py", "", "def run():\n    return show(1)\n", true},
		{"imported", "a.py", "x = 1\n", "from money import show\nx = show(1)\n", false},
		{"all is imported", "a.py", "x = 1\n", "from money import *\nx = show(1)\n", false},
		{"defined", "a.py", "x = 1\n", "def show(n):\n    return n\nx = show(1)\n", false},
		{"a class", "a.py", "x = 1\n", "class Show:\n    pass\nx = Show()\n", false},
		{"a parameter", "a.py", "x = 1\n", "def f(show):\n    return show(1)\n", false},
		{"assigned", "a.py", "x = 1\n", "show = print\nx = show(1)\n", false},
		{"a loop's", "a.py", "x = 1\n", "for show in []:\n    show(1)\n", false},
		{"spoken of elsewhere", "a.py", "x = 1\n", "# show comes from the shell\nx = show(1)\n", false},
		{"a member", "a.py", "x = 1\n", "import money\nx = money.show(1)\n", false},
		{"a member on the next line", "a.py", "x = 1\n", "import money\nx = money. \\\n    show(1)\n", false},
		{"its own member", "a.py", "x = 1\n", "class A:\n    def f(self):\n        return self.show(1)\n", false},
		{"of every file", "a.py", "x = 1\n", "x = len(sorted([1]))\n", false},
		{"behind a sentence", "a.py", "x = 1\n", "# This is it.\nmoney = 1\nmoney.show(1)\n", false},
		{"unknown before", "a.py", "x = show(1)\n", "x = show(2)\n", false},
		{"a member of a number", "a.py", "x = 1\n", "x = 10.0.show()\n", false},
		{"a member of what is called", "a.py", "x = 1\n", "import money\nx = money.all().show(1)\n", false},
		{"called and handed on", "a.py", "x = 1\n", "x = show(1)\ny = [show]\n", false},
		{"called on the line of another call", "a.py", "x = 1\n", "x = len(show(1))\n", true},
		{"made by a program", "a.py", "x = 1\n", "globals()['show'] = print\nx = show(1)\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := project{"money.py": money + "\n\ndef only():\n    pass\n", c.file: c.before}
			if c.before == "" {
				delete(before, c.file)
			}
			got, said := bind(t, before, project{"money.py": before["money.py"], c.file: c.after})
			if has := strings.Contains(got[c.file], "from money import show\n") && got[c.file] != c.after; has != c.bound || has != (len(said) > 0) {
				t.Errorf("it became %q, said %q", got[c.file], said)
			}
		})
	}
}

// TestDeclaredTwice: a name is told of where a compiler of Go refuses it within its file, and nowhere else.
func TestDeclaredTwice(t *testing.T) {
	for _, c := range []struct{ name, file, before, after, want string }{
		{"a function", "a.go", "package a\n\nfunc f() {}\n", "package a\n\nfunc f() {}\n\nfunc f() { f() }\n", "a.go, line 5 defines f, which line 3 defines already"},
		{"a function and a variable", "a.go", "package a\n", "package a\n\nvar f = 1\n\nfunc f() {}\n", "a.go, line 5 defines f, which line 3 defines already"},
		{"two names", "a.go", "package a\n", "package a\n\ntype t int\nconst c = 1\n\nvar b, c = 1, 2\ntype t string\n", "a.go, line 6 defines c, which line 4 defines already|a.go, line 7 defines t, which line 3 defines already"},
		{"a method", "a.go", "package a\n\ntype T struct{}\n", "package a\n\ntype T struct{}\n\nfunc (t *T) F() {}\nfunc (T) F() {}\n", "a.go, line 6 defines T.F, which line 5 defines already"},
		{"a method of a generic type", "a.go", "package a\n", "package a\n\ntype T[A any] struct{}\n\nfunc (t *T[A]) F() {}\nfunc (t *T[B]) F() {}\n", "a.go, line 6 defines T.F, which line 5 defines already"},
		{"methods of two types", "a.go", "package a\n", "package a\n\ntype A struct{}\ntype B struct{}\n\nfunc (A) F() {}\nfunc (B) F() {}\n", ""},
		{"no name", "a.go", "package a\n", "package a\n\nvar _ = 1\nvar _ = 2\n\nfunc init() {}\nfunc init() {}\n", ""},
		{"no receiver", "a.go", "package a\n", "package a\n\nfunc () f() {}\nfunc () f() {}\n", ""},
		{"local", "a.go", "package a\n", "package a\n\nfunc f() { x := 1; _ = x }\nfunc g() { x := 2; _ = x }\n", ""},
		{"twice before", "a.go", "package a\n\nfunc f() {}\nfunc f() {}\n", "package a\n\nfunc f() {}\nfunc f() { f() }\n", ""},
		{"does not parse", "a.go", "package a\n", "package a\n\nfunc f() {}\nfunc f() {\n", ""},
		{"the later one wins", "a.py", "x = 1\n", "def f():\n    pass\n\n\ndef f():\n    pass\n", ""},
		{"overloads", "a.ts", "let x = 1;\n", "function f(a: string): void {}\nfunction f(a: number): void {}\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(look(t, verify.Twice(), project{c.file: c.before}, project{c.file: c.after}), "|"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// FuzzBind: whatever the files are, the result parses as well as they do, keeps all their lines but imports, and is
// the same for the same files.
func FuzzBind(f *testing.F) {
	f.Add("a.py", "x = 1\n", "\"\"\"Doc\n\"\"\"\nfrom os import (\n  a,\n)\nx = show(1)\n")
	f.Add("a.go", "package a\n\nimport (\n\t\"fmt\"\n)\n\nvar x = fmt.Sprint(1)\n", "package a\n\nimport (\n\t\"fmt\"\n)\n\nvar x = 1\n")
	f.Fuzz(func(t *testing.T, file, before, after string) {
		if !slices.Contains([]string{"a.py", "a.js", "a.go"}, file) || before == after || len(after) > 4000 || len(before) > 4000 {
			return
		}
		others := project{"money.py": money, "money.js": "function show(c) {}\nmodule.exports = { show };\n", "money.mjs": "export function show(c) {}\n"}
		was, is := project{file: before}, project{file: after}
		for path, text := range others {
			was[path], is[path] = text, text
		}
		got, said := bind(t, was, is)
		again, _ := bind(t, was, is)
		if got[file] != again[file] {
			t.Fatalf("%q and %q", got[file], again[file])
		}
		if len(said) == 0 && got[file] != after {
			t.Fatal("changed, and not said")
		}
		for line := range strings.Lines(after) {
			line = strings.TrimSpace(line)
			if !strings.Contains(line, "import") && !strings.Contains(line, "\"") && !strings.Contains(line, "{") && line != ")" && !strings.Contains(got[file], line) {
				t.Fatalf("%q is gone from %q", line, got[file])
			}
		}
	})
}
