package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// The diff is opened by a key. One hunk is applied there, another one discarded, the rest applied, all of it undone; the next
// change is discarded.
func TestKakouneTakesHunks(t *testing.T) {
	t.Parallel()
	covers(t, kakouneColumn, rowHunk, rowUndo, rowDiscard)
	w := newWorld(t, "-- 1.md --\n"+twoHunksAndMore()+"-- 2.md --\n"+twoHunksAndMore())
	k := startKakoune(w, "", "main.py", "greet.py")
	k.asks("be polite")
	k.told("A change is pending (2 files, +3 -3). Apply or discard it with :lsp-code-actions. You asked: be polite.")
	k.does("s")
	k.see("Good day, ")
	k.shot(w, "1-diff")
	k.write("/Good day")
	k.press("Enter")
	k.picks("Coauthor: apply this hunk")
	k.wantBuffer("greet.py", politeGreet)
	k.wantBuffer("main.py", project["main.py"])
	k.told("Still open: 2 files.")
	k.does("s")
	k.see("Applied so far: 1 hunk")
	k.shot(w, "2-applied")
	k.write("/lower")
	k.press("Enter")
	k.picks("Coauthor: discard this hunk")
	k.does("s")
	k.see("discarded: 1")
	k.does("a") // what is left
	k.wantBuffer("main.py", politeMain)
	k.wantBuffer("greet.py", politeGreet)
	k.visit("greet.py")
	k.does("u")
	k.wantBuffer("greet.py", project["greet.py"])
	k.wantBuffer("main.py", project["main.py"])
	k.told("Undid the change in 2 files")
	k.asks("be polite again")
	k.told("You asked: be polite again.")
	k.does("d")
	k.told("Discarded the change in 2 files.")
	k.wantBuffer("greet.py", project["greet.py"])
}

// What is typed while the model works stays, and the change lands around it. A turn is stopped at once.
func TestKakouneTypingDuringTheTurn(t *testing.T) {
	t.Parallel()
	covers(t, kakouneColumn, rowTyping, rowCancel)
	w := newWorld(t, "-- 1.yaml --\nhold: true\n-- 1.md --\n"+twoFilesAndOneNew()+"-- 2.yaml --\nhold: true\n-- 2.md --\n"+twoFilesAndOneNew())
	k := startKakoune(w, "", "main.py", "greet.py")
	k.asks("be polite")
	if err := w.model.WaitHeld(w.ctx(), 1); err != nil {
		t.Fatal(err)
	}
	k.write("geo# typed")
	k.wantBuffer("greet.py", project["greet.py"]+"    # typed\n")
	w.model.Release()
	for _, key := range " meanwhile" {
		k.write(string(key))
	}
	k.stopsTyping()
	typed := "    # typed meanwhile\n"
	k.wantBuffer("greet.py", project["greet.py"]+typed)
	k.told("A change is pending (3 files, +")
	k.does("a")
	k.wantBuffer("greet.py", politeGreet+typed)
	k.wantBuffer("main.py", politeMain)
	k.told("Applied to 3 files")

	k.does("q")
	k.see("Coauthor: ask: ")
	k.write("why?")
	k.press("Enter")
	if err := w.model.WaitHeld(w.ctx(), 1); err != nil {
		t.Fatal(err)
	}
	k.does("c")
	if err := w.model.WaitClosed(w.ctx(), 1); err != nil {
		t.Fatalf("the model's connection stays open: %v", err)
	}
	k.wantBuffer("greet.py", politeGreet+typed)
}

