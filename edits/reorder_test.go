package edits_test

import (
	"testing"

	"coauthor/edits"
)

// Lines that stay may come in another order, and lines that go may, but none across a change: it is certain then what goes and
// where the new lines belong. Where that is not so, the hunk is refused.
func TestLinesInAnotherOrder(t *testing.T) {
	const refused = "!no-match|"
	for name, c := range map[string]struct {
		before, want string
		list         []edits.Edit
	}{
		"lines that stay":             {"a1\nb1\nc1\nd1\n", "reordered|a1\nb1\nz1\nd1\n", lines(" b1", " a1", "-c1", "+z1", " d1")},
		"lines that go":               {"a1\nb1\nc1\n", "reordered|z1\nc1\n", lines("-b1", "-a1", "+z1", " c1")},
		"new lines above what stays":  {"a1\nb1\nc1\n", "reordered|a1\nb1\nz1\nc1\n", lines(" b1", " a1", "+z1", " c1")},
		"new lines below what stays":  {"a1\nb1\nc1\n", "reordered|a1\nz1\nb1\nc1\n", lines(" a1", "+z1", " c1", " b1")},
		"new lines beside what moved": {"a1\nb1\n", refused + "a1\nb1\n", lines(" b1", " a1", "+z1")},
		"new lines between":           {"a1\nb1\nc1\n", refused + "a1\nb1\nc1\n", lines(" b1", "+z1", " a1", " c1")},
		"what goes is another line":   {"a1\nb1\nc1\n", refused + "a1\nb1\nc1\n", lines("-b1", " a1", " c1")},
		"a line more":                 {"a1\nx1\nb1\nc1\n", refused + "a1\nx1\nb1\nc1\n", lines(" b1", " a1", "-c1")},
		"a line twice":                {"a1\nb1\nc1\n", refused + "a1\nb1\nc1\n", lines(" b1", " b1", "-c1")},
		"two places":                  {"a1\nb1\nc1\n\na1\nb1\nc1\n", "!ambiguous|a1\nb1\nc1\n\na1\nb1\nc1\n", lines(" b1", " a1", "-c1")},
		"one line and a blank one":    {"a1\n\nx1\n", refused + "a1\n\nx1\n", lines(" ", " y1", "-a1")},
	} {
		t.Run(name, func(t *testing.T) {
			tree := files{"f": c.before}
			for i := range c.list {
				c.list[i].Index = i
			}
			if got := told(tree, edits.Apply(tree, c.list, nil, edits.Options{Chat: []string{"f"}})); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A block of SEARCH and REPLACE says what stays by its order alone.
func TestBlocksKeepTheirOrder(t *testing.T) {
	tree := files{"f": "a1\nb1\nc1\n"}
	if got := told(tree, edits.Apply(tree, swap("b1\na1\nc1\n", "b1\na1\nz1\n"), nil, edits.Options{Chat: []string{"f"}})); got != "!no-match|a1\nb1\nc1\n" {
		t.Errorf("%q", got)
	}
}

// Of the lines that go, one that is too deep beside new ones may say how deep those are: only where most that go with it fit
// is that known.
func TestLinesThatGoFurtherIn(t *testing.T) {
	const before = "if a:\n    b()\n    c()\nd()\n"
	for name, c := range map[string]struct {
		want string
		list []edits.Edit
	}{
		"alone, beside a new one": {"!no-match|" + before, lines(" if a:", "-  b()", "+  x()", "     c()", " d()")},
		"as many as fit":          {"!no-match|" + before, lines(" if a:", "-  b()", "-    c()", "+  x()", " d()")},
		"a new one elsewhere":     {"indentation|if a:\n    c()\ne()\nd()\n", lines(" if a:", "-  b()", "     c()", "+e()", " d()")},
		"most do not fit":         {"!no-match|" + before, lines(" if a:", "-  b()", "-      c()")},
	} {
		t.Run(name, func(t *testing.T) {
			tree := files{"f": before}
			if got := told(tree, edits.Apply(tree, c.list, nil, edits.Options{Chat: []string{"f"}})); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
