package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// greetings are the project's own tests, which run before a change is shown.
const greetings = `import unittest

from greet import greet, shout


class Greetings(unittest.TestCase):
    def test_names_the_guest(self):
        self.assertIn("Ann", greet("Ann"))

    def test_shouts(self):
        self.assertTrue(shout("Ann").isupper())


if __name__ == "__main__":
    unittest.main()
`

// brokenOnce is a model whose first change breaks the project's tests, whose second one passes them, and which then
// writes the message of a commit.
func brokenOnce() string {
	return "-- 1.md --\nI make the greeting polite.\n\n" +
		edit("greet.py", "    return \"Hello, \" + name\n", "    return \"Good day, \" + nane\n") +
		"-- 2.yaml --\nhold-first: true\n-- 2.md --\nI had mistyped the name.\n\n" +
		edit("greet.py", "    return \"Good day, \" + nane\n", "    return \"Good day, \" + name\n") +
		"-- 3.md --\nGreet politely\n"
}

// tested are the settings of a user who has these tests run.
const tested = "verify: full\nverify.test:\n  - run: [python3, -m, unittest]\n    files: [\"*.py\"]\n"

// checkedWorld is a project in git with tests, of a user with more settings.
func checkedWorld(t *testing.T, script, more string) *world {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("the project's tests need python3")
	}
	w := newWorld(t, script)
	w.write("test_greet.py", greetings)
	w.settings(more)
	w.git("config", "user.name", "Ann")
	w.git("config", "user.email", "ann@example.org")
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "Say hello")
	return w
}

