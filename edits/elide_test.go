package edits_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
)

// Dots on the old side alone: the new text writes the lines out, so it is the text that stands there
// afterwards, with all of its blank lines, however many there are beside the dots and in the file.
func TestDotsOnTheOldSideGiveTheNewText(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	blanks := func() []string { return make([]string, r.IntN(3)) }
	lines := func(name string, n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf("    %s%d()", name, i))
			if r.IntN(3) == 0 {
				out = append(out, "")
			}
		}
		return out
	}
	landed := 0
	for range 6000 {
		middle := lines("step", 1+r.IntN(5))
		file := slices.Concat([]string{"import a", "", "def f():"}, blanks(), middle, blanks(), []string{"    return 1"})
		after := []string{"", "def g():", "    pass"}
		dots := []string{"    ..."}
		if r.IntN(2) == 0 {
			dots = []string{"    # ... existing code ..."}
		}
		search := slices.Concat([]string{"def f():"}, blanks(), dots, blanks(), []string{"    return 1"})
		replace := slices.Concat([]string{"def f():"}, blanks(), middle, blanks(), []string{"    return 2"})
		if r.IntN(3) == 0 {
			replace = slices.Concat([]string{"def f(x):"}, blanks(), middle, lines("more", 1+r.IntN(3)), blanks(), []string{"    return 1"})
		}
		text := func(list []string) string { return strings.Join(list, "\n") + "\n" }
		before := text(slices.Concat(file, after))
		res := edits.Apply(files{"f": before}, []edits.Edit{replaceEdit(text(search), text(replace))}, nil, edits.Options{Chat: []string{"f"}})
		if len(res.Failures) > 0 {
			continue
		}
		got := before
		if len(res.Changes) == 1 {
			got = res.Changes[0].After
		}
		landed++
		if want := text(slices.Concat([]string{"import a", ""}, replace, after)); got != want {
			t.Fatalf("search\n%s\nreplace\n%s\nbefore\n%s\ngot\n%s\nwant\n%s", text(search), text(replace), before, got, want)
		}
	}
	if landed < 4500 {
		t.Errorf("only %d edits landed", landed)
	}
}

// Dots on both sides stand for lines that stay, wherever they are and however far they reach.
func TestDotsStandForLinesThatStay(t *testing.T) {
	const before = "a1\na2\nx1\nx2\nb1\nb2\ny1\nc1\nc2\n"
	for what, c := range map[string]struct{ search, replace, want string }{
		"one gap":                       {"a1\n...\nb1\n", "A1\n...\nb1\n", "A1\na2\nx1\nx2\nb1\nb2\ny1\nc1\nc2\n"},
		"two gaps":                      {"a1\n...\nb1\n...\nc2\n", "A1\n...\nB1\n...\nC2\n", "A1\na2\nx1\nx2\nB1\nb2\ny1\nc1\nC2\n"},
		"comments":                      {"a1\n# ... existing code ...\nb1\n", "A1\n# ... existing code ...\nb1\n", "A1\na2\nx1\nx2\nb1\nb2\ny1\nc1\nc2\n"},
		"other dots on the new side":    {"a1\n...\nb1\n", "A1\n# ... existing code ...\nb1\n", ""},
		"nothing between":               {"a1\n...\na2\n", "A1\n...\nA2\n", "A1\nA2\nx1\nx2\nb1\nb2\ny1\nc1\nc2\n"},
		"dots at the end":               {"a1\na2\n...\n", "A1\na2\n...\n", "A1\na2\nx1\nx2\nb1\nb2\ny1\nc1\nc2\n"},
		"dots at the start":             {"...\nb1\n", "...\nB1\n", "a1\na2\nx1\nx2\nB1\nb2\ny1\nc1\nc2\n"},
		"further in":                    {"  a1\n  ...\n  b1\n", "  A1\n  ...\n  b1\n", "A1\na2\nx1\nx2\nb1\nb2\ny1\nc1\nc2\n"},
		"in another order":              {"b1\n...\na1\n", "B1\n...\na1\n", ""},
		"a piece that is not there":     {"a1\n...\nnowhere\n", "A1\n...\nnowhere\n", ""},
		"new lines below dots that end": {"a1\n...\n", "a1\n...\nnew\n", ""},
		"new lines above dots":          {"...\nb1\n", "new\n...\nb1\n", ""},
		"only dots":                     {"...\n", "new\n", ""},
		"dots that go":                  {"a1\n...\nb1\n", "A1\nb1\n", ""},
		"dots written out":              {"a1\n...\nb1\n", "A1\na2\nx1\nx2\nb1\n", "A1\na2\nx1\nx2\nb1\nb2\ny1\nc1\nc2\n"},
		"mostly written out":            {"a1\n...\nb1\n", "A1\na2\nx1\nb1\n", ""},
	} {
		got, rung := try(before, replaceEdit(c.search, c.replace))
		if c.want == "" && (got != before || rung != "") || c.want != "" && (got != c.want || rung != edits.RungElision) {
			t.Errorf("%s: by %q, got %q, want %q", what, rung, got, c.want)
		}
	}
}

