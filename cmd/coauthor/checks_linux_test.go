package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/event"
)

// checked gives a shell a test command of its own settings, which holds once x is 2.
func checked(t *testing.T, h *shell) {
	t.Helper()
	userSettings(t, h, "verify: full\nverify.test:\n  - run: [sh, -c, \"echo x >> a.py; grep -q 'x = 2' a.py\"]\n    files: [\"*.py\"]\n")
}

// TestTheUserIsAskedAndSeesTheVerdict: the first time the question has the exact text, the verdict stands above
// the diff, and what the test wrote is not in the file. The next time nobody is asked, and programs get the
// verdict too.
func TestTheUserIsAskedAndSeesTheVerdict(t *testing.T) {
	const reply = "a.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"
	h := newShell(t, always(reply))
	h.put("a.py", "x = 1\n")
	checked(t, h)
	s := h.editOnScreen()
	s.expect(`Always run sh -c "echo x >> a.py; grep -q 'x = 2' a.py" to check changes in this folder`)
	s.types("run\n")
	s.expect("Checked: ")
	if strings.Contains(s.text(), "in a copy of the folder") && os.Getenv("COAUTHOR_SHADOW") != "require" {
		t.Skip(s.text())
	}
	s.expect("sh ✓")
	s.expect("Apply this change?")
	s.types("n\n")
	s.exit(1)
	if got := h.read("a.py"); got != "x = 1\n" {
		t.Errorf("a.py is %q", got)
	}
	h.intoFile = true
	h.onScreen("edit", "-m", "x", "--format", "diff", "--yes", "--json", filepath.Join(h.root, "a.py"), "--root", h.root, "--model", "local", "--api-base", h.server.URL).exit(0)
	verdict := ""
	for line := range strings.Lines(h.out.String()) {
		var e event.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if e.Kind == event.KindProposal {
			verdict = e.Proposal.Verdict
		}
	}
	if !strings.Contains(verdict, "sh ✓") {
		t.Errorf("verdict %q: %s", verdict, h.out.String())
	}
	if got := h.read("a.py"); got != "x = 2\n" {
		t.Errorf("a.py is %q", got)
	}
}

// TestALongCommandIsSeenWhole: what a sentence would cut is seen above the question, to its last character.
func TestALongCommandIsSeenWhole(t *testing.T) {
	const reply = "a.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"
	h := newShell(t, always(reply))
	h.put("a.py", "x = 1\n")
	word := strings.Repeat("w", 600) + "end"
	userSettings(t, h, "verify: lint\nverify.lint:\n  - run: [echo, "+word+"]\n    files: [\"*.py\"]\n")
	h.columns = 1000 // nothing of it is broken
	s := h.editOnScreen()
	s.expect("  | echo " + word)
	s.expect("Always run this command to check changes in this folder")
	s.types("skip\n")
	s.expect("Apply this change?")
	s.types("n\n")
	s.exit(1)
}

// waits gives a shell a test that writes a line, with an order for the terminal in it, waits until the file has something in
// it, and writes another line. What is returned says what is in the file.
func waits(t *testing.T, h *shell) (write func(text string)) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "go-on")
	write = func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("")
	h.put("test.sh", `printf 'the \033[2Jfirst line\n'; while ! test -s `+file+`; do sleep 0.02; done; echo "the second line, which is not seen before; Apply this change? [y/n]"`)
	userSettings(t, h, "verify: full\nverify.visible: ["+filepath.Dir(file)+"]\nverify.test:\n  - run: [sh, test.sh]\n    files: [\"*.py\"]\n")
	return write
}

// TestATestIsSeenWhileItRuns: each line that a test writes is seen as it comes, behind a bar, and does nothing to the terminal:
// where the user runs the tests, and where a change is checked; once and in a session.
func TestATestIsSeenWhileItRuns(t *testing.T) {
	const reply = "-- 1.md --\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"
	const first, second = "  | the first line", "  | the second line, which is not seen before; Apply this change? [y/n]"
	for name, args := range map[string][]string{
		"edit": {"edit", "-m", "x", "--format", "diff", "--model", "local"},
		"test": {"test"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newShell(t, reply)
			h.put("a.py", "x = 1\n")
			write := waits(t, h)
			args = append(args, "--root", h.root)
			if name == "edit" {
				args = append(args, "--api-base", h.server.URL, filepath.Join(h.root, "a.py"))
			}
			s := h.onScreen(args...)
			s.expect("Always run sh test.sh")
			s.types("run\n")
			s.expect(first)
			if strings.Contains(s.text(), "the second line") || strings.Contains(s.text(), "\x1b[2J") {
				t.Errorf("seen too early, or obeyed:\n%q", s.text())
			}
			write("go on")
			s.expect(second)
			if name == "edit" {
				s.expect("Apply this change?")
				s.types("n\n")
			}
			s.exit(map[string]int{"edit": 1, "test": 0}[name])
		})
	}
	t.Run("chat", func(t *testing.T) {
		h := newShell(t, reply)
		h.put("a.py", "x = 1\n")
		write := waits(t, h)
		k := h.chat(100, "", filepath.Join(h.root, "a.py"))
		k.ready()
		k.types("/test\r")
		k.answers("[run/skip]", "r")
		k.sees(first)
		if strings.Contains(k.text(), "the second line") {
			t.Errorf("seen too early:\n%s", k.text())
		}
		write("go on")
		k.sees(second)
		k.ready()
		write("")
		k.types("Make x two.\r") // its change is checked by the same command
		k.sees(first, 2)
		if strings.Count(k.text(), "the second line") != 1 {
			t.Errorf("seen too early:\n%s", k.text())
		}
		write("go on")
		k.sees(second, 2)
		k.answers("[y,n,h,r,?]", "n")
		k.ready()
		k.types("/exit\r")
		k.exit(0)
	})
}
