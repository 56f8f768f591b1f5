package e2e

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The diff opens beside the text and takes no key from it. One hunk is applied there, another one discarded, the rest
// applied, all of it undone; the next change is discarded.
func TestEmacsTakesHunks(t *testing.T) {
	eachEmacs(t, func(t *testing.T, c emacsClient) {
		covers(t, c.column, rowHunk, rowUndo, rowDiscard)
		w := newWorld(t, "-- 1.md --\n"+twoHunksAndMore()+"-- 2.md --\n"+twoHunksAndMore())
		e := startEmacs(w, c, "", "main.py", "greet.py")
		e.asks("be polite")
		e.see("Good day, ")
		e.told("2 files, +3 -3. Apply or discard with M-x coauthor-apply or M-x coauthor-discard.")
		e.shot(w, "1-diff")
		if got := e.current(); got != "greet.py" {
			t.Errorf("the keys go to %s", got)
		}
		e.press("C-x", "o", "M-<", "C-s")
		e.write("Good day")
		e.press("Enter", "C-c", "C-a")
		e.wantBuffer("greet.py", politeGreet)
		e.wantBuffer("main.py", project["main.py"])
		e.see("Applied so far: 1 hunk")
		e.shot(w, "2-applied")
		e.press("M-<", "C-s")
		e.write("lower")
		e.press("Enter", "C-c", "C-d")
		e.see("discarded: 1")
		e.press("C-c", "C-c") // what is left
		e.wantBuffer("main.py", politeMain)
		e.wantBuffer("greet.py", politeGreet)
		w.wantUntouchedDisk()
		e.visit("greet.py")
		e.mx("coauthor-undo")
		e.wantBuffer("greet.py", project["greet.py"])
		e.wantBuffer("main.py", project["main.py"])
		e.told("Undid the change in 2 files, not saved yet. Redo: M-x coauthor-redo")
		e.asks("be polite again")
		e.see("Good day, ")
		e.mx("coauthor-discard")
		e.see("Discard the pending change?")
		e.write("y")
		e.told("Discarded the change in 2 files.")
		e.wantBuffer("greet.py", project["greet.py"])
		w.wantUntouchedDisk()
	})
}

// What is typed while the model works stays, the diff does not take the keys, and the change lands around it. A turn is
// stopped at once.
func TestEmacsTypingDuringTheTurn(t *testing.T) {
	eachEmacs(t, func(t *testing.T, c emacsClient) {
		covers(t, c.column, rowTyping, rowCancel)
		w := newWorld(t, "-- 1.yaml --\nhold: true\n-- 1.md --\n"+twoFilesAndOneNew()+"-- 2.yaml --\nhold: true\n-- 2.md --\n"+twoFilesAndOneNew())
		e := startEmacs(w, c, "", "main.py", "greet.py")
		e.asks("be polite")
		if err := w.model.WaitHeld(w.ctx(), 1); err != nil {
			t.Fatal(err)
		}
		e.see("Coauthor: Writing") // in the mode line
		e.press("M->")
		e.write("# typed")
		e.wantBuffer("greet.py", project["greet.py"]+"# typed")
		w.model.Release()
		if !wait(func() bool {
			found, err := filepath.Glob(w.path(".coauthor/*.diff"))
			return err == nil && len(found) == 1
		}) {
			t.Fatalf("no diff is written\n%s", e.screen())
		}
		for _, key := range " meanwhile" {
			e.write(string(key))
		}
		e.press("Enter")
		typed := "# typed meanwhile\n"
		e.wantBuffer("greet.py", project["greet.py"]+typed)
		e.see("Good day, ")
		if got := e.eval("(coauthor-mode-line)"); !strings.Contains(got, "change pending") {
			t.Errorf("the mode line says %s", got)
		}
		e.mx("coauthor-apply")
		e.wantBuffer("greet.py", politeGreet+typed)
		e.wantBuffer("main.py", politeMain)
		e.wantBuffer("tests/test_greet.py", politeTest)
		e.told("Applied to 3 files, not saved yet. Undo: M-x coauthor-undo")
		w.wantUntouchedDisk()

		e.mx("coauthor-ask")
		e.answers("Coauthor: Ask about ", "why?")
		if err := w.model.WaitHeld(w.ctx(), 1); err != nil {
			t.Fatal(err)
		}
		e.mx("coauthor-cancel")
		if err := w.model.WaitClosed(w.ctx(), 1); err != nil {
			t.Fatalf("the model's connection stays open: %v", err)
		}
		e.wantBuffer("greet.py", politeGreet+typed)
	})
}

