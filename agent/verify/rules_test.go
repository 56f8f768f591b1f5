package verify_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/verify"
	"coauthor/edits"
)

// TestLevels: which checks run at which level, and that a level nobody knows runs none.
func TestLevels(t *testing.T) {
	checks := verify.Checks()
	for _, level := range verify.Levels() {
		checks = append(checks, verify.Check{Name: "from " + string(level), From: level, Run: nothing})
	}
	for level, want := range map[verify.Level]string{
		verify.Off:    "",
		verify.Syntax: "syntax definitions, imports, callers, duplicates, from off, from syntax",
		verify.Lint:   "syntax definitions, imports, callers, duplicates, from off, from syntax, from lint",
		verify.Full:   "syntax definitions, imports, callers, duplicates, from off, from syntax, from lint, from full",
		"":            "", "more": "",
	} {
		in := input(t)
		in.Settings.Level = level
		results, err := verify.Run(t.Context(), checks, in)
		var names []string
		for _, r := range results {
			names = append(names, r.Check)
		}
		got := strings.Replace(strings.Join(names, ", "), "syntax, definitions", "syntax definitions", 1)
		if got != want || err != nil {
			t.Errorf("%q: %q, %v, want %q", level, got, err, want)
		}
	}
}

func nothing(context.Context, verify.Input) ([]verify.Finding, error) { return nil, nil }

// TestWhatACheckGets: the files with the changes, the changes, the settings, and a consent; what it finds and
// what it could not look at are told apart, and the other checks run all the same.
func TestWhatACheckGets(t *testing.T) {
	in := input(t, edits.Change{Path: "a.go", Op: edits.OpCreate, After: "package a\n"}, edits.Change{Path: "b.go", Op: edits.OpDelete, Before: "package b\n"})
	in.Consent = func(_ context.Context, w verify.Wanted) (bool, error) { return w.Text() == "go vet ./...", nil }
	broken := errors.New("no go here")
	look := verify.Check{Name: "vet", From: verify.Lint, Run: func(ctx context.Context, in verify.Input) ([]verify.Finding, error) {
		text, err := in.Tree.Read("a.go")
		if err != nil || text != "package a\n" || in.Tree.Exists("b.go") || !filepath.IsAbs(in.Tree.Root()) {
			t.Errorf("the tree has %q, %v", text, err)
		}
		if _, err := os.Stat(filepath.Join(in.Tree.Root(), "a.go")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the change is on disk: %v", err)
		}
		if len(in.Changes) != 2 || in.Settings.Level != verify.Full {
			t.Errorf("%+v", in)
		}
		for text, want := range map[string]bool{"go vet ./...": true, "go test ./...": false, "": false} {
			if yes, err := in.May(ctx, verify.Wanted{Command: strings.Fields(text)}); yes != want || err != nil {
				t.Errorf("%s: %v, %v", text, yes, err)
			}
		}
		return []verify.Finding{{Check: "vet", Path: "a.go", First: 1, Last: 1, Text: "odd"}, {Check: "vet", Path: "b.go", First: 1, Last: 1, Text: "gone"}, {Check: "vet", Text: "everywhere"}}, broken
	}}
	results, err := verify.Run(t.Context(), []verify.Check{look, {Name: "second", From: verify.Full, Run: nothing}}, in)
	if err != nil || len(results) != 2 || results[1].Check != "second" {
		t.Fatalf("%v, %v", results, err)
	}
	r := results[0]
	if r.Check != "vet" || !errors.Is(r.Err, broken) || len(r.Findings) != 3 {
		t.Fatalf("%+v", r)
	}
	for i, want := range []string{">   1 package a\n", "", ""} {
		if r.Findings[i].Excerpt != want {
			t.Errorf("%+v: want the lines %q", r.Findings[i], want)
		}
	}
}

