package e2e

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// versions are the Neovims that every scenario runs in.
var versions = []string{"nvim010", "nvim012"}

// oldest is the Neovim that the basic ones run in too: what it can show of each row of the table.
const oldest = "nvim07"

var basic = []string{
	"TestModule", "TestModuleAppliesAndUndoes", "TestModuleDiscards", "TestModuleTypingDuringTheTurn", "TestModuleRefusesAConflict",
	"TestModuleCancels", "TestModuleChat", "TestModuleDrawsIntoTheText",
	"TestPlainTakesHunks", "TestPlainComment", "TestPlainUndoesAfterACrash", "TestPlainMovesFiles", "TestPlainWithoutAKey", "TestPlainKeepsLineEnds", "TestPlainAnswersLate",
	"TestModuleFixesWhatPyrightReports",
}

// eachNvim runs a scenario in every Neovim, beside other scenarios: each has a project, a home, a server
// and a model of its own.
func eachNvim(t *testing.T, run func(t *testing.T, prefix string)) {
	t.Parallel()
	names := versions
	if slices.Contains(basic, t.Name()) {
		names = append([]string{oldest}, versions...)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, cache(t, name))
		})
	}
}

// twoFilesAndOneNew is a reply that changes both files of the project and adds one in a new folder.
func twoFilesAndOneNew() string {
	return "I make the greeting polite.\n\n" +
		edit("greet.py", "def greet(name):\n    return \"Hello, \" + name\n", "def greet(name):\n    return \"Good day, \" + name\n") +
		edit("main.py", "print(greet(\"world\"))\n", "print(greet(\"dear world\"))\n") +
		edit("tests/test_greet.py", "", "from greet import greet\n\nassert greet(\"x\") == \"Good day, x\"\n")
}

var (
	politeGreet = strings.Replace(project["greet.py"], `"Hello, "`, `"Good day, "`, 1)
	politeMain  = strings.Replace(project["main.py"], `"world"`, `"dear world"`, 1)
	politeTest  = "from greet import greet\n\nassert greet(\"x\") == \"Good day, x\"\n"
)

// open starts the module's Neovim on both files, with greet.py in view.
func (w *world) open(prefix, init string) *nvim {
	w.t.Helper()
	n := startNvim(w, prefix, init)
	for _, name := range []string{"main.py", "greet.py"} {
		n.keys(":edit " + w.path(name) + "<CR>")
		n.until("the server is attached to "+name, func() bool {
			return n.lua("return #vim.lsp.get_clients({ bufnr = 0, name = 'coauthor' })") == int64(1)
		})
	}
	n.until("the server has answered", func() bool {
		return n.lua("local c = vim.lsp.get_clients({ bufnr = 0 })[1] return c ~= nil and c.initialized == true") == true
	})
	return n
}

// askForChange selects lines and types the instruction into the input box, as a user does.
func askForChange(n *nvim, lines, instruction string) {
	n.t.Helper()
	n.keys("gg" + lines)
	n.input(":Coauthor edit<CR>")
	n.see("Coauthor: Change selection:")
	n.input(instruction + "<CR>")
}

func (w *world) wantUntouchedDisk() {
	w.t.Helper()
	for name, text := range project {
		if got := w.disk(name); got != text {
			w.t.Errorf("%s changed on disk behind the editor's back:\n%s", name, got)
		}
	}
}

func TestModuleAppliesAndUndoes(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowUndo)
		w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew())
		n := w.open(prefix, "init_module.lua")
		askForChange(n, "Vj", "be polite")
		n.see("before greet.py")
		n.see("Good day, ")
		n.seePending("3 files")
		if got := w.lastUser(); !strings.Contains(got, "be polite") {
			t.Errorf("the model was asked\n%s", got)
		}
		if got, _ := n.buffer(w.path("greet.py")); got != project["greet.py"] {
			t.Errorf("the buffer changed before it was accepted:\n%s", got)
		}
		n.keys("]f")
		n.see("dear world")
		n.keys("]f")
		n.see("assert greet")
		n.keys("aa")
		n.wantBuffer(w.path("greet.py"), politeGreet)
		n.wantBuffer(w.path("main.py"), politeMain)
		n.wantBuffer(w.path("tests/test_greet.py"), politeTest)
		n.see("Applied to 3 files, not saved yet. Undo: :Coauthor undo")
		w.wantUntouchedDisk()
		n.until("the preview is closed", func() bool { return n.lua("return #vim.api.nvim_list_tabpages()") == int64(1) })

		n.keys(":silent wall<CR>")
		if got := w.disk("tests/test_greet.py"); got != politeTest {
			t.Errorf("the new file was saved as %q", got)
		}
		if got := w.disk("greet.py"); got != politeGreet {
			t.Errorf("greet.py was saved as %q", got)
		}

		n.keys(":Coauthor undo<CR>")
		n.wantBuffer(w.path("greet.py"), project["greet.py"])
		n.wantBuffer(w.path("main.py"), project["main.py"])
		n.see("Coauthor: Undid the change in 3 files")
		n.keys(":Coauthor redo<CR>")
		n.wantBuffer(w.path("greet.py"), politeGreet)
		n.wantBuffer(w.path("main.py"), politeMain)
	})
}

