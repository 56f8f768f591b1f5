package main

import (
	"strings"
	"testing"
)

func TestProseLeavesListingsOut(t *testing.T) {
	for _, c := range []struct{ name, reply, want string }{
		{"plain", "I change it.\nThat is all.\n", "I change it.\nThat is all.\n"},
		{"listing with its name", "I change it.\n\nlib/a.py\n```python\nx = 1\n```\n\nDone.\n", "I change it.\n\n\nDone.\n"},
		{"name and a blank line", "a.py\n\n```\nx\n```\nDone.\n", "Done.\n"},
		{"a word of its own", "Yes.\nNo doubt.\n", "Yes.\nNo doubt.\n"},
		{"longer fence", "a.md\n````\n```\nx\n```\n````\nDone.", "Done."},
		{"tags", "`a.py`\n<source>\nx\n</source>\nDone.", "Done."},
		{"name in a list", "1. `a.py`\n\n```\nx\n```\nDone.", "1. `a.py`\n\nDone."},
		{"block without a name", "Here:\n```\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n```\nDone.", "Here:\nDone."},
		{"no edit", "Then run:\n\n```sh\ngo test ./...\n```\nDone.", "Then run:\n\n```sh\ngo test ./...\n```\nDone."},
		{"inline code", "Use `x`.\n```not a fence``` here\n", "Use `x`.\n```not a fence``` here\n"},
		{"no end", "a.py\n```\nx\n", ""},
		{"empty", "", ""},
	} {
		for _, size := range []int{1, 3, 1000} {
			var p prose
			var out strings.Builder
			for rest := c.reply; rest != ""; {
				n := min(size, len(rest))
				out.WriteString(p.write(rest[:n]))
				rest = rest[n:]
			}
			out.WriteString(p.end())
			if out.String() != c.want {
				t.Errorf("%s in pieces of %d: %q, want %q", c.name, size, out.String(), c.want)
			}
		}
	}
}

// Words are shown before their line ends.
func TestProseStreams(t *testing.T) {
	var p prose
	if got := p.write("I change"); got != "I change" {
		t.Errorf("held back %q", got)
	}
	if got := p.write(" it"); got != " it" {
		t.Errorf("held back %q", got)
	}
}
