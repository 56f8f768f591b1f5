//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestAFileThatIsNotThere is told in every command that names files, before anything is sent. Where it may be made the user
// says so.
func TestAFileThatIsNotThere(t *testing.T) {
	for _, command := range []string{"edit", "architect", "auto", "ask", "context", "help", "improve --preview", "edit --json", "edit --read there.txt", "self-heal --preview", "entrypoint --preview"} {
		h := newShell(t, "repeat: true\n-- 1.md --\n"+twoReply)
		args := append(strings.Fields(command), "-m", "Make x two.", filepath.Join(h.root, "nosuch.py"), filepath.Join(h.root, "a.py"))
		if strings.Contains(command, "--read") {
			args = []string{"edit", "-m", "Make x two.", "--read", filepath.Join(h.root, "nosuch.py"), "--yes"}
		}
		if code := h.run(args...); code != 1 || !strings.Contains(strings.ToLower(h.err.String()), "there is no file nosuch.py") || len(h.server.Requests()) > 0 {
			t.Errorf("%s: exit %d, %d requests\n%s", command, code, len(h.server.Requests()), h.err.String())
		}
	}
	const made = "nosuch.py\n```\n<<<<<<< SEARCH\n=======\ny = 1\n>>>>>>> REPLACE\n```\n"
	for _, flag := range []string{"--yes", "--preview", "--dry-run"} {
		h := newShell(t, "-- 1.md --\n"+made)
		code := h.run("edit", "-m", "Make it.", "--format", "diff", flag, filepath.Join(h.root, "nosuch.py"))
		if code != 0 || strings.Count(h.err.String(), "There is no file nosuch.py.") != 1 || (h.read("nosuch.py") == "y = 1\n") != (flag == "--yes") {
			t.Errorf("%s: exit %d, %q\n%s", flag, code, h.read("nosuch.py"), h.err.String())
		}
	}
	for answer, requests := range map[string]int{"y\n": 1, "n\n": 0, "\n": 0, "\x04": 0} {
		h := newShell(t, "-- 1.md --\n"+made)
		s := h.onScreen("edit", "-m", "Make it.", "--format", "diff", filepath.Join(h.root, "nosuch.py"), "--root", h.root, "--model", "local", "--api-base", h.server.URL)
		s.expect("There is no file nosuch.py. Create it? [yes/no] (default: no)")
		s.types(answer)
		if requests == 1 {
			s.expect("new nosuch.py")
			s.expect("Apply this change?")
			s.types("y\n")
			s.exit(0)
		} else {
			s.expect("coauthor: there is no file nosuch.py, so coauthor sent nothing")
			s.exit(1)
		}
		if len(h.server.Requests()) != requests || (h.read("nosuch.py") == "y = 1\n") != (requests == 1) {
			t.Errorf("%q: %d requests\n%s", answer, len(h.server.Requests()), s.text())
		}
	}
}
