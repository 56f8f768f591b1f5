package editstest

import (
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/match"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// NewParser makes a parser, as a row of the table of formats does.
type NewParser func(edits.ParseOptions) edits.Parser

// Parse reads a reply in pieces whose lengths next gives, and returns what was given before the
// close and the closed set.
func Parse(parser NewParser, o edits.ParseOptions, reply string, how edits.Ending, next func(rest int) int) (early, list []edits.Edit, problems []edits.Problem) {
	p := parser(o)
	for rest := reply; rest != ""; {
		n := max(1, min(next(len(rest)), len(rest)))
		early = append(early, p.Write(rest[:n])...)
		rest = rest[n:]
	}
	list, problems = p.Close(how)
	return early, list, problems
}

// Whole reads a reply as one piece.
func Whole(rest int) int { return rest }

// CheckStream checks that a reply gives the same set however it is cut, that each edit knows its
// place in the reply, and that Close says so where it withdraws an edit.
func CheckStream(t *testing.T, parser NewParser, o edits.ParseOptions, reply string, how edits.Ending, next func(rest int) int) {
	t.Helper()
	_, want, wantProblems := Parse(parser, o, reply, how, Whole)
	early, got, problems := Parse(parser, o, reply, how, next)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("the edits depend on how %q is cut:\n%s", reply, diff)
	}
	if diff := cmp.Diff(wantProblems, problems, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("the problems depend on how %q is cut:\n%s", reply, diff)
	}
	lines := strings.Count(reply, "\n") + 1
	for i, e := range got {
		if e.Index != i || e.First < 1 || e.Last < e.First || e.Last > lines {
			t.Fatalf("edit %d of %q has index %d and lines %d to %d", i, reply, e.Index, e.First, e.Last)
		}
		if wrong := ill(e); wrong != "" {
			t.Fatalf("edit %d of %q %s: %+v", i, reply, wrong, e)
		}
	}
	for _, p := range problems {
		if p.Reason == "" || p.Message == "" || p.First < 1 || p.Last < p.First || p.Last > lines {
			t.Fatalf("a problem of %q says too little: %+v", reply, p)
		}
	}
	given := map[string]bool{}
	for _, e := range early {
		if text := Describe(e); e.First > 0 && given[text] {
			t.Fatalf("an edit of %q was given twice: %+v", reply, e)
		} else {
			given[text] = true
		}
		if len(problems) == 0 && !slices.ContainsFunc(got, func(g edits.Edit) bool { return holds(g, e) }) {
			t.Fatalf("an edit of %q was withdrawn without a problem: %+v", reply, e)
		}
	}
}

// ill says what an edit lacks that its kind needs.
func ill(e edits.Edit) string {
	switch e.Kind {
	case edits.KindHunk:
		if len(e.Chunks) == 0 {
			return "has no hunk"
		}
		for _, c := range e.Chunks {
			if !slices.ContainsFunc(c.Lines, func(l match.Line) bool { return l.Sign != ' ' }) {
				return "has a hunk that changes nothing"
			}
			for _, l := range c.Lines {
				if !strings.ContainsRune(" +-", rune(l.Sign)) || strings.Contains(l.Text, "\n") {
					return "has a line that is none"
				}
			}
		}
	case edits.KindRename:
		if e.Op != edits.OpRename || e.To == "" {
			return "has no target"
		}
	case edits.KindDelete:
		if e.Op != edits.OpDelete {
			return "deletes by another operation"
		}
	case edits.KindReplace, edits.KindWhole:
		if e.Op != edits.OpUpdate && e.Op != edits.OpCreate {
			return "writes by another operation"
		}
	default:
		return "is of no kind"
	}
	return ""
}

// holds says whether a closed edit is a provisional one again, perhaps as a part of it.
func holds(closed, early edits.Edit) bool {
	if closed.Kind == edits.KindRename && early.Kind == edits.KindHunk {
		for _, c := range early.Chunks {
			if !slices.ContainsFunc(closed.Chunks, func(have edits.Chunk) bool { return cmp.Equal(have, c) }) {
				return false
			}
		}
		return true
	}
	return closed.Kind == early.Kind && closed.Path == early.Path && closed.Search == early.Search &&
		closed.Replace == early.Replace && cmp.Equal(closed.Chunks, early.Chunks)
}

