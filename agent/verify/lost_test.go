package verify_test

import (
	"strings"
	"testing"

	"coauthor/agent/verify"
	"coauthor/edits"
)

const shapes = `import math


class Shape:
    def area(self):
        return 0

    def draw(self):
        print(self.area())


def load_shapes(path):
    return parse_lines(open(path))


def parse_lines(lines):
    def inner():
        return 1
    return [inner() for line in lines]


def render(shapes):
    for shape in shapes:
        shape.draw()
`

// without returns a text from which pieces that begin so, up to the next blank line at their depth, are gone.
func without(text string, heads ...string) string {
	for _, head := range heads {
		i := strings.Index(text, head)
		rest := text[i:]
		end := len(rest)
		for _, mark := range []string{"\n\n\n", "\n\n    def"} {
			if n := strings.Index(rest, mark); n >= 0 {
				end = min(end, n+1)
			}
		}
		text = text[:i] + strings.TrimLeft(rest[end:], "\n")
	}
	return text
}

func lost(t *testing.T, changes ...edits.Change) []string {
	t.Helper()
	found, err := verify.Lost().Run(t.Context(), input(t, changes...))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range found {
		if !f.Told || f.Check != "definitions" || f.First != 1 || f.Last != 1 {
			t.Errorf("%+v", f)
		}
		list = append(list, f.String())
	}
	return list
}

func TestLostDefinitions(t *testing.T) {
	update := func(after string) edits.Change {
		return edits.Change{Path: "shapes.py", Op: edits.OpUpdate, Before: shapes, After: after}
	}
	onlyShape := "class Shape:\n    def area(self):\n        return 0\n\n    def draw(self):\n        pass\n"
	onlyRender := "def render(shapes):\n    return [shape.draw() for shape in shapes]\n"
	for _, c := range []struct {
		name    string
		changes []edits.Change
		want    string
	}{
		{"nothing gone", []edits.Change{update(strings.Replace(shapes, "return 0", "return 1", 1))}, ""},
		{"only the changed function", []edits.Change{update(onlyRender)},
			"shapes.py no longer has Shape, Shape.area, Shape.draw, load_shapes and parse_lines"},
		{"a method", []edits.Change{update(without(shapes, "    def draw"))}, "shapes.py no longer has Shape.draw"},
		{"an empty file", []edits.Change{update("")},
			"shapes.py no longer has Shape, Shape.area, Shape.draw, load_shapes, parse_lines and render"},
		{"a file that goes", []edits.Change{{Path: "shapes.py", Op: edits.OpDelete, Before: shapes}},
			"shapes.py no longer has Shape, Shape.area, Shape.draw, load_shapes, parse_lines and render"},
		{"what is in a function", []edits.Change{update(strings.Replace(shapes, "    def inner():\n        return 1\n", "", 1))}, ""},
		{"another signature", []edits.Change{update(strings.Replace(shapes, "area(self)", "area(self, unit)", 1))}, ""},
		{"to another file", []edits.Change{update(without(shapes, "def parse_lines")),
			{Path: "parse.py", Op: edits.OpCreate, After: "def parse_lines(lines):\n    return lines\n"}}, ""},
		{"to another class", []edits.Change{update(strings.Replace(without(shapes, "    def draw"), "class Shape:", "class Drawn:\n    def draw(self):\n        pass\n\n\nclass Shape(Drawn):", 1))}, ""},
		{"the file moves", []edits.Change{{Path: "shapes.py", Op: edits.OpRename, To: "forms.py", Before: shapes, After: shapes}}, ""},
		{"renamed", []edits.Change{update(strings.ReplaceAll(shapes, "parse_lines", "read_lines"))}, "shapes.py no longer has parse_lines"},
		{"no program", []edits.Change{{Path: "a.md", Op: edits.OpUpdate, Before: "# A\n\n# B\n", After: "# A\n"}}, ""},
		{"one of two moves", []edits.Change{update(without(without(shapes, "class Shape"), "    def draw", "def parse_lines")), {Path: "forms.py", Op: edits.OpCreate, After: onlyShape}},
			"shapes.py no longer has parse_lines"},
	} {
		if got := strings.Join(lost(t, c.changes...), "\n"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// What a syntax error hides from the grammar is not gone.
func TestLostIsNotWhatCannotBeRead(t *testing.T) {
	broken := strings.Replace(shapes, "return parse_lines(open(path))", "return parse_lines((open(path", 1)
	if got := lost(t, edits.Change{Path: "shapes.py", Op: edits.OpUpdate, Before: shapes, After: broken}); len(got) > 0 {
		t.Errorf("%q", got)
	}
	before := "class A:\n    def save(self):\n        pass\n\n\nclass B:\n    def save(self):\n        pass\n"
	after := "class A:\n    def save(self):\n        pass\n\n\nclass B:\n    pass\n"
	if got := lost(t, edits.Change{Path: "a.py", Op: edits.OpUpdate, Before: before, After: after}); strings.Join(got, "") != "a.py no longer has B.save" {
		t.Errorf("%q", got)
	}
}

func TestLostInOtherLanguages(t *testing.T) {
	for _, c := range []struct{ path, before, after, want string }{
		{"a.go", "package a\n\ntype T struct{}\n\nfunc (t *T) Open() {}\n\nfunc (T) Close() {}\n\nfunc New() T { return T{} }\n",
			"package a\n\ntype T struct{}\n\nfunc (t *T) Open() {}\n", "a.go no longer has T.Close and New"},
		{"a.go", "package a\n\ntype A struct{}\ntype B struct{}\n\nfunc (A) Close() {}\n\nfunc (b B) Close() {}\n",
			"package a\n\ntype A struct{}\ntype B struct{}\n\nfunc (A) Close() {}\n", "a.go no longer has B.Close"},
		{"a.ts", "export class A {\n  one() { return 1 }\n  two() { return 2 }\n}\nexport function f() {}\nexport const g = () => 1\n",
			"export class A {\n  one() { return 1 }\n}\n", "a.ts no longer has A.two, f and g"},
		{"a.cpp", "int add(int a) { return a; }\nint add(int a, int b) { return a + b; }\n", "int add(int a) { return a; }\n", "a.cpp no longer has add"},
		{"a.rs", "struct S;\nimpl S {\n    fn one(&self) {}\n    fn two(&self) {}\n}\n", "struct S;\nimpl S {\n    fn one(&self) {}\n}\n", "a.rs no longer has two"},
		{"a.java", "class A {\n  void one() {}\n  void two() {}\n}\n", "class A {\n  void one() {}\n}\n", "a.java no longer has A.two"},
	} {
		got := lost(t, edits.Change{Path: c.path, Op: edits.OpUpdate, Before: c.before, After: c.after})
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s: %q, want %q", c.path, got, c.want)
		}
	}
}

// A finding is bounded, however much is gone.
func TestLostNamesWhatFits(t *testing.T) {
	var b strings.Builder
	for i := range 100 {
		b.WriteString("def f" + strings.Repeat("x", i+1) + "():\n    return 1\n\n\n")
	}
	got := lost(t, edits.Change{Path: "a.py", Op: edits.OpUpdate, Before: b.String(), After: "x = 1\n"})
	if len(got) != 1 || !strings.HasPrefix(got[0], "a.py no longer has fx, fxx, ") || !strings.HasSuffix(got[0], " and 88 more definitions") {
		t.Errorf("%q", got)
	}
}
