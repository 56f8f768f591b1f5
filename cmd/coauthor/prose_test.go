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
		{"a name that nothing follows", "See\nlib/a.py\n", "See\nlib/a.py\n"},
		{"a name and words", "lib/a.py\nis the one.\n", "lib/a.py\nis the one.\n"},
		{"a name, blank lines and words", "lib/a.py\n\n\nis the one.\n", "lib/a.py\n\n\nis the one.\n"},
		{"two names", "lib/a.py\nlib/b.py\n```\nx\n```\nDone.\n", "lib/a.py\nDone.\n"},
		{"a long line that ends in a name", "I would now like to change lib/a.py\n```\nx\n```\nDone.\n", "I would now like to change lib/a.py\n```\nx\n```\nDone.\n"},
		{"three words that end in a name", "Now change lib/a.py:\n```\nx\n```\nDone.\n", "Now change lib/a.py:\nDone.\n"},
		{"a name, words, a listing", "1. `a.py`\nis this:\n```\nx\n```\n", "1. `a.py`\nis this:\n```\nx\n```\n"},
		{"a sentence is no name", "Done.\n```\nx\n```\n", "Done.\n```\nx\n```\n"},
		{"a hidden file", ".env\n```\nx\n```\nDone.\n", "Done.\n"},
		{"a heading", "## lib/a.py\n```\nx\n```\nDone.\n", "## lib/a.py\nDone.\n"},
		{"bold", "**a.py**\n```\nx\n```\nDone.\n", "Done.\n"},
		{"a shorter fence inside", "a.md\n````\n```\nx\n```\n````\nDone.\n```\ny\n```\n", "Done.\n```\ny\n```\n"},
		{"a fence further in", "  ```\n  x\n  ```\nDone.\n", "  ```\n  x\n  ```\nDone.\n"},
		{"two backticks", "``x``\nDone.\n", "``x``\nDone.\n"},
		{"an empty listing", "Nothing:\n```\n```\nDone.\n", "Nothing:\n```\n```\nDone.\n"},
		{"an empty file", "a.py\n```\n```\nDone.\n", "Done.\n"},
		{"blank lines at first", "\n\nI do.\n", "\n\nI do.\n"},
		{"a listing in tags", "<source>\nx\n</source>\nDone.\n", "<source>\nx\n</source>\nDone.\n"},
		{"a tag in words", "The tag <source> is\nDone.\n", "The tag <source> is\nDone.\n"},
		{"a listing that is shown, no end", "Run:\n```sh\nls\n", "Run:\n```sh\nls\n"},
		{"one that has not begun", "Run:\n```sh\n", "Run:\n"},
		{"a diff", "I do.\n\n```diff\n--- a.py\n+++ a.py\n@@ -1 +1 @@\n-x\n+y\n```\nDone.\n", "I do.\n\nDone.\n"},
		{"git's diff", "```\ndiff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n```\nDone.\n", "Done.\n"},
		{"a listing with dashes", "As:\n```yaml\n---\nx: 1\n```\n", "As:\n```yaml\n---\nx: 1\n```\n"},
		{"two edits", "a.py\n```\nx\n```\n\nb.py\n```\ny\n```\nDone.\n", "\nDone.\n"},
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
	if got := p.write(" in a.py\n") + p.end(); got != " in a.py\n" {
		t.Errorf("then %q", got)
	}
	// After the end it is as new.
	if got := p.write("```\nx\n```\n") + p.end(); got != "```\nx\n```\n" {
		t.Errorf("after the end: %q", got)
	}
	p.write("a.py\n```\n")
	p.end()
	if got := p.write("x\n"); got != "x\n" {
		t.Errorf("after a listing without an end: %q", got)
	}
}
