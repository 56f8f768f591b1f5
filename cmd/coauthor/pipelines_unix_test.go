//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// generateOnScreen generates on a pseudo-terminal.
func (h *shell) generateOnScreen(args ...string) *screen {
	h.env = map[string]string{"PATH": os.Getenv("PATH")}
	return h.onScreen(append(args, "--root", h.root, "--model", "local", "--api-base", h.server.URL)...)
}

// On a terminal the change is shown and asked about, and then the script, line by line and whole: it runs in a copy of the
// folder, and what it prints is shown while it runs.
func TestGenerateOnATerminal(t *testing.T) {
	long := "echo " + strings.Repeat("x", 300)
	h := newShell(t, "-- 1.md --\n"+generatedReply+"-- 2.md --\n```sh\n"+long+"\necho ran > ran.txt\ncat hi.py ran.txt\nexit 4\n```\n")
	s := h.generateOnScreen("generate", "-m", "Say hi.")
	s.expect("Generating the files.")
	s.expect("Apply this change? [y,n")
	s.types("y\n")
	s.expect("Created hi.py")
	s.expect("  | " + long + "\n  | echo ran > ran.txt\n  | cat hi.py ran.txt\n  | exit 4\n")
	s.expect("Run this script?")
	s.expect("[run/skip] (default: skip)")
	s.types("run\n")
	s.expect("print('hi')\nran\n")
	s.expect("run.sh failed: exit status 4")
	s.exit(0)
	if h.read("hi.py") != "print('hi')\n" || h.read("ran.txt") != "absent" {
		t.Errorf("%q %q", h.read("hi.py"), h.read("ran.txt"))
	}
}

// Whoever does not take the change is not asked about its script, and neither is who says so.
func TestNothingToRun(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		yes  string
		code int
	}{"discarded": {nil, "n\n", 1}, "not wanted": {[]string{"--no-run"}, "y\n", 0}, "skipped": {nil, "y\n\n", 0}} {
		t.Run(name, func(t *testing.T) {
			h := newShell(t, "-- 1.md --\n"+generatedReply+"-- 2.md --\n"+scriptReply)
			s := h.generateOnScreen(append([]string{"generate", "-m", "Say hi."}, test.args...)...)
			s.expect("Apply this change?")
			s.types(test.yes)
			s.exit(test.code)
			if asked := strings.Contains(s.text(), "Run this script?"); asked != (name == "skipped") || strings.Contains(s.text(), "exit status") {
				t.Errorf("shown:\n%s", s.text())
			}
			if _, err := os.Stat(filepath.Join(h.root, "ran.txt")); err == nil {
				t.Error("it ran in the folder")
			}
		})
	}
}

// A question of the model is shown in its lines, with what it offers and how to let the model decide; what it assumes is
// shown in its lines, too.
func TestClarifyOnATerminal(t *testing.T) {
	h := newShell(t, "-- 1.md --\nWhich language?\na) English\nb) French\n-- 2.md --\nHow loud?\n-- 3.md --\n- It is loud.\n- It is one file.\n-- 4.md --\n"+generatedReply+"-- 5.md --\n"+scriptReply)
	s := h.generateOnScreen("generate", "--clarify", "-m", "Say hi.", "--preview")
	s.expect("Which language?\na) English\nb) French\n")
	s.expect("Type an answer, or one of these: English; French; assume (let the model choose this); assume all (let the model choose everything, and start).")
	s.types("\n")
	s.expect("Type an answer, or English or French or assume or assume all. Enter alone does nothing here.")
	s.types("b\n")
	s.expect("How loud?\n(Type an answer. To let the model decide, type \"assume\" for this question, or \"assume all\" for all questions.)")
	s.types("\n")
	s.expect("Type an answer. Enter alone does nothing here.")
	if n := len(h.server.Requests()); n != 2 {
		t.Errorf("Enter alone has sent %d requests", n-2)
	}
	s.types("assume all\n")
	s.expect("The model assumes:\n- It is loud.\n- It is one file.\n")
	s.expect("print('hi')")
	s.exit(0)
	for _, once := range []string{"Which language?", "It is one file."} {
		if n := strings.Count(s.text(), once); n != 1 {
			t.Errorf("%q is shown %d times:\n%s", once, n, s.text())
		}
	}
	if got := h.server.Requests()[1].Messages[3].Content; !strings.HasPrefix(got, "French\n") {
		t.Errorf("answered %q", got)
	}
}