// TestNothingRunsWithoutConsent: without a port there is no consent, and an answer is for the exact text.
func TestNothingRunsWithoutConsent(t *testing.T) {
	var in verify.Input
	if yes, err := in.May(t.Context(), verify.Wanted{Command: verify.Command{"true"}}); yes || err != nil {
		t.Errorf("%v, %v", yes, err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if yes, err := in.May(stopped, verify.Wanted{Command: verify.Command{"true"}}); yes || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", yes, err)
	}
	seen := map[string]int{}
	for i, c := range []verify.Command{
		{"go", "test", "./..."}, {"go", "test ./..."}, {"go test ./..."}, {"go", "test", "./...", ""}, {"go", "test", "./... "},
		{"go", "test", "\"./...\""}, {"go", "test", "./...\n"}, {"go", "test", "./...\u202e"}, {"go", "test", "-run=A", "./..."}, {"\"go", "test\""}, {"\"go test\""},
	} {
		text := c.String()
		if k, twice := seen[text]; twice {
			t.Errorf("commands %d and %d both read %s", k, i, text)
		}
		seen[text] = i
		if strings.ContainsAny(text, "\n\u202e") {
			t.Errorf("%q hides something", text)
		}
	}
	if _, plain := seen["go test ./..."]; !plain {
		t.Errorf("%v", seen)
	}
}

// TestFindingsNameTheirPlace: a finding is about the file as it is called afterwards, with the lines of the
// new text, and those of several changes stand in their order.
func TestFindingsNameTheirPlace(t *testing.T) {
	got := findings(t,
		edits.Change{Path: "gone.py", Op: edits.OpDelete, Before: "x = 1\n"},
		edits.Change{Path: "same.py", Op: edits.OpUpdate, Before: "x = (\n", After: "x = (\n"},
		edits.Change{Path: "old.txt", Op: edits.OpRename, To: "new.py", Before: "", After: "x = 1\ny = 2\n\ndef f(:\n    pass\n"},
		edits.Change{Path: "was.py", Op: edits.OpRename, To: "is.txt", Before: "x = 1\n", After: "def f(:\n"},
		edits.Change{Path: "a.go", Op: edits.OpCreate, After: "package a\n\nfunc f() {\n\tx := := 1\n}\n"},
	)
	var places []string
	for _, f := range got {
		if f.Check != "syntax" || f.Last < f.First || f.Told || !strings.HasPrefix(f.Text, fmt.Sprintf("line %d: ", f.First)) || len(f.Text) < len("line 1: x") {
			t.Errorf("%+v", f)
		}
		if f.String() != f.Path+", "+f.Text {
			t.Errorf("%q", f.String())
		}
		places = append(places, fmt.Sprintf("%s:%d", f.Path, f.First))
	}
	if got := strings.Join(places, " "); got != "new.py:4 a.go:4" {
		t.Errorf("found at %s", got)
	}
}

// TestErrorsThatWereThere: an error of the old text is the same one when its line only moved or was indented
// again, inside of what changed and outside; a second one like it is not.
func TestErrorsThatWereThere(t *testing.T) {
	head := strings.Repeat("x = 1\n", 8)
	indented := head + "class A:\n  def a(:\n    pass\n"
	more := head + "class A:\n    def a(:\n        pass\n"
	many := "package a\n" + strings.Repeat("\nfunc broken() {\n\tx := := 1\n}\n", 400)
	for what, c := range map[string]struct {
		path, before, after string
		want                int
	}{
		"indented again":                   {"a.py", indented, more, 0},
		"indented again, and one more":     {"a.py", indented, more + "\n\nclass B:\n    def b(:\n        pass\n", 1},
		"twice what was there once":        {"a.py", indented, indented + "\n\n" + indented[len(head):], 1},
		"once what was there twice":        {"a.py", indented + "\n\n" + indented[len(head):], indented, 0},
		"far below where much was added":   {"a.go", many, strings.Repeat("// more\n", 60) + many + "\nfunc last( {\n", 1},
		"far below where much was removed": {"a.go", strings.Repeat("// more\n", 60) + many, many + "\nfunc last( {\n", 1},
		"only removed lines":               {"a.go", "package a\n\nfunc f() {\n\tg()\n}\n", "package a\n\nfunc f() {\n\tg()\n", 1},
	} {
		got := findings(t, edits.Change{Path: c.path, Op: edits.OpUpdate, Before: c.before, After: c.after})
		if len(got) != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
}

// TestStoppedChecksSaySo: the end of the context is the error, whatever was found so far.
func TestStoppedChecksSaySo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in := input(t, edits.Change{Path: "a.py", Op: edits.OpUpdate, Before: "def a():\n    return 1\n", After: "x = (\n"})
	for _, c := range verify.Checks() {
		if found, err := c.Run(ctx, in); !errors.Is(err, context.Canceled) || len(found) > 0 {
			t.Errorf("%s: %v, %v", c.Name, found, err)
		}
	}
	if results, err := verify.Run(ctx, verify.Checks(), in); !errors.Is(err, context.Canceled) || len(results) > 0 {
		t.Errorf("%v, %v", results, err)
	}
}

func TestExcerptOfAllPlaces(t *testing.T) {
	text := ""
	for n := 1; n <= 40; n++ {
		text += fmt.Sprintf("l%d\r\n", n)
	}
	for _, c := range []struct{ first, last, from, to, marked int }{
		{1, 1, 1, 4, 1}, {2, 1, 1, 5, 1}, {5, 7, 2, 10, 3}, {40, 40, 37, 40, 1}, {39, 60, 36, 40, 2}, {10, 40, 7, 25, 13}, {5, 5, 2, 8, 1},
	} {
		in := input(t, edits.Change{Path: "a.txt", Op: edits.OpCreate, After: text})
		results, err := verify.Run(t.Context(), []verify.Check{{From: verify.Syntax, Run: func(context.Context, verify.Input) ([]verify.Finding, error) {
			return []verify.Finding{{Path: "a.txt", First: c.first, Last: c.last}}, nil
		}}}, in)
		if err != nil {
			t.Fatal(err)
		}
		got := results[0].Findings[0].Excerpt
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		if len(lines) != c.to-c.from+1 || strings.Count(got, ">") != c.marked || strings.Contains(got, "\r") ||
			!strings.HasSuffix(lines[0], fmt.Sprintf(" %d l%d", c.from, c.from)) || !strings.HasSuffix(lines[len(lines)-1], fmt.Sprintf(" %d l%d", c.to, c.to)) {
			t.Errorf("%d-%d:\n%s", c.first, c.last, got)
		}
		for i, line := range lines {
			n := c.from + i
			if marked := strings.HasPrefix(line, ">"); marked != (n >= c.first && n < c.first+c.marked) {
				t.Errorf("%d-%d: line %d is marked %v", c.first, c.last, n, marked)
			}
		}
	}
}

func update2(before, after string) edits.Change {
	return edits.Change{Path: "qq.py", Op: edits.OpUpdate, Before: before, After: after}
}

// TestLostOverFiles: what moves to another file, and how often, and what a renamed or deleted file had.
func TestLostOverFiles(t *testing.T) {
	a, b := "def one():\n    return 1\n", "def two():\n    return 2\n"
	for what, c := range map[string]struct {
		changes []edits.Change
		want    string
	}{
		"lost in a renamed file":        {[]edits.Change{{Path: "qq.py", Op: edits.OpRename, To: "rr.py", Before: a + "\n\n" + b, After: a}}, "qq.py no longer has two"},
		"lost with a file":              {[]edits.Change{{Path: "qq.py", Op: edits.OpDelete, Before: a}}, "qq.py no longer has one"},
		"a file that is no program now": {[]edits.Change{{Path: "qq.py", Op: edits.OpRename, To: "rr.txt", Before: a, After: a}}, ""},
		"moved":                         {[]edits.Change{{Path: "qq.py", Op: edits.OpDelete, Before: a}, {Path: "rr.py", Op: edits.OpCreate, After: a}}, ""},
		"moved to before":               {[]edits.Change{{Path: "rr.py", Op: edits.OpCreate, After: a}, {Path: "qq.py", Op: edits.OpDelete, Before: a}}, ""},
		"two of a name, one moved": {[]edits.Change{{Path: "qq.py", Op: edits.OpDelete, Before: a}, {Path: "ss.py", Op: edits.OpDelete, Before: a},
			{Path: "rr.py", Op: edits.OpCreate, After: a}}, "ss.py no longer has one"},
		"was there before":   {[]edits.Change{{Path: "qq.py", Op: edits.OpDelete, Before: a}, {Path: "rr.py", Op: edits.OpUpdate, Before: a, After: a + "\n\n" + b}}, "qq.py no longer has one"},
		"one of two":         {[]edits.Change{update2(a+"\n\n"+a, a)}, "qq.py no longer has one"},
		"without a line end": {[]edits.Change{update2(a+"\n\ndef two(): return 2", a)}, "qq.py no longer has two"},
	} {
		if got := strings.Join(lost(t, c.changes...), "\n"); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// TestAFindingSaysWhatAndWhere: what is missing, and in which definition.
func TestAFindingSaysWhatAndWhere(t *testing.T) {
	for _, c := range []struct{ path, before, after, where string }{
		{"a.c", "int first(void) { return 0; }\n", "int first(void) { return 0 }\n", ";"},
		{"a.go", "package a\n\nfunc outer() {\n\tx()\n}\n", "package a\n\nfunc outer() {\n\tx := := 1\n}\n", "outer"},
	} {
		got := findings(t, edits.Change{Path: c.path, Op: edits.OpUpdate, Before: c.before, After: c.after})
		if len(got) == 0 || !strings.Contains(got[0].Text, c.where) {
			t.Errorf("%s: %v, want one with %q", c.path, got, c.where)
		}
	}
}
