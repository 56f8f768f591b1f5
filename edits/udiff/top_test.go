package udiff_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
)

// A header with "-0,0" says that the file has no lines, or that the new ones go above the first. In a file
// that has some, that is believed only where the other hunks of the file show that the numbers are right.
func TestHunksAboveTheFirstLine(t *testing.T) {
	const text = "one\ntwo\nthree\nfour\nfive\n"
	for what, c := range map[string]struct{ before, hunks, want string }{
		"no lines":              {"", "@@ -0,0 +1,2 @@\n+x\n+y\n", "x\ny\n"},
		"no lines, two hunks":   {"", "@@ -0,0 +1 @@\n+x\n@@ -0,0 +2 @@\n+y\n", "x\ny\n"},
		"alone":                 {text, "@@ -0,0 +1,2 @@\n+x\n+y\n", ""},
		"no count":              {text, "@@ -0 +1 @@\n+x\n", ""},
		"no final newline":      {"one", "@@ -0,0 +1 @@\n+x\n", ""},
		"the file again":        {text, "@@ -0,0 +1,5 @@\n+one\n+2\n+three\n+four\n+five\n", ""},
		"one line of words":     {"Nothing is here yet\n", "@@ -0,0 +1 @@\n+x\n", ""},
		"beside a right one":    {text, "@@ -0,0 +1 @@\n+x\n@@ -2 +3 @@\n-two\n+2\n", "x\none\n2\nthree\nfour\nfive\n"},
		"below a right one":     {text, "@@ -2 +3 @@\n-two\n+2\n@@ -0,0 +1 @@\n+x\n", "x\none\n2\nthree\nfour\nfive\n"},
		"beside two right ones": {text, "@@ -0,0 +1 @@\n+x\n@@ -1,3 +2,3 @@\n one\n-two\n+2\n three\n@@ -5 +6 @@\n-five\n+5\n", "x\none\n2\nthree\nfour\n5\n"},
		"a blank at an end":     {text, "@@ -0,0 +1 @@\n+x\n@@ -2 +3 @@\n-two \n+2\n", "x\none\n2\nthree\nfour\nfive\n"},
		"lines that stay":       {text, "@@ -0,0 +1,2 @@\n+x\n one\n", "x\n" + text},
		"a line that goes":      {text, "@@ -0,0 +1 @@\n-three\n+x\n", "one\ntwo\nx\nfour\nfive\n"},
		"below a scope":         {text, "@@ -0,0 +1 @@ two\n+x\n", "one\ntwo\nx\nthree\nfour\nfive\n"},
	} {
		apply(t, editstest.Files{"f.txt": c.before, "g.txt": "other\n"}, "--- a/f.txt\n+++ b/f.txt\n"+c.hunks+"--- a/g.txt\n+++ b/g.txt\n@@ -1 +1 @@\n-other\n+another\n", func(kind string, got editstest.Files, r edits.Result, _ []edits.Edit) {
			switch refused := len(r.Failures) == 1 && r.Failures[0].Path == "f.txt" && r.Failures[0].Reason == edits.ReasonAmbiguous; {
			case got["g.txt"] != "another\n":
				t.Errorf("%s, as %s: the next file: %q", what, kind, got)
			case c.want == "" && (!refused || got["f.txt"] != c.before):
				t.Errorf("%s, as %s: %q, %+v", what, kind, got["f.txt"], r.Failures)
			case c.want != "" && (len(r.Failures) > 0 || got["f.txt"] != c.want):
				t.Errorf("%s, as %s: %q, want %q, %+v", what, kind, got["f.txt"], c.want, r.Failures)
			}
		})
	}
	// Where one of the other hunks has a wrong number, the new lines go nowhere.
	for what, hunks := range map[string]string{
		"a wrong number":       "@@ -0,0 +1 @@\n+x\n@@ -3 +4 @@\n-two\n+2\n",
		"one right, one wrong": "@@ -0,0 +1 @@\n+x\n@@ -2 +3 @@\n-two\n+2\n@@ -9 +10 @@\n-four\n+4\n",
		"beyond the end":       "@@ -0,0 +1 @@\n+x\n@@ -90 +91 @@\n-two\n+2\n",
		"no number":            "@@ -0,0 +1 @@\n+x\n@@ ... @@\n-two\n+2\n",
		"only new lines":       "@@ -0,0 +1 @@\n+x\n@@ -2,0 +4 @@\n+y\n",
	} {
		apply(t, editstest.Files{"f.txt": text}, "--- a/f.txt\n+++ b/f.txt\n"+hunks, func(kind string, got editstest.Files, r edits.Result, _ []edits.Edit) {
			if len(r.Failures) != 1 || r.Failures[0].Edit != 0 || strings.Contains(got["f.txt"], "x\n") || got["f.txt"] == text {
				t.Errorf("%s, as %s: %q, %+v", what, kind, got["f.txt"], r.Failures)
			}
		})
	}
	// Right numbers of another file say nothing about this one.
	apply(t, editstest.Files{"f.txt": text, "g.txt": text}, "--- a/g.txt\n+++ b/g.txt\n@@ -2 +2 @@\n-two\n+2\n--- a/f.txt\n+++ b/f.txt\n@@ -0,0 +1 @@\n+x\n", func(kind string, got editstest.Files, r edits.Result, _ []edits.Edit) {
		if len(r.Failures) != 1 || got["f.txt"] != text || got["g.txt"] == text {
			t.Errorf("another file, as %s: %q, %+v", kind, got, r.Failures)
		}
	})
}

