package main

import (
	"path/filepath"
	"strings"
	"testing"
)

const commentReply = "a.py\n```python\n<<<<<<< SEARCH\n# Set it to two. AI!\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"

// Comments are listed, done and answered, and nothing is written before the user says so.
func TestCommentsOnTheCommandLine(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+commentReply+"-- 2.md --\n"+commentReply+"-- 3.md --\nBecause of the plum.\n")
	h.home = t.TempDir()
	want := func(code int, out, errs string, args ...string) {
		t.Helper()
		if got := h.run(append([]string{"comments"}, args...)...); got != code || !strings.Contains(h.out.String(), out) || !strings.Contains(h.err.String(), errs) {
			t.Fatalf("%v: exit %d\n%s\n%s", args, got, h.out.String(), h.err.String())
		}
	}
	want(1, "", "no AI! or AI? comment found")
	want(0, "", "No comment is marked", "--list")
	want(0, "{\"comments\":[]}", "", "--list", "--json")
	h.put("a.py", "# Set it to two. AI!\nx = 1\n")
	h.put("b.py", "y = 1  # Why one? AI?\n")
	want(0, "a.py:1: AI! Set it to two.\nb.py:1: AI? Why one?\n", "", "--list")
	if h.out.String() != "a.py:1: AI! Set it to two.\nb.py:1: AI? Why one?\n" || len(h.server.Requests()) > 0 {
		t.Errorf("listed %q, %d requests", h.out.String(), len(h.server.Requests()))
	}
	want(0, `{"path":"a.py","line":1,"kind":"AI!","text":"Set it to two."}`, "", "--list", "--json", filepath.Join(h.root, "a.py"))
	want(1, "", "Cannot read c.py", filepath.Join(h.root, "c.py"))
	want(0, "+x = 2", "", "--preview", filepath.Join(h.root, "a.py"))
	if got := h.read("a.py"); got != "# Set it to two. AI!\nx = 1\n" {
		t.Errorf("shown, and written: %q", got)
	}
	want(0, "", "", "--yes")
	if got := h.read("a.py"); got != "x = 2\n" {
		t.Errorf("a.py is %q", got)
	}
	want(0, "Because of the plum.", "", filepath.Join(h.root, "b.py"))
	if got := h.sent(); !strings.Contains(got, "line 1: y = 1  # Why one? AI?") {
		t.Errorf("sent\n%s", got)
	}
	want(2, "", "", "--nonsense")
}