// What the user has typed over a pending change is a conflict, which the model's lines resolve.
func TestKakouneResolvesAConflict(t *testing.T) {
	t.Parallel()
	covers(t, kakouneColumn, rowStale)
	w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew())
	k := startKakoune(w, "", "main.py", "greet.py")
	k.asks("be polite")
	k.told("A change is pending (3 files, +")
	k.write("gg/Hello")
	k.press("Enter")
	k.write("cHi")
	k.stopsTyping()
	k.wantBuffer("greet.py", strings.Replace(project["greet.py"], "Hello", "Hi", 1))
	k.does("a")
	k.told("you edited the same lines in greet.py (line 2). Answer: :lsp-show-message-request-next.")
	k.write("l") // the message goes, and shows the mode line again
	k.see("🔔1")
	k.does("n")
	k.see("From language server")
	k.shot(w, "1-conflict")
	k.write("Use the model's")
	k.press("Enter")
	k.wantBuffer("greet.py", politeGreet)
	k.wantBuffer("main.py", politeMain)
}

// A change of several files, one of them new, one renamed and one deleted, is shown, made, saved and undone.
func TestKakouneMovesFiles(t *testing.T) {
	t.Parallel()
	covers(t, kakouneColumn, rowFiles)
	w := untidyWorld(t)
	k := startKakoune(w, "", "words.py", "old.py", "greet.py")
	k.asks("tidy up")
	k.told("A change is pending (4 files, +")
	k.does("s")
	k.see("Good day, ")
	k.shot(w, "1-diff")
	w.wantFiles(untidy, func() {}, k.screen)
	k.does("a")
	k.closes("old.py", "words.py")
	w.wantFiles(tidy, k.save, k.screen)
	k.visit("greet.py")
	k.wantBuffer("greet.py", tidy["greet.py"])
	k.does("u")
	k.told("Undid the change in 4 files")
	w.wantFiles(untidy, k.save, k.screen)
	k.wantBuffer("greet.py", untidy["greet.py"])
}

// closes waits until the user is told to close a file that is gone, and closes it and others without saving them.
func (k *kakoune) closes(names ...string) {
	k.t.Helper()
	k.told("close " + names[0])
	for _, name := range names {
		k.tell("evaluate-commands -buffer '" + k.w.path(name) + "' delete-buffer!")
	}
}

// A comment that is not saved is an instruction, by the menu of code actions.
func TestKakouneComment(t *testing.T) {
	t.Parallel()
	covers(t, kakouneColumn, rowComment)
	w := newWorld(t, doneComment())
	k := startKakoune(w, "", "main.py", "greet.py")
	k.write("ggO" + marked)
	k.stopsTyping()
	k.wantBuffer("greet.py", marked+"\n"+project["greet.py"])
	k.picks("Coauthor: carry out this comment")
	k.told("A change is pending (1 file, +")
	w.wantComment()
	k.does("a")
	k.wantBuffer("greet.py", politeGreet)
	w.wantUntouchedDisk()
}

// The document of the conversation is opened by a key: an answer comes into it while the user writes on.
func TestKakouneConversation(t *testing.T) {
	t.Parallel()
	covers(t, kakouneColumn, rowChat, rowBusy)
	w := newWorld(t, talked())
	k := startKakoune(w, "", "greet.py")
	k.does("p")
	k.inFront("prompt-1.md")
	k.write("o/ask What does it do?")
	k.stopsTyping()
	k.does("r")
	k.talks("It greets.")
	k.write("geoAnd wh")
	k.talks("\nAnd wh")
	w.released()
	k.talks("And it shouts.", "\nAnd wh")
	k.write("y?")
	k.stopsTyping()
	k.talks("\nAnd why?")
	k.shot(w, "1-answered")
	k.does("r")
	k.talks("Because it is polite.")
	if got := w.lastUser(); !strings.Contains(got, "And why?") || strings.Contains(got, "rm -rf") {
		t.Errorf("the model was asked\n%s", got)
	}
}

// talks waits until these words are in the conversation.
func (k *kakoune) talks(words ...string) {
	k.t.Helper()
	got := ""
	if !wait(func() bool {
		got = k.buffer(".coauthor/prompt-1.md")
		for _, one := range words {
			if !strings.Contains(got, one) {
				return false
			}
		}
		return true
	}) {
		k.t.Fatalf("the conversation is\n%s\nwant %q in it", got, words)
	}
}

