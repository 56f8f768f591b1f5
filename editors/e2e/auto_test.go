package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// calling is a reply of a scripted model, with the calls of tools behind it, each a name and its arguments.
func calling(n int, delivery, text string, calls ...[2]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "-- %d.md --\n%s-- %d.yaml --\n%s", n, text, n, delivery)
	if len(calls) > 0 {
		b.WriteString("calls:\n")
	}
	for _, c := range calls {
		fmt.Fprintf(&b, "  - name: %s\n    arguments: %q\n", c[0], c[1])
	}
	return b.String()
}

// autoWork is a model that looks around with six calls, and then works in two rounds; it waits before each of them
// until it is let go on.
func autoWork() string {
	const fast, waits = "chunk: 64\n", "hold-first: true\nchunk: 24\ndelay: 100ms\n"
	return calling(1, fast, "", [2]string{"list", "{}"}, [2]string{"search", `{"pattern":"greet"}`}) +
		calling(2, fast, "", [2]string{"read", `{"path":"greet.py"}`}, [2]string{"read", `{"path":"main.py"}`}, [2]string{"symbol", `{"name":"greet","kind":"uses"}`}) +
		calling(3, fast, "", [2]string{"diagnostics", "{}"}) +
		calling(4, waits, "I make the greeting polite first.\n\n"+
			edit("greet.py", "def greet(name):\n    return \"Hello, \" + name\n", "def greet(name):\n    return \"Good day, \" + name\n"),
			[2]string{"finish", `{"done":false,"next":"greet the dear world in main.py"}`}) +
		calling(5, waits, "Now the caller.\n\n"+edit("main.py", "print(greet(\"world\"))\n", "print(greet(\"dear world\"))\n"),
			[2]string{"finish", `{"done":true,"summary":"Both files are polite."}`})
}

// comesTo waits until the model was asked so often and holds its reply.
func (w *world) comesTo(n *nvim, calls int) {
	w.t.Helper()
	n.until(fmt.Sprintf("the model was asked %d times", calls), func() bool { return len(w.model.Requests()) == calls })
	if err := w.model.WaitHeld(w.ctx(), 1); err != nil {
		w.t.Fatalf("%v\n%s", err, n.text())
	}
}

// capture logs the screen, for whoever wants to see what the user saw (-v).
func capture(n *nvim, when string) {
	n.t.Helper()
	n.t.Logf("%s:\n%s", when, n.text())
}

// startAuto opens Neovim and gives auto its task.
func startAuto(t *testing.T, w *world, prefix string) *nvim {
	n := w.open(prefix, "init_module.lua")
	n.lua(statusline(t, "require'coauthor'"))
	n.keys("gg")
	n.input(":Coauthor auto<CR>")
	n.see("Coauthor: Work until the task is done:")
	n.input("be polite everywhere<CR>")
	return n
}

// TestModuleAuto: auto looks around, works in two rounds and proposes once; the status line says what it does all
// the time.
func TestModuleAuto(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, autoWork())
		n := startAuto(t, w, prefix)
		w.comesTo(n, 4)
		n.see("Waiting for scripted")
		capture(n, "It has looked around and thinks")
		w.model.Release()
		w.comesTo(n, 5)
		n.see("Step 2: greet the dear world")
		capture(n, "The second round has begun")
		w.model.Release()
		n.see("coauthor: 2 files pending")
		n.see("before greet.py")
		capture(n, "One proposal of both rounds")
		var sent strings.Builder
		for _, r := range w.model.Requests() {
			sent.Write(r.Body)
		}
		for _, want := range []string{"1|def greet(name):", "1|from greet import greet", "Go on: greet the dear world in main.py"} {
			if !strings.Contains(sent.String(), want) {
				t.Errorf("the model was never sent %q", want)
			}
		}
		n.keys("aa")
		n.wantBuffer(w.path("greet.py"), politeGreet)
		n.wantBuffer(w.path("main.py"), politeMain)
		n.see("Applied to 2 files, not saved yet. Undo: :Coauthor undo")
		capture(n, "It is applied")
		w.wantUntouchedDisk()
		n.until("the preview is closed", func() bool { return n.lua("return #vim.api.nvim_list_tabpages()") == int64(1) })
		n.keys(":Coauthor undo<CR>")
		n.wantBuffer(w.path("greet.py"), project["greet.py"])
		n.wantBuffer(w.path("main.py"), project["main.py"])
	})
}

// TestModuleAutoInRounds: with turn.stepwise each round's change is shown and decided on by itself, the first while
// the model works on the second.
func TestModuleAutoInRounds(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, autoWork())
		w.configure("turn.stepwise: true\n")
		n := startAuto(t, w, prefix)
		w.comesTo(n, 4)
		w.model.Release()
		w.comesTo(n, 5)
		n.see("before greet.py")
		n.see("1/1 greet.py (+1 -1)")
		n.see("Step 2: greet the dear world")
		capture(n, "The change of the first round")
		n.keys("aa")
		n.wantBuffer(w.path("greet.py"), politeGreet)
		if got, _ := n.buffer(w.path("main.py")); got != project["main.py"] {
			t.Errorf("main.py is changed already:\n%s", got)
		}
		w.model.Release()
		n.until("the second change is announced", func() bool { return strings.Contains(n.text(), "1 file pending") })
		if !wait1(func() bool { return strings.Contains(n.text(), "before main.py") }) {
			n.input(":Coauthor show<CR>") // nothing opens under the fingers of who has just typed
		}
		n.see("before main.py")
		n.see("dear world")
		capture(n, "The change of the second round")
		n.keys("aa")
		n.wantBuffer(w.path("main.py"), politeMain)
		n.until("the preview is closed", func() bool { return n.lua("return #vim.api.nvim_list_tabpages()") == int64(1) })
		capture(n, "Both are applied")
		n.keys(":Coauthor undo<CR>")
		n.wantBuffer(w.path("main.py"), project["main.py"])
		n.wantBuffer(w.path("greet.py"), politeGreet)
	})
}