// With several ways, the pieces nearest to one that has one place only are meant, if others are much
// farther, or if it makes no difference.
func TestDotsAroundAnAnchor(t *testing.T) {
	gap := func(n int) string { return strings.Repeat("gap\n", n) }
	for what, c := range map[string]struct {
		before, search, replace, want string
	}{
		"the near one below":             {"anchor\n" + gap(2) + "end\n" + gap(20) + "end\n", "anchor\n...\nend\n", "anchor\n...\nEND\n", "anchor\n" + gap(2) + "END\n" + gap(20) + "end\n"},
		"the near one above":             {"end\n" + gap(20) + "end\n" + gap(2) + "anchor\n", "end\n...\nanchor\n", "END\n...\nanchor\n", "end\n" + gap(20) + "END\n" + gap(2) + "anchor\n"},
		"nearly as far":                  {"anchor\n" + gap(5) + "end\n" + gap(5) + "end\n", "anchor\n...\nend\n", "anchor\n...\nEND\n", ""},
		"just far enough":                {"anchor\n" + gap(2) + "end\n" + gap(5) + "end\n", "anchor\n...\nend\n", "anchor\n...\nEND\n", "anchor\n" + gap(2) + "END\n" + gap(5) + "end\n"},
		"just not far enough":            {"anchor\n" + gap(2) + "end\n" + gap(4) + "end\n", "anchor\n...\nend\n", "anchor\n...\nEND\n", ""},
		"no difference":                  {"anchor\nkept\n" + gap(5) + "end\n" + gap(5) + "end\n", "anchor\nkept\n...\nend\n", "ANCHOR\nkept\n...\nend\n", "ANCHOR\nkept\n" + gap(5) + "end\n" + gap(5) + "end\n"},
		"no anchor":                      {"a\nend\na\nend\n", "a\n...\nend\n", "a\n...\nEND\n", ""},
		"three pieces around one":        {"a\n" + gap(20) + "a\n" + gap(1) + "anchor\n" + gap(1) + "b\n" + gap(20) + "b\n", "a\n...\nanchor\n...\nb\n", "A\n...\nanchor\n...\nB\n", "a\n" + gap(20) + "A\n" + gap(1) + "anchor\n" + gap(1) + "B\n" + gap(20) + "b\n"},
		"two ways that are one within":   {"a\nm\nm\nend\n", "a\n...\nm\n...\nend\n", "a\n...\nM\n...\nend\n", ""},
		"two ways within, no difference": {"a\nk\nm\nm\nend\n", "a\nk\n...\nm\n...\nend\n", "A\nk\n...\nm\n...\nend\n", "A\nk\nm\nm\nend\n"},
	} {
		got, rung := try(c.before, replaceEdit(c.search, c.replace))
		if c.want == "" && (got != c.before || rung != "") || c.want != "" && (got != c.want || rung != edits.RungElision) {
			t.Errorf("%s: by %q, got %q, want %q", what, rung, got, c.want)
		}
	}
}
