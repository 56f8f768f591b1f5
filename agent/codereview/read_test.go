package codereview

import (
	"strings"
	"testing"
	"unicode"
)

// Whatever stands in an answer, a list is read without harm: what is found can be shown, and reading takes no longer
// for what is nested deeply.
func FuzzReview(f *testing.F) {
	for _, seed := range []string{"[]", "x [1] [{\"path\":\"a\",\"line\":1,\"message\":\"m\"}]", "```json\n[{}]\n```", "[[[[", "[{\"line\":1e300}]", "[{\"line\":\"9\"}]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		list, before, ok := findList(answer)
		if !strings.HasPrefix(strings.TrimSpace(answer), before) || !ok && len(list) > 0 {
			t.Errorf("before %q, %v", before, list)
		}
		const text = "one\ntwo\nthree\n"
		for _, f := range list {
			if at := placed(f.number(), f.Code, text); at < 1 || at > 3 {
				t.Errorf("line %d of %+v", at, f)
			}
		}
	})
}

// A finding is on the line that reads as the model says and is nearest to its number, else on that number within the
// file.
func TestPlaceOfAFinding(t *testing.T) {
	const text = "a\nb\n  a\nc"
	for _, c := range []struct {
		number int
		code   string
		want   int
	}{{1, "a", 1}, {3, "a", 3}, {9, "a", 3}, {2, "+ c", 4}, {2, "", 2}, {0, "", 1}, {-5, "none", 1}, {99, "none", 4}, {2, "d", 2}} {
		if got := placed(c.number, c.code, text); got != c.want {
			t.Errorf("%d %q: %d, want %d", c.number, c.code, got, c.want)
		}
	}
	if got := placed(3, "", ""); got != 1 {
		t.Errorf("an empty file: %d", got)
	}
	if strings.ContainsFunc(Review{Summary: "x"}.Text(), unicode.IsControl) && !strings.Contains((Review{}).Text(), "No findings") {
		t.Error("an empty review says nothing")
	}
}
