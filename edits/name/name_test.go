package name_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"coauthor/edits/name"
)

func of(files ...string) name.Known {
	return func(path string) bool { return slices.Contains(files, path) }
}

// around is what models put around the name of a file on a line of its own.
var around = []string{
	"%s", " %s ", "%s:", "%s：", "# %s", "### %s", "#### %s:", "**%s**", "**%s:**", "***%s***", "`%s`", "`%s`:", "``%s``", "\"%s\"", "'%s'", "“%s”", "«%s»", "「%s」", "[%s]", "[`%s`]", "[FILE: %s]", "(%s)", "<%s>", "__%s__", "*%s*", "_%s_",
	"1. %s", "2) %s", "10. %s:", "- %s", "* %s", "+ %s", "• %s", "> %s", "// %s", "/* %s */", "<!-- %s -->", "{/* %s */}", "-- %s", "; %s",
	"File: %s", "file: %s", "FILE: %s", "Filename: %s", "file name: %s", "Filepath: %s", "**Path:** %s", "Path: `%s`", "New file: %s", "File:%s", "Datei: %s", "Fichier : %s", "文件：%s", "文件: %s", "ファイル：`%s`", "Файл: %s",
	"### File: `%s`", "Here is the whole file: %s", "Then change this one: `%s`",
	"%s (new file)", "`%s` (updated)", "**`%s`** (new)", "%s [new]", "%s（新）", "%s:12", "%s:12-40", "%s:3:7", "%s#L10", "%s#L10-L12", "`%s`:12", "%s (lines 3-9)",
	"<file>%s</file>", "<path>%s</path>", `<file path="%s">`, `<code name='%s'>`, "\ufeff%s", "\u200b%s\u200b", "./%s", "`./%s`", "%s  ",
}

func TestAddresses(t *testing.T) {
	if got, ok := name.Line("file:///home/u/p/a.py", of()); !ok || got != "/home/u/p/a.py" {
		t.Errorf("%q, %v", got, ok)
	}
}

var paths = []string{"a.py", "src/a.py", "deep/er/file.test.ts", "my-module/__init__.py", ".gitignore", "web/index.html", "a_b.c", "x86.S", "docs/日本語.md", "a[1].py", "app/(group)/page.tsx", "routes/$id.tsx", "+page.svelte", "naïve.txt"}

// withBlanks are names that are names only where they are known, quoted or labelled.
var withBlanks = []string{"Assets/Main Menu.cs", "docs/日本 語.md", "My File.txt", "a b/c d.e"}

func TestWhatIsTakenOff(t *testing.T) {
	for _, form := range around {
		for _, path := range paths {
			text := strings.ReplaceAll(form, "%s", path)
			if got, ok := name.Line(text, of()); !ok || got != path {
				t.Errorf("%q names %q, %v, want %q", text, got, ok, path)
			}
		}
		for _, path := range append(withBlanks, paths...) {
			text := strings.ReplaceAll(form, "%s", path)
			if got, ok := name.Line(text, of("Menu.cs", "menu.cs", path)); !ok || got != path {
				t.Errorf("%q names %q, %v, want the known %q", text, got, ok, path)
			}
			if got := name.Argument(text, of()); got != path {
				t.Errorf("the argument %q names %q, want %q", text, got, path)
			}
		}
	}
}

// A new file whose name has blanks is named only where the name is quoted or labelled as a whole.
func TestNewNamesWithBlanks(t *testing.T) {
	for _, path := range withBlanks {
		for _, form := range []string{"`%s`", "**`%s`**:", "### `%s` (new)", "1. \"%s\"", "File: %s", "文件：%s", "<path>%s</path>", "**Datei:** %s"} {
			text := strings.ReplaceAll(form, "%s", path)
			if got, ok := name.Line(text, of("Menu.cs")); !ok || got != path {
				t.Errorf("%q names %q, %v, want %q", text, got, ok, path)
			}
		}
		for _, form := range []string{"%s", "%s:", "**%s**", "### %s", "- %s", "Note: %s", "Now we write %s"} {
			text := strings.ReplaceAll(form, "%s", path)
			if got, ok := name.Line(text, of("Menu.cs")); ok {
				t.Errorf("%q names %q", text, got)
			}
		}
	}
}

