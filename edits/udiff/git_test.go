package udiff_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/udiff"

	"github.com/google/go-cmp/cmp"
)

// apply reads a diff and applies it, as udiff and as gitdiff.
func apply(t *testing.T, tree editstest.Files, diff string, check func(kind string, got editstest.Files, r edits.Result, list []edits.Edit)) {
	t.Helper()
	for kind, parser := range map[string]editstest.NewParser{"udiff": udiff.New, "gitdiff": udiff.NewRenaming} {
		o := edits.ParseOptions{Chat: tree.Paths(), Files: tree}
		_, list, problems := editstest.Parse(parser, o, diff, edits.Ended, editstest.Whole)
		r := edits.Apply(tree, list, problems, edits.Options{Chat: tree.Paths()})
		check(kind, tree.After(r.Changes), r, list)
	}
}

func fence(diff string) string { return "```diff\n" + diff + "```\n" }

// Each line that git writes between the name of a file and its hunks does what git means by it.
func TestWhatGitWritesAboveHunks(t *testing.T) {
	const (
		text  = "one\ntwo\nthree\n"
		hunk  = "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
		edit  = "one\n2\nthree\n"
		names = "--- a/f.txt\n+++ b/f.txt\n"
	)
	with := func(paths ...string) editstest.Files {
		out := editstest.Files{"g.txt": "other\n"}
		for i := 0; i < len(paths); i += 2 {
			out[paths[i]] = paths[i+1]
		}
		return out
	}
	head := func(old, new string, lines ...string) string {
		return "diff --git a/" + old + " b/" + new + "\n" + strings.Join(lines, "\n") + "\n"
	}
	for what, c := range map[string]struct {
		diff string
		want editstest.Files
	}{
		"index":                         {head("f.txt", "f.txt", "index 1f7391f..e2fd5a8 100644") + names + hunk, with("f.txt", edit)},
		"no index":                      {"diff --git a/f.txt b/f.txt\n" + names + hunk, with("f.txt", edit)},
		"no names":                      {head("f.txt", "f.txt", "index 1f7391f..e2fd5a8 100644") + hunk, with("f.txt", edit)},
		"a mode":                        {head("f.txt", "f.txt", "old mode 100644", "new mode 100755"), with("f.txt", text)},
		"a mode and a change":           {head("f.txt", "f.txt", "old mode 100644", "new mode 100755", "index 1f7391f..e2fd5a8") + names + hunk, with("f.txt", edit)},
		"a new file":                    {head("n.txt", "n.txt", "new file mode 100644", "index 0000000..e2fd5a8") + "--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n", with("f.txt", text, "n.txt", "x\ny\n")},
		"a new file, no mode":           {"--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n", with("f.txt", text, "n.txt", "x\ny\n")},
		"a new file, no names":          {head("n.txt", "n.txt", "new file mode 100755") + "@@ -0,0 +1 @@\n+x\n", with("f.txt", text, "n.txt", "x\n")},
		"a new empty file":              {head("n.txt", "n.txt", "new file mode 100644", "index 0000000..e69de29"), with("f.txt", text, "n.txt", "")},
		"a file that goes":              {head("f.txt", "f.txt", "deleted file mode 100644", "index e2fd5a8..0000000") + "--- a/f.txt\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n", with()},
		"a file that goes, no mode":     {"--- a/f.txt\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n", with()},
		"a file that goes, no lines":    {head("f.txt", "f.txt", "deleted file mode 100644", "index e69de29..0000000"), with()},
		"a rename":                      {head("f.txt", "d/n.txt", "similarity index 100%", "rename from f.txt", "rename to d/n.txt"), with("d/n.txt", text)},
		"a rename with a change":        {head("f.txt", "d/n.txt", "similarity index 66%", "rename from f.txt", "rename to d/n.txt", "index 1..2 100644") + "--- a/f.txt\n+++ b/d/n.txt\n" + hunk, with("d/n.txt", edit)},
		"a rename and a mode":           {head("f.txt", "d/n.txt", "old mode 100644", "new mode 100755", "similarity index 66%", "rename from f.txt", "rename to d/n.txt") + "--- a/f.txt\n+++ b/d/n.txt\n" + hunk, with("d/n.txt", edit)},
		"a rename, no names":            {head("f.txt", "d/n.txt", "rename from f.txt", "rename to d/n.txt") + hunk, with("d/n.txt", edit)},
		"a rename with a blank":         {head("f.txt", "n n.txt", "similarity index 100%", "rename from f.txt", "rename to n n.txt"), with("n n.txt", text)},
		"a rewrite":                     {head("f.txt", "f.txt", "dissimilarity index 90%", "index 1..2 100644") + names + "@@ -1,3 +1 @@\n-one\n-two\n-three\n+1\n", with("f.txt", "1\n")},
		"a time stamp":                  {"--- f.txt\t2024-01-01 10:00:00.000000000 +0100\n+++ f.txt\t2024-01-02 10:00:00.000000000 +0100\n" + hunk, with("f.txt", edit)},
		"quoted names":                  {"--- \"a/f.txt\"\n+++ \"b/f.txt\"\n" + hunk, with("f.txt", edit)},
		"names in backquotes":           {"--- `f.txt`\n+++ `f.txt`\n" + hunk, with("f.txt", edit)},
		"a binary file":                 {head("f.txt", "f.txt", "index 1f7391f..e2fd5a8 100644", "Binary files a/f.txt and b/f.txt differ"), with("f.txt", text)},
		"a binary file that goes":       {head("f.txt", "f.txt", "deleted file mode 100644", "index e2fd5a8..0000000", "Binary files a/f.txt and /dev/null differ"), with()},
		"a binary file that moves":      {head("f.txt", "n.bin", "similarity index 100%", "rename from f.txt", "rename to n.bin"), with("n.bin", text)},
		"no newline at the end":         {head("f.txt", "f.txt", "index 1..2 100644") + names + "@@ -1,3 +1,3 @@\n one\n two\n-three\n+3\n\\ No newline at end of file\n", with("f.txt", "one\ntwo\n3")},
		"comments that look like names": {head("f.txt", "f.txt") + names + "@@ -1,3 +1,4 @@\n one\n two\n+++ plus\n three\n", with("f.txt", "one\ntwo\n++ plus\nthree\n")},
	} {
		after := head("g.txt", "g.txt", "index 3..4 100644") + "--- a/g.txt\n+++ b/g.txt\n@@ -1 +1 @@\n-other\n+another\n"
		for where, diff := range map[string]string{"alone": c.diff, "fenced": fence(c.diff), "before another": fence(c.diff + after), "after another": fence(after + c.diff), "below prose": "It is done:\n\n" + c.diff} {
			want := editstest.Files{}
			for path, text := range c.want {
				want[path] = text
			}
			if strings.Contains(where, "another") {
				want["g.txt"] = "another\n"
			}
			apply(t, with("f.txt", text), diff, func(kind string, got editstest.Files, r edits.Result, _ []edits.Edit) {
				if d := cmp.Diff(want, got); d != "" || len(r.Failures) > 0 {
					t.Errorf("%s, %s, as %s: %+v\n-want +got\n%s", what, where, kind, r.Failures, d)
				}
			})
		}
	}
}

