package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// twoHunksAndMore is a reply that changes one file in two places, and another file.
func twoHunksAndMore() string {
	return "I make it polite and quiet.\n\n" +
		edit("greet.py", "    return \"Hello, \" + name\n", "    return \"Good day, \" + name\n") +
		edit("greet.py", "    return greet(name).upper()\n", "    return greet(name).lower()\n") +
		edit("main.py", "print(greet(\"world\"))\n", "print(greet(\"dear world\"))\n")
}

// instructed writes an instruction into a prompt document and runs it.
func instructed(n *nvim, words string) {
	n.t.Helper()
	choose(n, "gra", "Coauthor: write an instruction")
	n.until("the prompt document is served", func() bool {
		return n.lua("return vim.api.nvim_buf_get_name(0):match('prompt%-') ~= nil and #vim.lsp.get_clients({ bufnr = 0 })") == int64(1)
	})
	n.keys("Go" + words + "<Esc>")
	choose(n, "gra", "Coauthor: run this instruction")
}

// In the diff, with nothing of ours but lsp/coauthor.lua, one hunk of a file is applied, and the other one discarded.
func TestPlainTakesHunks(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowHunk)
		w := newWorld(t, "-- 1.md --\n"+twoHunksAndMore())
		n := w.open(prefix, "init_plain.lua")
		instructed(n, "be polite")
		n.see("Good day, ")
		n.see("Apply or discard with gra.")
		w.shot("1-diff", n.text())
		n.keys("/Good day<CR>")
		choose(n, "gra", "Coauthor: apply this hunk")
		n.wantBuffer(w.path("greet.py"), politeGreet)
		n.wantBuffer(w.path("main.py"), project["main.py"])
		n.see("Applied so far: 1 hunk")
		w.shot("2-applied", n.text())
		n.keys("/lower<CR>")
		choose(n, "gra", "Coauthor: discard this hunk")
		n.see("discarded: 1")
		w.shot("3-discarded", n.text())
		choose(n, "gra", "Coauthor: apply pending change (1 file, +1 -1)") // what is left
		n.wantBuffer(w.path("main.py"), politeMain)
		n.wantBuffer(w.path("greet.py"), politeGreet)
		w.wantUntouchedDisk()
		n.lua("vim.api.nvim_exec_autocmds('QuitPre', {})") // the diff is not in the way of :q
		n.until("nothing of ours is unsaved", func() bool {
			return n.lua("return #vim.tbl_filter(function(b) return vim.bo[b].modified and vim.api.nvim_buf_get_name(b):match('%.coauthor') ~= nil end, vim.api.nvim_list_bufs())") == int64(0)
		})
	})
}

// The same in Helix.
func TestHelixTakesHunks(t *testing.T) {
	eachHelix(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowHunk)
		w := newWorld(t, "-- 1.md --\n"+twoHunksAndMore())
		term := startHelix(w, prefix, "greet.py", "main.py")
		term.see("def greet(name):")
		instruct(term, "be polite")
		term.see("Good day, ")
		term.see("Apply or discard with space a.")
		term.shot(w, "1-diff")
		term.write("/Good day")
		term.press("Enter")
		pick(term, "Coauthor: apply this hunk")
		term.see("Applied so far: 1 hunk")
		term.shot(w, "2-applied")
		term.write("/lower")
		term.press("Enter")
		pick(term, "Coauthor: discard this hunk")
		term.see("discarded: 1")
		term.shot(w, "3-discarded")
		pick(term, "Coauthor: apply pending change (1 file, +1 -1)") // what is left
		term.savedAs(w, politeGreet, politeMain)
		term.typed("quit-all!")
	})
}

// savedAs saves everything until both files of the project are on disk with these texts.
func (term *terminal) savedAs(w *world, greet, main string) {
	term.t.Helper()
	if !wait(func() bool {
		term.typed("write-all")
		return wait1(func() bool { return w.disk("greet.py") == greet && w.disk("main.py") == main })
	}) {
		term.t.Fatalf("on disk:\n%s\n%s\nscreen:\n%s", w.disk("greet.py"), w.disk("main.py"), term.screen())
	}
}

