package e2e

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestChatSession: a session in a terminal of each width, as its user has it: a request, the change hunk by hunk, a program,
// an undo, a question, the end. The pictures of cmd/README.md are of it.
func TestChatSession(t *testing.T) {
	t.Parallel()
	tmuxCommand(t)
	for _, width := range []int{60, 100, 200} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "-- 1.md --\n"+twoFilesAndOneNew()+"-- 2.md --\nIt returns the **greeting**:\n\n1. `greet` joins the name\n2. and nothing else\n\n```python\nprint(greet(\"you\"))  # Hello, you\n```\n")
			w.git("add", "-A")
			w.git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-qm", "Begin")
			index := exec.CommandContext(w.ctx(), filepath.Join(w.bin, "coauthor"), "map")
			index.Dir, index.Env = w.dir, w.env()
			must(t, index) // so that the pictures do not tell of a map that grows
			term := startTerminal(t, w.dir, w.env(), width, 40, "coauthor", "chat", "greet.py", "main.py")
			term.see("2 files\n>")
			enter := func(text string) {
				t.Helper()
				term.write(text)
				term.see("> " + text) // an Enter that came with the text would be a pasted one
				term.press("Enter")
			}
			enter("be polite")
			term.see("[y,n,h,r,?]")
			term.see("tests/test_greet.py")
			term.shot(w, "1-review")
			term.press("y", "Enter")
			want := map[string]string{"greet.py": politeGreet, "main.py": politeMain, "tests/test_greet.py": politeTest}
			w.wantFiles(want, func() {}, term.screen)
			enter("!git status --short")
			term.see("M greet.py")
			term.see("[add/skip]")
			term.press("s", "Enter")
			enter("/undo")
			w.wantFiles(map[string]string{"greet.py": project["greet.py"], "main.py": project["main.py"], "tests/test_greet.py": ""}, func() {}, term.screen)
			enter("/ask what does greet do?")
			term.see("and nothing else")
			term.see("files\n>")
			term.shot(w, "2-answer")
			for line := range strings.Lines(term.screen()) {
				if len([]rune(strings.TrimRight(line, "\n"))) > width {
					t.Errorf("wider than the terminal: %q", line)
				}
			}
			enter("/exit")
			if !waitFor(time.Minute, func() bool { return term.screen() == "" }) {
				t.Errorf("it has not ended:\n%s", term.screen())
			}
		})
	}
}
