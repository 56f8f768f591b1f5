package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// eachHelix runs a scenario of the table in every Helix, beside other scenarios.
func eachHelix(t *testing.T, run func(t *testing.T, prefix string)) {
	t.Parallel()
	for _, name := range []string{"helix", "helix2507"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, cache(t, name))
		})
	}
}

// helixLanguages is the languages.toml that we hand out.
func helixLanguages(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("../helix/languages.toml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// startHelix starts Helix in the project with the languages.toml that we hand out.
func startHelix(w *world, prefix string, files ...string) *terminal {
	w.t.Helper()
	return startHelixWith(w, prefix, helixLanguages(w.t), files...)
}

func startHelixWith(w *world, prefix, languages string, files ...string) *terminal {
	t := w.t
	t.Helper()
	config := filepath.Join(w.own, "config/helix")
	if err := os.MkdirAll(config, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "languages.toml"), []byte(languages), 0o644); err != nil {
		t.Fatal(err)
	}
	settings := "[editor.lsp]\ndisplay-messages = true\ndisplay-progress-messages = true\n"
	if err := os.WriteFile(filepath.Join(config, "config.toml"), []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	env := append(w.env(), "HELIX_RUNTIME="+filepath.Join(prefix, "root/usr/lib/hx/runtime"))
	argv := append([]string{filepath.Join(prefix, "run"), "hx", "--log", filepath.Join(w.own, "hx.log")}, files...)
	term := startTerminal(t, w.dir, env, 120, 36, argv...)
	t.Cleanup(func() {
		if t.Failed() {
			log, _ := os.ReadFile(filepath.Join(w.own, "hx.log"))
			t.Logf("Helix's screen:\n%s\nits log:\n%.20000s", term.screen(), log)
		}
	})
	return term
}

// pick opens the menu of code actions and takes the entry with a title.
func pick(term *terminal, title string) {
	term.t.Helper()
	// The server may still be starting: then Helix says so, and the keys are pressed again.
	opened := wait(func() bool {
		term.press("Space", "a")
		return wait1(func() bool { return offers(term.screen(), title) })
	})
	if !opened {
		term.t.Fatalf("no code action %q on\n%s", title, term.screen())
	}
	at := 0
	for line := range strings.Lines(term.screen()) {
		if offers(line, title) {
			break
		}
		if offers(line, "Coauthor: ") {
			at++
		}
	}
	for range at { // the first entry is selected
		term.press("Tab")
	}
	term.press("Enter")
}

// offers reports whether a menu with a title is on the screen. In the text of the prompt document the
// titles stand in quotation marks.
func offers(screen, title string) bool {
	return strings.Contains(strings.ReplaceAll(screen, `"`+title, ""), title)
}

// The prompt document and apply, in an editor without any plug-in.
func TestHelixPromptDocument(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew())
	term := startHelix(w, cache(t, "helix"), "greet.py", "main.py")
	term.see("def greet(name):")
	term.press("x", "x") // the first two lines
	pick(term, "Coauthor: write an instruction")
	term.see("prompt-1.md")
	term.press("g", "e", "o")
	for i, key := range "be polite" {
		// Helix sends the changes of keys that come at once in any order.
		term.write(string(key))
		term.see("  12  " + strings.TrimSpace("be polite"[:i+1]))
	}
	term.leaveInsert()
	pick(term, "Coauthor: run this instruction")
	term.see("Good day, ")
	w.wantUntouchedDisk()
	pick(term, "Coauthor: apply pending change")
	if !wait(func() bool {
		term.write(":write-all")
		term.press("Enter")
		return wait1(func() bool {
			return w.disk("greet.py") == politeGreet && w.disk("main.py") == politeMain && w.disk("tests/test_greet.py") == politeTest
		})
	}) {
		t.Fatalf("on disk:\n%s\n%s\n%s\nscreen:\n%s", w.disk("greet.py"), w.disk("main.py"), w.disk("tests/test_greet.py"), term.screen())
	}
	if got := w.lastUser(); !strings.Contains(got, "be polite") {
		t.Errorf("the model was asked\n%s", got)
	}
	term.write(":quit-all!")
	term.press("Enter")
}

// instruct writes an instruction into a prompt document, a key at a time, and runs it.
func instruct(term *terminal, words string) {
	term.t.Helper()
	pick(term, "Coauthor: write an instruction")
	term.see("prompt-1.md")
	term.press("g", "e", "o")
	term.slowly(words)
	term.leaveInsert()
	pick(term, "Coauthor: run this instruction")
}

// leaveInsert ends Helix' insert mode. A screen from before the first key would look as if it were over, and a key right behind
// Escape makes one with it.
func (term *terminal) leaveInsert() {
	term.t.Helper()
	term.see(" INS ")
	term.press("Escape")
	term.lacks(" INS ")
}

// slowly types words, each key when the one before it is on the screen: Helix sends the changes of keys that come at
// once in any order.
func (term *terminal) slowly(words string) {
	term.t.Helper()
	for i, key := range words {
		term.write(string(key))
		term.see(strings.TrimSpace(words[:i+len(string(key))]))
	}
}

// A new file that was never saved is gone after an undo, and nothing writes it; redo brings it back.
func TestHelixUndoesANewFile(t *testing.T) {
	eachHelix(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowUndo)
		w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew())
		term := startHelix(w, prefix, "greet.py", "main.py")
		term.see("def greet(name):")
		instruct(term, "be polite")
		term.see("Good day, ")
		w.wantUntouchedDisk()
		pick(term, "Coauthor: apply pending change")
		saved := func(greet string, test bool) {
			t.Helper()
			if !wait(func() bool {
				term.typed("write-all")
				return wait1(func() bool { // Helix writes one file after the other
					return w.disk("greet.py") == greet && (!test || w.disk("tests/test_greet.py") == politeTest)
				})
			}) {
				t.Fatalf("greet.py on disk:\n%s\nscreen:\n%s", w.disk("greet.py"), term.screen())
			}
			_, err := os.Stat(w.path("tests/test_greet.py"))
			if there := err == nil; there != test || there && w.disk("tests/test_greet.py") != politeTest {
				t.Fatalf("tests/test_greet.py is on disk: %v, with %q\nscreen:\n%s", there, w.disk("tests/test_greet.py"), term.screen())
			}
		}
		open := func(name, text string) {
			t.Helper()
			if !wait(func() bool {
				term.typed("open " + name)
				return wait1(func() bool { return strings.Contains(term.screen(), text) })
			}) {
				t.Fatalf("%s does not show %q:\n%s", name, text, term.screen())
			}
		}
		// Helix 25.07 loses a command now and then that comes while it writes files (2 of 60 runs). There is nothing to undo or
		// redo when one has come after all.
		command := func(name, text string) {
			t.Helper()
			if !wait(func() bool {
				term.typed("lsp-workspace-command coauthor." + name)
				return waitFor(10*time.Second, func() bool { return strings.Contains(term.screen(), text) })
			}) {
				t.Fatalf("%s does not show %q:\n%s", name, text, term.screen())
			}
		}
		open("greet.py", "Good day, ")
		for range 2 {
			command("undoTurn", "Hello, ")
			term.see("tests/test_greet.py was deleted; its text is in .coauthor/")
			saved(project["greet.py"], false)
			open("greet.py", "Hello, ")
			command("redoTurn", "Good day, ")
		}
		saved(politeGreet, true)
		command("undoTurn", "Hello, ") // from a file on disk
		saved(project["greet.py"], false)
		term.typed("quit-all!")
	})
}
