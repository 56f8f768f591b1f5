package syntax

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"coauthor/repomap/syntax/tag"
)

// Every archive in testdata is one language: source files, each followed by its tags.
func TestSamples(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { checkSample(t, name) })
	}
}

// Every language has a sample, and every sample shows definitions and, but for documents and data,
// references.
func TestEveryLanguageHasASample(t *testing.T) {
	for _, l := range languages {
		name := l.Name
		if name == "tsx" {
			name = "typescript" // shares its archive
		}
		archive, err := txtar.ParseFile("testdata/" + name + ".txtar")
		if err != nil || len(archive.Files) < 2 {
			t.Errorf("%s: %v", l.Name, err)
			continue
		}
		var tags string
		for i := 0; i+1 < len(archive.Files); i += 2 {
			if d := Detect(archive.Files[i].Name, archive.Files[i].Data); d != nil && d.Name == l.Name {
				tags += string(archive.Files[i+1].Data)
			}
		}
		definition, use := false, false
		for line := range strings.Lines(tags) {
			used := strings.HasPrefix(line, "  ")
			definition, use = definition || !used, use || used
		}
		if !definition || !use && !l.Prose {
			t.Errorf("%s: the sample shows definitions %v, references %v", l.Name, definition, use)
		}
	}
}

func checkSample(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	changed := false
	for i := 0; i+1 < len(archive.Files); i += 2 {
		src, want := archive.Files[i], &archive.Files[i+1]
		l := Detect(src.Name, src.Data)
		if l == nil {
			t.Fatalf("%s: no language", src.Name)
		}
		if g, err := grammarOf(l); err != nil {
			t.Fatal(err)
		} else if g == nil && !strings.Contains(string(archive.Comment), "lexer") {
			t.Logf("%s has no grammar in this build; the tag allgrammars has it", l.Name)
			return
		}
		tags, err := Tags(t.Context(), src.Name, src.Data)
		if err != nil {
			t.Fatal(err)
		}
		got := printed(tags)
		if diff := cmp.Diff(string(want.Data), got); diff != "" {
			t.Errorf("%s\n%s", src.Name, diff)
			want.Data, changed = []byte(got), os.Getenv("UPDATE") != ""
		}
	}
	if changed {
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Errorf("%s was written again: read the difference, then run the test without UPDATE", name)
	}
}

func printed(tags []tag.Tag) string {
	var b strings.Builder
	for _, t := range tags {
		if t.Def {
			fmt.Fprintf(&b, "%s %s %d-%d\n", t.Kind, t.Name, t.First+1, t.Last+1)
		}
	}
	last := ""
	for _, t := range tags {
		if t.Def {
			continue
		}
		if line := fmt.Sprintf("  %s %s", t.Kind, t.Name); line != last {
			b.WriteString(line + "\n")
			last = line
		}
	}
	return b.String()
}

func TestErrorsNameLinesAndScope(t *testing.T) {
	if g, err := grammarOf(named("go")); g == nil && err == nil {
		t.Skip("this build has no grammars")
	}
	src := "package a\n\nfunc One() {\n\tx := 1\n\tif x > { \n\t}\n}\n\nfunc Two() int {\n\treturn 2\n}\n"
	got, err := Errors(t.Context(), "a.go", []byte(src))
	if err != nil || len(got) == 0 {
		t.Fatalf("%v %v", got, err)
	}
	if got[0].Line != 4 || got[0].Scope != "One" || got[0].Message == "" {
		t.Errorf("got %+v", got[0])
	}
	if got, err := Errors(t.Context(), "a.go", []byte("package a\n\nvar X = 1\n")); err != nil || len(got) != 0 {
		t.Errorf("good code: %v %v", got, err)
	}
	if got, err := Errors(t.Context(), "a.unknown", []byte("(((")); err != nil || len(got) != 0 {
		t.Errorf("unknown language: %v %v", got, err)
	}
}