// A hunk whose header says that no line stood before it, and that takes nothing away, makes a file that is not there, also
// under the one name of it. Every other hunk for such a file is refused: its name may be wrong.
func TestAHunkThatOnlyAddsMakesAFile(t *testing.T) {
	for what, c := range map[string]struct{ diff, want string }{
		"two names":         {"--- a/n.txt\n+++ b/n.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n", "x\ny\n"},
		"one name":          {"--- n.txt\n@@ -0,0 +1 @@\n+x\n", "x\n"},
		"no final newline":  {"--- n.txt\n+++ n.txt\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n", "x"},
		"another file next": {"--- n.txt\n@@ -0,0 +1 @@\n+x\n--- a/f.txt\n+++ b/f.txt\n@@ -1 +1 @@\n-one\n+1\n", "x\n"},
		"a line that stays": {"--- a/n.txt\n+++ b/n.txt\n@@ -0,0 +1,2 @@\n+x\n y\n", ""},
		"a line that goes":  {"--- a/n.txt\n+++ b/n.txt\n@@ -0,0 +1 @@\n+x\n-y\n", ""},
		"a line number":     {"--- a/n.txt\n+++ b/n.txt\n@@ -1 +1,2 @@\n+x\n", ""},
		"no numbers":        {"--- a/n.txt\n+++ b/n.txt\n@@ ... @@\n+x\n", ""},
		"two hunks":         {"--- a/n.txt\n+++ b/n.txt\n@@ -0,0 +1 @@\n+x\n@@ -3,0 +4 @@\n+y\n", ""},
		"a scope":           {"--- a/n.txt\n+++ b/n.txt\n@@ -0,0 +1 @@ one\n+x\n", ""},
	} {
		apply(t, editstest.Files{"f.txt": "one\n"}, c.diff, func(kind string, got editstest.Files, r edits.Result, _ []edits.Edit) {
			text, made := got["n.txt"]
			if made != (c.want != "") || text != c.want || made == (len(r.Failures) > 0) {
				t.Errorf("%s, as %s: %q, %+v", what, kind, got, r.Failures)
			}
		})
	}
}

// A diff without lines around the changes, as git writes it when asked to, gives the file that it was made of.
func TestDiffsWithoutContext(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for range 400 {
		var old, new []string
		for i := range 3 + r.IntN(12) {
			text := fmt.Sprintf("line %d", i)
			old = append(old, text)
			switch r.IntN(5) {
			case 0:
				new = append(new, fmt.Sprintf("above %d", i), text)
			case 1:
				new = append(new, fmt.Sprintf("for %d", i))
			case 2:
			default:
				new = append(new, text)
			}
		}
		c := edits.Change{Path: "f.txt", Op: edits.OpUpdate, Before: strings.Join(old, "\n") + "\n", After: strings.Join(new, "\n") + "\n"}
		if len(new) == 0 || c.Before == c.After {
			continue
		}
		diff := edits.Unified(c, 0)
		alone := strings.Contains(diff, "@@ -0,0 ") && !strings.Contains(diff, "\n-line")
		apply(t, editstest.Files{"f.txt": c.Before}, diff, func(kind string, got editstest.Files, res edits.Result, _ []edits.Edit) {
			if alone != (len(res.Failures) > 0) || !alone && got["f.txt"] != c.After {
				t.Fatalf("as %s: %+v\n%s%q, want %q", kind, res.Failures, diff, got["f.txt"], c.After)
			}
		})
	}
}

// A hunk without a name is for the file of the section before, whatever that section said of it.
func TestHunksWithoutANameAreForTheFileBefore(t *testing.T) {
	const text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n" // of which the new file has less than half
	for what, c := range map[string]struct{ section, file string }{
		"a change":           {"--- a/f.txt\n+++ b/f.txt\n@@ -3 +3 @@\n-three\n+3\n", "f.txt"},
		"a mode":             {"diff --git a/f.txt b/f.txt\nold mode 100644\nnew mode 100755\n", "f.txt"},
		"a line of git":      {"diff --git a/f.txt b/f.txt\n", "f.txt"},
		"a rename":           {"diff --git a/f.txt b/n.txt\nrename from f.txt\nrename to n.txt\n", "n.txt"},
		"a rename, no names": {"```\n\nNext:\n```diff\nrename from f.txt\nrename to n.txt\n", "n.txt"},
		"a new file":         {"--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1,3 @@\n+one\n+two\n+three\n", "n.txt"},
	} {
		for _, head := range []string{"@@ ... @@\n", "@@ -2 +2 @@\n", "@@\n", ""} {
			reply := "First:\n" + fence("--- a/g.txt\n+++ b/g.txt\n@@ -1 +1 @@\n-other\n+another\n"+c.section) + "\nThen more of it:\n\n" + fence(head+"-two\n+2\n")
			apply(t, editstest.Files{"f.txt": text, "g.txt": "other\n"}, reply, func(kind string, got editstest.Files, r edits.Result, _ []edits.Edit) {
				if len(r.Failures) > 0 || !strings.HasPrefix(got[c.file], "one\n2\n") || got["g.txt"] != "another\n" {
					t.Errorf("%s, %q, as %s: %q, %+v", what, head, kind, got, r.Failures)
				}
			})
		}
	}
}