// What a diff says of a file without telling its text is refused, and no file suffers by it.
func TestWhatNoTextTells(t *testing.T) {
	const hunk = "@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
	for what, diff := range map[string]string{
		"a copy":                 "diff --git a/f.txt b/n.txt\nsimilarity index 100%\ncopy from f.txt\ncopy to n.txt\n",
		"a copy with a change":   "diff --git a/f.txt b/n.txt\nsimilarity index 66%\ncopy from f.txt\ncopy to n.txt\nindex 1..2 100644\n--- a/f.txt\n+++ b/n.txt\n" + hunk,
		"a copy, no names":       "diff --git a/f.txt b/n.txt\ncopy from f.txt\ncopy to n.txt\n" + hunk,
		"a new binary file":      "diff --git a/n.txt b/n.txt\nnew file mode 100644\nindex 0000000..e2fd5a8\nBinary files /dev/null and b/n.txt differ\n",
		"a new file as a binary": "diff --git a/n.txt b/n.txt\nnew file mode 100644\nindex 0000000..e2fd5a8\nGIT binary patch\nliteral 8\nPcmZQzU|?imU|@g%00961\n\nliteral 0\nHcmV?d00001\n\n",
	} {
		for _, end := range []string{"", "diff --git a/g.txt b/g.txt\n--- a/g.txt\n+++ b/g.txt\n@@ -1 +1 @@\n-other\n+another\n"} {
			want := editstest.Files{"f.txt": "one\ntwo\n", "g.txt": "other\n"}
			if end != "" {
				want["g.txt"] = "another\n"
			}
			for _, reply := range []string{diff + end, fence(diff + end)} {
				apply(t, editstest.Files{"f.txt": "one\ntwo\n", "g.txt": "other\n"}, reply, func(kind string, got editstest.Files, r edits.Result, _ []edits.Edit) {
					if d := cmp.Diff(want, got); d != "" || len(r.Failures) != 1 || r.Failures[0].Path != "n.txt" {
						t.Errorf("%s, as %s: %+v\n-want +got\n%s", what, kind, r.Failures, d)
					}
				})
			}
		}
	}
}

// Two names of one file mean a rename only where git's format was asked for; otherwise the one that is
// there is meant.
func TestTwoNames(t *testing.T) {
	diff := "--- a/f.txt\n+++ b/new.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
	apply(t, editstest.Files{"f.txt": "one\ntwo\n"}, diff, func(kind string, got editstest.Files, r edits.Result, _ []edits.Edit) {
		want := editstest.Files{"f.txt": "one\n2\n"}
		if kind == "gitdiff" {
			want = editstest.Files{"new.txt": "one\n2\n"}
		}
		if d := cmp.Diff(want, got); d != "" || len(r.Failures) > 0 {
			t.Errorf("as %s: %+v\n%s", kind, r.Failures, d)
		}
	})
}

