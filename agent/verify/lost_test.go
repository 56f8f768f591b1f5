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

func lostIn(t *testing.T, asked string, changes ...edits.Change) ([]verify.Finding, error) {
	t.Helper()
	in := input(t, changes...)
	in.Asked = asked
	return verify.Lost().Run(t.Context(), in)
}

func lost(t *testing.T, asked string, changes ...edits.Change) []string {
	t.Helper()
	found, err := lostIn(t, asked, changes...)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range found {
		list = append(list, strings.TrimSuffix(strings.TrimSuffix(f.String(), ", and the request does not ask to remove, rename or move it"),
			", and the request does not ask to remove, rename or move them"))
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
		name, asked string
		changes     []edits.Change
		want        string
	}{
		{"nothing gone", "Return a list.", []edits.Change{update(strings.Replace(shapes, "return 0", "return 1", 1))}, ""},
		{"only the changed function", "Return a list from render.", []edits.Change{update(onlyRender)},
			"shapes.py no longer has Shape, Shape.area, Shape.draw, load_shapes and parse_lines"},
		{"a method", "Return a list.", []edits.Change{update(without(shapes, "    def draw"))}, "shapes.py no longer has Shape.draw"},
		{"an empty file", "Return a list.", []edits.Change{update("")},
			"shapes.py no longer has Shape, Shape.area, Shape.draw, load_shapes, parse_lines and render"},
		{"a file that goes", "Return a list.", []edits.Change{{Path: "shapes.py", Op: edits.OpDelete, Before: shapes}},
			"shapes.py no longer has Shape, Shape.area, Shape.draw, load_shapes, parse_lines and render"},
		{"what is in a function", "Return a list.", []edits.Change{update(strings.Replace(shapes, "    def inner():\n        return 1\n", "", 1))}, ""},
		{"another signature", "Give area a unit.", []edits.Change{update(strings.Replace(shapes, "area(self)", "area(self, unit)", 1))}, ""},
		{"to another file", "Make render faster.", []edits.Change{update(without(shapes, "def parse_lines")),
			{Path: "parse.py", Op: edits.OpCreate, After: "def parse_lines(lines):\n    return lines\n"}}, ""},
		{"to another class", "Make render faster.", []edits.Change{update(strings.Replace(without(shapes, "    def draw"), "class Shape:", "class Drawn:\n    def draw(self):\n        pass\n\n\nclass Shape(Drawn):", 1))}, ""},
		{"the file moves", "Make render faster.", []edits.Change{{Path: "shapes.py", Op: edits.OpRename, To: "forms.py", Before: shapes, After: shapes}}, ""},
		{"renamed unasked", "Make render faster.", []edits.Change{update(strings.ReplaceAll(shapes, "parse_lines", "read_lines"))}, "shapes.py no longer has parse_lines"},
		{"no program", "Make it shorter.", []edits.Change{{Path: "a.md", Op: edits.OpUpdate, Before: "# A\n\n# B\n", After: "# A\n"}}, ""},

		{"asked to remove it", "Remove parse_lines.", []edits.Change{update(without(shapes, "def parse_lines"))}, ""},
		{"asked over two lines", "This makes it faster. It removes the loaders that were there before, and also\n`parse_lines`.",
			[]edits.Change{update(without(shapes, "def parse_lines"))}, ""},
		{"asked in other words", "Get rid of the line parser", []edits.Change{update(without(shapes, "def parse_lines"))}, ""},
		{"asked to rename it", "Rename `parse_lines` to read_lines", []edits.Change{update(strings.ReplaceAll(shapes, "parse_lines", "read_lines"))}, ""},
		{"asked with one word", "rename", []edits.Change{update(strings.ReplaceAll(shapes, "parse_lines", "read_lines"))}, ""},
		{"one word before a list", "Remove:\n- the loop in render", []edits.Change{update(without(shapes, "def parse_lines"))},
			"shapes.py no longer has parse_lines"},
		{"a class and its methods", "Drop the Shape class.", []edits.Change{update(without(without(shapes, "class Shape"), "    def draw"))}, ""},
		{"and what only it used", "Delete load_shapes.", []edits.Change{update(without(shapes, "def load_shapes", "def parse_lines"))}, ""},
		{"asked in general", "Clean up: remove unused functions.", []edits.Change{update(without(shapes, "def parse_lines"))}, ""},
		{"asked about it as a whole", "Refactor this.", []edits.Change{update(onlyRender)}, ""},
		{"merged", "Merge load_shapes and parse_lines into one function", []edits.Change{update(without(shapes, "def parse_lines"))}, ""},
		{"a complaint about it", "Fix this.\nfunction parse_lines is unused", []edits.Change{update(without(shapes, "def parse_lines"))}, ""},
		{"its file", "Delete shapes.py, nothing needs it.", []edits.Change{{Path: "shapes.py", Op: edits.OpDelete, Before: shapes}}, ""},

		{"asked to remove something else", "Remove the loop from render.", []edits.Change{update(onlyRender)},
			"shapes.py no longer has Shape, Shape.area, Shape.draw, load_shapes and parse_lines"},
		{"asked to rewrite another one", "Rewrite render without a loop.", []edits.Change{update(onlyRender)},
			"shapes.py no longer has Shape, Shape.area, Shape.draw, load_shapes and parse_lines"},
		{"all but one", "Delete everything except render.", []edits.Change{update(onlyRender)}, ""},
		{"made private", "Make parse_lines private.", []edits.Change{update(strings.ReplaceAll(shapes, "parse_lines", "_parse_lines"))}, ""},
		{"named before", "Nothing calls render any more. Delete it.", []edits.Change{update(without(shapes, "def render"))}, ""},
		{"put for another thing", "Use a generator expression instead.", []edits.Change{update(onlyRender)},
			"shapes.py no longer has Shape, Shape.area, Shape.draw, load_shapes and parse_lines"},
		{"what the program shall split", "Split on commas, and convert it to int.", []edits.Change{update(onlyRender)},
			"shapes.py no longer has Shape, Shape.area, Shape.draw, load_shapes and parse_lines"},
		{"a word at the end", "The first link is dead.", []edits.Change{update(onlyRender)},
			"shapes.py no longer has Shape, Shape.area, Shape.draw, load_shapes and parse_lines"},
		{"what the program shall remove", "Make render strip trailing blanks from each name.", []edits.Change{update(without(shapes, "def parse_lines"))},
			"shapes.py no longer has parse_lines"},
		{"another one moves", "Move the Shape class into a new file forms.py and import it from there in shapes.py.",
			[]edits.Change{update(without(without(shapes, "class Shape"), "    def draw", "def parse_lines")), {Path: "forms.py", Op: edits.OpCreate, After: onlyShape}},
			"shapes.py no longer has parse_lines"},
		{"its file is named as the place", "Move the helper functions from shapes.py into forms.py.", []edits.Change{update(without(shapes, "def parse_lines"))},
			"shapes.py no longer has parse_lines"},
		{"moved under another name", "Move parse_lines into forms.py as read.", []edits.Change{update(without(shapes, "def parse_lines")),
			{Path: "forms.py", Op: edits.OpCreate, After: "def read(lines):\n    return lines\n"}}, ""},
		{"moved and removed", "Move Shape to forms.py and delete shapes.py.", []edits.Change{{Path: "shapes.py", Op: edits.OpDelete, Before: shapes},
			{Path: "forms.py", Op: edits.OpCreate, After: onlyShape}}, ""},
		{"what the program shall move", "draw: move the cursor to the start", []edits.Change{update(without(shapes, "def parse_lines"))},
			"shapes.py no longer has parse_lines"},
	} {
		if got := strings.Join(lost(t, c.asked, c.changes...), "\n"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// What a syntax error hides from the grammar is not gone.
func TestLostIsNotWhatCannotBeRead(t *testing.T) {
	broken := strings.Replace(shapes, "return parse_lines(open(path))", "return parse_lines((open(path", 1)
	if got := lost(t, "Read it faster.", edits.Change{Path: "shapes.py", Op: edits.OpUpdate, Before: shapes, After: broken}); len(got) > 0 {
		t.Errorf("%q", got)
	}
	before := "class A:\n    def save(self):\n        pass\n\n\nclass B:\n    def save(self):\n        pass\n"
	after := "class A:\n    def save(self):\n        pass\n\n\nclass B:\n    pass\n"
	if got := lost(t, "Save faster.", edits.Change{Path: "a.py", Op: edits.OpUpdate, Before: before, After: after}); strings.Join(got, "") != "a.py no longer has B.save" {
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
		got := lost(t, "Make it faster.", edits.Change{Path: c.path, Op: edits.OpUpdate, Before: c.before, After: c.after})
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s: %q, want %q", c.path, got, c.want)
		}
	}
}

// A finding is bounded, however much is gone, and shows what was there.
func TestLostShowsWhatWasThere(t *testing.T) {
	var b strings.Builder
	for i := range 100 {
		b.WriteString("def f" + strings.Repeat("x", i+1) + "():\n    return 1\n\n\n")
	}
	found, err := lostIn(t, "Make it faster.", edits.Change{Path: "a.py", Op: edits.OpUpdate, Before: b.String(), After: "x = 1\n"})
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	if !strings.Contains(found[0].Text, "and 88 more") || !strings.HasPrefix(found[0].Gone, "def fx():\n    return 1\n") || strings.Count(found[0].Gone, "\n") > 200 {
		t.Errorf("%s\n%s", found[0].Text, found[0].Gone)
	}
}
