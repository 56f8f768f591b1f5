package prose

import (
	"fmt"
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
		{"a block without a listing", "I do.\n\na.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n\nDone.\n", "I do.\n\n\nDone.\n"},
		{"a patch", "I do.\n*** Begin Patch\n*** Update File: a.py\n-x\n+y\n*** End Patch\nDone.\n", "I do.\nDone.\n"},
		{"a patch in a listing", "I do.\n```\n*** Begin Patch\n*** Delete File: a.py\n*** End Patch\n```\nDone.\n", "I do.\nDone.\n"},
		{"stars", "*** Note: this\nDone.\n", "*** Note: this\nDone.\n"},
		{"a listing inside", "README.md\n```markdown\n# A\n\n```sh\nls\n```\n\nMore of it.\n```\nDone.\n", "Done.\n"},
		{"two listings inside", "README.md\n```\n# A\n```sh\nls\n```\nMore.\n````py\nx\n````\nMore still.\n```\nDone.\n", "Done.\n"},
		{"a listing inside of one inside", "README.md\n```\n```md\nA\n```sh\nls\n```\nB\n```\nC\n```\nDone.\n", "Done.\n"},
		{"a listing inside of words", "As:\n```md\n```sh\nls\n```\nMore.\n```\nDone.\n", "As:\n```md\n```sh\nls\n```\nMore.\n```\nDone.\n"},
		{"one further in is text", "a.md\n```\n1. x\n   ```sh\n   ls\n```\nDone.\n", "Done.\n"},
		{"two edits", "a.py\n```\nx\n```\n\nb.py\n```\ny\n```\nDone.\n", "\nDone.\n"},
	} {
		for _, size := range []int{1, 3, 1000} {
			var p Stream
			var out, rest strings.Builder
			take := func(words, edits string) {
				out.WriteString(words)
				rest.WriteString(edits)
			}
			for text := c.reply; text != ""; {
				n := min(size, len(text))
				take(p.Write(text[:n]))
				text = text[n:]
			}
			take(p.End())
			if out.String() != c.want {
				t.Errorf("%s in pieces of %d: %q, want %q", c.name, size, out.String(), c.want)
			}
			if got := out.Len() + rest.Len(); got != len(c.reply) {
				t.Errorf("%s in pieces of %d: %d bytes became %d: %q and %q", c.name, size, len(c.reply), got, out.String(), rest.String())
			}
		}
	}
}

// Words are shown before their line ends.
func TestProseStreams(t *testing.T) {
	var p Stream
	step := func(piece, want, wantEdits string) {
		t.Helper()
		if words, edits := p.Write(piece); words != want || edits != wantEdits {
			t.Errorf("%q gave %q and %q", piece, words, edits)
		}
	}
	end := func(want, wantEdits string) {
		t.Helper()
		if words, edits := p.End(); words != want || edits != wantEdits {
			t.Errorf("the end gave %q and %q", words, edits)
		}
	}
	step("I change", "I change", "")
	step(" it", " it", "")
	step(" in a.py\n", " in a.py\n", "")
	end("", "")
	step("```\nx\n```\n", "```\nx\n```\n", "") // after the end it is as new
	end("", "")
	step("a.py\n", "", "")
	step("```\nx = 1", "", "a.py\n```\n")
	step("\n", "", "x = 1\n")
	end("", "")
	step("x\n", "x\n", "")
	step("```\n", "", "")
	end("", "```\n")
}

// The kinds of lines that a reply can be in the midst of.
var midst = []struct{ name, begins, goesOn string }{
	{"words", "It is ", "so "}, {"one word", "", "so"}, {"blanks", "", "  "}, {"backticks", "", "``"},
	{"opened", "```", "so "}, {"stars", "***", "so "}, {"listing", "a.py\n```\n", "so "},
}

// A line that begins with a fence is held back in its midst, for it may open the listing of an edit; one whose fence is
// closed in it is words at once.
func TestProseStreamWaitsForFences(t *testing.T) {
	for _, c := range []struct{ begins, goesOn, first, words, edits string }{
		{"a.py\n```python title", "=x\nx = 1\n```\nDone.", "", "Done.", "a.py\n```python title=x\nx = 1\n```\n"},
		{"```x``` is", " code\n", "```x``` is", "```x``` is code\n", ""},
	} {
		var p Stream
		words, found := p.Write(c.begins)
		if words != c.first {
			t.Errorf("%q gave %q at once, want %q", c.begins, words, c.first)
		}
		w, e := p.Write(c.goesOn)
		words, found = words+w, found+e
		w, e = p.End()
		if words, found = words+w, found+e; words != c.words || found != c.edits {
			t.Errorf("%q gave %q and the edits %q", c.begins+c.goesOn, words, found)
		}
	}
}

// A piece of a line is not kept twice: however many come, the line grows a few times.
func TestProseStreamKeepsNoCopies(t *testing.T) {
	for _, kind := range midst {
		if n := testing.AllocsPerRun(1, func() {
			var p Stream
			p.Write(kind.begins)
			for range 10_000 {
				p.Write(kind.goesOn)
			}
			p.End()
		}); n > 100 {
			t.Errorf("%s: 10,000 pieces took %v allocations", kind.name, n)
		}
	}
}

// A byte costs the same, however long the line is that it stands in: ns/byte is to be
// the same for 64 KB and for 1 MB.
func BenchmarkProseStream(b *testing.B) {
	for _, kind := range midst {
		for _, n := range []int{1 << 16, 1 << 20} {
			b.Run(fmt.Sprintf("%s/%dKB", kind.name, n>>10), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					var p Stream
					p.Write(kind.begins)
					for range n / len(kind.goesOn) {
						p.Write(kind.goesOn)
					}
					p.End()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/byte")
			})
		}
	}
}

func FuzzProseStream(f *testing.F) {
	f.Add("I do.\n\na.py\n```\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```\nDone.", 3)
	f.Add("*** Begin Patch\n*** End Patch\n", 1)
	f.Fuzz(func(t *testing.T, reply string, size int) {
		size = max(1, size%17)
		var whole, p Stream
		w1, e1 := whole.Write(reply)
		w2, e2 := whole.End()
		var words, edits strings.Builder
		take := func(w, e string) {
			words.WriteString(w)
			edits.WriteString(e)
		}
		for rest := reply; rest != ""; {
			n := min(size, len(rest))
			take(p.Write(rest[:n]))
			rest = rest[n:]
		}
		take(p.End())
		if w, e := words.String(), edits.String(); w != w1+w2 || e != e1+e2 || len(w)+len(e) != len(reply) {
			t.Errorf("%q in pieces of %d: %q and %q, want %q and %q", reply, size, w, e, w1+w2, e1+e2)
		}
	})
}
