package edits_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/match"
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
		want := text(slices.Concat([]string{"import a", ""}, replace, after))
		if withoutBlank(got) != withoutBlank(want) { // which blank lines stood beside the dots no one can tell
			t.Fatalf("search\n%s\nreplace\n%s\nbefore\n%s\ngot\n%s\nwant\n%s", text(search), text(replace), before, got, want)
		}
	}
	if landed < 4500 {
		t.Errorf("only %d edits landed", landed)
	}
}

// withoutBlank is a text without its blank lines.
func withoutBlank(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			out.WriteString(line)
		}
	}
	return out.String()
}

// Dots on both sides stand for lines that stay, wherever they are and however far they reach.
func TestDotsStandForLinesThatStay(t *testing.T) {
	const before = "a1\na2\nx1\nx2\nb1\nb2\ny1\nc1\nc2\n"
	for what, c := range map[string]struct{ search, replace, want string }{
		"one sign":                      {"a1\n…\nb1\n", "A1\n…\nb1\n", "A1\na2\nx1\nx2\nb1\nb2\ny1\nc1\nc2\n"},
		"one gap":                       {"a1\n...\nb1\n", "A1\n...\nb1\n", "A1\na2\nx1\nx2\nb1\nb2\ny1\nc1\nc2\n"},
		"two gaps":                      {"a1\n...\nb1\n...\nc2\n", "A1\n...\nB1\n...\nC2\n", "A1\na2\nx1\nx2\nB1\nb2\ny1\nc1\nC2\n"},
		"comments":                      {"a1\n# ... existing code ...\nb1\n", "A1\n# ... existing code ...\nb1\n", "A1\na2\nx1\nx2\nb1\nb2\ny1\nc1\nc2\n"},
		"other dots on the new side":    {"a1\n...\nb1\n", "A1\n# ... existing code ...\nb1\n", ""},
		"nothing between":               {"a1\n...\na2\n", "A1\n...\nA2\n", "A1\nA2\nx1\nx2\nb1\nb2\ny1\nc1\nc2\n"},
		"dots at the end":               {"a1\na2\n...\n", "A1\na2\n...\n", "A1\na2\nx1\nx2\nb1\nb2\ny1\nc1\nc2\n"},
		"dots at the start":             {"...\nb1\n", "...\nB1\n", "a1\na2\nx1\nx2\nB1\nb2\ny1\nc1\nc2\n"},
		"further in":                    {"  a1\n  ...\n  b1\n", "  A1\n  ...\n  b1\n", "A1\na2\nx1\nx2\nb1\nb2\ny1\nc1\nc2\n"},
		"one piece further in":          {"  a1\n...\nb1\n", "  A1\n...\nb1\n", ""},
		"dots at both ends":             {"...\nb1\n...\n", "...\nB1\n...\n", "a1\na2\nx1\nx2\nB1\nb2\ny1\nc1\nc2\n"},
		"dots twice in a row":           {"a1\n...\n...\nb1\n", "a1\n...\n...\nB1\n", "a1\na2\nx1\nx2\nB1\nb2\ny1\nc1\nc2\n"},
		"a new line above dots":         {"a1\n...\nb1\n", "a1\nnew\n...\nb1\n", "a1\nnew\na2\nx1\nx2\nb1\nb2\ny1\nc1\nc2\n"},
		"a new line below dots":         {"a1\n...\nb1\n", "a1\n...\nnew\nb1\n", "a1\na2\nx1\nx2\nnew\nb1\nb2\ny1\nc1\nc2\n"},
		"a piece that goes":             {"a1\n...\nb1\nb2\n", "a1\n...\nb2\n", "a1\na2\nx1\nx2\nb2\ny1\nc1\nc2\n"},
		"dots written out further in":   {"  a1\n  ...\n  b1\n", "  A1\n  a2\n  x1\n  x2\n  B1\n", "A1\na2\nx1\nx2\nB1\nb2\ny1\nc1\nc2\n"},
		"one of five written otherwise": {"a1\n...\ny1\n", "a1\na2\nx1\nx2\nb1\nB2\ny1\n", ""},
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
		if c.want == "" && (got != before || rung != "") || c.want != "" && (got != c.want || rung != match.RungElision) {
			t.Errorf("%s: by %q, got %q, want %q", what, rung, got, c.want)
		}
	}
}

