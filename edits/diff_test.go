package edits_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
)

// text makes a small text of few distinct lines, so that repeats and odd ends are common.
func text(r *rand.Rand, n int) string {
	pool := []string{"a\n", "b\n", "c\n", "\n", "x\r\n", "\xff\n", "a\rb\n", "ü\n"}
	var out strings.Builder
	for range r.IntN(n + 1) {
		out.WriteString(pool[r.IntN(len(pool))])
	}
	if r.IntN(3) == 0 {
		out.WriteString("end")
	}
	return out.String()
}

// mutate changes some lines of a text.
func mutate(r *rand.Rand, before string) string {
	var out strings.Builder
	for line := range strings.Lines(before) {
		switch r.IntN(6) {
		case 0:
		case 1:
			out.WriteString("new\n" + line)
		default:
			out.WriteString(line)
		}
	}
	return out.String()
}

func TestDiffApplied(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 6000 {
		before := text(r, 12)
		editstest.CheckDiff(t, before, text(r, 12))
		editstest.CheckDiff(t, before, mutate(r, before))
	}
}

func TestDiffTakesAnySubset(t *testing.T) {
	before := "1\n2\n3\n4\n5\n"
	hunks := edits.Diff(before, "one\n2\n3\n4\nfive\n")
	if len(hunks) != 2 {
		t.Fatalf("got %d hunks, want 2", len(hunks))
	}
	for want, subset := range map[string][]edits.Hunk{
		"one\n2\n3\n4\n5\n": hunks[:1], "1\n2\n3\n4\nfive\n": hunks[1:], before: nil,
		"one\n2\n3\n4\nfive\n": {hunks[1], hunks[0]},
	} {
		if got, err := edits.ApplyHunks(before, subset); err != nil || got != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	if _, err := edits.ApplyHunks("other\n"+before, hunks); err == nil {
		t.Error("hunks of another text were applied")
	}
	if _, err := edits.ApplyHunks(before, append(hunks, hunks[0])); err == nil {
		t.Error("the same hunk was applied twice")
	}
}

func TestDiffPlacesAmbiguousRunsFirst(t *testing.T) {
	hunks := edits.Diff("a\nx\nx\nb\n", "a\nx\nx\nx\nb\n")
	if len(hunks) != 1 || hunks[0].OldLine != 1 || hunks[0].New != "x\n" {
		t.Errorf("got %+v, want one insertion before line 1", hunks)
	}
}

// A shuffled file is beyond the bound and becomes one replacing hunk between the common ends.
func TestDiffIsBounded(t *testing.T) {
	lines := make([]string, 10000)
	for i := range lines {
		lines[i] = strings.Repeat("l", i%7) + string(rune('a'+i%26)) + strings.Repeat("9", i%53) + "\n"
	}
	before := "first\n" + strings.Join(lines, "") + "last\n"
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	after := "first\n" + strings.Join(lines, "") + "last\n"
	hunks := edits.Diff(before, after)
	if len(hunks) != 1 || hunks[0].OldLine == 0 {
		t.Errorf("got %d hunks", len(hunks))
	}
	editstest.CheckDiff(t, before, after)
}

func TestMerge(t *testing.T) {
	for _, c := range []struct{ name, base, ours, theirs, want string }{
		{"apart", "1\n2\n3\n4\n", "one\n2\n3\n4\n", "1\n2\n3\nfour\n", "one\n2\n3\nfour\n"},
		{"same change", "1\n2\n", "1\ntwo\n", "1\ntwo\n", "1\ntwo\n"},
		{"only ours", "1\n", "", "1\n", ""},
		{"insertions apart", "1\n2\n3\n", "0\n1\n2\n3\n", "1\n2\n3\n4\n", "0\n1\n2\n3\n4\n"},
		{"ends kept", "1\r\n2\n3", "1\r\ntwo\n3", "one\r\n2\n3", ""},
	} {
		got, conflicts := edits.Merge(c.base, c.ours, c.theirs)
		if got != c.want || (c.want == "" && c.ours != "") != (len(conflicts) > 0) {
			t.Errorf("%s: got %q, %+v", c.name, got, conflicts)
		}
	}
}

func TestMergeConflict(t *testing.T) {
	_, conflicts := edits.Merge("1\n2\n3\n", "1\nours\n3\n", "1\ntheirs\n3\n")
	want := edits.Conflict{BaseLine: 1, BaseCount: 1, Base: "2\n", Ours: "ours\n", Theirs: "theirs\n", OursLine: 1, OursCount: 1}
	if len(conflicts) != 1 || conflicts[0] != want {
		t.Errorf("got %+v, want %+v", conflicts, want)
	}
}

func TestMergeProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 6000 {
		base := text(r, 10)
		checkMerge(t, base, mutate(r, base), mutate(r, base))
	}
}