// Prose, code, commands and addresses are no names.
func TestLinesThatNameNothing(t *testing.T) {
	for _, text := range []string{
		"", " ", "`", "``", "**", "1. ", "- ", "#", "Here is the file:", "Let us change a.py and b.py", "1. Open a.py", "- run it", "the end.", "Update `a.py`:", "In a.py:", "`a.py` and `b.py`", "**a.py** and **b.py**", "a.py, b.py",
		"`python a.py`", "$ python a.py", "Run: python a.py", "`git add a.py`", "`python new.py`", "File: python a.py", "It is right already. You see:", "Output:", "Note: and/or", "### Input/Output", "Input/Output:", "- yes/no", "**TCP/IP**", "b.py: see a.py", "[b.py](b.py)", "`a.py`, `b.py`",
		"x = a.py", "f(a.py)", "return a;", "https://example.com/a.py", "http://a.b", "a/", "dir/sub/", "v1.2", "1.5", "3.", "e.g.", "etc.", "{", "}", "import a.b c", "key: value",
		"a|b.py", "a?.py", "a*.py", "$HOME/a.py", "!important.py", "x < y.py", "...", "..", ".", "/", "//", "--", "- - -", "***", "a.%", "a.b!", "def f(self):", "print(a.b)", "python:x.py",
		strings.Repeat("a", 300) + ".py", strings.Repeat("a", 3000), "noextension", "word:", "**Note**", "name." + strings.Repeat("x", 17), "b.py: c.py",
	} {
		if got, ok := name.Line(text, of("a.py", "src/main.go")); ok {
			t.Errorf("%q names %q", text, got)
		}
	}
}

// A known file is named by its whole path, as it is written, and by nothing else.
func TestKnownNames(t *testing.T) {
	known := of("src/main file", "README", "(a).py", "# odd.md", "x (1)", "my_a.py", "src/_b.py", "__main__")
	for text, want := range map[string]string{
		"src/main file": "src/main file", "`src/main file`": "src/main file", "README": "README", "# README": "README", "(a).py": "(a).py", "# odd.md": "# odd.md", "x (1)": "x (1)", "x (1) (new)": "x (1)",
		`my\_a.py`: "my_a.py", `src\_b.py`: "src/_b.py", `src\main file`: "src/main file", "__main__": "__main__", "./README": "README",
		"main file": "", "readme": "readme", "Main file": "", "src": "", "SRC/main file": "",
	} {
		got, ok := name.Line(text, known)
		if got != want || ok != (want != "") {
			t.Errorf("%q names %q, %v, want %q", text, got, ok, want)
		}
	}
}

// What stands around a name nests, in any order that models write it.
func TestDecorationsNest(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	outer := []string{"### %s", "%s:", "> %s", " %s ", "1. %s", "- %s", "%s (new)"}
	inner := []string{"**%s**", "`%s`", "\"%s\"", "File: %s", "%s:"}
	for range 5000 {
		path := paths[r.IntN(len(paths))]
		text := path
		for _, i := range r.Perm(len(inner))[:r.IntN(3)] {
			text = fmt.Sprintf(inner[i], text)
		}
		for range r.IntN(3) {
			text = fmt.Sprintf(outer[r.IntN(len(outer))], text)
		}
		if got, ok := name.Line(text, of()); !ok || got != path {
			t.Fatalf("%q names %q, %v, want %q", text, got, ok, path)
		}
	}
}

