package e2e

import (
	"strings"
	"testing"
)

// slowHunks is a model that changes greet.py in two places, and says the second one only when it is let go on.
func slowHunks() string {
	return "-- 1.yaml --\nhold: true\n-- 1.md --\n" + twoHunksAndMore()
}

// With the layout "inline" a change grows in the user's own text while the model writes; one hunk is taken with a key, and
// what is typed meanwhile moves the other one.
func TestModuleDrawsIntoTheText(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		covers(t, edition(t, prefix), rowHunk)
		w := newWorld(t, "-- 1.md --\n"+twoHunksAndMore())
		n := w.open(prefix, "init_module.lua")
		n.lua("require('coauthor.config').current.preview.layout = 'inline'")
		askForChange(n, "Vj", "be polite")
		n.see(`    return "Good day, " + name`)
		n.see(`    return greet(name).lower()`)
		n.see("gza here, gzA all, gzX discard")
		w.shot("1-drawn", n.text())
		if got := n.lua("return #vim.api.nvim_list_tabpages()"); got != int64(1) {
			t.Errorf("%v tabs", got)
		}
		n.wantBuffer(w.path("greet.py"), project["greet.py"])
		n.keys("ggO# mine<Esc>")
		n.until("the cursor is on the first place", func() bool { // the key knows no place while they are drawn again
			n.keys("gg]c")
			return n.lua("return vim.api.nvim_win_get_cursor(0)[1]") == int64(3)
		})
		n.keys("gza")
		n.wantBuffer(w.path("greet.py"), "# mine\n"+politeGreet)
		n.until("the other one alone is drawn", func() bool {
			got := n.text()
			return strings.Count(got, "Good day, ") == 1 && strings.Contains(got, "greet(name).lower()") && strings.Contains(got, "greet(name).upper()")
		})
		n.until("the cursor is on the second place", func() bool { // the key knows no place while they are drawn again
			n.keys("]c")
			return wait1(func() bool { return n.lua("return vim.api.nvim_win_get_cursor(0)[1]") == int64(11) })
		})
		n.keys("gzx")
		n.until("nothing is drawn any more", func() bool { return !strings.Contains(n.text(), "lower()") })
		n.keys(":edit " + w.path("main.py") + "<CR>")
		n.see(`print(greet("dear world"))`)
		n.keys("gzA")
		n.wantBuffer(w.path("main.py"), politeMain)
		n.wantBuffer(w.path("greet.py"), "# mine\n"+politeGreet)
		w.wantUntouchedDisk()
	})
}

// While the model writes, :Coauthor show opens what there is, which grows and becomes the change.
func TestModuleShowsWhatIsWritten(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, slowHunks())
		n := w.open(prefix, "init_module.lua")
		askForChange(n, "Vj", "be polite")
		if err := w.model.WaitHeld(w.ctx(), 1); err != nil {
			t.Fatal(err)
		}
		n.until("something is written", func() bool { return n.lua("return next(require('coauthor.state').drafts) ~= nil") == true })
		n.keys(":Coauthor show<CR>")
		n.see("still being written")
		n.see("Good day, ")
		w.shot("1-growing", n.text())
		n.keys("aa")
		n.see("the model is still writing this change; wait until it is complete")
		n.wantBuffer(w.path("greet.py"), project["greet.py"])
		w.model.Release()
		n.see("aa apply all 2")
		w.shot("2-whole", n.text())
		n.keys("aa")
		n.wantBuffer(w.path("greet.py"), strings.Replace(politeGreet, "upper", "lower", 1))
		n.wantBuffer(w.path("main.py"), politeMain)
	})
}

// The health of a real set-up.
func TestModuleHealth(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, "-- 1.md --\nNobody asked.\n")
		n := w.open(prefix, "init_module.lua")
		n.keys(":checkhealth coauthor<CR>")
		n.until("the report is there", func() bool {
			got, _ := n.lua("return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')").(string)
			return strings.Contains(got, "model: scripted") && strings.Contains(got, "/coauthor: coauthor ") && !strings.Contains(got, "ERROR")
		})
		if got := len(w.model.Requests()); got != 0 {
			t.Errorf("the model was asked %d times", got)
		}
	})
}