// The script can be run again by itself; how it ended is the exit status.
func TestRunScript(t *testing.T) {
	for _, c := range []struct {
		script, answer, told string
		code                 int
	}{
		{"echo hello\n", "y\n", "run.sh ran: exit status 0", 0},
		{"echo hello\nfalse\n", "y\n", "run.sh failed: exit status 1", 1},
		{"echo hello\n", "\n", "run.sh was not run.", 1},
	} {
		h := newShell(t, "-- 1.md --\nnever asked\n")
		h.put("run.sh", c.script)
		s := h.generateOnScreen("run-script")
		s.expect("  | echo hello\n")
		s.expect("Run this script?")
		s.types(c.answer)
		s.exit(c.code)
		if !strings.Contains(s.text(), c.told) || strings.Contains(s.text(), "\nhello\n") != (c.answer == "y\n") || len(h.server.Requests()) > 0 {
			t.Errorf("shown:\n%s", s.text())
		}
	}
}

// A script can read from the terminal, and what it wrote is a change to accept: without what is no text or of no interest. The
// exit status is that of the run, whether it is kept or not.
func TestRunScriptInteractive(t *testing.T) {
	const script = "printf 'Name? '\nread name\ntest -t 0 && echo \"Hello $name.\"\necho \"$name\" >kept.txt\nprintf 'x\\000' >data.bin\nmkdir __pycache__\necho x >__pycache__/x\nstty -echo\nexit "
	for _, c := range []struct {
		status, answer, kept string
		code                 int
	}{{"0\n", "y\n", "Ann\n", 0}, {"3\n", "y\n", "Ann\n", 1}, {"0\n", "n\n", "absent", 0}} {
		h := newShell(t, "-- 1.md --\nnever asked\n")
		h.put("run.sh", script+c.status)
		s := h.generateOnScreen("run-script", "--interactive")
		s.expect("What you type goes to it until it ends; Ctrl-C stops it.")
		s.types("run\n")
		s.expect("Name? ")
		s.types("Ann\n")
		s.expect("Hello Ann.\n")
		s.expect("Cannot keep these files that run.sh wrote, because they are ignored, too large or not text: data.bin.")
		s.expect("run.sh wrote kept.txt. To keep what it wrote, apply the change.")
		s.expect("+Ann")
		s.expect("Apply this change? [y,n")
		s.types(c.answer)
		s.expect(c.answer) // the terminal shows again what is typed
		s.exit(c.code)
		if got := h.read("kept.txt"); got != c.kept || h.read("data.bin") != "absent" || h.read("__pycache__/x") != "absent" {
			t.Errorf("%q %q:\n%s", c.answer, got, s.text())
		}
	}
}

// With --keep what a script wrote is a change, too, and it has no input; without, it is dropped unasked. Who is no terminal
// cannot be read from.
func TestRunScriptKeeps(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		kept string
	}{"kept": {[]string{"--keep"}, "none\n"}, "dropped": {nil, "absent"}} {
		t.Run(name, func(t *testing.T) {
			h := newShell(t, "-- 1.md --\nnever asked\n")
			h.put("run.sh", "read name || name=none\necho \"$name\" >kept.txt\n")
			s := h.generateOnScreen(append([]string{"run-script"}, c.args...)...)
			s.expect("gets no API keys and no input.")
			s.types("run\n")
			if c.args != nil {
				s.expect("Apply this change?")
				s.types("y\n")
			}
			s.exit(0)
			if h.read("kept.txt") != c.kept {
				t.Errorf("%q:\n%s", h.read("kept.txt"), s.text())
			}
		})
	}
	h := newShell(t, "-- 1.md --\nnever asked\n")
	h.put("run.sh", "read name\n")
	if code := h.generate("Ann\n", "run-script", "--interactive"); code != 2 || !strings.Contains(h.err.String(), "run-script --interactive needs a terminal") {
		t.Errorf("exit %d: %s", code, h.err.String())
	}
}
