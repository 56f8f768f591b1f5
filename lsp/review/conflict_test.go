package review

import (
	"strings"
	"testing"

	"coauthor/agent/proposal"
	"coauthor/edits"
)

// Where no line breaks are drawn both sides stand in a sentence, and nowhere when they are more than one can read there.
func TestSidesInLine(t *testing.T) {
	place := func(line int, ours, theirs string) edits.Conflict {
		return edits.Conflict{OursLine: line, OursCount: 1, Ours: ours, Theirs: theirs}
	}
	for _, c := range []struct {
		places []edits.Conflict
		want   string
	}{
		{[]edits.Conflict{place(1, "\tmine()\n", "\ttheirs()\r\n")}, "a.go, line 2: yours “mine()”, the model's “theirs()”."},
		{[]edits.Conflict{place(1, "", "x\n"), place(3, "y\n", "")}, "a.go, line 2: yours deleted, the model's “x”. a.go, line 4: yours “y”, the model's deleted."},
		{[]edits.Conflict{place(1, "a\nb\n", "x\n")}, ""},
		{[]edits.Conflict{place(1, "a\n", "x\ny\n")}, ""},
		{[]edits.Conflict{place(1, "a\n", strings.Repeat("é", 81)+"\n")}, ""},
		{[]edits.Conflict{place(1, "a\n", strings.Repeat("é", 80)+"\n")}, "a.go, line 2: yours “a”, the model's “" + strings.Repeat("é", 80) + "”."},
		{[]edits.Conflict{place(1, "a\n", "b\n"), place(3, "a\n", "b\n"), place(5, "a\n", "b\n")}, ""},
		{nil, ""},
	} {
		if got := SidesInLine([]proposal.Clash{{Path: "a.go", Places: c.places}}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
