//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// oneHome makes the commands of a shell on a terminal share what they remember with those without one.
func (h *gitShell) oneHome() {
	h.env = map[string]string{"HOME": h.home, "XDG_STATE_HOME": filepath.Join(h.home, "state"), "XDG_CONFIG_HOME": filepath.Join(h.home, "config")}
}

// TestCommitTakesWhatTurnsCreated: a commit without names has the files that requests of other processes have created, as
// far as git does not ignore them and nobody took them back, and none that the user made. On a terminal message and files
// are seen before it is made; whatever is no yes makes none.
func TestCommitTakesWhatTurnsCreated(t *testing.T) {
	const newFiles = "I make them.\n\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n\ntests/test_a.py\n```\n<<<<<<< SEARCH\n=======\ny = 1\n>>>>>>> REPLACE\n```\n\nout/made.o\n```\n<<<<<<< SEARCH\n=======\nz\n>>>>>>> REPLACE\n```\n"
	const another = "gone.py\n```\n<<<<<<< SEARCH\n=======\ny = 1\n>>>>>>> REPLACE\n```\n"
	h := newGitShell(t, "-- 1.md --\n"+newFiles+"-- 2.md --\n"+another+"-- 3.md --\nMake x two\n-- 4.md --\nMake x two, with a test\n")
	h.oneHome()
	h.put(".gitignore", "out/\n")
	h.git("add", ".gitignore")
	h.git("commit", "-q", "-m", "ignore")
	h.env["COAUTHOR_GIT_MODE"] = "off"
	edit := []string{"edit", "-m", "Make x two.", "--format", "diff", "--yes", "--root", h.root, "--model", "local", "--api-base", h.server.URL}
	s := h.onScreen(append(edit, filepath.Join(h.root, "a.py"))...)
	s.expect("made.o is ignored by git. Change it anyway?")
	s.types("y\n")
	s.exit(0)
	s = h.onScreen(append(edit, filepath.Join(h.root, "a.py"))...)
	s.exit(0)
	s = h.onScreen("undo", "--root", h.root)
	s.exit(0)
	h.put("gone.py", "the user's own by now\n") // what is there under its name is no turn's
	h.put("mine.txt", "the user's own\n")

	commit := []string{"commit", "--root", h.root, "--model", "local", "--api-base", h.server.URL}
	for i, answer := range []string{"n\n", "\n", "\x04"} {
		if i > 0 { // one without a model
			commit = append(commit[:7:7], "-m", "Mine")
		}
		s = h.onScreen(commit[:len(commit):len(commit)]...)
		s.expect("Commit this? [yes/no] (default: no)")
		all := s.text()
		if !strings.Contains(all, "edit a.py\n") || !strings.Contains(all, "new tests/test_a.py\n") || strings.Contains(all, "mine.txt") || strings.Contains(all, "gone.py") || strings.Contains(all, "made.o") {
			t.Errorf("%q: shown\n%s", answer, all)
		}
		s.types(answer)
		s.exit(1)
		if got := h.git("log", "-1", "--format=%s"); got != "ignore\n" || !strings.Contains(s.text(), "nothing was committed") {
			t.Errorf("%q: the last commit is %q\n%s", answer, got, s.text())
		}
	}
	s = h.onScreen("commit", "--root", h.root, "--model", "local", "--api-base", h.server.URL)
	s.expect("Make x two")
	s.expect("Commit this?")
	s.types("y\n")
	s.exit(0)
	if got := h.git("show", "--format=", "--name-status", "HEAD") + h.git("status", "--porcelain"); got != "M\ta.py\nA\ttests/test_a.py\n?? gone.py\n?? mine.txt\n" {
		t.Errorf("afterwards\n%s", got)
	}
}

// TestAmendOnATerminal shows what becomes the last commit and asks, and asks before that where others may have it.
func TestAmendOnATerminal(t *testing.T) {
	for _, pushed := range []bool{false, true} {
		for _, answers := range [][]string{{"n"}, {""}, {"y", "n"}, {"y", "y"}} {
			if !pushed {
				answers = answers[len(answers)-1:]
			}
			h := newGitShell(t, "-- 1.md --\nAdd b, too\n")
			h.oneHome()
			if pushed {
				h.pushed()
			}
			h.put("b.py", "b\n")
			h.git("add", "b.py")
			s := h.onScreen("commit", "--amend", "--root", h.root, "--model", "local", "--api-base", h.server.URL)
			if pushed {
				s.expect("(first), has been pushed. ")
				s.expect("Amend it anyway? [yes/no] (default: no)")
				s.types(answers[0] + "\n")
				answers = answers[1:]
			}
			want, requests := "first\n", 0
			if len(answers) > 0 {
				requests = 1
				s.expect("Add b, too")
				s.expect("new a.py")
				s.expect("new b.py")
				s.expect("Amend the last commit? [yes/no] (default: no)")
				s.types(answers[0] + "\n")
			}
			if len(answers) > 0 && answers[0] == "y" {
				s.expect("Amended the last commit")
				s.exit(0)
				want = "Add b, too\n"
			} else {
				s.expect("coauthor: nothing was committed")
				s.exit(1)
			}
			if got := h.git("log", "--format=%s"); got != want || len(h.server.Requests()) != requests {
				t.Errorf("pushed %t, %q: %d requests, %s", pushed, answers, len(h.server.Requests()), got)
			}
		}
	}
}