// What the user has typed over a pending change is a conflict, which the model's lines resolve; the rest of what was typed
// stays.
func TestPlainResolvesAConflict(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowStale)
		w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew())
		n := w.open(prefix, "init_plain.lua")
		instructed(n, "be polite")
		n.see("Good day, ")
		n.see("Apply or discard with gra.")
		n.keys(":edit " + w.path("greet.py") + "<CR>")
		n.keys("ggO# mine<Esc>/Hello<CR>cwHi<Esc>")
		mine := "# mine\n" + strings.Replace(project["greet.py"], "Hello", "Hi", 1)
		n.wantBuffer(w.path("greet.py"), mine)
		choose(n, "gra", "Coauthor: apply pending change")
		n.see("you edited the same lines in greet.py")
		n.see(`yours: return "Hi, " + name`)
		n.see(`model: return "Good day, " + name`)
		n.until("a menu offers both sides", func() bool { return entry(n, "Use the model's") != "" })
		w.shot("1-conflict", n.text())
		choose(n, "", "Use the model's")
		n.wantBuffer(w.path("greet.py"), "# mine\n"+politeGreet)
		n.wantBuffer(w.path("main.py"), politeMain)
		n.see("Applied to 3 files")
		w.shot("2-resolved", n.text())
		w.wantUntouchedDisk()
	})
}

// The same in Helix, where the ways out are code actions.
func TestHelixResolvesAConflict(t *testing.T) {
	eachHelix(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowStale)
		w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew())
		term := startHelix(w, prefix, "greet.py", "main.py")
		term.see("def greet(name):")
		instruct(term, "be polite")
		term.see("Good day, ")
		term.see("Apply or discard with space a.")
		term.typed("open greet.py")
		term.see("Hello, ")
		term.write("/Hello")
		term.press("Enter")
		term.press("c")
		for i, key := range "Hi" { // Helix sends the changes of keys that come at once in any order
			term.write(string(key))
			term.see(`"` + "Hi"[:i+1] + `, "`)
		}
		term.leaveInsert()
		pick(term, "Coauthor: apply pending change")
		term.see("you edited the same lines")
		term.shot(w, "1-conflict")
		term.see(`"Hi, "`)
		pick(term, "Coauthor: show both sides of the conflict")
		term.see("The model's:")
		term.shot(w, "2-both")
		term.typed("open greet.py")
		term.see("shout")
		pick(term, "Coauthor: use the model's lines")
		term.see("Good day, ")
		term.shot(w, "3-resolved")
		term.savedAs(w, politeGreet, politeMain)
		term.typed("quit-all!")
	})
}

// A turn over two files is undone by an editor and a server that were started after it.
func TestPlainUndoesAfterARestart(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowUndo)
		w := newWorld(t, "-- 1.md --\n"+twoHunksAndMore())
		n := w.open(prefix, "init_plain.lua")
		instructed(n, "be polite")
		n.see("Good day, ")
		choose(n, "gra", "Coauthor: apply pending change")
		quiet := strings.Replace(politeGreet, "upper", "lower", 1)
		n.wantBuffer(w.path("greet.py"), quiet)
		n.wantBuffer(w.path("main.py"), politeMain)
		n.see("Applied to 2 files")
		n.keys(":silent wall<CR>")
		if w.disk("greet.py") != quiet || w.disk("main.py") != politeMain {
			t.Fatalf("on disk:\n%s\n%s", w.disk("greet.py"), w.disk("main.py"))
		}
		n.stop()
		w.left()

		n = w.open(prefix, "init_plain.lua")
		n.wantBuffer(w.path("greet.py"), quiet)
		n.keys("/Good day<CR>")
		offered(n, "gra", "Coauthor: undo last")
		w.shot("1-offered", n.text())
		choose(n, "", "Coauthor: undo last")
		n.wantBuffer(w.path("greet.py"), project["greet.py"])
		n.wantBuffer(w.path("main.py"), project["main.py"])
		n.see("Undid the change in 2 files")
		w.shot("2-undone", n.text())
		n.keys(":silent wall<CR>")
		w.wantUntouchedDisk()
	})
}

