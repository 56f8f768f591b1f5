package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// needsMore is a model whose change is in a file, too, that it was not shown.
func needsMore() string {
	return "-- 1.md --\n" + edit("greet.py", "    return \"Hello, \" + name\n", "    return \"Good day, \" + name\n") +
		edit("shop.py", "SHOP = 1\n", "SHOP = 2\n")
}

const (
	addShop    = "add shop.py to the chat"
	isAddShop  = "Answered: " + addShop
	wantsShop  = "The model wants to change shop.py"
	promptName = ".coauthor/prompt-1.md"
)

// shopWorld is a project with that file.
func shopWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, needsMore())
	w.write("shop.py", "SHOP = 1\n")
	return w
}

// A question whose dialog was closed stands in the conversation: the user writes on below it, and ticks the answer when they
// come back to it.
func TestPlainAnswersLate(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowLate)
		w := shopWorld(t)
		n := w.open(prefix, "init_plain.lua")
		instructed(n, "be polite")
		prompt := w.path(promptName)
		holds := func(words string) {
			t.Helper()
			n.until("the conversation holds "+words, func() bool { text, _ := n.buffer(prompt); return strings.Contains(text, words) })
		}
		holds("- [ ] " + addShop)
		n.see(wantsShop)
		n.see("Type number and <Enter>")
		n.input("<CR>")
		n.until("the menu is closed", func() bool { return n.lua("return vim.api.nvim_get_mode().mode") == "n" })
		n.keys(":buffer prompt-1<CR>GAand then<Esc>")
		holds("and then")
		w.shot("1-asked", n.text())
		n.keys(":silent! %s/\\[ \\] add shop/[x] add shop/<CR>")
		holds(isAddShop)
		n.see("SHOP = 2")
		w.shot("2-answered", n.text())
		holds("and then")
	})
}

// The same in Helix, whose message goes with the next key.
func TestHelixAnswersLate(t *testing.T) {
	eachHelix(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowLate)
		w := shopWorld(t)
		term := startHelix(w, prefix, "greet.py")
		term.see("def greet(name):")
		instruct(term, "be polite")
		if filepath.Base(prefix) == "helix2507" {
			term.see("Coauthor: " + wantsShop) // its menu, which hides a part of what was written before it came
			term.press("Escape")
		}
		term.see("- [ ] " + addShop)
		term.press("Escape")
		term.press("g", "e", "o")
		term.slowly("and then")
		term.leaveInsert()
		term.shot(w, "1-asked")
		pick(term, "Coauthor: "+addShop)
		term.see("SHOP = 2")
		term.shot(w, "2-answered")
	})
}

// The same in Emacs.
func TestEmacsAnswersLate(t *testing.T) {
	eachEmacs(t, func(t *testing.T, c emacsClient) {
		covers(t, c.column, rowLate)
		w := shopWorld(t)
		e := startEmacs(w, c, "", "greet.py")
		e.converse("be polite")
		holds := func(words string) {
			t.Helper()
			got := ""
			if !wait(func() bool { got, _ = e.buffer(promptName); return strings.Contains(got, words) }) {
				t.Fatalf("the conversation is\n%s\nwant %q in it\n%s", got, words, e.screen())
			}
		}
		e.see(wantsShop)
		e.press("C-g")
		holds("- [ ] " + addShop)
		e.press("M->")
		e.write("and then")
		holds("and then")
		e.shot(w, "1-asked")
		e.picks("Coauthor: " + addShop)
		e.see("SHOP = 2")
		e.shot(w, "2-answered")
	})
}

// In Kakoune a question waits until the user asks for it.
func TestKakouneAnswersLate(t *testing.T) {
	t.Parallel()
	covers(t, kakouneColumn, rowLate)
	w := shopWorld(t)
	k := startKakoune(w, "", "greet.py")
	k.does("p")
	k.inFront("prompt-1.md")
	k.write("obe polite")
	k.stopsTyping()
	k.does("r")
	k.talks("- [ ] " + addShop)
	k.write("geoand then")
	k.stopsTyping()
	k.talks("and then")
	k.shot(w, "1-asked")
	k.does("l")
	k.see("Coauthor: " + addShop) // the message that asks begins like the menu
	k.write("Coauthor: " + addShop)
	k.press("Enter")
	k.talks(isAddShop, "and then")
	k.told("A change is pending (2 files")
	k.shot(w, "2-answered")
}