// What another language server reports is fixed by one command.
func TestKakouneFixesWhatPyrightReports(t *testing.T) {
	t.Parallel()
	covers(t, kakouneColumn, rowFix)
	node, script := pyright(t)
	w := mistypedWorld(t)
	k := startKakoune(w, fmt.Sprintf(`
hook -group lsp-filetype-python global BufSetOption filetype=python %%{
    set-option buffer lsp_servers %%{
        [pyright]
        root_globs = [".git"]
        command = %q
        args = [%q, "--stdio"]
    }
}
`, node, script), "greet.py")
	k.write("ggj")
	k.see("*    return") // the mark of a mistake
	k.does("f")
	k.told("A change is pending (1 file, +")
	w.wantProblem()
	k.does("a")
	k.wantBuffer("greet.py", project["greet.py"])
}

// Without a key the user is told what to set, and the check of the set-up says the same.
func TestKakouneWithoutAKey(t *testing.T) {
	t.Parallel()
	covers(t, kakouneColumn, rowNoKey)
	w := newWorld(t, "-- 1.md --\nNobody asked.\n")
	w.keyless()
	k := startKakoune(w, "", "greet.py")
	k.asks("be polite")
	k.told("COAUTHOR_TEST_KEY")
	k.typed("coauthor-doctor")
	k.told("Set COAUTHOR_TEST_KEY in the environment")
	k.shot(w, "1-set-up")
	w.wantUntouchedDisk()
	if got := len(w.model.Requests()); got != 0 {
		t.Errorf("another model was asked %d times", got)
	}
}

// A server that is killed has the turn in its journal, and the next one undoes it.
func TestKakouneUndoesAfterACrash(t *testing.T) {
	t.Parallel()
	covers(t, kakouneColumn, rowCrash, rowUndo)
	w := newWorld(t, "-- 1.md --\n"+twoHunksAndMore())
	k := startKakoune(w, "", "main.py", "greet.py")
	k.asks("be polite")
	k.told("A change is pending (2 files, +3 -3). Apply or discard it with :lsp-code-actions. You asked: be polite.")
	k.does("a")
	k.told("Applied to 2 files")
	k.wantBuffer("greet.py", strings.Replace(politeGreet, "upper", "lower", 1))
	k.wantBuffer("main.py", politeMain)
	w.killServer()
	k.typed("coauthor-restart")
	k.does("u")
	k.wantBuffer("greet.py", project["greet.py"])
	k.wantBuffer("main.py", project["main.py"])
	k.told("Undid the change in 2 files")
}

// Text beyond ASCII and line ends of Windows come through a change and its undo byte by byte.
func TestKakouneKeepsLineEnds(t *testing.T) {
	t.Parallel()
	covers(t, kakouneColumn, rowText, rowUndo)
	w := newWorld(t, toMarket())
	w.write("market.py", market)
	k := startKakoune(w, "", "market.py")
	k.write("ggA ö")
	k.stopsTyping()
	k.wantBuffer("market.py", marketTyped)
	k.asks("sell something else")
	k.told("A change is pending (1 file, +")
	k.does("a")
	k.wantBuffer("market.py", marketNew)
	w.wantFiles(map[string]string{"market.py": marketNew}, k.save, k.screen)
	k.does("u")
	k.wantBuffer("market.py", marketTyped)
	w.wantFiles(map[string]string{"market.py": marketTyped}, k.save, k.screen)
}

// A file without a type, which kakoune-lsp would not serve, is changed by an instruction that comes right behind what was
// typed, before any pause.
func TestKakouneServesAnyFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "-- 1.md --\n"+edit("notes", "one two\n", "one two three\n"))
	w.write("notes", "one\n")
	k := startKakoune(w, "map global insert <F5> '<esc>:coauthor-edit count on<ret>'\n", "notes")
	k.write("gla two")
	k.press("F5")
	k.told("A change is pending (1 file, +1 -1)")
	k.does("a")
	k.wantBuffer("notes", "one two three\n")
}