func TestInfo(t *testing.T) {
	known := of("app.py", "src/app.py", "Assets/Main Menu.cs", "Makefile", "src/a.js")
	for info, want := range map[string]string{
		"": "", "python": "", "python app.py": "app.py", "app.py": "app.py", ":app.py": "app.py", "python:src/app.py": "src/app.py", `title="app.py"`: "app.py", "js title=src/a.js": "src/a.js",
		"js {1,3} title='src/a.js'": "src/a.js", `cs title="Assets/Main Menu.cs"`: "Assets/Main Menu.cs", "cs Assets/Main Menu.cs": "Assets/Main Menu.cs", "Assets/Main Menu.cs": "Assets/Main Menu.cs",
		"{app.py}": "app.py", "./app.py": "app.py", "`app.py`": "app.py", "python app.py 3": "app.py", "Makefile": "Makefile", `src\app.py`: "src/app.py",
		"{.python .numberLines}": "", "python {.line-numbers}": "", "python new.py": "", "new.py": "", "python:new.py": "", "title=new.py": "", "a/app.py": "", "APP.PY": "", "c++": "", "diff --git": "", "python:": "", ".py": "",
	} {
		got, ok := name.Info(info, known)
		if got != want || ok != (want != "") {
			t.Errorf("%q names %q, %v, want %q", info, got, ok, want)
		}
	}
}

// A comment that is only a known path names it, in the comments of any language.
func TestComment(t *testing.T) {
	known := of("a.py", "src/main.go", "web/my app.vue", "Makefile")
	for _, form := range []string{"# %s", "// %s", "/* %s */", "<!-- %s -->", "{/* %s */}", "-- %s", "; %s", "%% %s", "#%s", "//%s", "  # %s  ", "## %s ##", "// --- %s ---", "# `%s`", "// \"%s\"", "(* %s *)", "REM %s",
		"# filename: %s", "// File: %s", "# Path: %s", "/* file path: %s */", "# File name: `%s`", "# %s (new)", "# 文件：%s"} {
		for _, path := range []string{"a.py", "src/main.go", "web/my app.vue", "Makefile"} {
			text := strings.ReplaceAll(strings.ReplaceAll(form, "%s", path), "%%", "%")
			if got, ok := name.Comment(text, known); !ok || got != path {
				t.Errorf("%q names %q, %v, want %q", text, got, ok, path)
			}
		}
	}
	for _, text := range []string{"", "#", "//", "# b.py", "#!/usr/bin/env a.py", "#! a.py", "a.py", "# See a.py", "# a.py and b.py", "# lib/a.py", "# A.py", "#include <a.h>", "# file: new.py", "# " + strings.Repeat("d/", 600) + "a.py"} {
		if got, ok := name.Comment(text, known); ok {
			t.Errorf("%q names %q", text, got)
		}
	}
}

func TestPair(t *testing.T) {
	known := of("src/x.py", "a/y.py", "b/z.py", "My File.txt")
	for _, c := range []struct{ old, new, wantOld, wantNew string }{
		{"a/src/x.py", "b/src/x.py", "src/x.py", "src/x.py"},
		{"src/x.py", "src/x.py", "src/x.py", "src/x.py"},
		{"a/src/x.py\t2024-01-01 00:00:00", "b/src/x.py\t2024-01-02", "src/x.py", "src/x.py"},
		{"a/src/x.py", "src/x.py", "src/x.py", "src/x.py"},
		{"src/x.py", "b/src/x.py", "src/x.py", "src/x.py"},
		{"a/y.py", "a/y.py", "a/y.py", "a/y.py"},
		{"b/z.py", "b/z.py", "b/z.py", "b/z.py"},
		{"a/a/y.py", "b/a/y.py", "a/y.py", "a/y.py"},
		{"/dev/null", "b/new.py", "/dev/null", "new.py"},
		{"a/src/x.py", "/dev/null", "src/x.py", "/dev/null"},
		{"/dev/null", "/dev/null", "/dev/null", "/dev/null"},
		{"a/My File.txt", "b/My File.txt", "My File.txt", "My File.txt"},
		{"a/New File.txt", "b/New File.txt", "New File.txt", "New File.txt"},
		{`"a/\346\227\245.md"`, `"b/\346\227\245.md"`, "日.md", "日.md"},
		{"`a/src/x.py`", "`b/src/x.py`", "src/x.py", "src/x.py"},
		{"../b", "../b", "../b", "../b"},
		{"a/../b", "b/../b", "../b", "../b"}, {"/dev/null", "b//home/u/x", "/dev/null", "/home/u/x"}, {"a/x/../../b", "a/x/../../b", "../b", "../b"},
	} {
		if old, new := name.Pair(c.old, c.new, known); old != c.wantOld || new != c.wantNew {
			t.Errorf("%q, %q: %q, %q, want %q, %q", c.old, c.new, old, new, c.wantOld, c.wantNew)
		}
	}
}

