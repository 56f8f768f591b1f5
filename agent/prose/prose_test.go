package prose

import (
	"testing"

	"coauthor/edits"
)

// TestOf: an edit goes with its fences and the name before it, and words that look like those stay.
func TestOf(t *testing.T) {
	reply := "I change it.\n\nlib/a.py\n```python\nx = 1\n```\n\n\nSee lib/b.py:\n```\ny\n```\n"
	for _, c := range []struct {
		name     string
		edits    []edits.Edit
		problems []edits.Problem
		want     string
	}{
		{"an edit", []edits.Edit{{Path: "lib/a.py", First: 5, Last: 5}}, nil, "I change it.\n\nSee lib/b.py:\n```\ny\n```"},
		{"a problem", nil, []edits.Problem{{First: 11, Last: 11}}, "I change it.\n\nlib/a.py\n```python\nx = 1\n```\n\nSee lib/b.py:"},
		{"lines beyond the end", []edits.Edit{{First: 9, Last: 99}}, nil, "I change it.\n\nlib/a.py\n```python\nx = 1"},
	} {
		if got := Of(reply, c.edits, c.problems); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
