package yamltext

import (
	"errors"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// shape has a field of every kind that somebody's YAML is read into.
type shape struct {
	Word   string
	Number int
	List   []string
	Fields map[string]any
	Inner  *shape
	Any    any
}

func TestDecode(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want string // of the error; "" is none
	}{
		"plain":            {"word: a\nlist: [b, c]\nfields: {d: 1}", ""},
		"an anchor":        {"list: &x [b]\nany: *x", ""},
		"a tag on a list":  {"list: !!seq\n- a", ""},
		"a tag on a word":  {"list: !t x", ErrUnreadable.Error()},
		"an unknown field": {"other: x", "unknown field"},
		"no YAML":          {"word: [", "sequence"},
		"too deep":         {"any: " + strings.Repeat("[", 100_000), "nested too deep"},
		"too deep in maps": {"any: " + strings.Repeat("{a: ", 100_000), "nested too deep"},
		"too long":         {strings.Repeat("list: x\n", MaxBytes/8+1), "larger"},
		"too much":         {"list: [" + strings.Repeat("a, ", 100_000) + "]", "too much"},
	} {
		t.Run(name, func(t *testing.T) {
			var v shape
			err := Decode([]byte(c.text), &v, yaml.Strict())
			if err == nil && c.want != "" || err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if c.want == ErrUnreadable.Error() && !errors.Is(err, ErrUnreadable) {
				t.Error("it is not known as unreadable")
			}
		})
	}
}

// FuzzDecode: whatever the text, there is a value or an error.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		"word: a\nnumber: 1\nlist: [b]\nfields: {c: d}\ninner: {word: e}\nany: f", "list: !t x", "fields: !t x", "inner: !!map x", "any: &x {a: *x}",
		"list: &x [*x]", "<<: *x", "<<: {word: a}", "? [a, b]\n: c", "word: |\n  a\n b", "word: \"\\x", "- a\n---\n- b", "any: !!binary x", "inner: &x\n  inner: *x", "[[[{{{",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var v shape
		_ = Decode([]byte(text), &v)
		_ = Decode([]byte(text), &v, yaml.Strict())
		file, err := Parse([]byte(text))
		if err != nil {
			if yaml.FormatError(err, false, false) == "" {
				t.Errorf("an error without words: %#v", err)
			}
			return
		}
		for _, doc := range file.Docs {
			if m, is := doc.Body.(*ast.MappingNode); is {
				for _, field := range m.Values {
					var v any
					_ = Value(field.Value, &v)
				}
			}
		}
	})
}
