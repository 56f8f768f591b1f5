package repomap

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// In the map no signature is cut: a long one goes on in the next line, and breaks between parameters.
func TestLongSignaturesBreakAtTheirParameters(t *testing.T) {
	long := "func Long(ctx context.Context, request map[string]func(a, b int) error, options ...Option) (*Response, error)"
	wide := "func Wide(" + strings.Repeat("ö", 90) + " int)"
	m := mapOf(t, open(t, newMemory(map[string]string{"a.go": "package a\n\n" + long + " {}\n\n" + wide + " {}\n\nfunc Short(a int) {}\n"}), 1), Request{Budget: 400})
	want := "a.go:\n func Long(ctx context.Context, request map[string]func(a, b int) error,\n\toptions ...Option) (*Response, error)\n" +
		" func Wide(\n\t" + strings.Repeat("ö", 90) + " int)\n func Short(a int)\n"
	if m.Text != want {
		t.Errorf("the map is\n%swant\n%s", m.Text, want)
	}
}

// A name says as much as a signature that only adds the kind, so more names have room; and what is but a name, such as
// the members of an enumeration, takes no line.
func TestNamesThatSayAllTakeNoLine(t *testing.T) {
	src := "package a\n\ntype Kind int\n\nconst (\n\tFirst Kind = iota\n\tSecond\n\tThird\n)\n"
	for n := range 40 {
		src += fmt.Sprintf("\ntype Box%02d struct {\n\tn int\n}\n\nfunc (b Box%02d) Fill%02d(a, b int) error { return nil }\n", n, n, n)
	}
	m := mapOf(t, open(t, newMemory(map[string]string{"a.go": src, "b.go": "package a\n"}), 1), Request{Budget: 400, Chat: []string{"b.go"}, Message: "fill the box"})
	lines := strings.Split(m.Text, "\n")
	for _, name := range []string{" Second", " Third"} {
		if slices.Contains(lines, name) {
			t.Errorf("%s has a line:\n%s", name, m.Text)
		}
	}
	types, heads := 0, 0
	for _, line := range lines {
		if strings.HasPrefix(line, " type Box") {
			types++
		}
		if strings.HasPrefix(line, " func ") {
			heads++
		}
	}
	if heads == 0 || types >= heads {
		t.Errorf("%d lines of types beside %d of functions:\n%s", types, heads, m.Text)
	}
}

// The bare members of an enumeration are not shown, unless the request names one.
func TestBareMembersAreNotShown(t *testing.T) {
	files := map[string]string{
		"src/shape.rs": "pub enum Shape {\n    Round,\n    Flat(Width),\n    Sharp\n}\n\npub fn paint(shape: Shape) {}\n",
		"Shape.java":   "enum Form {\n  LONG,\n  SHORT;\n\n  void paint() {}\n}\n",
	}
	x := open(t, newMemory(files), 1)
	r := Request{Budget: 500, Message: "paint the shape"}
	text := mapOf(t, x, r).Text
	for _, name := range []string{"Round", "Sharp", "LONG", "SHORT"} {
		if strings.Contains(text, name) {
			t.Errorf("%s is in the map:\n%s", name, text)
		}
		named := r
		named.MentionedIdents = []string{name}
		if got := mapOf(t, x, named).Text; !strings.Contains(got, name) {
			t.Errorf("%s is named, and not in the map:\n%s", name, got)
		}
	}
	for _, want := range []string{"Flat(Width)", "pub enum Shape", "paint"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in the map:\n%s", want, text)
		}
	}
}
