package edits_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/match"

	"github.com/google/go-cmp/cmp"
)

type files = editstest.Files

func replaceEdit(search, replace string) edits.Edit {
	return edits.Edit{Path: "f", Op: edits.OpUpdate, Kind: edits.KindReplace, Search: search, Replace: replace, First: 1, Last: 1}
}

// lineAligned counts where whole lines stand in a text, overlapping ones too.
func lineAligned(text, lines string) (n, at int) {
	for i := 0; i+len(lines) <= len(text); i++ {
		if text[i:i+len(lines)] == lines && (i == 0 || text[i-1] == '\n') {
			n++
			at = i
		}
	}
	return n, at
}

// checkReplace compares the ladder's first rung with plain replacement.
func checkReplace(t *testing.T, before, search, replace string) {
	t.Helper()
	plain := func(s string) bool {
		return s == "" || strings.HasSuffix(s, "\n") && !strings.ContainsAny(s, "\r\ufeff")
	}
	r := edits.Apply(files{"f": before}, []edits.Edit{replaceEdit(search, replace)}, nil, edits.Options{Chat: []string{"f"}})
	if len(r.Changes) > 1 || len(r.Changes)+len(r.Failures) > 1 {
		t.Fatalf("one edit of one file gives %+v", r)
	}
	if strings.TrimSpace(search) == "" || !plain(before) || !plain(search) || !plain(replace) {
		return
	}
	n, at := lineAligned(before, search)
	switch {
	case n == 1 && len(r.Failures) == 0:
		want := before[:at] + replace + before[at+len(search):]
		got := before
		if len(r.Changes) == 1 {
			got = r.Changes[0].After
		}
		if got != want {
			t.Fatalf("%q with %q for %q is %q, want %q", before, replace, search, got, want)
		}
	case n > 1 && (len(r.Changes) > 0 || len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonAmbiguous):
		t.Fatalf("%q stands %d times in %q, and the result is %+v", search, n, before, r)
	}
}

func TestReplaceIsPlainReplacement(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	pool := []string{"a\n", "b\n", "  a\n", "\n", "c d e f g h\n", "\tb\n", "a \n"}
	some := func(n int) string {
		var out strings.Builder
		for range r.IntN(n) {
			out.WriteString(pool[r.IntN(len(pool))])
		}
		return out.String()
	}
	for range 6000 {
		checkReplace(t, some(14), some(4), some(4))
	}
}

// hunkEdits writes the changes between two texts as hunks with context, as a diff would.
func hunkEdits(before, after string, context int) []edits.Edit {
	a := strings.Split(strings.TrimSuffix(before, "\n"), "\n")
	var out []edits.Edit
	for _, h := range edits.Diff(before, after) {
		c := edits.Chunk{Line: h.OldLine + 1}
		add := func(sign byte, lines []string) {
			for _, l := range lines {
				c.Lines = append(c.Lines, match.Line{Sign: sign, Text: l})
			}
		}
		lead := max(0, h.OldLine-context)
		c.Line = lead + 1
		add(' ', a[lead:h.OldLine])
		add('-', a[h.OldLine:h.OldLine+h.OldCount])
		if h.New != "" {
			add('+', strings.Split(strings.TrimSuffix(h.New, "\n"), "\n"))
		}
		add(' ', a[h.OldLine+h.OldCount:min(len(a), h.OldLine+h.OldCount+context)])
		out = append(out, edits.Edit{Index: len(out), Path: "f", Op: edits.OpUpdate, Kind: edits.KindHunk, Chunks: []edits.Chunk{c}, First: 1, Last: 1})
	}
	return out
}

// crowded says whether two hunks share lines of context.
func crowded(before, after string, lines int) bool {
	hunks := edits.Diff(before, after)
	for i := 1; i < len(hunks); i++ {
		if hunks[i].OldLine < hunks[i-1].OldLine+hunks[i-1].OldCount+lines {
			return true
		}
	}
	return false
}

// Hunks with right numbers and far enough apart give the text that they were made from, however
// often their lines stand in the file.
func TestHunksOfADiffGiveItsText(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for round := range 1000 {
		var before, after strings.Builder
		for i := range 60 {
			line := fmt.Sprintf("line %d\n", r.IntN(6)+10*(round%2)*i)
			before.WriteString(line)
			if i%12 == 6 && r.IntN(2) == 0 {
				fmt.Fprintf(&after, "changed %d\n", i)
				continue
			}
			after.WriteString(line)
		}
		if crowded(before.String(), after.String(), 6) {
			continue // a diff would make one hunk of them
		}
		list := hunkEdits(before.String(), after.String(), 3)
		res := edits.Apply(files{"f": before.String()}, list, nil, edits.Options{})
		got := before.String()
		for _, c := range res.Changes {
			got = c.After
		}
		if diff := cmp.Diff(after.String(), got); diff != "" || len(res.Failures) > 0 {
			t.Fatalf("%+v\n%s", res.Failures, diff)
		}
	}
}