// Changes of lines that are far enough apart never conflict, and both are in the result.
func TestMergeOfDistantChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		base, want := make([]string, 30), make([]string, 30)
		ours, theirs := make([]string, 30), make([]string, 30)
		for i := range base {
			base[i] = strings.Repeat("x", i) + "\n"
			ours[i], theirs[i], want[i] = base[i], base[i], base[i]
			if i%2 == 1 {
				continue // an unchanged line between any two
			}
			switch r.IntN(4) {
			case 0:
				ours[i] = "ours\n"
				want[i] = ours[i]
			case 1:
				theirs[i] = "theirs\n" + base[i]
				want[i] = theirs[i]
			}
		}
		join := func(l []string) string { return strings.Join(l, "") }
		got, conflicts := edits.Merge(join(base), join(ours), join(theirs))
		if conflicts != nil || got != join(want) {
			t.Fatalf("got %q, %+v, want %q", got, conflicts, join(want))
		}
	}
}

func TestUnified(t *testing.T) {
	for _, c := range []struct {
		name   string
		change edits.Change
		want   string
	}{
		{"update", edits.Change{Path: "a", Op: edits.OpUpdate, Before: "1\n2\n3\n4\n", After: "1\n2\nthree\n4\n"},
			"--- a/a\n+++ b/a\n@@ -2,3 +2,3 @@\n 2\n-3\n+three\n 4\n"},
		{"create", edits.Change{Path: "n", Op: edits.OpCreate, After: "x"},
			"--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n"},
		{"delete", edits.Change{Path: "n", Op: edits.OpDelete, Before: "x\ny\n"},
			"--- a/n\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n"},
		{"rename", edits.Change{Path: "n", To: "m", Op: edits.OpRename, Before: "x\n", After: "x\n"},
			"rename from n\nrename to m\n--- a/n\n+++ b/m\n"},
	} {
		if got := edits.Unified(c.change, 1); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// More different lines than there are characters below the surrogates.
func TestDiffOfManyDifferentLines(t *testing.T) {
	var before strings.Builder
	const n = 0xD800 + 20
	for i := range n {
		fmt.Fprintf(&before, "line %d\n", i)
	}
	after := "new\nline 5\nnewer\nnewest\n"
	editstest.CheckDiff(t, before.String(), after)
	editstest.CheckDiff(t, after, before.String())
	if hunks := edits.Diff(before.String(), after); len(hunks) != 2 || hunks[0].OldCount != 5 || hunks[1].NewCount != 2 {
		t.Errorf("%d hunks", len(hunks))
	}
}

// A hunk that does not fit the text is an error, whatever is wrong with it; two that touch do not overlap.
func TestHunksThatDoNotFit(t *testing.T) {
	const before = "one\ntwo\nthree\n"
	for what, h := range map[string]edits.Hunk{
		"another text":     {OldStart: 4, OldEnd: 8, Old: "zwo\n"},
		"beyond the end":   {OldStart: 8, OldEnd: 15, Old: "three\n"},
		"above the start":  {OldStart: -1, OldEnd: 4, Old: "one\n"},
		"ends too early":   {OldStart: 8, OldEnd: 4, Old: ""},
		"a shorter text":   {OldStart: 4, OldEnd: 8, Old: "two"},
		"at another place": {OldStart: 5, OldEnd: 9, Old: "two\n"},
	} {
		if got, err := edits.ApplyHunks(before, []edits.Hunk{h}); err == nil || got != "" {
			t.Errorf("%s: %q, %v", what, got, err)
		}
	}
	insert, change, last := edits.Hunk{OldStart: 4, OldEnd: 4, New: "new\n"}, edits.Hunk{OldStart: 4, OldEnd: 8, Old: "two\n", New: "2\n"}, edits.Hunk{OldStart: 8, OldEnd: 14, Old: "three\n"}
	for _, list := range [][]edits.Hunk{{insert, change, last}, {last, change, insert}, {change, insert, last}} {
		if got, err := edits.ApplyHunks(before, list); err != nil || got != "one\nnew\n2\n" {
			t.Errorf("%q, %v", got, err)
		}
	}
	if _, err := edits.ApplyHunks(before, []edits.Hunk{change, {OldStart: 7, OldEnd: 8, Old: "\n"}}); err == nil {
		t.Error("hunks that overlap were applied")
	}
}

// Changes that touch are one conflict, with all that either side has there; those apart are none of it.
func TestMergeConflictsThatTouch(t *testing.T) {
	const base = "1\n2\n3\n4\n5\n6\n"
	type conflicts = []edits.Conflict
	for what, c := range map[string]struct {
		ours, theirs string
		want         conflicts
	}{
		"one line, then the next":        {"1\nb\n3\n4\n5\n6\n", "1\n2\nc\n4\n5\n6\n", conflicts{{BaseLine: 1, BaseCount: 2, Base: "2\n3\n", Ours: "b\n3\n", Theirs: "2\nc\n"}}},
		"new lines at one place":         {"1\nb\n2\n3\n4\n5\n6\n", "1\nc\n2\n3\n4\n5\n6\n", conflicts{{BaseLine: 1, BaseCount: 0, Base: "", Ours: "b\n", Theirs: "c\n"}}},
		"new lines above a change":       {"1\nb\n2\n3\n4\n5\n6\n", "1\nc\n3\n4\n5\n6\n", conflicts{{BaseLine: 1, BaseCount: 1, Base: "2\n", Ours: "b\n2\n", Theirs: "c\n"}}},
		"new lines below a change":       {"1\n2\nb\n3\n4\n5\n6\n", "1\nc\n3\n4\n5\n6\n", conflicts{{BaseLine: 1, BaseCount: 1, Base: "2\n", Ours: "2\nb\n", Theirs: "c\n"}}},
		"two of one within one of other": {"1\nb\n3\nd\n5\n6\n", "1\nx\n5\n6\n", conflicts{{BaseLine: 1, BaseCount: 3, Base: "2\n3\n4\n", Ours: "b\n3\nd\n", Theirs: "x\n"}}},
		"a row of them":                  {"1\nb\n3\nd\n5\n6\n", "1\n2\nc\n4\ne\n6\n", conflicts{{BaseLine: 1, BaseCount: 4, Base: "2\n3\n4\n5\n", Ours: "b\n3\nd\n5\n", Theirs: "2\nc\n4\ne\n"}}},
		"two conflicts":                  {"a\n2\n3\n4\n5\nf\n", "A\n2\n3\n4\n5\nF\n", conflicts{{BaseLine: 0, BaseCount: 1, Base: "1\n", Ours: "a\n", Theirs: "A\n"}, {BaseLine: 5, BaseCount: 1, Base: "6\n", Ours: "f\n", Theirs: "F\n"}}},
		"beside changes apart":           {"a\n2\nc\n4\n5\n6\n", "1\n2\nC\n4\n5\nF\n", conflicts{{BaseLine: 2, BaseCount: 1, Base: "3\n", Ours: "c\n", Theirs: "C\n"}}},
		"a deletion and a change":        {"1\n3\n4\n5\n6\n", "1\nb\n3\n4\n5\n6\n", conflicts{{BaseLine: 1, BaseCount: 1, Base: "2\n", Ours: "", Theirs: "b\n"}}},
	} {
		for _, turned := range []bool{false, true} {
			want := slices.Clone(c.want)
			if turned {
				c.ours, c.theirs = c.theirs, c.ours
				for i, x := range want {
					want[i].Ours, want[i].Theirs = x.Theirs, x.Ours
				}
			}
			got, list := edits.Merge(base, c.ours, c.theirs)
			lines := strings.SplitAfter(c.ours, "\n")
			for i, x := range list {
				if at := strings.Join(lines[x.OursLine:x.OursLine+x.OursCount], ""); at != x.Ours {
					t.Errorf("%s: in ours %q stands there, not %q", what, at, x.Ours)
				}
				list[i].OursLine, list[i].OursCount = 0, 0
			}
			if got != "" || !slices.Equal(list, want) {
				t.Errorf("%s: %q, %+v, want %+v", what, got, list, want)
			}
		}
	}
}
