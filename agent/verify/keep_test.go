package verify_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/verify"
	"coauthor/edits"

	"github.com/google/go-cmp/cmp"
)

const (
	keepPy = "\"\"\"Doc.\"\"\"\nimport os\n\nLIMIT = 3\n\n\ndef one():\n    return 1\n\n\n# Says two.\n@cache\ndef two():\n    return 2\n\n\nclass Three:\n    def a(self):\n        return 3\n\n    def b(self):\n        return 4\n\n\nif __name__ == \"__main__\":\n    one()\n"
	keepGo = "package p\n\nimport \"fmt\"\n\n// One says one.\nfunc One() { fmt.Println(1) }\n\n// T is a type.\ntype T struct{ n int }\n\n// Get gets it.\nfunc (t T) Get() int { return t.n }\n\nfunc last() {}\n"
	keepC  = "#include <stdio.h>\n#define N 3\nint one(void)\n{\n\treturn N;\n}\n\nint two(void)\n{\n\treturn 2;\n}\n"
)

// What listings leave out stands again where it stood, unless it is not clear what the reply means.
func TestWhatListingsLeaveOutIsKept(t *testing.T) {
	without := func(text string, parts ...string) string {
		for _, p := range parts {
			if !strings.Contains(text, p) {
				t.Fatalf("%q is not in %q", p, text)
			}
			text = strings.Replace(text, p, "", 1)
		}
		return text
	}
	for name, c := range map[string]struct {
		file, before, after, asked, want string // want "" for left alone
		names                            string
	}{
		"in the middle, with what is above it": {"a.py", keepPy, without(keepPy, "\n\n# Says two.\n@cache\ndef two():\n    return 2\n"), "", keepPy, "two of a.py"},
		"the first one":                        {"a.py", keepPy, without(keepPy, "def one():\n    return 1\n\n\n"), "", keepPy, "one of a.py"},
		"a class, said once":                   {"a.py", keepPy, without(keepPy, "class Three:\n    def a(self):\n        return 3\n\n    def b(self):\n        return 4\n\n\n"), "", keepPy, "Three of a.py"},
		"a method":                             {"a.py", keepPy, without(keepPy, "\n    def b(self):\n        return 4\n"), "", keepPy, "Three.b of a.py"},
		"the first method":                     {"a.py", keepPy, without(keepPy, "    def a(self):\n        return 3\n\n"), "", keepPy, "Three.a of a.py"},
		"all methods":                          {"a.py", keepPy, strings.Replace(keepPy, "    def a(self):\n        return 3\n\n    def b(self):\n        return 4\n", "    pass\n", 1), "", "", ""},
		"two, with a change": {"a.py", keepPy, strings.Replace(without(keepPy, "\n    def b(self):\n        return 4\n", "\n\n# Says two.\n@cache\ndef two():\n    return 2\n"), "return 1", "return 9", 1), "",
			strings.Replace(keepPy, "return 1", "return 9", 1), "two and Three.b of a.py"},
		"one function alone":                    {"a.py", keepPy, "def one():\n    return 9\n", "", strings.Replace(keepPy, "return 1", "return 9", 1), "two and Three of a.py"},
		"a function and a new one":              {"a.py", keepPy, "def one():\n    return fresh(1)\n\n\ndef fresh(n):\n    return n + 100 * n\n", "", strings.Replace(keepPy, "    return 1\n", "    return fresh(1)\n\n\ndef fresh(n):\n    return n + 100 * n\n", 1), "two and Three of a.py"},
		"a function and a statement of its own": {"a.py", keepPy, "NEW = 1\n\n\ndef one():\n    return NEW\n", "", "", ""},
		"a class with one method":               {"a.py", keepPy, "class Three:\n    def a(self):\n        return 5\n", "", strings.Replace(keepPy, "return 3", "return 5", 1), "one, two and Three.b of a.py"},
		"another name":                          {"a.py", keepPy, strings.Replace(keepPy, "def two", "def zwei", 1), "", "", ""},
		"asked for":                             {"a.py", keepPy, without(keepPy, "\n\n# Says two.\n@cache\ndef two():\n    return 2\n"), "Remove two.", "", ""},
		"nothing is left out":                   {"a.py", keepPy, strings.Replace(keepPy, "return 1", "return 9", 1), "", "", ""},
		"other line ends":                       {"a.py", strings.ReplaceAll(keepPy, "\n", "\r\n"), strings.ReplaceAll(without(keepPy, "\n    def b(self):\n        return 4\n"), "\n", "\r\n"), "", strings.ReplaceAll(keepPy, "\n", "\r\n"), "Three.b of a.py"},
		"Go, with its comment":                  {"a.go", keepGo, without(keepGo, "// Get gets it.\nfunc (t T) Get() int { return t.n }\n\n"), "", keepGo, "T.Get of a.go"},
		"Go, the last one":                      {"a.go", keepGo, without(keepGo, "\nfunc last() {}\n"), "", keepGo, "last of a.go"},
		"Go, a type":                            {"a.go", keepGo, without(keepGo, "// T is a type.\ntype T struct{ n int }\n\n"), "", keepGo, "T of a.go"},
		"C, the first one, no directives":       {"a.c", keepC, without(keepC, "int one(void)\n{\n\treturn N;\n}\n\n"), "", keepC, "one of a.c"},
		"what is left is broken":                {"a.py", keepPy, strings.Replace(without(keepPy, "\n    def b(self):\n        return 4\n"), "return 1", "return (1", 1), "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			in := verify.Input{Asked: c.asked, Changes: []edits.Change{{Path: c.file, Op: edits.OpUpdate, Before: c.before, After: c.after}}}
			list, err := verify.Keep(t.Context(), in, []string{c.file})
			if err != nil {
				t.Fatal(err)
			}
			got, names := "", ""
			if len(list) > 0 {
				got, names = list[0].Text, list[0].String()
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if names != c.names {
				t.Errorf("kept %q, want %q", names, c.names)
			}
			if list, err := verify.Keep(t.Context(), in, []string{"other.py"}); err != nil || len(list) > 0 {
				t.Errorf("of a file that was not listed: %v, %v", list, err)
			}
		})
	}
}

// Of real files any definition may be left out, and the file is the same again.
func TestAnyDefinitionIsKept(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	tried := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		before := string(data)
		parts := strings.Split(before, "\n\n")
		for i, part := range parts[1:] {
			if !strings.HasPrefix(part, "func ") && !strings.HasPrefix(part, "// ") || strings.Count(part, "\n}\n")+strings.Count(part, "{ ") > 1 || !strings.Contains(part, "\nfunc ") && !strings.HasPrefix(part, "func ") || !strings.HasSuffix(strings.TrimSpace(part), "\n}") {
				continue
			}
			after := strings.Join(append(parts[:i+1:i+1], parts[i+2:]...), "\n\n")
			in := verify.Input{Changes: []edits.Change{{Path: file, Op: edits.OpUpdate, Before: before, After: after}}}
			list, err := verify.Keep(t.Context(), in, []string{file})
			if err != nil {
				t.Fatal(err)
			}
			if len(list) != 1 {
				t.Errorf("%s: not kept:\n%s", file, part)
			} else if list[0].Text != before {
				t.Errorf("%s, without\n%s\n%s", file, part, cmp.Diff(before, list[0].Text))
			}
			if tried++; tried > 60 {
				return
			}
		}
	}
	if tried < 30 {
		t.Errorf("%d definitions were tried", tried)
	}
}
