package edits_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/match"
)

const byteOrderMark = "\ufeff"

func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

// checkEnds checks that an edit does to a file with other line ends, or with a byte order mark, what
// it does to the plain one, and leaves them as they are.
func checkEnds(t *testing.T, before string, e edits.Edit) {
	t.Helper()
	if strings.ContainsRune(before, '\r') || strings.HasPrefix(before, byteOrderMark) || !strings.Contains(before, "\n") || written(e) {
		return
	}
	want := outcome(before, e)
	if got := outcome(crlf(before), e); got != crlf(want) {
		t.Fatalf("%q with %+v: with other line ends %q becomes %q, want %q", before, e, crlf(before), got, crlf(want))
	}
	if got := outcome(byteOrderMark+before, e); got != byteOrderMark+want {
		t.Fatalf("%q with %+v: with a byte order mark it becomes %q, want %q", before, e, got, byteOrderMark+want)
	}
}

// written says whether an edit brings line ends or marks of its own.
func written(e edits.Edit) bool {
	const own = "\r" + byteOrderMark
	if strings.ContainsAny(e.Search+e.Replace, own) {
		return true
	}
	for _, c := range e.Chunks {
		for _, l := range c.Lines {
			if strings.ContainsAny(l.Text, own) {
				return true
			}
		}
	}
	return false
}

// outcome is the file after one edit.
func outcome(before string, e edits.Edit) string {
	r := edits.Apply(files{"f": before}, []edits.Edit{e}, nil, edits.Options{Chat: []string{"f"}})
	if len(r.Changes) == 1 {
		return r.Changes[0].After
	}
	return before
}

func FuzzReplace(f *testing.F) {
	f.Add("a\nb\nc\n", "b\n", "x\n")
	f.Add("a\r\nb", "b", "\ufeff")
	f.Add("  a\n\n b\n", "a\nb\n", "...\n")
	f.Add("def f():\n\tif a:\n\t\treturn 1\n", "    if a:\n        return 1\n", "    if a:\n        b()\n        return 2\n")
	f.Add("one\ntwo\nthree\nfour\nfive\n", "one\n...\nfive\n", "ein\n...\nfive\n")
	f.Add("first line here\nsecond lime here\nthird line here\n", "first line here\nsecond line here\nthird line here\n", "x\n")
	f.Add("it's “so”\n", "it's \"so\"\n", "no\n")
	f.Fuzz(func(t *testing.T, before, search, replace string) {
		checkReplace(t, before, search, replace)
		checkEnds(t, before, replaceEdit(search, replace))
	})
}

// hunkEdit reads lines with signs as one hunk.
func hunkEdit(text string, line uint8, scope string, atEnd bool) (edits.Edit, bool) {
	c := edits.Chunk{Line: int(line), AtEnd: atEnd, First: 1}
	if scope != "" {
		c.Scopes = strings.Split(scope, "\n")
	}
	changes := false
	for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		sign, rest, bare := byte(' '), l, l != ""
		if l != "" && strings.ContainsAny(l[:1], " +-") {
			sign, rest, bare = l[0], l[1:], false
		}
		changes = changes || sign != ' '
		c.Lines = append(c.Lines, match.Line{Sign: sign, Text: rest, Bare: bare})
	}
	return edits.Edit{Path: "f", Op: edits.OpUpdate, Kind: edits.KindHunk, Chunks: []edits.Chunk{c}, First: 1, Last: 1}, changes
}

// checkBooks checks that a hunk takes away what it removes, adds what it adds, and nothing else. Blank
// lines do not count, and a comment that only stands in the hunk may be new.
func checkBooks(t *testing.T, before string, e edits.Edit, r edits.Result) {
	t.Helper()
	if len(r.Changes) == 0 || r.Rungs[match.RungSimilar]+r.Rungs[match.RungElision]+r.Rungs[match.RungUnicode] > 0 || strings.ContainsRune(before, '\r') {
		return
	}
	trim := func(text string) string { return strings.Trim(strings.TrimPrefix(text, byteOrderMark), " \t\f\v") }
	books, kept := map[string]int{}, map[string]int{}
	for l := range strings.SplitSeq(r.Changes[0].After, "\n") {
		books[trim(l)]++
	}
	for l := range strings.SplitSeq(before, "\n") {
		books[trim(l)]--
	}
	for _, l := range e.Chunks[0].Lines {
		switch text := trim(l.Text); l.Sign {
		case '+':
			books[text]--
		case '-':
			books[text]++
		default:
			if text != "" && strings.ContainsAny(text[:1], "#/-;%<") {
				kept[text]++
			}
		}
	}
	for text, n := range books {
		if text != "" && (n < 0 || n > kept[text]) {
			t.Fatalf("%q with %+v becomes %q: %q is there %d times too often", before, e, r.Changes[0].After, text, n)
		}
	}
}

