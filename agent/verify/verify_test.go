package verify_test

import (
	"slices"
	"strings"
	"testing"

	"coauthor/agent/verify"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// input is what a check gets about changes of an empty folder.
func input(t *testing.T, changes ...edits.Change) verify.Input {
	t.Helper()
	ws, err := workspace.Open(t.TempDir(), workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	return verify.Input{Tree: ws.Snapshot().With(changes), Changes: changes, Settings: verify.Settings{Level: verify.Full}}
}

// findings are what the checks find wrong, without what they only tell the user.
func findings(t *testing.T, changes ...edits.Change) []verify.Finding {
	t.Helper()
	results, err := verify.Run(t.Context(), verify.Checks(), input(t, changes...))
	if err != nil {
		t.Fatal(err)
	}
	var all []verify.Finding
	for _, r := range results {
		if r.Err != nil {
			t.Fatalf("%s: %v", r.Check, r.Err)
		}
		all = append(all, slices.DeleteFunc(r.Findings, func(f verify.Finding) bool { return f.Told })...)
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
		{"fixed", "a.py", bad, good, 0},
		{"no grammar", "notes.txt", "", "def a(:\n", 0},
	} {
		got := findings(t, edits.Change{Path: c.path, Op: edits.OpUpdate, Before: c.before, After: c.after})
		if len(got) == 0 != (c.want == 0) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestDeletedFilesHaveNoSyntax(t *testing.T) {
	got := findings(t, edits.Change{Path: "a.py", Op: edits.OpDelete, Before: "x = 1\n", After: ""})
	if len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// What the grammar gives up on is said, and the files beside it are checked all the same.
func TestTangledTextIsNotCheckedInSilence(t *testing.T) {
	tangled := strings.Repeat("[)", 150_000)
	changes := []edits.Change{
		{Path: "tangled.py", Op: edits.OpUpdate, Before: "x = 1\n", After: tangled},
		{Path: "b.py", Op: edits.OpUpdate, Before: "x = 1\n", After: "x = (\n"},
	}
	results, err := verify.Run(t.Context(), verify.Checks(), input(t, changes...))
	if err != nil || len(results) == 0 || results[0].Check != "syntax" {
		t.Fatalf("%v, %v", results, err)
	}
	if err := results[0].Err; err == nil || !strings.Contains(err.Error(), "could not check the syntax of tangled.py") {
		t.Errorf("error %v", err)
	}
	if found := results[0].Findings; len(found) != 1 || found[0].Path != "b.py" {
		t.Errorf("found %v", found)
	}
}