// CheckParser checks all that must hold for any reply: what CheckStream does, for a reply that ended
// and one that was cut, and that what Apply makes of it is a change that begins with the file as it
// is and can be taken back, or a failure that says why.
func CheckParser(t *testing.T, parser NewParser, reply string, step uint8) {
	t.Helper()
	tree := Tree()
	o := edits.ParseOptions{Chat: tree.Paths(), Files: tree}
	next := func(int) int { return int(step) + 1 }
	CheckStream(t, parser, o, reply, edits.Cut, next)
	CheckStream(t, parser, o, reply, edits.Ended, next)
	_, list, problems := Parse(parser, o, reply, edits.Ended, Whole)
	CheckApply(t, tree, list, problems)
}

// Tree is a small tree with the shapes of files that go wrong.
func Tree() Files {
	return Files{
		"a.py":    "def f():\n    return 1\n\n\ndef g():\n    return f()\n",
		"b.txt":   "one\r\ntwo\r\nthree",
		"c":       "\ufeffx\n",
		"d/e.go":  "package e\n\n// same\nvar x = 1\n// same\nvar y = 2\n",
		"d/a.py":  "\n",
		"latin":   "caf\xe9\n\ttab\x0c\nmixed\r\nends\rhere\n",
		"nothing": "",
	}
}

// Paths returns the paths of the files, sorted.
func (f Files) Paths() []string {
	var out []string
	for path := range f {
		out = append(out, path)
	}
	slices.Sort(out)
	return out
}

// CheckApply applies edits twice and checks the result.
func CheckApply(t *testing.T, tree Files, list []edits.Edit, problems []edits.Problem) edits.Result {
	t.Helper()
	o := edits.Options{Chat: tree.Paths()}
	r := edits.Apply(tree, list, problems, o)
	if diff := cmp.Diff(r, edits.Apply(tree, list, problems, o)); diff != "" {
		t.Fatalf("two runs differ:\n%s", diff)
	}
	for _, f := range r.Failures {
		if f.Reason == "" || f.Message == "" {
			t.Fatalf("a failure says nothing: %+v", f)
		}
	}
	for _, c := range r.Changes {
		before, there := tree[c.Path]
		if there != (c.Op != edits.OpCreate) || c.Before != before {
			t.Fatalf("the change %+v does not begin with what is at its path", c)
		}
		if c.Op == edits.OpUpdate && c.Before == c.After {
			t.Fatalf("%s is changed into itself", c.Path)
		}
		CheckDiff(t, c.Before, c.After)
	}
	CheckInverse(t, tree, r.Changes)
	return r
}

// CheckDiff checks that the hunks between two texts describe both, are in order, and give the one
// from the other.
func CheckDiff(t *testing.T, before, after string) {
	t.Helper()
	hunks := edits.Diff(before, after)
	if got, err := edits.ApplyHunks(before, hunks); err != nil || got != after {
		t.Fatalf("Diff(%q, %q): applied gives %q, %v", before, after, got, err)
	}
	for i, h := range hunks {
		if h.Number != i+1 || before[h.OldStart:h.OldEnd] != h.Old || after[h.NewStart:h.NewEnd] != h.New {
			t.Fatalf("Diff(%q, %q): hunk %+v does not describe its texts", before, after, h)
		}
		if strings.Count(before[:h.OldStart], "\n") != h.OldLine || strings.Count(after[:h.NewStart], "\n") != h.NewLine {
			t.Fatalf("Diff(%q, %q): hunk %+v has wrong lines", before, after, h)
		}
		if i > 0 && h.OldLine <= hunks[i-1].OldLine+hunks[i-1].OldCount {
			t.Fatalf("Diff(%q, %q): hunks %d and %d touch or are out of order", before, after, i, i+1)
		}
	}
}

// CheckInverse checks that the inverse of each change, from the last to the first, brings back the
// files, and that both together are no change.
func CheckInverse(t *testing.T, tree Files, changes []edits.Change) {
	t.Helper()
	var back []edits.Change
	for _, c := range slices.Backward(changes) {
		back = append(back, edits.Inverse(c))
		if twice := edits.Inverse(edits.Inverse(c)); twice != c {
			t.Fatalf("the inverse of the inverse of %+v is %+v", c, twice)
		}
	}
	if diff := cmp.Diff(tree, tree.After(changes).After(back)); diff != "" {
		t.Fatalf("%+v taken back leaves\n%s", changes, diff)
	}
	if left := edits.Compose(changes, back); len(left) > 0 {
		t.Fatalf("%+v and its inverse are together %+v", changes, left)
	}
}
