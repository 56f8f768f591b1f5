package reply_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"coauthor/edits/reply"
)

// around is what models put around the name of a file on a line of its own.
var around = []string{
	"%s", " %s ", "%s:", "# %s", "### %s", "#### %s:", "**%s**", "**%s:**", "`%s`", "`%s`:", "\"%s\"", "'%s'", "[%s]", "(%s)", "<%s>", "__%s__",
	"1. %s", "2) %s", "10. %s:", "- %s", "* %s", "+ %s", "> %s", "// %s", "/* %s */", "<!-- %s -->", "-- %s", "; %s",
	"File: %s", "file: %s", "FILE: %s", "Filename: %s", "file name: %s", "Filepath: %s", "file path: %s", "Path: %s", "New file: %s",
	"Updated file: %s", "Update file: %s", "Create file: %s", "Modified: %s", "Created: %s", "File:%s", "**Path:%s**", "File %s", "In %s", "in %s:",
	"%s (new file)", "`%s` (updated)", "**`%s`** (new)",
}

// lists are how an item of a list begins.
var lists = []string{"1. ", "2) ", "12. ", "- ", "* ", "+ "}

var paths = []string{"a.py", "src/a.py", "deep/er/file.test.ts", "Makefile", "my-module/__init__.py", "noext/name", ".gitignore", "web/index.html", "a_b.c", "x86.S"}

func TestNamesOnALineOfTheirOwn(t *testing.T) {
	for _, form := range around {
		for _, path := range paths {
			text := fmt.Sprintf(form, path)
			if got, ok := reply.Name(text, nil); !ok || got != path {
				t.Errorf("%q names %q, %v, want %q", text, got, ok, path)
			}
			if got, ok := reply.Name(text, []string{"other.py", path}); !ok || got != path {
				t.Errorf("%q names %q, %v, want the known %q", text, got, ok, path)
			}
		}
	}
}

// A name in a numbered list, or in one with bullets, is the name, whatever else is around it.
func TestNamesInLists(t *testing.T) {
	for _, item := range lists {
		for _, form := range []string{"%s", "%s:", "`%s`", "`%s`:", "**%s**", "**%s**:", "**`%s`**", "**`%s`:**", "\"%s\"", "File: %s", "File: `%s`", "**File: `%s`**", "`%s` (new file)", "**%s** (new file):"} {
			for _, path := range append(paths, "weird name.txt", "LICENSE-MIT") {
				known := []string{path}
				if reply.IsPath(path) {
					known = nil
				}
				for _, text := range []string{item + fmt.Sprintf(form, path), "  " + item + fmt.Sprintf(form, path), "### " + item + fmt.Sprintf(form, path)} {
					if strings.HasSuffix(form, "(new file):") && known != nil {
						continue
					}
					if got, ok := reply.Name(text, known); !ok || got != path {
						t.Errorf("%q names %q, %v, want %q", text, got, ok, path)
					}
				}
			}
		}
	}
	// What is no item of a list stays: a name may begin with a number or a sign.
	for _, path := range []string{"1.py", "2024.txt", "3.14/a.py", "-a.py", "+page.svelte", "*a.py"} {
		if got, ok := reply.Name(path, []string{path}); !ok || got != path {
			t.Errorf("the known %q is read as %q, %v", path, got, ok)
		}
		if strings.ContainsAny(path, "*") {
			continue
		}
		if got, ok := reply.Name(path, nil); !ok || got != path {
			t.Errorf("%q is read as %q, %v", path, got, ok)
		}
	}
}

// Decorations nest, in any order that models write them.
func TestDecorationsNest(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	outer, inner := []string{"### %s", "%s:", "> %s", " %s "}, []string{"**%s**", "`%s`", "\"%s\"", "__%s__", "File: %s", "[%s]", "%s:"}
	for range 5000 {
		path := paths[r.IntN(len(paths))]
		text := path
		for range r.IntN(3) {
			text = fmt.Sprintf(inner[r.IntN(len(inner))], text)
		}
		if r.IntN(2) == 0 {
			text = lists[r.IntN(len(lists))] + text
		}
		for range r.IntN(2) {
			text = fmt.Sprintf(outer[r.IntN(len(outer))], text)
		}
		if got, ok := reply.Name(text, nil); !ok || got != path {
			t.Fatalf("%q names %q, %v, want %q", text, got, ok, path)
		}
	}
}

