package verify_test

import (
	"context"
	"strings"
	"testing"

	"coauthor/agent/verify"
	"coauthor/edits"
)

func findings(t *testing.T, level verify.Level, changes ...edits.Change) []verify.Finding {
	t.Helper()
	var all []verify.Finding
	for _, c := range verify.Checks(level) {
		list, err := c.Run(context.Background(), changes)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, list...)
	}
	return all
}

func TestSyntaxOfWhatWasChanged(t *testing.T) {
	good := "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
	bad := "def a(:\n    return 1\n\n\ndef b():\n    return 2\n"
	many := "package a\n" + strings.Repeat("\nfunc broken() {\n\tx := := 1\n}\n", 400)
	for _, c := range []struct {
		name, path, before, after string
		want                      int
	}{
		{"nothing wrong", "a.py", good, strings.Replace(good, "2", "3", 1), 0},
		{"broken by the change", "a.py", good, bad, 1},
		{"broken before, elsewhere", "a.py", bad, strings.Replace(bad, "2", "3", 1), 0},
		{"a new file", "a.py", "", bad, 1},
		{"broken before, and the same again in the change", "a.py", bad, strings.Replace(bad, "def b()", "def a(", 1), 1},
		{"broken before, and the lines around it change", "a.py", bad, strings.Replace(bad, "return 1", "return 7", 1), 0},
		{"broken before, and moved down", "a.py", bad, "import x\n\n" + bad, 0},
		{"hundreds of errors before, one more", "a.go", many, many + "\nfunc last( {\n", 1},
		{"hundreds of errors before, good code behind", "a.go", many, many + "\nfunc last() {}\n", 0},
		{"a missing token", "a.c", "int f(void) { return 0; }\n", "int f(void) { return 0 }\n", 1},
		{"mended", "a.py", bad, good, 0},
		{"no grammar", "notes.txt", "", "def a(:\n", 0},
	} {
		got := findings(t, verify.Syntax, edits.Change{Path: c.path, Op: edits.OpUpdate, Before: c.before, After: c.after})
		if len(got) == 0 != (c.want == 0) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestOffChecksNothing(t *testing.T) {
	if got := verify.Checks(verify.Off); got != nil {
		t.Errorf("%v", got)
	}
}

func TestDeletedFilesHaveNoSyntax(t *testing.T) {
	got := findings(t, verify.Full, edits.Change{Path: "a.py", Op: edits.OpDelete, Before: "x = 1\n", After: ""})
	if len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestExcerpt(t *testing.T) {
	got := verify.Excerpt("1\n2\n3\n4\n5\n6\n7\n", 5, 5)
	want := "    2 2\n    3 3\n    4 4\n>   5 5\n    6 6\n    7 7\n"
	if got != want {
		t.Errorf("got\n%s", got)
	}
	if got := verify.Excerpt("", 3, 9); got != "" && !strings.Contains(got, "1") {
		t.Errorf("past the end: %q", got)
	}
}

// What the grammar gives up on is said, and the files beside it are checked all the same.
func TestTangledTextIsNotCheckedInSilence(t *testing.T) {
	tangled := strings.Repeat("[)", 150_000)
	changes := []edits.Change{
		{Path: "tangled.py", Op: edits.OpUpdate, Before: "x = 1\n", After: tangled},
		{Path: "b.py", Op: edits.OpUpdate, Before: "x = 1\n", After: "x = (\n"},
	}
	found, err := verify.Checks(verify.Syntax)[0].Run(t.Context(), changes)
	if err == nil || !strings.Contains(err.Error(), "could not check the syntax of tangled.py") {
		t.Errorf("error %v", err)
	}
	if len(found) != 1 || found[0].Path != "b.py" {
		t.Errorf("found %v", found)
	}
}
