package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// calcFails is a project whose test fails, and the answers of a model that gets it right the second time.
func calcFails(t *testing.T, block func(old, text string) string) *shell {
	t.Helper()
	if _, err := exec.LookPath("pytest"); err != nil {
		t.Skip("pytest is not installed here")
	}
	h := newShell(t, "-- 1.md --\n"+block("    return a - b", "    return a * b")+"-- 2.md --\n"+block("    return a * b", "    return a + b"))
	h.put("calc.py", "def add(a, b):\n    return a - b\n")
	h.put("test_calc.py", "from calc import add\n\ndef test_add():\n    assert add(2, 3) == 5\n")
	userSettings(t, h, "verify: off\n")
	return h
}

func search(old, text string) string {
	return "calc.py\n```\n<<<<<<< SEARCH\n" + old + "\n=======\n" + text + "\n>>>>>>> REPLACE\n```\n"
}

func hunk(old, text string) string {
	return "```diff\n--- calc.py\n+++ calc.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-" + old + "\n+" + text + "\n```\n"
}

// sentAgain fails where the model was not asked twice, the second time with what the first answer did to the test.
func (h *shell) sentAgain() {
	h.t.Helper()
	if n := len(h.server.Requests()); n != 2 || !strings.Contains(h.sent(), "assert 6 == 5") || !strings.Contains(h.sent(), "Send edits that make `pytest -q` pass.") {
		h.t.Errorf("%d calls, and the model was sent\n%s", n, h.sent())
	}
}

// applied takes the change that is shown, which the model got right the second time.
func (h *shell) applied(s *screen) {
	h.t.Helper()
	s.expect("Apply this change?")
	s.types("y\n")
	s.exit(0)
	h.sentAgain()
	if got := h.read("calc.py"); !strings.Contains(got, "a + b") {
		h.t.Errorf("calc.py is %q", got)
	}
}

// TestEditWithATestOnATerminal: the user is asked about the command before the model is, the first answer goes back, and the
// second one is shown with the verdict of the command. Afterwards nobody needs to be asked, and a script may run it.
func TestEditWithATestOnATerminal(t *testing.T) {
	h := calcFails(t, search)
	args := []string{"edit", "-m", "Make the test pass.", "--format", "diff", "--test", "pytest -q", filepath.Join(h.root, "calc.py"), "--root", h.root}
	if code := h.runWith("", append(args, "--yes")...); code != 1 || len(h.server.Requests()) > 0 || !strings.Contains(h.err.String(), `--test may not run "pytest -q" yet`) {
		t.Errorf("nobody agreed: %d calls, %s", len(h.server.Requests()), h.err.String())
	}
	s := h.onScreen(append(args, "--model", "local", "--api-base", h.server.URL)...)
	s.expect("Always run pytest \"--junitxml={report}\" -q to check")
	s.types("run\n")
	s.expect("1 test ✓")
	s.expect("+    return a + b")
	h.applied(s)
}

// TestImproveWithATest: a pipeline has the same goal.
func TestImproveWithATest(t *testing.T) {
	h := calcFails(t, hunk)
	s := h.onScreen("improve", "-m", "Make the test pass.", "--test", "pytest -q", filepath.Join(h.root, "calc.py"), "--root", h.root, "--model", "local", "--api-base", h.server.URL)
	s.expect("Always run pytest \"--junitxml={report}\" -q to check")
	s.types("run\n")
	s.expect("1 test ✓")
	h.applied(s)
}

// TestFixAfterATestOnATerminal: coauthor test offers to have it fixed, and the change passes.
func TestFixAfterATestOnATerminal(t *testing.T) {
	h := calcFails(t, search)
	h.onScreen("add", filepath.Join(h.root, "calc.py"), "--root", h.root).exit(0)
	s := h.onScreen("test", "--format", "diff", "--root", h.root, "--model", "local", "--api-base", h.server.URL, "pytest", "-q")
	s.expect("Always run pytest \"--junitxml={report}\" -q to check")
	s.types("run\n")
	s.expect("Ask the model to fix these problems?")
	s.types("fix\n")
	h.applied(s)
}

// TestFixWithYes: what --yes allows for a test is running it; in the request that follows, it adds the file that the model changes
// and applies the change, as for any request.
func TestFixWithYes(t *testing.T) {
	h := calcFails(t, search)
	s := h.onScreen("test", "--yes", "--format", "diff", "--root", h.root, "--model", "local", "--api-base", h.server.URL, "pytest", "-q")
	s.expect("Ask the model to fix these problems?")
	s.types("fix\n")
	s.exit(0)
	if got := h.read("calc.py"); !strings.Contains(got, "a + b") {
		t.Errorf("calc.py is %q", got)
	}
}

// TestWhatIsNoGoal: a command that only a shell would understand, and an empty one, are refused before anything is sent.
func TestWhatIsNoGoal(t *testing.T) {
	for _, c := range []struct{ flag, text, says string }{
		{"--test", "pytest | tail", "cannot contain |"},
		{"--lint", "", "the command is empty"},
	} {
		h := newShell(t, "-- 1.md --\nFine.\n")
		if code := h.run("edit", "-m", "x", "--yes", c.flag, c.text); code != 1 || !strings.Contains(h.err.String(), c.says) || len(h.server.Requests()) > 0 {
			t.Errorf("%s %q: exit %d, %s", c.flag, c.text, code, h.err.String())
		}
	}
}

// TestGoalsWithoutAnEdit: where the test passes already, an answer without an edit is a success, and nobody is asked about it.
// Where it fails, the model hears of it, and the end says what is left.
func TestGoalsWithoutAnEdit(t *testing.T) {
	for _, c := range []struct {
		test string
		code int
		says []string
	}{
		{"grep -q . a.py", 0, []string{"No changes needed: grep passes."}},
		{"grep -c absent a.py", 1, []string{"asked the model 3 times", "no files changed; still failing: grep -c absent a.py"}},
	} {
		h := newShell(t, always("I see nothing to change.\n"))
		userSettings(t, h, "verify: off\n")
		s := h.onScreen("edit", "-m", "Make the test pass.", "--test", c.test, filepath.Join(h.root, "a.py"), "--root", h.root, "--model", "local", "--api-base", h.server.URL)
		s.expect("Always run grep")
		s.types("run\n")
		if c.code != 0 {
			s.expect("Your answer to the model")
			s.types("\n")
		}
		s.exit(c.code)
		for _, want := range c.says {
			if !strings.Contains(s.text(), want) {
				t.Errorf("%s: not told %q:\n%s", c.test, want, s.text())
			}
		}
		if calls := map[int]int{0: 1, 1: 4}[c.code]; len(h.server.Requests()) != calls {
			t.Errorf("%s: %d calls", c.test, len(h.server.Requests()))
		}
	}
}