// Prose, code and addresses are no names.
func TestLinesThatNameNothing(t *testing.T) {
	for _, text := range []string{
		"", " ", "`", "``", "**", "1. ", "- ", "#", "Here is the file:", "Let us change a.py and b.py", "1. Open a.py", "- run it", "the end.",
		"x = a.py", "f(a.py)", "return a;", "https://example.com/a.py", "http://a.b", "a/", "dir/sub/", "v1.2", "1.5", "3.", "e.g.", "etc.", "{", "}", "import a.b c",
		"a|b.py", "a?.py", "a*.py", "$HOME/a.py", "a,b.py", "!important.py", "a;b.py", "x < y.py", "`a b.py`", "- `f(x).py`", "...", "..", ".", "/", "//", "--", "- - -", "***", "a.%", "a.b!",
		strings.Repeat("a", 300) + ".py", "noextension", "word:", "**Note**", "name." + strings.Repeat("x", 17),
	} {
		if got, ok := reply.Name(text, nil); ok {
			t.Errorf("%q names %q", text, got)
		}
		if got, ok := reply.Name(text, []string{"src/main.go", "lib.rs"}); ok {
			t.Errorf("%q names %q beside known files", text, got)
		}
	}
}

// A known file is named by its path or by the name at its end, and by no other part of it.
func TestKnownNames(t *testing.T) {
	chat := []string{"src/app/main file", "lib/noext"}
	for text, want := range map[string]string{
		"main file": "main file", "src/app/main file": "src/app/main file", "noext": "noext", "lib/noext": "lib/noext", "`main file`": "main file", "1. main file": "main file",
		"file": "", "ext": "", "app/main file": "", "src": "", "Main File": "",
	} {
		got, ok := reply.Name(text, chat)
		if got != want || ok != (want != "") {
			t.Errorf("%q names %q, %v, want %q", text, got, ok, want)
		}
	}
}

func TestIsPath(t *testing.T) {
	for _, path := range []string{"a.py", "A.PY", "a/b", "./a", "../x.c", "/etc/hosts", "a\\b.py", "Dockerfile", "sub/README", "a.b.c", "x.c++", "x.my-ext", "x.my_ext", "x.a1", ".env.local", "a-b_c.d", "readme", "build", "@types/x.d.ts"} {
		if !reply.IsPath(path) {
			t.Errorf("%q is a path", path)
		}
	}
	for _, text := range []string{"", "a", "a b.py", "a\tb.py", "a.", "a/", "x.1", "x.12", "a.b=c", "(a.py)", "a.py)", "<a.py>", "a\"b.py", "`a.py", "a.py`", "http://x/y.py", "/", "./", "..", "-/-", "x.toolongextension1", "a.é", strings.Repeat("d/", 130) + "a.py"} {
		if reply.IsPath(text) {
			t.Errorf("%q is no path", text)
		}
	}
}

func TestInfoNames(t *testing.T) {
	for info, want := range map[string]string{
		"": "", "python": "", "python app.py": "app.py", "app.py": "app.py", "python:src/app.py": "src/app.py", `title="app.py"`: "app.py", "js title=src/a.js": "src/a.js",
		"ts file=a.ts": "a.ts", "ts filename='a.ts'": "a.ts", "go path=a.go": "a.go", "name=a.rb": "a.rb", "{app.py}": "app.py", "python {.line-numbers}": ".line-numbers", "c++": "", "Makefile": "", "objective-c": "",
		"diff --git": "", "python app.py 3": "app.py", "`app.py`": "app.py", "a.py b.py": "b.py", "python:": "", "known": "known",
	} {
		got, ok := reply.InfoName(info, []string{"x/known"})
		if got != want || ok != (want != "") {
			t.Errorf("%q names %q, %v, want %q", info, got, ok, want)
		}
	}
}

func TestMentions(t *testing.T) {
	chat := []string{"src/a.py", "b.py", "Makefile"}
	for text, want := range map[string]string{
		"": "", "Change a.py now": "a.py", "Change `src/a.py`.": "src/a.py", "in (b.py), as said": "b.py", "the Makefile!": "Makefile", "a.py and b.py": "", "a.py, then a.py": "a.py",
		"xa.py": "", "a.pyc": "", "src": "", "A.py": "", "**b.py**:": "b.py", "\"b.py\"": "b.py", "['b.py'];": "b.py", "b.py?": "b.py",
	} {
		got, ok := reply.Mention(text, chat)
		if want == "a.py" || want == "src/a.py" {
			want = "src/a.py"
		}
		if got != want || ok != (want != "") {
			t.Errorf("%q mentions %q, %v, want %q", text, got, ok, want)
		}
	}
}

func TestLastPath(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "   ": "", "Write it to src/a.py": "src/a.py", "Write it to `src/a.py`:": "src/a.py", "(see a.py)": "a.py", "to a.py, b.py": "b.py", "a.py is it": "", "**a.py**": "a.py", "\"a.py\";": "a.py",
	} {
		got, ok := reply.LastPath(text)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q ends in %q, %v, want %q", text, got, ok, want)
		}
	}
}