// What the user has typed over a pending change is a conflict, which the model's lines resolve.
func TestEmacsResolvesAConflict(t *testing.T) {
	eachEmacs(t, func(t *testing.T, c emacsClient) {
		covers(t, c.column, rowStale)
		w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew())
		e := startEmacs(w, c, "", "main.py", "greet.py")
		e.asks("be polite")
		e.see("Good day, ")
		e.press("M-<", "C-s")
		e.write("Hello")
		e.press("Enter", "M-BSpace")
		e.write("Hi")
		e.wantBuffer("greet.py", strings.Replace(project["greet.py"], "Hello", "Hi", 1))
		e.mx("coauthor-apply")
		e.see("you edited the same lines in greet.py")
		e.shot(w, "1-conflict")
		e.answers("Use the model's", "Use the model")
		e.wantBuffer("greet.py", politeGreet)
		e.wantBuffer("main.py", politeMain)
		w.wantUntouchedDisk()
	})
}

// A change of several files, one of them new, one renamed and one deleted, is shown, made, saved and undone.
func TestEmacsMovesFiles(t *testing.T) {
	eachEmacs(t, func(t *testing.T, c emacsClient) {
		covers(t, c.column, rowFiles)
		w := untidyWorld(t)
		e := startEmacs(w, c, "", "words.py", "old.py", "greet.py")
		e.asks("tidy up")
		e.see("Good day, ")
		e.shot(w, "1-diff")
		w.wantFiles(untidy, func() {}, e.screen)
		e.mx("coauthor-apply")
		e.closes("old.py", "words.py")
		w.wantFiles(tidy, e.save, e.screen)
		e.visit("greet.py")
		e.wantBuffer("greet.py", tidy["greet.py"])
		e.mx("coauthor-undo")
		e.closes("tests/test_greet.py", "phrases.py")
		w.wantFiles(untidy, e.save, e.screen)
		e.wantBuffer("greet.py", untidy["greet.py"])
	})
}

// closes waits until the user is told to close a file that is gone, and closes it and others without saving them. To what
// Coauthor has to do on the disk itself, since Eglot does not, the user says yes.
func (e *emacs) closes(names ...string) {
	e.t.Helper()
	if !wait(func() bool {
		if strings.Contains(e.screen(), "| Yes, on disk]") {
			e.write("Yes")
			e.press("Enter")
		}
		return strings.Contains(e.messages(), "close "+names[0])
	}) {
		e.t.Fatalf("never told to close %s", names[0])
	}
	for _, name := range names {
		e.eval("(let ((b (find-buffer-visiting " + strconv.Quote(e.w.path(name)) + "))) (when b (with-current-buffer b (set-buffer-modified-p nil)) (kill-buffer b)))")
	}
}

// A comment that is not saved is an instruction, by the menu of code actions.
func TestEmacsComment(t *testing.T) {
	eachEmacs(t, func(t *testing.T, c emacsClient) {
		covers(t, c.column, rowComment)
		w := newWorld(t, doneComment())
		e := startEmacs(w, c, "", "main.py", "greet.py")
		e.press("M-<", "C-o")
		e.write(marked)
		e.wantBuffer("greet.py", marked+"\n"+project["greet.py"])
		e.picks("Coauthor: carry out this comment")
		e.see("Good day, ")
		w.wantComment()
		e.mx("coauthor-apply")
		e.wantBuffer("greet.py", politeGreet)
		w.wantUntouchedDisk()
	})
}

// The document of the conversation has keys: an answer comes into it while the user writes on.
func TestEmacsConversation(t *testing.T) {
	eachEmacs(t, func(t *testing.T, c emacsClient) {
		covers(t, c.column, rowChat, rowBusy)
		w := newWorld(t, talked())
		e := startEmacs(w, c, "", "greet.py")
		e.converse("What does it do?")
		prompt := func(words ...string) {
			t.Helper()
			got := ""
			if !wait(func() bool {
				got, _ = e.buffer(".coauthor/prompt-1.md")
				for _, one := range words {
					if !strings.Contains(got, one) {
						return false
					}
				}
				return true
			}) {
				t.Fatalf("the conversation is\n%s\nwant %q in it", got, words)
			}
		}
		prompt("It greets.")
		e.press("M->")
		e.write("And wh")
		prompt("\nAnd wh")
		w.released()
		prompt("And it shouts.", "\nAnd wh")
		e.write("y?")
		prompt("\nAnd why?")
		e.shot(w, "1-answered")
		e.press("C-c", "C-c")
		prompt("Because it is polite.")
		if got := w.lastUser(); !strings.Contains(got, "And why?") || strings.Contains(got, "rm -rf") {
			t.Errorf("the model was asked\n%s", got)
		}
		e.press("C-x", "C-c") // nobody is asked what becomes of the conversation
		if !wait(func() bool { return e.screen() == "" }) {
			t.Fatalf("Emacs has not ended\n%s", e.screen())
		}
		if got := w.disk(".coauthor/prompt-1.md"); !strings.Contains(got, "Because it is polite.") {
			t.Errorf("on disk is\n%s", got)
		}
	})
}