func FuzzHunk(f *testing.F) {
	f.Add("a\nb\nc\n", " a\n-b\n+x\n c\n", uint8(1), "", false)
	f.Add("a\nb\na\nb\n", "-b\n+x\n", uint8(4), "", false)
	f.Add("def f():\n    pass\n\ndef g():\n    pass\n", "-    pass\n+    go()\n", uint8(0), "def g():", false)
	f.Add("x\ny\nx\n", "-x\n+z\n", uint8(0), "", true)
	f.Add("a\nb\nc\nd\ne\n", " a\n+1\n-d\n e\n", uint8(0), "", false)
	f.Add("a\nb\n", "a\n# why\n-b\n+c\n", uint8(0), "", false)
	f.Add("one\n", "+two\n", uint8(9), "one\none", false)
	f.Add("-b", "-b\n+", uint8(98), "", false) // a minus of the file, or one that the model forgot?
	f.Fuzz(func(t *testing.T, before, text string, line uint8, scope string, atEnd bool) {
		e, changes := hunkEdit(text, line, scope, atEnd)
		if !changes {
			return // no parser makes such a hunk
		}
		r := editstest.CheckApply(t, files{"f": before}, []edits.Edit{e}, nil)
		if len(r.Changes)+len(r.Failures) > 1 {
			t.Fatalf("one hunk gives %+v", r)
		}
		checkBooks(t, before, e, r)
		checkEnds(t, before, e)
	})
}

func FuzzDiff(f *testing.F) {
	f.Add("a\nb\n", "a\nc\n")
	f.Add("", "x")
	f.Add("\xff\n\xfe", "\xff\n")
	f.Add("a\nx\nx\nb\n", "a\nx\nb\nx\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		editstest.CheckDiff(t, before, after)
		editstest.CheckDiff(t, after, before)
		text := edits.Unified(edits.Change{Path: "f", Op: edits.OpUpdate, Before: before, After: after}, 3)
		if removed, added := signs(text); removed-added != strings.Count(before, "\n")-strings.Count(after, "\n") &&
			strings.HasSuffix(before, "\n") && strings.HasSuffix(after, "\n") {
			t.Fatalf("%q to %q: the unified diff removes %d lines and adds %d:\n%s", before, after, removed, added, text)
		}
	})
}

// signs counts the removed and the added lines of a unified diff.
func signs(text string) (removed, added int) {
	for i, l := range strings.Split(text, "\n") {
		switch {
		case i < 2 || l == "": // the names
		case l[0] == '-':
			removed++
		case l[0] == '+':
			added++
		}
	}
	return removed, added
}

// checkMerge checks that a merge does not depend on the order, that a side which changed nothing
// leaves the other, that conflicts name what both sides made of the same lines, and that without one
// every hunk of both sides is in the result.
func checkMerge(t *testing.T, base, ours, theirs string) {
	t.Helper()
	one, c1 := edits.Merge(base, ours, theirs)
	two, c2 := edits.Merge(base, theirs, ours)
	if one != two || len(c1) != len(c2) {
		t.Fatalf("Merge(%q, %q, %q) depends on the order: %q and %q", base, ours, theirs, one, two)
	}
	for _, c := range []struct{ o, t, want string }{{ours, base, ours}, {base, theirs, theirs}, {ours, ours, ours}} {
		if got, conflicts := edits.Merge(base, c.o, c.t); got != c.want || conflicts != nil {
			t.Fatalf("Merge(%q, %q, %q) = %q, %+v", base, c.o, c.t, got, conflicts)
		}
	}
	lines := strings.SplitAfter(base, "\n")
	last := 0
	for i, c := range c1 {
		if c.BaseLine < last || c.Base != strings.Join(lines[c.BaseLine:c.BaseLine+c.BaseCount], "") || c.Ours == c.Theirs ||
			!strings.Contains(ours, c.Ours) || !strings.Contains(theirs, c.Theirs) || c2[i].Ours != c.Theirs || c2[i].Theirs != c.Ours {
			t.Fatalf("Merge(%q, %q, %q): the conflict %+v is not of these texts", base, ours, theirs, c)
		}
		last = c.BaseLine + c.BaseCount
	}
	if len(c1) > 0 && one != "" {
		t.Fatalf("Merge(%q, %q, %q) has conflicts and a text", base, ours, theirs)
	}
	hunks, apart := together(edits.Diff(base, ours), edits.Diff(base, theirs))
	if !apart {
		return
	}
	want, err := edits.ApplyHunks(base, hunks)
	if err != nil || len(c1) > 0 || one != want {
		t.Fatalf("Merge(%q, %q, %q) = %q, %+v, want %q, %v", base, ours, theirs, one, c1, want, err)
	}
}

