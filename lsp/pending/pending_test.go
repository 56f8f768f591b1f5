package pending

import (
	"slices"
	"testing"
)

// The client hears once that the texts it has are out of date, and again only after it has got new ones.
func TestFetchedTextsMoveOnce(t *testing.T) {
	var f fetched
	reads := map[string]string{"a": "a", "b": "b"}
	now := func(of fetchedTexts) (string, bool) { text, ok := reads[of.path]; return text, ok }
	a := fetchedTexts{path: "a", proposal: "p"}
	f.put(a, "a")
	f.put(fetchedTexts{path: "b", proposal: "p"}, "b")
	if !f.begin() || f.begin() {
		t.Error("two are to tell at once, or nobody")
	}
	if list := f.take(now); len(list) != 0 {
		t.Errorf("nothing has moved, and it takes %v", list)
	}
	reads["a"] = "A"
	for i, want := range [][]fetchedTexts{{a}, nil} {
		if list := f.take(now); !slices.Equal(list, want) {
			t.Errorf("%d: %v has moved, want %v", i, list, want)
		}
	}
	if len(f.of("a")) != 0 || len(f.of("b")) != 1 {
		t.Errorf("of a the client has %v, of b %v", f.of("a"), f.of("b"))
	}
	f.put(a, "A")
	if len(f.of("a")) != 1 || !f.begin() {
		t.Error("what it got anew is not followed")
	}
	f.forget("p")
	if len(f.of("a"))+len(f.of("b")) != 0 {
		t.Error("a proposal that is decided is followed")
	}
}