func TestComposeIsTheNetEffect(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	names := []string{"a", "b", "c"}
	for range 6000 {
		start := files{"a": "1", "b": "2"}
		now := files{"a": "1", "b": "2"}
		var all, steps []edits.Change
		for range r.IntN(7) {
			name, other := names[r.IntN(3)], names[r.IntN(3)]
			text := fmt.Sprint(r.IntN(4))
			have, ok := now[name]
			_, taken := now[other]
			var c edits.Change
			switch k := r.IntN(4); {
			case !ok:
				c = edits.Change{Path: name, Op: edits.OpCreate, After: text}
				now[name] = text
			case k == 0:
				c = edits.Change{Path: name, Op: edits.OpDelete, Before: have}
				delete(now, name)
			case k == 1 && !taken:
				c = edits.Change{Path: name, Op: edits.OpRename, To: other, Before: have, After: text}
				delete(now, name)
				now[other] = text
			default:
				c = edits.Change{Path: name, Op: edits.OpUpdate, Before: have, After: text}
				now[name] = text
			}
			steps = append(steps, c)
			all = edits.Compose(all, []edits.Change{c})
		}
		got := files{}
		for path, text := range start {
			got[path] = text
		}
		// Everything that goes away goes first: a file may move to where another one was.
		for _, c := range all {
			if c.Op != edits.OpCreate {
				if got[c.Path] != c.Before {
					t.Fatalf("%+v becomes %+v, whose %s does not begin with %q", steps, all, c.Path, got[c.Path])
				}
				delete(got, c.Path)
			}
		}
		for _, c := range all {
			switch c.Op {
			case edits.OpCreate, edits.OpUpdate:
				got[c.Path] = c.After
			case edits.OpRename:
				got[c.To] = c.After
			case edits.OpDelete:
			}
		}
		if diff := cmp.Diff(now, got); diff != "" {
			t.Fatalf("%+v becomes %+v:\n%s", steps, all, diff)
		}
	}
}

func TestAFailureTeaches(t *testing.T) {
	tree := files{"f": "import os\n\ndef total(items):\n    return sum(i.price for i in items)\n\ndef other():\n    pass\n"}
	e := replaceEdit("def total(things):\n    return sum(t.cost for t in things)\n\nzebra\n", "x\n")
	r := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{Chat: []string{"f"}})
	if len(r.Failures) != 1 {
		t.Fatalf("got %+v", r)
	}
	f := r.Failures[0]
	if f.Reason != edits.ReasonNoMatch || len(f.Nearest) == 0 || f.Nearest[0].Line != 3 || !strings.Contains(f.Nearest[0].Diff, "+def total(items):") {
		t.Errorf("got %+v", f)
	}
	if !strings.Contains(f.Block, "def total(things):") {
		t.Errorf("the block is not shown: %q", f.Block)
	}
}

// A file that cannot be used is a failure beside the good edits.
func TestRefusedFilesDoNotDisturb(t *testing.T) {
	good := replaceEdit("a\n", "b\n")
	bad := replaceEdit("a\n", "b\n")
	bad.Path, bad.Index = "locked", 1
	tree := files{"f": "a\n", "locked": "a\n"}
	check := func(path string, _ edits.Op) error {
		if path == "locked" {
			return fmt.Errorf("%s: %w", path, edits.ErrReadOnly)
		}
		return nil
	}
	r := edits.Apply(tree, []edits.Edit{good, bad}, nil, edits.Options{Check: check})
	if len(r.Changes) != 1 || r.Changes[0].After != "b\n" || len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonReadOnly {
		t.Errorf("got %+v", r)
	}
}

// Stop ends Apply between two edits.
func TestStopEndsApply(t *testing.T) {
	asked := 0
	var list []edits.Edit
	for i := range 100 {
		list = append(list, edits.Edit{Index: i, Kind: edits.KindWhole, Path: fmt.Sprintf("f%d.txt", i)})
	}
	got := edits.Apply(editstest.Files{}, list, nil, edits.Options{Stop: func() bool { asked++; return asked > 3 }})
	if asked != 4 || len(got.Failures)+len(got.Changes) > 3 {
		t.Errorf("asked %d times, %d failures, %d changes", asked, len(got.Failures), len(got.Changes))
	}
}
