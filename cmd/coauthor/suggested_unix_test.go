//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// suggests is an answer that changes a.py and suggests commands.
func suggests(commands string) string {
	return "I make it two.\n\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n\nThen run this:\n\n```sh\n" + commands + "\n```\n"
}

// TestSuggestedCommandsAreOffered: after the change, applied or not, each one is asked about, runs in the project's folder as
// it is or as the user edits it, and its output is offered to the conversation.
func TestSuggestedCommandsAreOffered(t *testing.T) {
	for _, apply := range []string{"y\n", "n\n"} {
		h := newShell(t, "-- 1.md --\n"+suggests("touch one\necho two > two\necho three")+"-- 2.md --\nFine.\n")
		userSettings(t, h, "verify: off\n")
		s := h.editOnScreen()
		s.expect("Apply this change?")
		s.types(apply)
		s.expect("Run \"touch one\" in " + h.root[:8])
		s.expect("[yes/no/edit] (default: no)")
		s.types("n\n")
		s.expect("Run \"echo two > two\" in")
		s.expect("(default: no)")
		s.types("e\n")
		s.expect("Command: echo two > two")
		s.types("s\x01\x1b[C\r") // Ctrl-A and an arrow: the line is edited where it stands
		s.expect("succeeded.")
		s.expect("Run \"echo three\" in")
		s.expect("(default: no)")
		s.types("y\n")
		s.expect("three\n")
		s.expect("Add its output")
		s.types("add\n")
		code := 0
		if apply == "n\n" {
			code = 1
		}
		s.exit(code)
		if h.read("one") != "absent" || h.read("two") != "absent" || h.read("twos") != "two\n" {
			t.Errorf("one: %q, two: %q, twos: %q\n%s", h.read("one"), h.read("two"), h.read("twos"), s.text())
		}
		h.onScreen("ask", "-m", "And?", "--continue", "--root", h.root, "--model", "local", "--api-base", h.server.URL).exit(0)
		if sent := h.sent(); !strings.Contains(sent, "I ran this command; its exit status is 0:") || !strings.Contains(sent, "\nthree\n") {
			t.Errorf("sent\n%s", sent)
		}
	}
}

// TestASuggestedCommandThatFailsIsFixed: the model is asked with the files of the request, its change is decided on, and
// what its answer suggests is offered in its turn.
func TestASuggestedCommandThatFailsIsFixed(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+suggests("echo broken; exit 3\ntouch never")+
		"-- 2.md --\na.py\n```\n<<<<<<< SEARCH\nx = 2\n=======\nx = 3\n>>>>>>> REPLACE\n```\n\n```sh\ntouch made\n```\n")
	h.put("a.py", "x = 1\n")
	s := h.editOnScreen()
	s.expect("Apply this change?")
	s.types("y\n")
	s.expect("Run \"echo broken; exit 3\"")
	s.types("y\n")
	s.expect("failed with exit status 3. Add its output")
	s.types("fix\n")
	s.expect("+x = 3")
	s.expect("Apply this change?")
	s.types("y\n")
	s.expect("Run \"touch made\"")
	s.types("yes\n")
	s.exit(0)
	if h.read("a.py") != "x = 3\n" || h.read("made") != "" || h.read("never") != "absent" || !strings.Contains(h.sent(), "broken") || !strings.Contains(h.sent(), "x = 2") {
		t.Errorf("a.py: %q, made: %q, never: %q, sent\n%s", h.read("a.py"), h.read("made"), h.read("never"), h.sent())
	}
}

// TestSuggestedCommandsNeedAPerson: without a terminal, and with --preview, nothing is asked and nothing runs; with --yes only
// what the user's settings allow.
func TestSuggestedCommandsNeedAPerson(t *testing.T) {
	script := always(suggests("touch one\ntouch two"))
	h := newShell(t, script)
	userSettings(t, h, "shell.allow: [touch two]\n")
	if code := h.edit("--yes"); code != 0 || strings.Contains(h.err.String(), "Run \"") {
		t.Errorf("no terminal: exit %d, %s", code, h.err.String())
	}
	h.put("a.py", "x = 1\n")
	h.editOnScreen("--preview").exit(0)
	if h.read("one") != "absent" || h.read("two") != "absent" {
		t.Error("a command ran that nobody was asked about")
	}
	s := h.editOnScreen("--yes")
	s.exit(0)
	if h.read("one") != "absent" || h.read("two") != "" || strings.Contains(s.text(), "Run \"") {
		t.Errorf("one: %q, two: %q\n%s", h.read("one"), h.read("two"), s.text())
	}
}

// TestAnEditedCommandCanBeLeft: neither an emptied line, nor Ctrl-C in it, runs anything; and a script of several lines is
// shown whole and not edited in a line.
func TestAnEditedCommandCanBeLeft(t *testing.T) {
	for _, typed := range []string{"\x15\r", "\x03"} {
		h := newShell(t, "-- 1.md --\n"+suggests("touch one"))
		s := h.editOnScreen()
		s.expect("Apply this change?")
		s.types("y\n")
		s.expect("Run \"touch one\"")
		s.types("edit\n")
		s.expect("Command: touch one")
		s.types(typed)
		s.exit(0)
		if h.read("one") != "absent" {
			t.Errorf("%q: it ran", typed)
		}
	}
	h := newShell(t, "-- 1.md --\n"+suggests("for i in 1 2; do\n  touch made$i\ndone"))
	s := h.editOnScreen()
	s.expect("Apply this change?")
	s.types("y\n")
	s.expect("  | for i in 1 2; do\n  |   touch made$i\n  | done\nRun this command in")
	s.expect("[yes/no]")
	s.types("y\n")
	s.exit(0)
	if _, err := os.Stat(filepath.Join(h.root, "made2")); err != nil {
		t.Error(err)
	}
}

// TestRunWithoutWords: the commands that the last answer suggests stand above the question by the numbers that choose them,
// also once the output of one of them is in the conversation. A script finds them on standard output, a line each.
func TestRunWithoutWords(t *testing.T) {
	h := newShell(t, "-- 1.md --\nDo this:\n\n```sh\necho one\ntouch two\n```\n")
	userSettings(t, h, "verify: off\n")
	h.home = t.TempDir()
	h.env["XDG_STATE_HOME"] = filepath.Join(h.home, "state")
	if code := h.run("ask", "-m", "How?"); code != 0 {
		t.Fatalf("exit %d, %s", code, h.err.String())
	}
	for _, chosen := range []string{"1\n", "2\n"} {
		s := h.onScreen("run", "--root", h.root)
		s.expect("  1  echo one\n  2  touch two\nWhich command suggested by the last answer do you want to run? [1/2/none] (default: none)")
		s.types(chosen)
		s.expect("[run/skip]")
		s.types("run\n")
		if chosen == "1\n" {
			s.expect("Add its output")
			s.types("add\n")
		}
		s.exit(0)
	}
	if h.read("two") != "" {
		t.Error("the second command did not run")
	}
	if code := h.run("run"); code != 0 || h.out.String() != "Commands suggested by the last answer:\necho one\ntouch two\n" || h.err.String() != "" {
		t.Errorf("exit %d, %q, %q", code, h.out.String(), h.err.String())
	}
}