// together joins the hunks of two sides, those that both have once, and says whether no two of them
// overlap or touch.
func together(x, y []edits.Hunk) ([]edits.Hunk, bool) {
	all := slices.Concat(x, y)
	slices.SortStableFunc(all, func(a, b edits.Hunk) int {
		return cmp.Or(cmp.Compare(a.OldStart, b.OldStart), cmp.Compare(a.OldEnd, b.OldEnd))
	})
	all = slices.CompactFunc(all, func(a, b edits.Hunk) bool {
		return a.OldStart == b.OldStart && a.OldEnd == b.OldEnd && a.New == b.New
	})
	for i := 1; i < len(all); i++ {
		if all[i].OldLine <= all[i-1].OldLine+all[i-1].OldCount {
			return nil, false
		}
	}
	return all, true
}

func FuzzMerge(f *testing.F) {
	f.Add("1\n2\n", "1\n", "2\n")
	f.Add("1\n2\n3\n4\n", "one\n2\n3\n4\n", "1\n2\n3\nfour")
	f.Add("1\n2\n3\n", "1\nx\n2\n3\n", "1\nx\n2\n3\ny\n")
	f.Fuzz(func(t *testing.T, base, ours, theirs string) { checkMerge(t, base, ours, theirs) })
}

// Changes of every kind, one after the other, are taken back by their inverses, and together are
// nothing. Each byte of the script is one change: what it does, and to which of four names.
func FuzzInverse(f *testing.F) {
	f.Add("a\nb\n", "a\nc\n", []byte{0, 17, 34, 51})
	f.Add("0", "", []byte{0x58, 0xd1, 0x30, 0xd6}) // two files take each other's place
	f.Add("", "x", []byte{64, 1, 130, 7, 99, 200})
	f.Add("\ufeff1\r\n", "1\n", []byte{3, 2, 1, 0, 12, 48})
	names := []string{"a", "b", "c/d", "c/e"}
	f.Fuzz(func(t *testing.T, one, two string, script []byte) {
		start := files{"a": one, "b": two}
		now := start
		var all []edits.Change
		for i, code := range script[:min(len(script), 12)] {
			c, ok := step(now, names[code&3], names[code>>2&3], code>>4, one+strings.Repeat(two, i%3))
			if !ok {
				continue
			}
			now = now.After([]edits.Change{c})
			all = edits.Compose(all, []edits.Change{c})
			editstest.CheckInverse(t, start, all)
		}
		if one == two {
			return
		}
		c := edits.Change{Path: "a", Op: edits.OpUpdate, Before: one, After: two}
		back, err := edits.ApplyHunks(two, edits.Diff(edits.Inverse(c).Before, edits.Inverse(c).After))
		if err != nil || back != one {
			t.Fatalf("the hunks of the inverse make %q of %q, want %q: %v", back, two, one, err)
		}
	})
}

// step is one change of the files as they are.
func step(now files, name, other string, what byte, text string) (edits.Change, bool) {
	have, ok := now[name]
	switch what & 3 {
	case 0:
		return edits.Change{Path: name, Op: edits.OpDelete, Before: have}, ok
	case 1:
		return edits.Change{Path: name, Op: edits.OpRename, To: other, Before: have, After: text}, ok && !now.Exists(other)
	}
	if !ok {
		return edits.Change{Path: name, Op: edits.OpCreate, After: text}, true
	}
	return edits.Change{Path: name, Op: edits.OpUpdate, Before: have, After: text}, have != text
}