// Blank lines that dots stand for need not come back with the others.
func TestDotsThatGoMayStandForBlankLines(t *testing.T) {
	if got, rung := try("a1\nx1\n\nx2\nb1\n", replaceEdit("a1\n...\nb1\n", "A1\nx1\nx2\nb1\n")); got != "A1\nx1\nx2\nb1\n" || rung != match.RungElision {
		t.Errorf("by %q, got %q", rung, got)
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
		if c.want == "" && (got != c.before || rung != "") || c.want != "" && (got != c.want || rung != match.RungElision) {
			t.Errorf("%s: by %q, got %q, want %q", what, rung, got, c.want)
		}
	}
}

// Dots on both sides, with blank lines beside them, in the file or on both sides of the block, more or fewer:
// of all lines only the one that is written otherwise changes.
func TestBlankLinesBesideDotsStay(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	blanks := func() string { return strings.Repeat("\n", max(0, r.IntN(4)-1)) }
	landed := 0
	const rounds = 3000
	for range rounds {
		before := "import a\n" + blanks() + "def f():\n    one()\n" + blanks() + "    two()\n    three()\n" + blanks() + "    four()\n" + blanks() + "tail\n"
		search := blanks() + "def f():\n    one()\n" + blanks() + "    ...\n" + blanks() + "    four()\n" + blanks()
		old := []string{"def f():\n", "    one()\n", "    four()\n"}[r.IntN(3)]
		new := strings.Replace(old, "(", "(x", 1)
		res := edits.Apply(files{"f": before}, swap(search, strings.Replace(search, old, new, 1)), nil, edits.Options{Chat: []string{"f"}})
		if len(res.Failures) > 0 {
			continue
		}
		landed++
		if want := strings.Replace(before, old, new, 1); len(res.Changes) != 1 || strings.ReplaceAll(res.Changes[0].After, "\n\n", "\n") != strings.ReplaceAll(want, "\n\n", "\n") || !besides(res.Changes[0].After, want) {
			t.Fatalf("search\n%s\nbefore\n%s\ngot\n%+v", search, before, res)
		}
	}
	if landed < rounds*9/10 {
		t.Errorf("only %d of %d landed", landed, rounds)
	}
}

// besides says whether one text has all lines of another, and else only blank ones.
func besides(text, lines string) bool {
	have := strings.Split(text, "\n")
	for _, l := range strings.Split(lines, "\n") {
		for len(have) > 0 && have[0] != l && have[0] == "" {
			have = have[1:]
		}
		if len(have) == 0 || have[0] != l {
			return false
		}
		have = have[1:]
	}
	return strings.Join(have, "") == ""
}

