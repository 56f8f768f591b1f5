package edits

import (
	"slices"
	"testing"

	"coauthor/edits/match"
)

// What follows a hunk is the same whenever it is asked: a refused one is looked at again behind all others, whose questions came
// between.
func TestWhatFollowsAHunkStays(t *testing.T) {
	hunk := func(path string, texts ...string) Edit {
		e := Edit{Kind: KindHunk, Path: path}
		for _, text := range texts {
			e.Chunks = append(e.Chunks, Chunk{Lines: []match.Line{{Sign: '-', Text: text}, {Sign: '+', Text: text + "!"}}})
		}
		return e
	}
	q := hunkQueue{in: &match.Table{}, list: []Edit{hunk("a", "1", "2"), hunk("a", "3"), hunk("b", "4")}}
	follows := func(later func(int) *match.Pattern) (texts []string) {
		for n := 0; later(n) != nil; n++ {
			texts = append(texts, later(n).Old()...)
		}
		return texts
	}
	first, second := q.later(0, 0), q.later(0, 1)
	for range 2 {
		if got := follows(first); !slices.Equal(got, []string{"2", "3"}) {
			t.Errorf("behind the first hunk stand %q", got)
		}
		if got := follows(second); !slices.Equal(got, []string{"3"}) {
			t.Errorf("behind the second hunk stand %q", got)
		}
		if got := follows(q.later(2, 0)); got != nil {
			t.Errorf("behind the last hunk stand %q", got)
		}
	}
}
