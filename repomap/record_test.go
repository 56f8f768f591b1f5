package repomap

import (
	"slices"
	"strings"
	"testing"
)

// bodies gives the words of each definition of a file.
func bodies(t *testing.T, path, text string) map[string][]string {
	t.Helper()
	x := open(t, newMemory(map[string]string{path: text}), 1)
	f := x.current().files[0]
	out := map[string][]string{}
	for i, d := range f.Defs {
		var list []string
		for _, n := range f.BodyOf(i) {
			list = append(list, x.current().names.String(f.Terms[n]))
		}
		slices.Sort(list)
		if u := slices.Compact(slices.Clone(list)); len(u) < len(list) {
			t.Errorf("%s has a word twice: %v", path, list)
		}
		out[x.current().names.String(d.Name)] = list
	}
	return out
}

// A function has all words that stand in it, a type those that stand in nothing inside it.
func TestWordsOfDefinitions(t *testing.T) {
	for _, c := range []struct{ path, text, name, has, hasNot string }{
		{"a.py", "class Box:\n    size = 1\n\n    def fill(self):\n        pour()\n\n    class Lid:\n        hinge = 2\n\n        def lift(self):\n            pull()\n\n    size2 = hinge + pour\n",
			"Box", "class Box size size2 hinge pour", "fill lift pull self"},
		{"a.py", "class Box:\n    size = 1\n\n    class Lid:\n        hinge = 2\n\n    def fill(self):\n        pour()\n", "Lid", "class Lid hinge", "fill size pour"},
		{"a.py", "class Box:\n    def fill(self):\n        pour()\n", "fill", "def fill self pour", ""},
		{"b.py", "def outer():\n    class Made:\n        field = one\n        def method(self):\n            deep()\n    def inner():\n        deeper()\n    return Made\n",
			"outer", "def outer class Made field one method self deep inner deeper return", ""},
		{"b.py", "def outer():\n    class Made:\n        field = one\n        def method(self):\n            deep()\n    return Made\n", "Made", "class Made field one", "deep method"},
		{"c.ts", "class Box {\n  size = 1\n  fill() { pour() }\n  again() { size() }\n}\n", "Box", "class Box size", "pour fill again"},
		{"d.go", "package d\n\ntype Box struct {\n\tSize int\n}\n\nfunc (b *Box) Fill() { pour() }\n", "Box", "Box struct Size int", "pour"},
	} {
		got := bodies(t, c.path, c.text)[c.name]
		for _, w := range strings.Fields(c.has) {
			if !slices.Contains(got, w) {
				t.Errorf("%s of %s lacks %s, it has %v", c.name, c.path, w, got)
			}
		}
		for _, w := range strings.Fields(c.hasNot) {
			if slices.Contains(got, w) {
				t.Errorf("%s of %s has %s, which stands inside another definition", c.name, c.path, w)
			}
		}
	}
}

// So a request that speaks of a method leads to the method, one that speaks of a field to the type.
func TestTypesAndTheirMethods(t *testing.T) {
	text := "class Box:\n    width = 1\n\n"
	for _, m := range strings.Fields("open close lift fold paint weigh") {
		text += "    def " + m + "(self):\n        self.do(\"" + m + "\", grain, thread, needle)\n\n"
	}
	x := open(t, newMemory(map[string]string{"box.py": text, "a.py": "x = 1\n"}), 1)
	first := func(message string) string {
		m := mapOf(t, x, Request{Budget: 1000, Chat: []string{"a.py"}, Message: message})
		return m.Files[0].Names[0]
	}
	if got := first("paint it"); got != "paint" {
		t.Errorf("a request about painting leads to %s", got)
	}
	if got := first("the width is wrong"); got != "Box" && got != "width" {
		t.Errorf("a request about the width leads to %s", got)
	}
}
