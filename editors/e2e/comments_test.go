package e2e

import (
	"strings"
	"testing"
)

// marked is a comment that the user types and does not save.
const marked = "# Be polite. AI!"

// doneComment is a model that does what the comment says and takes it out.
func doneComment() string {
	return "-- 1.md --\n" + edit("greet.py", marked+"\ndef greet(name):\n    return \"Hello, \" + name\n", "def greet(name):\n    return \"Good day, \" + name\n")
}

// wantComment looks at what the model was asked.
func (w *world) wantComment() {
	w.t.Helper()
	if got := w.lastUser(); !strings.Contains(got, "line 1: "+marked) {
		w.t.Errorf("the model was asked\n%s", got)
	}
}

// A comment is an instruction, with nothing of ours but lsp/coauthor.lua.
func TestPlainComment(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowComment)
		w := newWorld(t, doneComment())
		n := w.open(prefix, "init_plain.lua")
		n.keys("ggO" + marked + "<Esc>")
		choose(n, "gra", "Coauthor: carry out this comment")
		n.see("Good day, ")
		w.shot("1-preview", n.text())
		choose(n, "gra", "Coauthor: apply pending change")
		n.wantBuffer(w.path("greet.py"), politeGreet)
		w.wantComment()
		w.wantUntouchedDisk()
	})
}

// The same in an editor without any plug-in.
func TestHelixComment(t *testing.T) {
	eachHelix(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowComment)
		w := newWorld(t, doneComment())
		term := startHelix(w, prefix, "greet.py", "main.py")
		term.see("def greet(name):")
		term.press("O")
		for i, key := range marked {
			// Helix sends the changes of keys that come at once in any order.
			term.write(string(key))
			term.see(strings.TrimSpace(marked[:i+1]))
		}
		term.leaveInsert()
		pick(term, "Coauthor: carry out this comment")
		term.see("Good day, ")
		w.wantUntouchedDisk()
		term.shot(w, "1-preview")
		pick(term, "Coauthor: apply pending change")
		if !wait(func() bool {
			term.typed("write-all")
			return wait1(func() bool { return w.disk("greet.py") == politeGreet })
		}) {
			t.Fatalf("on disk:\n%s\nscreen:\n%s", w.disk("greet.py"), term.screen())
		}
		w.wantComment()
		term.typed("quit-all!")
	})
}