// The lines that git writes are known by their beginnings: one that is a part of a hunk is content.
func TestWhatGitWritesMayBeContent(t *testing.T) {
	for _, line := range []string{"index 1..2", "new file mode 1", "deleted file mode 1", "rename from x", "rename to y", "diff --git a/x b/x", "similarity index 1%", "old mode 1", "Binary files differ"} {
		text := "one\n" + line + "\nthree\n"
		diff := fence("--- f.txt\n+++ f.txt\n@@ -1,3 +1,3 @@\n one\n " + line + "\n-three\n+3\n")
		for _, d := range []string{diff, strings.Replace(diff, " "+line, line, 1)} { // with its blank, and where that was forgotten
			if strings.Contains(d, "\n"+line) && strings.HasPrefix(line, "diff") {
				continue // nobody could tell
			}
			apply(t, editstest.Files{"f.txt": text}, d, func(kind string, got editstest.Files, r edits.Result, _ []edits.Edit) {
				if want := strings.Replace(text, "three", "3", 1); got["f.txt"] != want || len(got) != 1 || len(r.Failures) > 0 {
					t.Errorf("%q as %s: %q, %+v", d, kind, got, r.Failures)
				}
			})
		}
	}
}

// change is one file's part of a diff as git writes it.
func change(r *rand.Rand, c edits.Change) string {
	old, new := c.Path, c.Path
	var out strings.Builder
	if c.Op == edits.OpRename {
		new = c.To
	}
	fmt.Fprintf(&out, "diff --git a/%s b/%s\n", old, new)
	index := func(text string) string {
		return fmt.Sprintf("index %07x..%07x%s\n", r.IntN(1<<28), r.IntN(1<<28), text)
	}
	switch c.Op {
	case edits.OpCreate:
		out.WriteString("new file mode 100644\n" + index(""))
	case edits.OpDelete:
		out.WriteString("deleted file mode 100644\n" + index(""))
	case edits.OpRename:
		if r.IntN(3) == 0 {
			out.WriteString("old mode 100644\nnew mode 100755\n")
		}
		fmt.Fprintf(&out, "similarity index %d%%\nrename from %s\nrename to %s\n", 50+r.IntN(50), old, new)
	case edits.OpUpdate:
		if r.IntN(3) == 0 {
			out.WriteString("old mode 100644\nnew mode 100755\n")
		}
		out.WriteString(index(" 100644"))
	}
	if c.Before != c.After {
		text := edits.Unified(c, 1+r.IntN(3))
		out.WriteString(text[strings.Index(text, "--- "):])
	}
	return out.String()
}

// A diff of many files as git writes it gives the files that it was made of: new ones, ones that go,
// that move, that change, with and without a newline at the end, in one fence, in several, or bare.
func TestDiffsOfManyFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	text := func(name string) string {
		var out strings.Builder
		for i := range 1 + r.IntN(30) {
			fmt.Fprintf(&out, "%s line %d\n", name, i)
		}
		if r.IntN(4) == 0 {
			return strings.TrimSuffix(out.String(), "\n")
		}
		return out.String()
	}
	mutate := func(text string) string {
		var out strings.Builder
		for l := range strings.Lines(text) {
			switch r.IntN(8) {
			case 0:
				continue
			case 1:
				fmt.Fprintf(&out, "new %d\n", r.IntN(1e6))
			case 2:
				fmt.Fprintf(&out, "changed %d\n", r.IntN(1e6))
				continue
			}
			out.WriteString(l)
		}
		return out.String()
	}
	for range 150 {
		tree := editstest.Files{}
		var parts []string
		var changes []edits.Change
		for i := range 1 + r.IntN(6) {
			name := fmt.Sprintf("dir%d/file%d.txt", i%3, i)
			before := text(name)
			c := edits.Change{Path: name, Before: before}
			switch r.IntN(6) {
			case 0:
				c.Op, c.Before, c.After = edits.OpCreate, "", strings.TrimSuffix(text(name), "\n")+"\n"
			case 1:
				c.Op = edits.OpDelete
			case 2:
				c.Op, c.To, c.After = edits.OpRename, "moved/"+name, before
			case 3:
				c.Op, c.To, c.After = edits.OpRename, "moved/"+name, mutate(before)
			default:
				c.Op, c.After = edits.OpUpdate, mutate(before)
			}
			if c.Op != edits.OpCreate {
				tree[name] = before
			}
			changes = append(changes, c)
			parts = append(parts, change(r, c))
		}
		diff := strings.Join(parts, "")
		switch r.IntN(3) {
		case 0:
			diff = fence(diff)
		case 1:
			diff = ""
			for _, part := range parts {
				diff += "Next:\n" + fence(part) + "\n"
			}
		}
		want := tree.After(changes)
		apply(t, tree, diff, func(kind string, got editstest.Files, res edits.Result, _ []edits.Edit) {
			if d := cmp.Diff(want, got); d != "" || len(res.Failures) > 0 {
				t.Fatalf("as %s: %+v\n%s\n-want +got\n%s", kind, res.Failures, diff, d)
			}
		})
	}
}
