package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// threeSteps is a model that makes x two, then three, then answers.
const threeSteps = "-- 1.md --\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n" +
	"-- 2.md --\na.py\n```\n<<<<<<< SEARCH\nx = 2\n=======\nx = 3\n>>>>>>> REPLACE\n```\n-- 3.md --\nFine.\n-- 4.md --\nFine.\n"

// sent is all that the last request to the model held.
func (h *shell) sent() string {
	all := h.server.Requests()
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	for _, m := range all[len(all)-1].Messages {
		b.WriteString(m.Content + "\n")
	}
	return b.String()
}

// The command line goes on with the last conversation of the folder, and with its files; it lists it, goes back in it and
// ends it.
func TestContinueOnTheCommandLine(t *testing.T) {
	h := newShell(t, threeSteps)
	h.home = t.TempDir()
	want := func(code int, args []string, out, errs string) {
		t.Helper()
		if got := h.run(args...); got != code || !strings.Contains(h.out.String(), out) || !strings.Contains(h.err.String(), errs) {
			t.Fatalf("%v: exit %d\n%s\n%s", args, got, h.out.String(), h.err.String())
		}
	}
	want(1, []string{"edit", "-m", "Make x two.", "--continue", "--yes"}, "", "no conversation")
	want(1, []string{"rewind", "--yes"}, "", "no conversation")
	if len(h.server.Requests()) != 0 {
		t.Fatal("a model was asked")
	}
	want(0, []string{"edit", "-m", "Make x two.", "--yes", filepath.Join(h.root, "a.py")}, "+x = 2", "")
	want(0, []string{"edit", "-m", "Now three.", "--continue", "--yes"}, "+x = 3", "Continuing the conversation")
	if got := h.sent(); !strings.Contains(got, "Make x two.") || !strings.Contains(got, "x = 2") {
		t.Errorf("sent\n%s", got)
	}
	want(0, []string{"history"}, "   2  ", filepath.Join(h.home, "state", "coauthor", "history"))
	want(0, []string{"history", "--json"}, `"said":"Now three."`, "")
	want(1, []string{"rewind", "1"}, "", "--yes")
	want(1, []string{"rewind", "7", "--yes"}, "", "no request 7")
	if got := h.read("a.py"); got != "x = 3\r\nz = 1" {
		t.Errorf("a.py is %q", got)
	}
	want(0, []string{"rewind", "2", "--yes"}, "", "Restored the state before request 2 (Now three.)")
	if got := h.read("a.py"); got != "x = 2\r\nz = 1" {
		t.Errorf("a.py is %q", got)
	}
	want(0, []string{"ask", "-m", "And now?", "--continue"}, "Fine.", "")
	if got := h.sent(); !strings.Contains(got, "Make x two.") || strings.Contains(got, "Now three.") {
		t.Errorf("sent\n%s", got)
	}
	h.put("a.py", "x = mine\r\nz = 1")
	h.run("rewind", "1", "--yes", "--json")
	var line struct{ Status, Reason string }
	if err := json.Unmarshal(h.out.Bytes(), &line); err != nil || line.Status != "conflict" || !strings.Contains(line.Reason, "a.py") || h.read("a.py") != "x = mine\r\nz = 1" {
		t.Errorf("%+v, %v: %s%s", line, err, h.out.String(), h.err.String())
	}
	want(0, []string{"clear"}, "", "new conversation")
	want(1, []string{"ask", "-m", "And now?", "--continue"}, "", "no conversation")
	if list, err := os.ReadDir(h.root); err != nil || len(list) != 1 {
		t.Errorf("the folder holds %v, %v", list, err)
	}
}

// A conversation that cannot be kept does not end the turn, and the user is told.
func TestAConversationThatCannotBeKept(t *testing.T) {
	h := newShell(t, threeSteps)
	h.home = t.TempDir()
	if err := os.MkdirAll(filepath.Join(h.home, "state", "coauthor"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(h.home, "state", "coauthor", "history"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code := h.edit("--yes"); code != 0 || h.read("a.py") != "x = 2\r\nz = 1" || !strings.Contains(h.err.String(), "--continue cannot resume") {
		t.Errorf("exit %d: %s", code, h.err.String())
	}
}

// What a program has applied that still runs, or one on another machine, only that one can undo: nothing is taken back
// here, and the message says where it is.
func TestNoRewindOfWhatAnotherProgramApplied(t *testing.T) {
	h := newShell(t, threeSteps)
	h.home = t.TempDir()
	if h.run("edit", "-m", "Make x two.", "--yes", filepath.Join(h.root, "a.py")) != 0 {
		t.Fatal(h.err.String())
	}
	files, err := filepath.Glob(filepath.Join(h.home, "state", "coauthor", "journal", "*", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the journal is %v, %v", files, err)
	}
	back := map[string]string{}
	for _, file := range files {
		_, rest, _ := strings.Cut(filepath.Base(file), "-")
		far := filepath.Join(filepath.Dir(file), "11223344-"+rest)
		if err := os.Rename(file, far); err != nil {
			t.Fatal(err)
		}
		back[far] = file
	}
	if code := h.run("rewind", "--yes"); code != 1 || !strings.Contains(h.err.String(), "another running program") || !strings.Contains(h.err.String(), "The conversation is unchanged") {
		t.Errorf("exit %d: %s", code, h.err.String())
	}
	var line struct{ Status, Reason string }
	if code := h.run("rewind", "--yes", "--json"); code != 1 || json.Unmarshal(h.out.Bytes(), &line) != nil || line.Status != "conflict" || !strings.Contains(line.Reason, "rewind there") {
		t.Errorf("exit %d: %s", code, h.out.String())
	}
	if got := h.read("a.py"); got != "x = 2\r\nz = 1" {
		t.Errorf("a.py is %q", got)
	}
	for far, file := range back {
		if err := os.Rename(far, file); err != nil {
			t.Fatal(err)
		}
	}
	if code := h.run("rewind", "--yes"); code != 0 || h.read("a.py") != "x = 1\r\nz = 1" {
		t.Errorf("exit %d, a.py is %q: %s", code, h.read("a.py"), h.err.String())
	}
}
