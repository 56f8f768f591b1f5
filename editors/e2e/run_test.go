package e2e

import (
	"os"
	"strings"
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

// Without words, the commands that the last answer suggests are listed; the one that is chosen runs after a question.
func TestModuleListsSuggestedCommands(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, "-- 1.md --\n"+suggests)
		n := w.open(prefix, "init_module.lua")
		n.keys(":Coauthor ask how do I try it?<CR>")
		n.until("the answer", func() bool { return strings.Contains(n.chat(), "tee two.txt") })
		n.input(":Coauthor run<CR>")
		n.see("Which command suggested by the last answer")
		n.see("2: echo two | tee two.txt")
		n.see("Type number and <Enter>")
		w.shot("1-list", n.text())
		n.input("2<CR>")
		n.see("Run this command in")
		if w.disk("two.txt") != "" {
			t.Fatal("it ran before it was allowed")
		}
		choose(n, "", "run")
		n.see("Add its output")
		w.shot("2-output", n.text())
		choose(n, "", "add")
		n.until("it has run", func() bool { return w.disk("two.txt") == "two\n" })
		if w.disk("one.txt") != "" {
			t.Error("the other one has run, too")
		}
	})
}