// What another language server reports is fixed by one command: Eglot has it beside ours by a multiplexer.
func TestEmacsFixesWhatPyrightReports(t *testing.T) {
	eachEmacs(t, func(t *testing.T, c emacsClient) {
		covers(t, c.column, rowFix)
		node, script := pyright(t)
		w := mistypedWorld(t)
		var more string
		if c.eglot() {
			more = fmt.Sprintf("\n(setq coauthor-eglot-multiplexer '(%q))\n(coauthor-eglot-use '(python-mode) %q %q \"--stdio\")\n",
				filepath.Join(cache(t, "emacs30"), "rass/rass"), node, script)
		} else {
			more = fmt.Sprintf("\n(lsp-register-client (make-lsp-client :server-id 'pyright :new-connection (lsp-stdio-connection '(%q %q \"--stdio\")) :activation-fn (lsp-activate-on \"python\")))\n", node, script)
		}
		e := startEmacs(w, c, more, "greet.py")
		reports := func() bool {
			return e.eval(`(with-current-buffer "greet.py" (and (cl-find-if (lambda (d) (string-match-p "is not defined" (flymake-diagnostic-text d))) (flymake-diagnostics)) t))`) == "t"
		}
		if !wait(reports) {
			t.Fatalf("pyright reports nothing\n%s", e.screen())
		}
		e.press("M-<", "C-n")
		e.mx("coauthor-fix")
		e.see("# To apply or discard the hunk or file at the cursor")
		e.shot(w, "1-diff")
		w.wantProblem()
		e.mx("coauthor-apply")
		e.wantBuffer("greet.py", project["greet.py"])
		e.press("M-<")
		if !wait(func() bool { return !reports() }) {
			t.Errorf("something is still reported\n%s", e.screen())
		}
	})
}

// Without a key the user is told what to set, and the check of the set-up says the same.
func TestEmacsWithoutAKey(t *testing.T) {
	eachEmacs(t, func(t *testing.T, c emacsClient) {
		covers(t, c.column, rowNoKey)
		w := newWorld(t, "-- 1.md --\nNobody asked.\n")
		w.keyless()
		e := startEmacs(w, c, "", "greet.py")
		e.asks("be polite")
		e.told("COAUTHOR_TEST_KEY")
		e.mx("coauthor-doctor")
		e.see("Set COAUTHOR_TEST_KEY in the environment")
		e.shot(w, "1-set-up")
		w.wantUntouchedDisk()
		if got := len(w.model.Requests()); got != 0 {
			t.Errorf("another model was asked %d times", got)
		}
	})
}

// A server that is killed has the turn in its journal, and the next one undoes it.
func TestEmacsUndoesAfterACrash(t *testing.T) {
	eachEmacs(t, func(t *testing.T, c emacsClient) {
		covers(t, c.column, rowCrash, rowUndo)
		w := newWorld(t, "-- 1.md --\n"+twoHunksAndMore())
		e := startEmacs(w, c, "\n(setq eglot-autoreconnect nil)\n", "main.py", "greet.py")
		e.asks("be polite")
		e.see("Good day, ")
		e.mx("coauthor-apply")
		e.told("Applied to 2 files")
		quiet := strings.Replace(politeGreet, "upper", "lower", 1)
		e.wantBuffer("greet.py", quiet)
		served := "(with-current-buffer (find-buffer-visiting " + strconv.Quote(w.path("greet.py")) + ") (let ((c (coauthor--own-connection))) (and c (coauthor-live-p c) t)))"
		w.killServer()
		if c.eglot() {
			if !wait(func() bool { return e.eval(served) == "nil" }) {
				t.Fatal("Eglot has not noticed it")
			}
			e.mx("eglot")
		} else {
			e.see("estart")
			e.write("y")
		}
		if !wait(func() bool { return e.eval(served) == "t" }) {
			t.Fatalf("the server is not back\n%s", e.screen())
		}
		e.mx("coauthor-undo")
		e.wantBuffer("greet.py", project["greet.py"])
		e.wantBuffer("main.py", project["main.py"])
		e.told("Undid the change in 2 files")
		w.wantUntouchedDisk()
	})
}

// Text beyond ASCII and line ends of Windows come through a change and its undo byte by byte.
func TestEmacsKeepsLineEnds(t *testing.T) {
	eachEmacs(t, func(t *testing.T, c emacsClient) {
		covers(t, c.column, rowText, rowUndo)
		w := newWorld(t, toMarket())
		w.write("market.py", market)
		e := startEmacs(w, c, "", "market.py")
		e.press("C-e")
		e.write(" ö")
		e.wantBuffer("market.py", asBuffer(marketTyped))
		e.asks("sell something else")
		e.see("Crêpe")
		e.mx("coauthor-apply")
		e.wantBuffer("market.py", asBuffer(marketNew))
		w.wantFiles(map[string]string{"market.py": marketNew}, e.save, e.screen)
		e.mx("coauthor-undo")
		e.wantBuffer("market.py", asBuffer(marketTyped))
		w.wantFiles(map[string]string{"market.py": marketTyped}, e.save, e.screen)
	})
}