func TestModuleChangesWithOneUndoStepPerBuffer(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew())
		n := w.open(prefix, "init_module.lua")
		askForChange(n, "Vj", "be polite")
		n.see("before greet.py")
		n.keys("aa")
		n.wantBuffer(w.path("greet.py"), politeGreet)
		n.until("the preview is closed", func() bool { return n.lua("return #vim.api.nvim_list_tabpages()") == int64(1) })
		n.keys("u")
		n.wantBuffer(w.path("greet.py"), project["greet.py"])
	})
}

func TestModuleDiscards(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowDiscard)
		w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew())
		n := w.open(prefix, "init_module.lua")
		askForChange(n, "Vj", "be polite")
		n.see("before greet.py")
		choose(n, "xx", "Keep")
		n.until("the answer is taken", func() bool { return n.lua("return vim.api.nvim_get_mode().mode") == "n" })
		n.seePending("3 files")
		n.input("xx")
		n.see("Discard the change in all 3 files?")
		choose(n, "", "Discard")
		n.see("Discarded the change in 3 files.")
		n.until("nothing is pending", func() bool { return n.lua("return require('coauthor').statusline()") == "" })
		for name, text := range project {
			n.wantBuffer(w.path(name), text)
		}
		if _, there := n.buffer(w.path("tests/test_greet.py")); there {
			t.Error("the new file has a buffer")
		}
		w.wantUntouchedDisk()
	})
}

func TestModuleAppliesOneFile(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew())
		n := w.open(prefix, "init_module.lua")
		askForChange(n, "Vj", "be polite")
		n.see("before greet.py")
		n.keys("]f")
		n.see("before main.py")
		n.keys("af")
		n.wantBuffer(w.path("main.py"), politeMain)
		n.wantBuffer(w.path("greet.py"), project["greet.py"])
		n.see("coauthor: 2 files pending") // what is left is all that the module's user is told of a part
		n.keys(":Coauthor discard<CR>")
		n.until("nothing is pending", func() bool { return n.lua("return require('coauthor').statusline()") == "" })
		n.wantBuffer(w.path("greet.py"), project["greet.py"])
		n.wantBuffer(w.path("main.py"), politeMain)
	})
}

// What is typed while the model writes stays, and the change lands around it.
func TestModuleTypingDuringTheTurn(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowTyping)
		w := newWorld(t, "-- 1.yaml --\nhold: true\n-- 1.md --\n"+twoFilesAndOneNew())
		n := w.open(prefix, "init_module.lua")
		askForChange(n, "Vj", "be polite")
		if err := w.model.WaitHeld(w.ctx(), 1); err != nil {
			t.Fatal(err)
		}
		n.see("coauthor: Writing")
		n.input("Goprint(\"typed")
		n.until("the keys are taken", func() bool {
			text, _ := n.buffer(w.path("greet.py"))
			return strings.Contains(text, `print("typed`)
		})
		w.model.Release()
		n.until("the change is announced", func() bool {
			return strings.Contains(n.lua("return require('coauthor').statusline()").(string), "3 files pending")
		})
		n.input(" meanwhile\")<Esc>")
		typed := project["greet.py"] + "print(\"typed meanwhile\")\n"
		n.wantBuffer(w.path("greet.py"), typed)
		if tabs := n.lua("return #vim.api.nvim_list_tabpages()"); tabs != int64(1) {
			t.Errorf("the preview opened under the user's fingers: %v tabs", tabs)
		}
		n.keys(":Coauthor show<CR>")
		n.see("before greet.py")
		n.keys("aa")
		n.wantBuffer(w.path("greet.py"), strings.Replace(typed, `"Hello, "`, `"Good day, "`, 1))
		n.wantBuffer(w.path("main.py"), politeMain)
	})
}

