package mention_test

import (
	"context"
	"strings"
	"testing"

	"coauthor/agent/mention"
)

// What is selected between < and > says this.
func TestProse(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"a.md", "# Title\n\n‹Make it shorter.\nAnd say why.›\n", "Make it shorter.\nAnd say why."},
		{"a.md", "‹  one two \n›", "one two"},
		{"a.md", "‹word›\n", ""},
		{"a.md", "‹1 2 3›\n", ""},
		{"a.md", "```\n‹go build it›\n```\n", ""},
		{"a.md", "‹Do this:\n```\nx y\n```›\n", ""},
		{"a.md", "```\nx\n```\n‹and so on›\n", "and so on"},
		{"notes.TXT", "‹Make it shorter.›\n", "Make it shorter."},
		{"a.go", "package a\n\n‹// Make it faster.\n// And shorter.\n›func f() {}\n", "Make it faster.\nAnd shorter."},
		{"a.go", "package a\n\n// ‹Make it faster›.\nfunc f() {}\n", "Make it faster"},
		{"a.go", "package a\n\n‹// Make it faster.\nfunc f() {}›\n", ""},
		{"a.go", "package a\n\n‹func f() { one() }›\n", ""},
		{"a.go", "package a\n\nvar s = \"‹// not one of them›\"\n", ""},
		{"a.go", "package a\n\n/*\n * One.\n *‹ Make it faster.\n *\n * Soon.›\n */\n", "Make it faster.\n\nSoon."},
		{"a.go", "package a\n\n/* one\n\n\n‹make it so›\n*/\n", "make it so"},
		{"a.go", "package a\n\nvar x = 1 ‹// rename it to y›\n", "rename it to y"},
		{"a.go", "package a\n\n‹\n// Make it faster.\n›", "Make it faster."},
		{"a.go", "package a\n\n‹// x\n›", ""},
		{"a.py", "def f():\n    \"\"\"‹Make it faster.›\n    \"\"\"\n", "Make it faster."},
		{"a.py", "x = 1  ‹# make it two›\n", "make it two"},
		{"a.html", "<p>no</p><!-- ‹make it red› -->\n", "make it red"},
		{"a.xyz", "‹# make it red›\n", "make it red"},
		{"a.xyz", "‹make it red›\n", ""},
		{"a.md", "‹" + strings.Repeat("very ", 2000) + "long›\n", ""},
	} {
		start := strings.Index(c.text, "‹")
		text := strings.Replace(c.text, "‹", "", 1)
		end := strings.Index(text, "›")
		text = strings.Replace(text, "›", "", 1)
		got, err := mention.Prose(context.Background(), c.path, text, start, end)
		if err != nil || got != c.want {
			t.Errorf("%s %q: %q, %v, want %q", c.path, c.text[:min(len(c.text), 80)], got, err, c.want)
		}
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := mention.Prose(over, "a.go", "// one two\n", 0, 10); err == nil {
		t.Error("a context that is over is not told")
	}
}

// What is said stands in the selection, word by word, but for the signs of comments.
func FuzzProse(f *testing.F) {
	f.Add("a.go", "package a\n\n// one two\nfunc f() {}\n", 11, 21)
	f.Add("a.md", "one two\n```\nthree\n```\n", 0, 7)
	f.Add("a.py", "\"\"\"one\ntwo\"\"\"\n", 3, 10)
	f.Add("a.unknown", "; one two\n", 0, 9)
	f.Fuzz(func(t *testing.T, path, text string, start, end int) {
		said, err := mention.Prose(context.Background(), path, text, start, end)
		if err != nil || said == "" {
			return
		}
		if start < 0 || end > len(text) || start >= end {
			t.Fatalf("Prose(%q, %q, %d, %d) = %q", path, text, start, end, said)
		}
		rest := text[start:end]
		for _, word := range strings.Fields(said) {
			at := strings.Index(rest, word)
			if at < 0 {
				t.Fatalf("Prose(%q, %q, %d, %d) = %q: no %q", path, text, start, end, said, word)
			}
			rest = rest[at+len(word):]
		}
	})
}