// settings adds to the user's settings, before the editor starts.
func (w *world) settings(more string) {
	w.t.Helper()
	config := filepath.Join(w.own, "config/coauthor/config.yaml")
	text, err := os.ReadFile(config)
	if err == nil {
		err = os.WriteFile(config, append(text, more...), 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// git runs git in the project and returns what it says.
func (w *world) git(args ...string) string {
	w.t.Helper()
	out, err := exec.Command("git", append([]string{"-C", w.dir}, args...)...).CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// wantGit waits until git says exactly this.
func (w *world) wantGit(screen func() string, want string, args ...string) {
	w.t.Helper()
	var got string
	if !wait(func() bool { got = w.git(args...); return got == want }) {
		w.t.Fatalf("git %v says\n%s\nwant\n%s\nscreen:\n%s", args, got, want, screen())
	}
}

// shot keeps a screen for a person to look at, where COAUTHOR_E2E_SCREENS names a folder for it.
func (w *world) shot(name, screen string) {
	w.t.Helper()
	w.keep(name+".txt", screen)
}

// keep writes a file into the folder for screens, where there is one.
func (w *world) keep(name, text string) {
	w.t.Helper()
	dir := os.Getenv("COAUTHOR_E2E_SCREENS")
	if dir == "" {
		return
	}
	file := filepath.Join(dir, strings.ReplaceAll(w.t.Name(), "/", "-")+"-"+name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// A session as a user has it: the tests that the user allows fail once, the model repairs what it did, the change is
// applied, saved and committed, and the commit is taken back.
func TestModuleSession(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := checkedWorld(t, brokenOnce(), tested)
		n := w.open(prefix, "init_module.lua")
		askForChange(n, "Vj", "be polite")
		n.see("Always run python3 -m unittest to check changes in this folder")
		w.shot("1-consent", n.text())
		choose(n, "", "run")
		w.sentBack(t)
		n.see("coauthor: ")
		w.shot("2-fixing", n.text())
		w.model.Release()
		n.see("before greet.py")
		n.see("syntax ✓, ")
		w.shot("3-preview", n.text())
		n.keys("aa")
		n.wantBuffer(w.path("greet.py"), politeGreet)
		n.see("Applied to 1 file")
		w.shot("4-applied", n.text())
		n.keys(":silent wall<CR>")
		n.input(":Coauthor commit<CR>")
		n.see("Committed 1 file")
		w.shot("5-committed", n.text())
		w.wantGit(n.text, "Greet politely\nSay hello\n", "log", "--format=%s")
		w.wantGit(n.text, "greet.py\n", "show", "--format=", "--name-only", "HEAD")
		n.input(":Coauthor undoCommit<CR>")
		n.see("Undid the commit")
		w.shot("6-undone", n.text())
		w.wantGit(n.text, "Say hello\n", "log", "--format=%s")
		w.wantGit(n.text, "M  greet.py\n", "status", "--porcelain") // the user's own commit: its changes stay
	})
}

// The same in Helix, where each turn becomes a commit when it is saved: that takes the change back with it.
func TestHelixSession(t *testing.T) {
	t.Parallel()
	w := checkedWorld(t, brokenOnce(), tested+"git.mode: commit\n")
	term := startHelix(w, cache(t, "helix"), "greet.py", "main.py")
	term.see("def greet(name):")
	instruct(term, "be polite")
	term.see("Always run python3 -m unittest to check changes in this folder") // said by a message, and by the progress that may stand above it
	term.shot(w, "1-consent")
	pick(term, "Coauthor: run python3 -m unittest")
	w.sentBack(t)
	term.shot(w, "2-fixing")
	w.model.Release()
	term.see("Good day, ")
	term.see("# Checked: syntax ✓, ")
	term.see("Apply or discard with space a.")
	term.shot(w, "3-preview")
	pick(term, "Coauthor: apply pending change")
	term.see("Applied to 1 file")
	term.shot(w, "4-applied")
	term.typed("write-all")
	term.see("Committed 1 file")
	term.shot(w, "5-committed")
	w.wantGit(term.screen, "Greet politely\nSay hello\n", "log", "--format=%s")
	term.typed("lsp-workspace-command coauthor.undoCommit")
	term.see("Undid the commit")
	term.shot(w, "6-undone")
	w.wantGit(term.screen, "Say hello\n", "log", "--format=%s")
	term.typed("open greet.py")
	term.see("Hello, ")
	term.shot(w, "7-file")
	term.typed("write-all")
	w.wantGit(term.screen, "", "status", "--porcelain")
	term.typed("quit-all!")
}

// sentBack waits until the model was told that the tests fail.
func (w *world) sentBack(t *testing.T) {
	t.Helper()
	if err := w.model.WaitHeld(w.ctx(), 1); err != nil {
		t.Fatal(err)
	}
	if said := w.lastUser(); !strings.Contains(said, "nane") || !strings.Contains(said, "NameError") {
		t.Errorf("the model was told\n%s", said)
	}
}

// Who saves and quits at once has the commit made by the next server.
func TestModuleCommitsWhatWasLeft(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := checkedWorld(t, "-- 1.md --\n"+edit("greet.py", "    return \"Hello, \" + name\n", "    return \"Good day, \" + name\n")+
			"-- 2.yaml --\nhold-first: true\n-- 2.md --\nGreet politely\n-- 3.md --\nGreet politely\n", "git.mode: commit\n")
		n := w.open(prefix, "init_module.lua")
		askForChange(n, "Vj", "be polite")
		n.see("before greet.py")
		n.keys("aa")
		n.wantBuffer(w.path("greet.py"), politeGreet)
		n.see("Applied to 1 file")
		n.keys(":silent wall<CR>")
		if err := w.model.WaitHeld(w.ctx(), 1); err != nil {
			t.Fatal(err)
		}
		n.stop()
		w.model.Release()
		w.wantGit(n.text, "Say hello\n", "log", "--format=%s")
		n = w.open(prefix, "init_module.lua")
		n.see("Committed 1 file")
		w.shot("1-committed", n.text())
		w.wantGit(n.text, "Greet politely\nSay hello\n", "log", "--format=%s")
	})
}