// A conflict with what was typed is refused with a reason and its ways out, and nothing is lost.
func TestModuleRefusesAConflict(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowStale)
		reply := edit("greet.py", "    return \"Hello, \" + name\n", "    return \"Good day, \" + name\n")
		w := newWorld(t, "-- 1.md --\n"+reply)
		n := w.open(prefix, "init_module.lua")
		askForChange(n, "Vj", "be polite")
		n.see("before greet.py")
		n.keys("q")
		n.keys(":edit " + w.path("greet.py") + "<CR>2GccXXX<Esc>")
		mine := strings.Replace(project["greet.py"], `return "Hello, " + name`, "XXX", 1)
		n.wantBuffer(w.path("greet.py"), mine)
		n.input(":Coauthor apply<CR>")
		n.see("you edited the same lines in greet.py")
		n.see("model: return \"Good day, \" + name")
		choose(n, "", "Keep mine")
		n.wantBuffer(w.path("greet.py"), mine)
	})
}

func TestModuleCancels(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowCancel)
		w := newWorld(t, "-- 1.yaml --\nhold: true\n-- 1.md --\n"+twoFilesAndOneNew())
		n := w.open(prefix, "init_module.lua")
		askForChange(n, "Vj", "be polite")
		if err := w.model.WaitHeld(w.ctx(), 1); err != nil {
			t.Fatal(err)
		}
		n.see("coauthor: Writing")
		n.keys(":Coauthor cancel<CR>")
		if err := w.model.WaitClosed(w.ctx(), 1); err != nil {
			t.Fatalf("the model's connection stays open: %v", err)
		}
		n.until("nothing runs", func() bool { return n.lua("return require('coauthor').statusline()") == "" })
		for name, text := range project {
			n.wantBuffer(w.path(name), text)
		}
	})
}

func TestModuleAsks(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, "-- 1.md --\nIt says hello.\n\nThat is all.\n")
		n := w.open(prefix, "init_module.lua")
		n.keys(":Coauthor ask what does it do?<CR>")
		n.see("## You")
		n.see("what does it do?")
		n.see("That is all.")
		if got := n.lua("return #vim.api.nvim_list_wins()"); got != int64(2) {
			t.Errorf("%v windows, want the file and the answer", got)
		}
		n.wantBuffer(w.path("greet.py"), project["greet.py"])
	})
}

// The code action leads to the same input box.
func TestModuleCodeAction(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew())
		n := w.open(prefix, "init_module.lua")
		n.keys("ggVj")
		pickEntry(n, "<Cmd>lua vim.lsp.buf.code_action()<CR>", "Coauthor: change selection")
		n.see("Coauthor: Change selection:") // below the menu, which stays until the box is closed
		n.input("be polite<CR>")
		n.see("before greet.py")
		n.keys("aa")
		n.wantBuffer(w.path("greet.py"), politeGreet)
	})
}

func TestModuleTellsAFailure(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, "-- 1.yaml --\nstatus: 401\n-- 1.md --\nbad key\n")
		n := w.open(prefix, "init_module.lua")
		askForChange(n, "Vj", "be polite")
		n.see("API key")
		n.pressEnter()
		n.until("nothing runs", func() bool { return n.lua("return require('coauthor').statusline()") == "" })
		n.wantBuffer(w.path("greet.py"), project["greet.py"])
	})
}

// A file whose end is not the line break that editors add.
func TestModuleKeepsAMissingLastLineBreak(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, "-- 1.md --\n"+edit("greet.py", "def greet(name):\n    return \"Hello, \" + name\n", "def greet(name):\n    return \"Good day, \" + name\n"))
		bare := strings.TrimSuffix(project["greet.py"], "\n")
		w.write("greet.py", bare)
		n := w.open(prefix, "init_module.lua")
		n.keys(":set nofixendofline<CR>")
		askForChange(n, "Vj", "be polite")
		n.see("before greet.py")
		n.keys("aa")
		n.wantBuffer(w.path("greet.py"), politeGreet) // buffer() always ends with a break
		n.keys(":silent wall<CR>")
		if got, want := w.disk("greet.py"), strings.TrimSuffix(politeGreet, "\n"); got != want {
			t.Errorf("saved %q, want %q", got, want)
		}
	})
}

// offered runs keys that open a numbered menu, until it has an entry with a title.
func offered(n *nvim, open, title string) {
	n.t.Helper()
	n.input(open)
	n.until("a menu offers "+title, func() bool {
		shown := strings.Contains(n.text(), "Type number and <Enter>")
		if entry(n, title) != "" {
			return true
		}
		if shown { // what it offers was not there yet, such as the undo of a server that has just been started
			n.input("<CR>" + open)
		}
		return false
	})
}

// pickEntry runs keys that open a numbered menu and picks the entry with a title.
func pickEntry(n *nvim, open, title string) {
	n.t.Helper()
	offered(n, open, title)
	n.input(entry(n, title) + "<CR>")
}

// choose picks an entry and waits until the menu is gone.
func choose(n *nvim, open, title string) {
	n.t.Helper()
	pickEntry(n, open, title)
	// What is told before Neovim has drawn the text over the menu stands below it, and waits for a key; what is told behind
	// that, for another one.
	wait(func() bool {
		shown := n.text()
		if !strings.Contains(shown, "Press ENTER") {
			return entry(n, title) == ""
		}
		n.input("<CR>")
		wait1(func() bool { return n.text() != shown }) // a key too many would be one in the text
		return false
	})
}