func TestBelow(t *testing.T) {
	for _, c := range []struct {
		written, root string
		rooted        bool
		want          string // "" for none
	}{
		{"a.py", "/home/u/p", false, "a.py"}, {"./a.py", "", false, "a.py"}, {"x//y/../a.py", "", false, "x/a.py"}, {`src\a.py`, "", false, "src/a.py"},
		{"/home/u/p/src/a.py", "/home/u/p", false, "src/a.py"}, {"/home/u/p/src/a.py", "/home/u/p/", false, "src/a.py"}, {"/home/u/p/src/a.py", "/home/u/p", true, "src/a.py"},
		{"/home/u/pq/a.py", "/home/u/p", false, ""}, {"/home/u/p", "/home/u/p", false, ""}, {"/main.py", "/home/u/p", false, ""}, {"/main.py", "", false, ""},
		{"/main.py", "/home/u/p", true, "main.py"}, {"/app/main.py", "", true, "app/main.py"}, {"//main.py", "", true, "main.py"}, {"/", "", true, ""}, {"/../x", "", true, "x"},
		{`C:\p\a.py`, "C:/p", false, "a.py"}, {`C:\p\a.py`, `C:\p`, false, "a.py"}, {`D:\x.py`, `C:\p`, true, ""}, {"/dev/null", "", true, ""}, {"/dev/null", "/p", false, ""},
		{"", "", false, ""}, {".", "", false, ""}, {"./", "", false, ""}, {"..", "", false, ""}, {"../x", "", true, ""}, {"a/../../x", "/p", false, ""}, {"/home/u/p/../x", "/home/u/p", false, ""}, {"~/x", "", true, ""}, {"~", "", false, ""}, {"~x", "", false, "~x"}, {"..x", "", false, "..x"},
		{"Assets/Main Menu.cs", "/p", false, "Assets/Main Menu.cs"}, {"a/b.py", "/", false, "a/b.py"}, {"/a/b.py", "/", false, "a/b.py"},
	} {
		got, ok := name.Below(c.written, c.root, c.rooted)
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%q below %q (%v): %q, %v, want %q", c.written, c.root, c.rooted, got, ok, c.want)
		}
	}
}

// Whatever a model writes: a name is never empty, has no line in it, is read the same a second time, and a path below
// the root stays below it.
func FuzzName(f *testing.F) {
	for _, form := range around {
		f.Add(strings.ReplaceAll(form, "%s", "src/a b.py"), "src/a b.py")
	}
	f.Add("/dev/null", "x")
	f.Add("`python a.py`", "a.py")
	f.Add(`C:\x\..\..`, "x")
	f.Fuzz(func(t *testing.T, text, file string) {
		known := of(file)
		got, ok := name.Line(text, known)
		if ok && (got == "" || strings.ContainsAny(got, "\n\r\x00")) || !ok && got != "" {
			t.Errorf("Line(%q) = %q, %v", text, got, ok)
		}
		if again, ok := name.Below(got, "/root", true); ok {
			if more, still := name.Below(again, "/root", true); !still && !strings.HasPrefix(again, "~") || still && more != again {
				t.Errorf("%q, %q, %q", got, again, more)
			}
			if strings.HasPrefix(again, "/") || again == ".." || strings.HasPrefix(again, "../") {
				t.Errorf("%q is not below the root", again)
			}
		}
		if found, ok := name.Info(text, known); ok && found != file {
			t.Errorf("Info(%q) = %q", text, found)
		}
		if found, ok := name.Comment(text, known); ok && found != file {
			t.Errorf("Comment(%q) = %q", text, found)
		}
		name.Pair(text, file, known)
	})
}