// Blank lines at the ends of a block with dots stand for those of the file that are there.
func TestBlankLinesAtTheEndsOfABlockWithDots(t *testing.T) {
	const rest = "a1\nx\nb1\n"
	for what, c := range map[string]struct{ before, search, replace, want string }{
		"above, and it goes":      {"top\n\n" + rest, "\na1\n...\nb1\n", "A1\n...\nb1\n", "top\nA1\nx\nb1\n"},
		"above, and it stays":     {"top\n\n" + rest, "\na1\n...\nb1\n", "\nA1\n...\nb1\n", "top\n\nA1\nx\nb1\n"},
		"two above, one there":    {"top\n\n" + rest, "\n\na1\n...\nb1\n", "A1\n...\nb1\n", "top\nA1\nx\nb1\n"},
		"one above, two there":    {"top\n\n\n" + rest, "\na1\n...\nb1\n", "A1\n...\nb1\n", "top\n\nA1\nx\nb1\n"},
		"above, and none there":   {"top\n" + rest, "\na1\n...\nb1\n", "A1\n...\nb1\n", "top\nA1\nx\nb1\n"},
		"above the first line":    {rest, "\na1\n...\nb1\n", "A1\n...\nb1\n", "A1\nx\nb1\n"},
		"below, and it goes":      {rest + "\nend\n", "a1\n...\nb1\n\n", "a1\n...\nB1\n", "a1\nx\nB1\nend\n"},
		"below, and it stays":     {rest + "\nend\n", "a1\n...\nb1\n\n", "a1\n...\nB1\n\n", "a1\nx\nB1\n\nend\n"},
		"two below, one there":    {rest + "\nend\n", "a1\n...\nb1\n\n\n", "a1\n...\nB1\n", "a1\nx\nB1\nend\n"},
		"one below, two there":    {rest + "\n\nend\n", "a1\n...\nb1\n\n", "a1\n...\nB1\n", "a1\nx\nB1\n\nend\n"},
		"below, and none there":   {rest + "end\n", "a1\n...\nb1\n\n", "a1\n...\nB1\n", "a1\nx\nB1\nend\n"},
		"below the last line":     {rest, "a1\n...\nb1\n\n", "a1\n...\nB1\n", "a1\nx\nB1\n"},
		"above dots that begin":   {"top\n\n" + rest, "\n...\nb1\n", "\n...\nB1\n", "top\n\na1\nx\nB1\n"},
		"below dots that end":     {rest + "\nend\n", "a1\n...\n\n", "A1\n...\n\n", "A1\nx\nb1\n\nend\n"},
		"above a piece, and goes": {"a1\nx\n\nb1\n", "a1\n...\n\nb1\n", "a1\n...\nb1\n", "a1\nx\nb1\n"},
		"below a piece, and goes": {"a1\n\nx\nb1\n", "a1\n\n...\nb1\n", "a1\n...\nb1\n", "a1\nx\nb1\n"},
	} {
		if got, rung := try(c.before, replaceEdit(c.search, c.replace)); got != c.want || rung != match.RungElision {
			t.Errorf("%s: by %q, got %q, want %q", what, rung, got, c.want)
		}
	}
}

// A block with dots may have 64 pieces.
func TestBlocksWithManyDots(t *testing.T) {
	for n, lands := range map[int]bool{2: true, 64: true, 65: false} {
		var before, search strings.Builder
		for i := range n {
			fmt.Fprintf(&before, "line %d\nother %d\n", i, i)
			fmt.Fprintf(&search, "line %d\n...\n", i)
		}
		old := strings.TrimSuffix(search.String(), "...\n")
		last := fmt.Sprintf("line %d\n", n-1)
		got, rung := try(before.String(), replaceEdit(old, strings.TrimSuffix(old, last)+"last\n"))
		if want := strings.Replace(before.String(), last, "last\n", 1); lands && (got != want || rung != match.RungElision) || !lands && rung != "" {
			t.Errorf("%d pieces: by %q", n, rung)
		}
	}
}

// Comments that begin or end with dots are as good as dots, in whatever language, if they are not too long.
func TestCommentsThatStandForLines(t *testing.T) {
	const before = "a1\nx1\nx2\nb1\n"
	for _, form := range []string{"# %s", "// %s", "/* %s */", "{/* %s */}", "<!-- %s -->", "-- %s", "; %s", "%% %s", "## %s", "    # %s"} {
		for _, phrase := range []string{"...", "…", "... existing code ...", "... rest of the file", "rest of the code...", "… 其余代码不变", "остальное без изменений...", "...."} {
			dots := fmt.Sprintf(form, phrase) + "\n"
			got, rung := try(before, replaceEdit("a1\n"+dots+"b1\n", "a1\n"+dots+"B1\n"))
			if got != "a1\nx1\nx2\nB1\n" || rung != match.RungElision {
				t.Errorf("%q: by %q", dots, rung)
			}
		}
		for _, phrase := range []string{"..", "existing", "some remark", "the rest is history", "existing code = 1;", "existing code", "same as before", "rest ... of it"} {
			text := fmt.Sprintf(form, phrase) + "\n"
			if got, rung := try(before, replaceEdit("a1\n"+text+"b1\n", "a1\n"+text+"B1\n")); rung == match.RungElision {
				t.Errorf("%q: by %q, %q", text, rung, got)
			}
		}
	}
	for n, rung := range map[int]match.Rung{159: match.RungElision, 160: match.RungElision, 161: ""} {
		dots := "# ... existing code "
		dots += strings.Repeat("x", n-len(dots)) + "\n"
		if _, got := try(before, replaceEdit("a1\n"+dots+"b1\n", "a1\n"+dots+"B1\n")); got != rung {
			t.Errorf("%d bytes: by %q", n, got)
		}
	}
}
