package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// makesAPackage is a reply in the format patch: a file without text, and an edit.
const makesAPackage = "-- 1.md --\nI make it a package.\n\n*** Begin Patch\n*** Add File: tests/__init__.py\n*** Update File: greet.py\n@@\n" +
	" def greet(name):\n-    return \"Hello, \" + name\n+    return \"Good day, \" + name\n*** End Patch\n"

// format sets the edit format in the user's settings, before the editor starts.
func (w *world) format(name string) {
	w.t.Helper()
	config := filepath.Join(w.own, "config/coauthor/config.yaml")
	text, err := os.ReadFile(config)
	if err == nil {
		err = os.WriteFile(config, []byte(strings.Replace(string(text), "editFormat: diff", "editFormat: "+name, 1)), 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// made waits until a file without text is on disk, or is not.
func (w *world) made(name string, want bool, screen func() string) {
	w.t.Helper()
	if !wait(func() bool {
		info, err := os.Stat(w.path(name))
		return want && err == nil && info.Size() == 0 || !want && os.IsNotExist(err)
	}) {
		w.t.Fatalf("%s, which is to be there: %v\n%s", name, want, screen())
	}
}

// A new file without text is on disk when it was accepted, and is gone when that is undone.
func TestModuleMakesAnEmptyFile(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, makesAPackage)
		w.format("patch")
		n := w.open(prefix, "init_module.lua")
		askForChange(n, "Vj", "make it a package")
		n.see("before greet.py")
		n.keys("aa")
		n.wantBuffer(w.path("greet.py"), politeGreet)
		n.see("Applied to 2 files")
		nothing := func() string { return "" }
		w.made("tests/__init__.py", true, nothing)
		n.keys(":Coauthor undo<CR>")
		n.wantBuffer(w.path("greet.py"), project["greet.py"])
		w.made("tests/__init__.py", false, nothing)
		n.keys(":Coauthor redo<CR>")
		n.wantBuffer(w.path("greet.py"), politeGreet)
		w.made("tests/__init__.py", true, nothing)
	})
}

// The same in Helix.
func TestHelixMakesAnEmptyFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, makesAPackage)
	w.format("patch")
	term := startHelix(w, cache(t, "helix"), "greet.py", "main.py")
	term.see("def greet(name):")
	instruct(term, "package")
	term.see("Good day, ")
	w.wantUntouchedDisk()
	pick(term, "Coauthor: apply pending change")
	w.made("tests/__init__.py", true, term.screen)
	term.typed("lsp-workspace-command coauthor.undoTurn")
	w.made("tests/__init__.py", false, term.screen)
	term.typed("quit-all!")
}
