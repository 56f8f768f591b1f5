package e2e

import (
	"os"
	"testing"
)

// With words behind it, :Coauthor run is the command that runs them, after a question.
func TestModuleRuns(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, "-- 1.md --\nNobody asked.\n")
		n := w.open(prefix, "init_module.lua")
		n.input(":Coauthor run touch made.txt<CR>")
		n.see("Run this command in")
		if _, err := os.Stat(w.path("made.txt")); err == nil {
			t.Fatal("it ran before it was allowed")
		}
		choose(n, "", "run")
		n.until("the file is made", func() bool { _, err := os.Stat(w.path("made.txt")); return err == nil })
		n.see("touch made.txt succeeded")
	})
}
