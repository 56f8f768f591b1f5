package auto_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/formats"
	"coauthor/edits/patch"
	"coauthor/edits/searchreplace"
	"coauthor/edits/udiff"
	"coauthor/edits/wholefile"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// allReplies are the replies of all archives, with the files of rules.txtar.
func allReplies(t *testing.T) rules {
	t.Helper()
	r := loadRules(t)
	seen := map[string]bool{}
	for _, c := range r.replies {
		seen[c.name] = true
	}
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if name, ok := strings.CutSuffix(f.Name, ".reply"); ok && !seen[name] {
				seen[name] = true
				text := strings.NewReplacer("<CR>", "\r", "<BLANK>", " ", "<END>\n", "").Replace(string(f.Data))
				r.replies = append(r.replies, ruled{name: name, reply: text})
			}
		}
	}
	return r
}

// The line ends of a reply say nothing of how it is read.
func TestRepliesWithOtherLineEnds(t *testing.T) {
	r := allReplies(t)
	for _, c := range r.replies {
		if strings.Contains(c.reply, "\r") {
			continue
		}
		for _, format := range asked {
			o := r.options()
			want := read(format, c.reply, c.ending(), o)
			got := read(format, strings.ReplaceAll(c.reply, "\n", "\r\n"), c.ending(), o)
			if diff := cmp.Diff(want, strings.ReplaceAll(got, `\r\n`, `\n`)); diff != "" {
				t.Errorf("%s in %s: -want +got\n%s", c.name, format, diff)
			}
		}
	}
}

// What stands above an edit and is none moves the edit down by its lines, and changes nothing else.
func TestRepliesBelowOtherLines(t *testing.T) {
	r := allReplies(t)
	above := []string{"\n", "It is all the same to me.\n\n", "```sh\nmake\n```\nSo:\n", "* one\n- two\n\n", "< - > `x`\n\n"}
	for i, c := range r.replies {
		for k, times := range []int{1, 4, 9, 700} {
			lines := above[(i+k)%len(above)] // each reply below some of them
			// A lone brace begins a call only where no words stand above it.
			if times == 700 && i%9 != 0 || lines != "\n" && strings.HasPrefix(strings.TrimSpace(c.reply), "{") {
				continue
			}
			prefix := strings.Repeat(lines, times)
			n := strings.Count(prefix, "\n")
			for _, format := range asked[:len(asked)-1] {
				f, _ := formats.ByName(format)
				list, problems := edits.Parse(f, prefix+c.reply, c.ending(), r.options())
				for i := range list {
					moveUp(&list[i], n)
				}
				for i := range problems {
					problems[i].First -= n
					problems[i].Last -= n
				}
				if diff := cmp.Diff(read(format, c.reply, c.ending(), r.options()), described(list, problems)); diff != "" {
					t.Errorf("%s below %d times %q in %s: -want +got\n%s", c.name, times, lines, format, diff)
				}
			}
		}
	}
}

func moveUp(e *edits.Edit, n int) {
	e.First -= n
	e.Last -= n
	for i := range e.Chunks {
		e.Chunks[i].First -= n
	}
}

// A reply in the form that was asked for is read as the parser of that form alone reads it.
func TestTheFormThatWasAskedFor(t *testing.T) {
	words := []string{"Words.\n", "\n", "a.py\n", "`d/e.go`\n", "n.txt:\n", "In `a.py` we do\n"}
	fences := []string{"```\n", "```\n", "```python\n", "```go n.go\n", "````\n", "````md\n", "~~~\n", "~~~python\n", "  ```\n", "  ```python\n", "<source>\n", "</source>\n"}
	lines := []string{"    return 1\n", "x\n", "\n"}
	for format, of := range map[string]struct {
		alone editstest.NewParser
		lines []string
	}{
		"whole": {wholefile.New, append(fences, lines...)},
		"diff": {searchreplace.New, append(lines, "a.py\n", "<<<<<<< SEARCH\n", "<<<<<<< SEARCH\n", "=======\n", "=======\n", "=======\n", ">>>>>>> REPLACE\n", ">>>>>>> REPLACE\n",
			"  <<<<<<< SEARCH\n", "  =======\n", "  >>>>>>> REPLACE\n", ">>>>>>> SEARCH\n", "<<<<<<< REPLACE\n")},
		"udiff": {udiff.New, []string{"--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n", "--- d/e.go\n+++ d/e.go\n@@ ... @@\n", "@@ -1 +1 @@\n", "-x\n", "+y\n", " z\n", "\n", "```diff\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n-x\n+```python\n```\n", "```diff\n-x\n+y\n```\n"}},
		"patch": {patch.New, []string{"*** Begin Patch\n", "*** Update File: a.py\n", "*** Add File: n.txt\n", "*** Delete File: b\n", "*** End Patch\n", "@@ def f\n", "@@\n", "-x\n", "+y\n", " z\n", "\n"}},
	} {
		r := rand.New(rand.NewPCG(8, 8))
		f, _ := formats.ByName(format)
		for range 1500 {
			var reply strings.Builder
			for range 1 + r.IntN(12) {
				from := of.lines
				if r.IntN(4) == 0 {
					from = words
				}
				reply.WriteString(from[r.IntN(len(from))])
			}
			o := edits.ParseOptions{Chat: []string{"a.py", "d/e.go"}}
			for _, how := range []edits.Ending{edits.Ended, edits.Cut} {
				_, list, problems := editstest.Parse(of.alone, o, reply.String(), how, editstest.Whole)
				_, got, gotProblems := editstest.Parse(f.New, o, reply.String(), how, editstest.Whole)
				if diff := cmp.Diff(fmt.Sprint(described(list, problems)), described(got, gotProblems)); diff != "" {
					t.Fatalf("%s, %s:\n%s-want +got\n%s", format, how, reply.String(), diff)
				}
			}
		}
	}
}
