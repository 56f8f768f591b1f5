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
