package auto_test

import (
	"fmt"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/formats"

	"github.com/google/go-cmp/cmp"
)

// What marks edits inside a literal of a listing is content, in whatever form was asked for.
func TestMarkupInLiteralsIsContent(t *testing.T) {
	marks := map[string]string{
		"a block":          "<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n",
		"a named block":    "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n",
		"two blocks":       "<<<<<<< SEARCH\n=======\nx = 2\n>>>>>>> REPLACE\n\n<<<<<<< SEARCH\nx = 1\n=======\n>>>>>>> REPLACE\n",
		"an open block":    "<<<<<<< SEARCH\nx = 1\n",
		"a diff":           "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n",
		"git's diff":       "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n",
		"a patch":          "*** Begin Patch\n*** Update File: a.py\n@@\n-x = 1\n+x = 2\n*** End Patch\n",
		"a patch of parts": "*** Update File: a.py\n@@\n-x = 1\n+x = 2\n",
	}
	for mark, text := range marks {
		for _, quote := range []string{`"""`, "'''", "`"} {
			for _, above := range []string{"", "one\ntwo\nthree\nfour\n"} {
				for _, head := range []string{"want = ", "import x\n\n\ndef test():\n    want = ", "done = " + quote + "a" + quote + "\nwant = "} {
					listing := head + quote + "\n" + above + text + quote + "\nx = 3\n"
					for _, format := range []string{formats.Auto, "whole", "diff", "udiff", "gitdiff", "patch"} {
						f, _ := formats.ByName(format)
						o := edits.ParseOptions{Chat: []string{"a.py"}, Files: editstest.Files{"a.py": "x = 1\n"}}
						list, problems := edits.Parse(f, "The test:\n\nn_test.py\n```python\n"+listing+"```\n\nIt is new.\n", edits.Ended, o)
						if len(problems) > 0 || len(list) != 1 || list[0].Path != "n_test.py" || list[0].Kind != edits.KindWhole || cmp.Diff(listing, list[0].Replace) != "" {
							t.Fatalf("%s in %s below %q in %s: %+v %+v", mark, quote, head+above, format, list, problems)
						}
						// Where the reply was cut, nothing of it is an edit of another file.
						list, _ = edits.Parse(f, "The test:\n\nn_test.py\n```python\n"+head+quote+"\n"+above+text, edits.Cut, o)
						for _, e := range list {
							if e.Path == "a.py" || e.Kind != edits.KindWhole {
								t.Fatalf("%s in %s, cut, in %s: %+v", mark, quote, format, list)
							}
						}
					}
				}
			}
		}
	}
}

// A quotation mark that nothing closes opens no literal: what comes below it in the fence is an edit.
func TestQuotesThatOpenNoLiteral(t *testing.T) {
	const block = "<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n"
	for _, above := range []string{"", "a.py\n", "# it's a `name\n", "a.py\n# don't ''' stop\n", "`a.py`\n", "# \"\"\"\n", "s = \"\"\"a\"\"\"\n"} {
		for _, format := range []string{formats.Auto, "diff"} {
			for _, end := range []string{"```\n", ""} {
				f, _ := formats.ByName(format)
				list, _ := edits.Parse(f, "a.py\n```python\n"+above+block+end, edits.Ended, edits.ParseOptions{Chat: []string{"a.py"}, Files: editstest.Files{"a.py": "x = 1\n"}})
				if len(list) != 1 || list[0].Kind != edits.KindReplace || list[0].Search != "x = 1\n" || list[0].Replace != "x = 2\n" {
					t.Errorf("%q in %s, then %q: %+v", above, format, end, list)
				}
			}
		}
	}
	// A literal that ends above the block is none any more, and one that begins below it not yet.
	for _, text := range []string{"s = '''\none\n'''\n" + block, block + "s = '''\none\n'''\n"} {
		f, _ := formats.ByName("diff")
		list, _ := edits.Parse(f, "a.py\n```python\n"+text+"```\n", edits.Ended, edits.ParseOptions{Chat: []string{"a.py"}, Files: editstest.Files{"a.py": "x = 1\n"}})
		if len(list) != 1 || list[0].Kind != edits.KindReplace {
			t.Errorf("%q: %+v", text, list)
		}
	}
}

// However a reply with markup in literals is cut into pieces, it is read alike.
func TestLiteralsInPieces(t *testing.T) {
	for _, format := range []string{formats.Auto, "whole", "diff"} {
		f, _ := formats.ByName(format)
		for _, end := range []string{"`\n```\n", "```\n", ""} {
			reply := "n.go\n```go\nvar s = `\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n" + end
			for _, how := range []edits.Ending{edits.Ended, edits.Cut} {
				for _, n := range []int{0, 4, 8} {
					t.Run(fmt.Sprint(format, end, how, n), func(t *testing.T) {
						editstest.CheckStream(t, f.New, edits.ParseOptions{Chat: []string{"a.py"}}, reply, how, func(int) int { return n + 1 })
					})
				}
			}
		}
	}
}

// A listing below its name counts where it has half of the lines of the file, whatever stands beside it.
func TestListingsBesideWhatIsNoEdit(t *testing.T) {
	tree := editstest.Files{"a.py": "x = 1\n", "b.py": "y = 1\nz = 1\n"}
	bad := "```diff\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n```\n"
	again, other := "y = 1\nz = 2\nv = 3\n", "p = 4\nq = 5\n"
	for what, c := range map[string]struct {
		beside string
		listed string
		counts bool
	}{
		"alone":                        {"", other, false},
		"beside words":                 {"It is so:\n\n", other, false},
		"in a block without end":       {"a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n\n", other, false},
		"beside a hunk without lines":  {bad, other, false},
		"beside an edit":               {"a.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n", other, false},
		"half of it, beside an edit":   {"a.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n", again, true},
		"most of it":                   {bad, "y = 1\nz = 1\nv = 3\n", true},
		"half of it, alone":            {"", again, true},
		"half of it":                   {bad, again, true},
		"twice, and not the same":      {"b.py\n```python\nr = 6\ns = 7\n```\n", other, false},
		"twice, the second half of it": {"b.py\n```python\nr = 6\ns = 7\n```\n", again, true},
	} {
		for _, format := range []string{"diff", "udiff", "patch"} {
			f, _ := formats.ByName(format)
			list, _ := edits.Parse(f, c.beside+"b.py\n```python\n"+c.listed+"```\n", edits.Ended, edits.ParseOptions{Chat: tree.Paths(), Files: tree})
			counts := false
			for _, e := range list {
				counts = counts || e.Kind == edits.KindWhole && e.Path == "b.py"
			}
			if counts != c.counts {
				t.Errorf("%s in %s: %+v", what, format, list)
			}
		}
	}
}
