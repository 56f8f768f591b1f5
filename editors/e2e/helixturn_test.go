package e2e

import (
	"strings"
	"testing"
)

// In Helix a change is discarded, and a turn is stopped.
func TestHelixDiscardAndStop(t *testing.T) {
	eachHelix(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowDiscard, rowCancel)
		w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew()+"-- 2.yaml --\nhold: true\n-- 2.md --\n"+twoFilesAndOneNew())
		term := startHelix(w, prefix, "greet.py", "main.py")
		term.see("def greet(name):")
		instruct(term, "be polite")
		term.see("Good day, ")
		pick(term, "Coauthor: discard pending change")
		term.see("Discarded")
		term.shot(w, "1-discarded")
		term.typed("open greet.py")
		term.see("Hello, ")
		instruct(term, "politer")
		if err := w.model.WaitHeld(w.ctx(), 1); err != nil {
			t.Fatal(err)
		}
		term.typed("open greet.py")
		term.see("Hello, ")
		pick(term, "Coauthor: stop")
		if err := w.model.WaitClosed(w.ctx(), 1); err != nil {
			t.Fatalf("the model's connection stays open: %v", err)
		}
		term.savedAs(w, project["greet.py"], project["main.py"])
		if got := w.disk("tests/test_greet.py"); got != "" {
			t.Errorf("the new file is on disk: %q", got)
		}
		term.typed("quit-all!")
	})
}

// What is typed in Helix while the model works stays, the diff does not come over it, and the change lands around it.
func TestHelixTypingDuringTheTurn(t *testing.T) {
	eachHelix(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowTyping)
		w := newWorld(t, "-- 1.yaml --\nhold: true\n-- 1.md --\n"+twoFilesAndOneNew())
		term := startHelix(w, prefix, "greet.py", "main.py")
		term.see("def greet(name):")
		instruct(term, "be polite")
		if err := w.model.WaitHeld(w.ctx(), 1); err != nil {
			t.Fatal(err)
		}
		term.typed("open greet.py")
		term.see("Hello, ")
		term.press("g", "e", "o")
		words := "# typed while the model writes and after that"
		term.slowly(words[:10])
		w.model.Release()
		for i := 10; i < len(words); i++ {
			term.write(words[i : i+1])
			term.see(strings.TrimSpace(words[:i+1]))
		}
		term.shot(w, "1-typed")
		term.leaveInsert()
		term.see("Apply or discard with space a.") // the diff comes when the keys have stopped
		pick(term, "Coauthor: apply pending change")
		term.savedAs(w, politeGreet+"    "+words+"\n", politeMain)
		term.typed("quit-all!")
	})
}

// A server that is killed has the turn in its journal, and Helix' own command starts the next one, which undoes it.
func TestHelixUndoesAfterACrash(t *testing.T) {
	eachHelix(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowCrash)
		w := newWorld(t, "-- 1.md --\n"+twoHunksAndMore())
		// Helix starts none again when one of the language's servers is not installed.
		alone := strings.Replace(helixLanguages(t), `["ruff", "jedi", "pylsp", "coauthor"]`, `["coauthor"]`, 1)
		term := startHelixWith(w, prefix, alone, "greet.py", "main.py")
		term.see("def greet(name):")
		instruct(term, "be polite")
		term.see("Good day, ")
		pick(term, "Coauthor: apply pending change")
		term.see("Applied to 2 files")
		term.typed("open greet.py")
		term.see("greet.py [+]")
		w.killServer()
		term.shot(w, "1-killed")
		term.typed("lsp-restart")
		term.write("/Good day")
		term.press("Enter")
		pick(term, "Coauthor: undo last")
		term.see("Hello, ")
		term.see("Undid the change in 2 files")
		term.shot(w, "2-undone")
		term.savedAs(w, project["greet.py"], project["main.py"])
		term.typed("quit-all!")
	})
}
