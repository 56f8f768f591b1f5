package e2e

import (
	"maps"
	"os"
	"testing"
)

// movesFiles is a reply in the format patch: one file changes, one gets another name and a change, one is deleted, and
// one is new.
const movesFiles = "-- 1.md --\nI tidy up.\n\n*** Begin Patch\n*** Update File: greet.py\n@@\n" +
	" def greet(name):\n-    return \"Hello, \" + name\n+    return \"Good day, \" + name\n" +
	"*** Update File: words.py\n*** Move to: phrases.py\n@@\n # What is said.\n-WORD = \"hello\"\n+WORD = \"good day\"\n" +
	"*** Delete File: old.py\n" +
	"*** Add File: tests/test_greet.py\n+from greet import greet\n+\n+assert greet(\"x\") == \"Good day, x\"\n*** End Patch\n"

// The files of the project before that change and after it; "" is a file that is not there.
var (
	untidy = map[string]string{
		"greet.py": project["greet.py"], "words.py": "# What is said.\nWORD = \"hello\"\n", "old.py": "# of no use\n",
		"phrases.py": "", "tests/test_greet.py": "",
	}
	tidy = map[string]string{
		"greet.py": politeGreet, "words.py": "", "old.py": "",
		"phrases.py": "# What is said.\nWORD = \"good day\"\n", "tests/test_greet.py": politeTest,
	}
)

// untidyWorld is a project with a file to rename and one to delete.
func untidyWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, movesFiles)
	w.format("patch")
	w.write("words.py", untidy["words.py"])
	w.write("old.py", untidy["old.py"])
	return w
}

// wantFiles waits until the files on disk are these, after each look at which save is called.
func (w *world) wantFiles(want map[string]string, save func(), screen func() string) {
	w.t.Helper()
	got := map[string]string{}
	if wait(func() bool {
		save()
		return wait1(func() bool {
			for name := range want {
				got[name] = w.disk(name)
				if _, err := os.Stat(w.path(name)); err == nil && got[name] == "" {
					got[name] = "(there, without text)"
				}
			}
			return maps.Equal(got, want)
		})
	}) {
		return
	}
	w.t.Fatalf("on disk are\n%q\nwant\n%q\nscreen:\n%s", got, want, screen())
}

// A change of several files, one of them new, one renamed and one deleted, is shown, made, saved and undone, with nothing
// of ours but lsp/coauthor.lua.
func TestPlainMovesFiles(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowFiles, rowUndo)
		w := untidyWorld(t)
		n := w.open(prefix, "init_plain.lua")
		for _, name := range []string{"words.py", "old.py", "greet.py"} {
			n.keys(":edit " + w.path(name) + "<CR>")
		}
		n.keys("ggVG")
		instructed(n, "tidy up")
		n.see("Good day, ")
		n.see("Apply or discard with gra.")
		w.shot("1-diff", n.text())
		save := func() { n.keys(":silent! wall<CR>") }
		w.wantFiles(untidy, func() {}, n.text)
		choose(n, "gra", "Coauthor: apply pending change")
		n.wantBuffer(w.path("greet.py"), tidy["greet.py"])
		n.wantBuffer(w.path("tests/test_greet.py"), tidy["tests/test_greet.py"])
		n.see("Applied to 4 files")
		n.keys(":edit " + w.path("phrases.py") + "<CR>") // Neovim 0.7 loads what it has renamed when the user goes there
		n.wantBuffer(w.path("phrases.py"), tidy["phrases.py"])
		w.wantFiles(tidy, save, n.text)
		n.keys(":edit " + w.path("greet.py") + "<CR>")
		choose(n, "gra", "Coauthor: undo last")
		n.wantBuffer(w.path("greet.py"), untidy["greet.py"])
		n.see("Undid the change in 4 files")
		n.keys(":edit " + w.path("words.py") + "<CR>")
		n.wantBuffer(w.path("words.py"), untidy["words.py"])
		w.wantFiles(untidy, save, n.text)
	})
}

// The same in Helix.
func TestHelixMovesFiles(t *testing.T) {
	eachHelix(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowFiles, rowUndo)
		w := untidyWorld(t)
		term := startHelix(w, prefix, "greet.py", "words.py", "old.py")
		term.see("def greet(name):")
		instruct(term, "tidy up")
		term.see("Good day, ")
		term.see("Apply or discard with space a.")
		term.shot(w, "1-diff")
		w.wantFiles(untidy, func() {}, term.screen)
		pick(term, "Coauthor: apply pending change")
		term.see("Applied to 4 files")
		save := func() { term.typed("write-all") }
		w.wantFiles(tidy, save, term.screen)
		term.typed("open greet.py")
		term.see("Good day, ")
		pick(term, "Coauthor: undo last")
		term.see("Hello, ")
		w.wantFiles(untidy, save, term.screen)
		term.typed("quit-all!")
	})
}
