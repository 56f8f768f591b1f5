package e2e

import (
	"strings"
	"testing"
)

// generates is a model that makes a project of two files, and then its script.
const generates = "-- 1.md --\nmain.py greets by a text of its own.\n\nhello/main.py\n```python\nfrom text import TEXT\n\nprint(TEXT)\n```\n\nhello/text.py\n```python\nTEXT = \"Hi there.\"\n```\n" +
	"-- 2.md --\n```sh\ncat hello/text.py\necho ran > ran.txt\n```\n"

// generated are the files that come of it.
var generated = map[string]string{
	"hello/main.py": "from text import TEXT\n\nprint(TEXT)\n",
	"hello/text.py": "TEXT = \"Hi there.\"\n",
	"run.sh":        "cat hello/text.py\necho ran > ran.txt\n",
}

// wantGenerated looks at what the model was asked: for the files by the prompt, and for the script by the files.
func (w *world) wantGenerated(prompt string) {
	w.t.Helper()
	all := w.model.Requests()
	if len(all) != 2 || all[0].Messages[1].Content != "Request: "+prompt || !strings.Contains(all[1].Messages[1].Content, "Hi there.") {
		w.t.Errorf("the model was asked %d times, the last time\n%s", len(all), w.lastUser())
	}
}

// A project is generated from a prompt document, with nothing of ours but lsp/coauthor.lua: its files come as one change
// of new files, and when that is taken, its script is shown and can be run, which touches nothing of it.
func TestPlainGenerates(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, generates)
		n := w.open(prefix, "init_plain.lua")
		choose(n, "gra", "Coauthor: write an instruction")
		n.until("the prompt document is served", func() bool {
			return n.lua("return vim.api.nvim_buf_get_name(0):match('prompt%-') ~= nil and #vim.lsp.get_clients({ bufnr = 0 })") == int64(1)
		})
		n.keys("Go/generate Greet me from a shell.<Esc>")
		choose(n, "gra", "Coauthor: run this instruction")
		n.see("Apply or discard with gra.")
		capture(n, "the project")
		w.wantUntouchedDisk()
		w.wantGenerated("Greet me from a shell.")
		choose(n, "gra", "Coauthor: apply pending change")
		for name, text := range generated {
			n.wantBuffer(w.path(name), text)
		}
		n.until("the script is offered", func() bool { return entry(n, "run") != "" })
		n.see("Run this script?")
		n.see("cat hello/text.py")
		capture(n, "the script")
		choose(n, "", "run")
		n.see("run.sh ran: exit status 0")
		n.keys(":buffer prompt-1<CR>G")
		n.see("Output:")
		capture(n, "the run")
		w.wantUntouchedDisk()
		if got := w.disk("ran.txt"); got != "" {
			t.Errorf("it ran in the folder: %q", got)
		}
	})
}

// The same in Helix, whose user does not run the script.
func TestHelixGenerates(t *testing.T) {
	t.Parallel()
	w := newWorld(t, generates)
	term := startHelix(w, cache(t, "helix"), "greet.py", "main.py")
	term.see("def greet(name):")
	instruct(term, "/generate Greet me.")
	term.see("hello/main.py")
	w.wantUntouchedDisk()
	w.wantGenerated("Greet me.")
	t.Logf("the project:\n%s", term.screen())
	pick(term, "Coauthor: apply pending change")
	pick(term, "Coauthor: do not run it")
	if !wait(func() bool {
		term.typed("write-all")
		return wait1(func() bool {
			for name, text := range generated {
				if w.disk(name) != text {
					return false
				}
			}
			return true
		})
	}) {
		t.Fatalf("on disk: %q %q %q\n%s", w.disk("hello/main.py"), w.disk("hello/text.py"), w.disk("run.sh"), term.screen())
	}
	t.Logf("accepted:\n%s", term.screen())
	if got := w.disk("ran.txt"); got != "" {
		t.Errorf("it ran: %q", got)
	}
	term.typed("quit-all!")
}
