//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// On a terminal the request is asked for where nothing says it, and the repository when the change is taken.
func TestGenerateAsksWhatToBuild(t *testing.T) {
	for _, git := range []string{"y\n", "\n"} {
		h := newShell(t, "-- 1.md --\n"+generatedReply+"-- 2.md --\n"+scriptReply)
		if err := os.Remove(filepath.Join(h.root, "a.py")); err != nil { // the folder is to be new
			t.Fatal(err)
		}
		s := h.generateOnScreen("generate", "--no-run")
		s.expect("What do you want to build?")
		s.types("Say hi.\n")
		s.expect("Apply this change?")
		s.types("y\n")
		s.expect("is not in a Git repository. Create one there? [yes/no] (default: no)")
		s.types(git)
		s.exit(0)
		if got := h.server.Requests()[0].Messages[1].Content; got != "Request: Say hi." || h.read("hi.py") != "print('hi')\n" {
			t.Errorf("sent %q:\n%s", got, s.text())
		}
		if _, err := os.Stat(filepath.Join(h.root, ".git")); (err == nil) != (git == "y\n") {
			t.Errorf("repository: %v", err)
		}
	}
}