func TestEnclosing(t *testing.T) {
	src := "class A:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n"
	for _, c := range []struct {
		line, first, last int
		name              string
		ok                bool
	}{{0, 0, 5, "A", true}, {2, 1, 2, "one", true}, {5, 4, 5, "two", true}, {9, 0, 0, "", false}} {
		first, last, name, ok := Enclosing("a.py", []byte(src), c.line)
		if first != c.first || last != c.last || name != c.name || ok != c.ok {
			t.Errorf("line %d: %d-%d %q %v", c.line, first, last, name, ok)
		}
	}
}

func TestAround(t *testing.T) {
	src := "class A:\n    def one(self):\n        return 1\n\nx = 1\n"
	for line, want := range map[int]int{0: -1, 1: 0, 2: 1, 4: -1} {
		if first, ok := Around("a.py", []byte(src), line); ok != (want >= 0) || ok && first != want {
			t.Errorf("around line %d begins %d, %v", line, first, ok)
		}
	}
}

func TestBadInputIsHarmless(t *testing.T) {
	deep := strings.Repeat("(", 5_000)
	for name, src := range map[string]string{
		"empty.go": "", "deep.c": "int x = " + deep, "invalid.py": "def \xff\xfe(): pass\nclass \x80", "nul.js": "function a\x00() {}",
		"minified.js": strings.Repeat("function a(){};", 5000), "wrong.go": "<html><body>", "crlf.go": "package a\r\n\r\nfunc A() {}\r\n",
		"large.c": strings.Repeat("int f(void) { return 0; }\n", 60_000), "x.rules": "LABEL=\"a\"\n", "none": "#!/bin/false\n",
	} {
		if _, err := Tags(t.Context(), name, []byte(src)); err != nil && !errors.Is(err, ErrSlow) && !errors.Is(err, ErrLimit) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Errors(t.Context(), name, []byte(src)); err != nil && !errors.Is(err, ErrSlow) && !errors.Is(err, ErrLimit) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Tags(ctx, "a.go", []byte("package a")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct{ path, src, want string }{
		{"a/b.go", "", "go"}, {"Makefile", "", "make"}, {"run", "#!/usr/bin/env -S python3 -u\n", "python"},
		{"run", "#!/bin/bash -e\n", "bash"}, {"x.h", "int f(void);\n", "c"}, {"x.h", "\nnamespace a {\n", "cpp"},
		{"x.m", "function y = f(x)\n", "matlab"}, {"x.m", "#import <a.h>\n", "objective-c"}, {"A.TSX", "", "tsx"}, {"none", "x", ""},
	} {
		l := Detect(c.path, []byte(c.src))
		if got := ""; l != nil && l.Name != c.want || l == nil && c.want != got {
			t.Errorf("%s %q: got %v, want %s", c.path, c.src, l, c.want)
		}
	}
}

// Every language of the corpus that an aider test names must come out with the symbol it names.
func TestCorpusLanguages(t *testing.T) {
	dir := os.Getenv("COAUTHOR_SHARED")
	if dir == "" {
		dir = "../../../shared"
	}
	files, _ := filepath.Glob(filepath.Join(dir, "corpus/languages/*/test.*"))
	if len(files) == 0 {
		t.Skip("the shared corpus is absent")
	}
	for _, name := range files {
		t.Run(filepath.Base(filepath.Dir(name)), func(t *testing.T) {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			expect, err := os.ReadFile(filepath.Join(filepath.Dir(name), "expect.json"))
			if err != nil {
				t.Fatal(err)
			}
			var want struct{ Symbol *string }
			if err := json.Unmarshal(expect, &want); err != nil {
				t.Fatal(err)
			}
			tags, err := Tags(t.Context(), name, src)
			if err != nil {
				t.Fatal(err)
			}
			for _, tg := range tags {
				if tg.Def && (want.Symbol == nil || tg.Name == *want.Symbol) {
					return
				}
			}
			t.Errorf("no definition that %s names:\n%s", expect, printed(tags))
		})
	}
}
