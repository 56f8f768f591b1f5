package chat

import (
	"testing"

	"coauthor/agent/command"
)

// TestTableInLittleRoom: where the columns do not fit beside each other, the cells of a row stand below its first one, with the
// names of their columns where there are more than one; what goes on with the row above has none.
func TestTableInLittleRoom(t *testing.T) {
	for _, x := range []struct {
		table command.Table
		want  string
	}{
		{command.Table{Head: []string{"name", "", "what"}, Rows: [][]string{{"first files"}, {"lib/parser.py", "own", "reads a text that is long"}, {"", "", "and goes on"}, {"other files"}, {"lib/reader.py", "", "reads files"}}},
			"name\n────\nfirst files\nlib/parser.py\n  own\n  what: reads a text\n    that is long\n  and goes on\n\nother files\nlib/reader.py\n  what: reads files\n"},
		{command.Table{Head: []string{"name", "what it does"}, Rows: [][]string{{"lib/parser.py", "reads a text that is long"}}},
			"name: what it does\n──────────────────\nlib/parser.py\n  reads a text that\n    is long\n"},
		{command.Table{Head: []string{"name", ""}, Rows: [][]string{{"lib/parser.py", "reads a text that is long"}}},
			"name\n────\nlib/parser.py\n  reads a text that\n    is long\n"},
	} {
		if got := Listing(command.Listing{Sections: []command.Section{{Table: x.table}}}, 20, false); got != x.want {
			t.Errorf("%q\n%s\nwant\n%s", x.table.Head, got, x.want)
		}
	}
}

// TestTableInSomeRoom: texts go on below themselves, and what a column would break stands below its row.
func TestTableInSomeRoom(t *testing.T) {
	l := command.Listing{Sections: []command.Section{{Title: "Files", Text: "All of them.", Table: command.Table{Head: []string{"name", "lines", "what"}, Right: []int{1},
		Rows: [][]string{{"first"}, {"a.py", "5", "reads a text that is long"}, {"second"}, {"b.py", "1200", "at https://example.com/a/path/that/is/longer/than/forty/signs"}}}}}}
	const want = "Files\nAll of them.\n\nname  lines  what\n──────────────────────────────────────────────────────────────\nfirst\na.py      5  reads a text that is long\n\nsecond\nb.py   1200\n" +
		"    at\n    https://example.com/a/path/that/is/longer/than/forty/signs\n"
	if got := Listing(l, 62, false); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