// entry is the number before a title in Neovim's menu; "" where there is none. The title may stand
// in the text above, too.
func entry(n *nvim, title string) string {
	found := regexp.MustCompile(`(?m)^\s*(\d+)[:.] ` + regexp.QuoteMeta(title)).FindStringSubmatch(n.text())
	if found == nil {
		return ""
	}
	return found[1]
}

// wantGone waits until a file has no buffer any more, saves everything, and looks at the disk.
func (w *world) wantGone(n *nvim, name string) {
	w.t.Helper()
	n.until(name+" has no buffer", func() bool { _, there := n.buffer(w.path(name)); return !there })
	n.keys(":silent! wall<CR>")
	if _, err := os.Stat(w.path(name)); err == nil {
		w.t.Errorf("%s was written: %q", name, w.disk(name))
	}
}

// A new file that was never saved is gone after an undo, and nothing writes it; redo brings it back.
func TestModuleUndoesANewFile(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowUndo)
		w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew())
		n := w.open(prefix, "init_module.lua")
		askForChange(n, "Vj", "be polite")
		n.see("before greet.py")
		n.keys("aa")
		n.wantBuffer(w.path("tests/test_greet.py"), politeTest)
		n.see("Applied to 3 files, not saved yet. Undo: :Coauthor undo")
		for range 2 {
			n.keys(":Coauthor undo<CR>")
			n.wantBuffer(w.path("greet.py"), project["greet.py"])
			n.see("Coauthor: Undid the change in 3 files")
			w.wantGone(n, "tests/test_greet.py")
			n.keys(":Coauthor redo<CR>")
			n.wantBuffer(w.path("greet.py"), politeGreet)
			n.wantBuffer(w.path("tests/test_greet.py"), politeTest)
			n.see("Coauthor: Applied to 3 files")
		}
		n.keys(":silent wall<CR>") // and once more, from a file on disk
		if got := w.disk("tests/test_greet.py"); got != politeTest {
			t.Errorf("the new file was saved as %q", got)
		}
		n.keys(":Coauthor undo<CR>")
		w.wantGone(n, "tests/test_greet.py")
		n.keys(":Coauthor redo<CR>")
		n.wantBuffer(w.path("tests/test_greet.py"), politeTest)
	})
}

// What was typed into a new file is not taken away with it.
func TestModuleKeepsANewFileWithTyping(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew())
		n := w.open(prefix, "init_module.lua")
		askForChange(n, "Vj", "be polite")
		n.see("before greet.py")
		n.keys("aa")
		n.wantBuffer(w.path("tests/test_greet.py"), politeTest)
		n.see("Applied to 3 files, not saved yet. Undo: :Coauthor undo")
		n.keys(":edit " + w.path("tests/test_greet.py") + "<CR>Go# mine<Esc>")
		n.input(":Coauthor undo<CR>")
		n.see("test_greet.py has new edits")
		n.wantBuffer(w.path("tests/test_greet.py"), politeTest+"# mine\n")
		n.wantBuffer(w.path("greet.py"), politeGreet)
	})
}

// A file in Latin-1 that Neovim has open is text like any other, and is saved as it was.
func TestModuleChangesLatin1(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, "-- 1.md --\n"+edit("latin.py", "name = \"Café\"\n", "name = \"Crêpe\"\n"))
		w.write("latin.py", "name = \"Caf\xe9\"\nplace = \"K\xf6ln\"\n")
		n := w.open(prefix, "init_module.lua")
		n.keys(":edit " + w.path("latin.py") + "<CR>")
		n.until("the server is attached", func() bool {
			return n.lua("return #vim.lsp.get_clients({ bufnr = 0, name = 'coauthor' })") == int64(1)
		})
		askForChange(n, "V", "sell something else")
		n.see("before latin.py")
		if got := w.lastUser(); !strings.Contains(got, "Café") {
			t.Errorf("the model was asked\n%s", got)
		}
		n.keys("aa")
		n.wantBuffer(w.path("latin.py"), "name = \"Crêpe\"\nplace = \"Köln\"\n")
		n.keys(":silent wall<CR>")
		if got, want := w.disk("latin.py"), "name = \"Cr\xeape\"\nplace = \"K\xf6ln\"\n"; got != want {
			t.Errorf("saved %q, want %q", got, want)
		}
		n.keys(":Coauthor undo<CR>")
		n.wantBuffer(w.path("latin.py"), "name = \"Café\"\nplace = \"Köln\"\n")
	})
}
