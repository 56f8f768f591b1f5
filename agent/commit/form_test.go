package commit

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestInFormOf(t *testing.T) {
	for _, x := range []struct{ like, lines, want string }{
		{"\ufeffa\r\nb\r\n", "a\nc\n", "\ufeffa\r\nc\r\n"},
		{"a\r\nb", "a\nc\n", "a\r\nc"},
		{"a\r\nb\nc\r\n", "a\nB\nc\n", "a\r\nB\r\nc\r\n"},
		{"a\r\nb\nc\r\n", "a\nb\nd\nc\n", "a\r\nb\nd\nc\r\n"},
		{"a", "a\nb\n", "a\nb"},
		{"a\rb\r", "A\nb\nc\n", "A\rb\rc\r"},
		{"", "a\n", "a\n"},
		{"\ufeff", "a\n", "\ufeffa\n"},
		{"a\r\n", "", ""},
	} {
		if got := inFormOf(x.like, x.lines); got != x.want {
			t.Errorf("%q in the form of %q is %q, want %q", x.lines, x.like, got, x.want)
		}
	}
}

// TestInFormOfKeepsLines: whatever form a text has, the lines are those that were asked for, and its own come back as it is.
func TestInFormOfKeepsLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b", "", "c c", "\u00e9"}
	text := func(ends []string) string {
		var b strings.Builder
		for range r.IntN(6) {
			b.WriteString(pieces[r.IntN(len(pieces))] + ends[r.IntN(len(ends))])
		}
		return b.String()
	}
	for range 5000 {
		like := text([][]string{{"\n"}, {"\r\n"}, {"\r"}, {"\n", "\r\n"}}[r.IntN(4)])
		if r.IntN(2) == 0 {
			like = "\ufeff" + like
		}
		if r.IntN(2) == 0 {
			like += "last"
		}
		lines := text([]string{"\n"})
		got := inFormOf(like, lines)
		if same := inFormOf(like, lineForm(like)); same != like {
			t.Fatalf("%q in its own form is %q", like, same)
		}
		if lineForm(got) != lines && !strings.HasSuffix(lines, "\n\n") && lines != "\n" { // an open text ends in no empty line
			t.Fatalf("%q in the form of %q is %q", lines, like, got)
		}
		if strings.HasPrefix(got, "\ufeff") != strings.HasPrefix(like, "\ufeff") {
			t.Fatalf("%q in the form of %q is %q: the mark", lines, like, got)
		}
	}
}