// The same in Helix.
func TestHelixUndoesAfterARestart(t *testing.T) {
	eachHelix(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowUndo)
		w := newWorld(t, "-- 1.md --\n"+twoHunksAndMore())
		term := startHelix(w, prefix, "greet.py", "main.py")
		term.see("def greet(name):")
		instruct(term, "be polite")
		term.see("Good day, ")
		pick(term, "Coauthor: apply pending change")
		term.savedAs(w, strings.Replace(politeGreet, "upper", "lower", 1), politeMain)
		term.typed("quit-all!")
		w.left()

		term = startHelix(w, prefix, "greet.py", "main.py")
		term.see("Good day, ")
		term.write("/Good day")
		term.press("Enter")
		pick(term, "Coauthor: undo last")
		term.see("Hello, ")
		term.see("Undid the change in 2 files")
		term.shot(w, "1-undone")
		term.savedAs(w, project["greet.py"], project["main.py"])
		term.typed("quit-all!")
	})
}

// A server that is killed has the turn in its journal: the next one undoes it in the buffers, which were not saved.
func TestPlainUndoesAfterACrash(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowCrash)
		w := newWorld(t, "-- 1.md --\n"+twoHunksAndMore())
		n := w.open(prefix, "init_plain.lua")
		instructed(n, "be polite")
		n.see("Good day, ")
		choose(n, "gra", "Coauthor: apply pending change")
		n.see("Applied to 2 files")
		n.wantBuffer(w.path("greet.py"), strings.Replace(politeGreet, "upper", "lower", 1))
		n.wantBuffer(w.path("main.py"), politeMain)
		w.killServer()
		n.see("quit with exit code 0 and signal 9")
		if !n.older { // whose message fits the line
			n.pressEnter()
		}
		n.until("the server is gone", func() bool { return n.lua("return #vim.lsp.get_clients()") == int64(0) })

		for _, name := range []string{"main.py", "greet.py"} {
			n.keys(":buffer " + w.path(name) + "<CR>")
			n.keys(":set filetype=python<CR>") // as a user has it started again
			n.until("a server is attached to "+name, func() bool {
				return n.lua("local c = vim.lsp.get_clients({ bufnr = 0 })[1] return c ~= nil and c.initialized == true") == true
			})
		}
		n.keys("gg/Good day<CR>")
		choose(n, "gra", "Coauthor: undo last")
		n.wantBuffer(w.path("greet.py"), project["greet.py"])
		n.wantBuffer(w.path("main.py"), project["main.py"])
		n.see("Undid the change in 2 files")
		w.shot("1-undone", n.text())
		w.wantUntouchedDisk()
	})
}

// killServer ends the one server that runs in the project, with nothing told to it. Its own helpers end by themselves.
func (w *world) killServer() {
	w.t.Helper()
	var servers []int
	list, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range list {
		if at, err := os.Readlink(filepath.Join(dir, "cwd")); err != nil || at != w.dir || !isCoauthor(dir) {
			continue
		}
		status, err := os.ReadFile(filepath.Join(dir, "status"))
		parent := regexp.MustCompile(`(?m)^PPid:\s*(\d+)$`).FindSubmatch(status)
		if err != nil || parent == nil || isCoauthor(filepath.Join("/proc", string(parent[1]))) {
			continue
		}
		if id, err := strconv.Atoi(filepath.Base(dir)); err == nil {
			servers = append(servers, id)
		}
	}
	if len(servers) != 1 {
		w.t.Fatalf("these servers run: %v, want one", servers)
	}
	server, err := os.FindProcess(servers[0])
	if err == nil {
		err = server.Kill()
	}
	if err != nil {
		w.t.Fatalf("kill the server: %v", err)
	}
}

// isCoauthor reports whether a process, by its folder below /proc, runs our program.
func isCoauthor(dir string) bool {
	program, err := os.Readlink(filepath.Join(dir, "exe"))
	return err == nil && filepath.Base(program) == "coauthor"
}
