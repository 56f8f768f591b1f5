//go:build unix

package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"coauthor/agent/llm/llmtest"
	"coauthor/lsp/lsptest"
)

const xToTwo = "a.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"

// replying has the user's model give the same reply again and again.
func (s *scene) replying(text string) {
	s.t.Helper()
	script, err := llmtest.Parse([]byte("repeat: true\n-- 1.md --\n" + text))
	if err != nil {
		s.t.Fatal(err)
	}
	s.mine = llmtest.Start(script)
	s.t.Cleanup(s.mine.Close)
}

// folder tells the server that the root's folder was removed or added.
func (s *scene) folder(added, removed bool) {
	list := func(yes bool) []any {
		if !yes {
			return []any{}
		}
		return []any{map[string]any{"uri": strings.TrimSuffix(s.editor.URI("x"), "/x"), "name": "root"}}
	}
	s.editor.Notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{"added": list(added), "removed": list(removed)}})
}

// waiting waits until so many changes wait for a decision, and returns the id of the last.
func (s *scene) waiting(n int) (id string) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); ; s.editor.Pause() {
		status, failed := s.editor.Command("coauthor.status", map[string]any{"uri": s.editor.URI("a.py")})
		m, _ := status.(map[string]any)
		pending, _ := m["pending"].([]any)
		turns, _ := m["turns"].([]any)
		if failed == nil && len(pending) == n && len(turns) == 0 {
			for _, p := range pending {
				id = fmt.Sprint(p.(map[string]any)["proposalId"])
			}
			return id
		}
		if time.Now().After(end) {
			s.t.Fatalf("hung: %d changes never wait: %v %v\n%s", n, status, failed, s.editor.Tail())
		}
	}
}

func (s *scene) change() {
	s.t.Helper()
	if result, failed := s.editor.Command("coauthor.edit", map[string]any{"uri": s.editor.URI("a.py"), "instruction": "Make x two."}); failed != nil {
		s.t.Fatalf("coauthor.edit: %v %v", result, failed)
	}
}

// A folder that is removed and added again, however often and however quickly, has its whole map, and what
// waited for a decision there waits again and can be applied.
func TestAFolderComesAgain(t *testing.T) {
	s := newScene(t, map[string]string{"a.py": "x = 1\n", "b.py": "def bee(x):\n    return x\n", "c.py": "def sea(x):\n    return bee(x)\n", "d.py": "def dee(x):\n    return sea(x)\n"})
	s.replying(xToTwo)
	s.user("model: a\napiBase: MODEL\neditFormat: diff\nrepoMap.tokens: 2000\n")
	s.start("neovim", lsptest.Options{})
	s.editor.Open("a.py")
	s.waitForMap("dee")
	s.change()
	id := s.waiting(1)
	for i := range 6 {
		s.folder(false, true)
		if i%2 == 0 { // or at once, before the first is worked off
			s.waiting(1) // its document makes it a root by itself
		}
		s.folder(true, false)
		s.waitForMap("dee")
		m, _ := s.editor.Command("coauthor.showRepoMap", map[string]any{"uri": s.editor.URI("a.py"), "tokens": 2000})
		result, _ := m.(map[string]any)
		text := fmt.Sprint(result["text"])
		for _, name := range []string{"b.py", "c.py", "d.py"} {
			if !strings.Contains(text, name) {
				t.Errorf("time %d: the map lacks %s:\n%s", i, name, text)
			}
		}
		if again := s.waiting(1); again != id {
			t.Errorf("time %d: %s waits, not %s", i, again, id)
		}
	}
	s.decide(id)
}

// decide looks at the change and applies it.
func (s *scene) decide(id string) {
	s.t.Helper()
	if result, failed := s.editor.Command("coauthor.apply", map[string]any{"uri": s.editor.URI("a.py")}); failed == nil {
		s.t.Errorf("what was not shown since is applied: %v", result)
	}
	if result, failed := s.editor.Command("coauthor.showPending", map[string]any{"uri": s.editor.URI("a.py"), "proposalId": id}); failed != nil {
		s.t.Fatalf("coauthor.showPending: %v %v", result, failed)
	}
	if result, failed := s.editor.Command("coauthor.apply", map[string]any{"uri": s.editor.URI("a.py"), "proposalId": id}); failed != nil {
		s.t.Fatalf("coauthor.apply: %v %v", result, failed)
	}
	s.waiting(0)
	if text, _ := s.editor.Text("a.py"); text != "x = 2\n" {
		s.t.Errorf("the file has %q", text)
	}
}

// What waits for a decision when the editor is closed waits when it is opened the next time.
func TestWhatWaitsIsThereTheNextTime(t *testing.T) {
	s := newScene(t, map[string]string{"a.py": "x = 1\n"})
	s.replying(xToTwo)
	s.user("model: a\napiBase: MODEL\neditFormat: diff\n")
	var id string
	t.Run("first", func(t *testing.T) {
		s.t = t
		s.start("neovim", lsptest.Options{})
		s.editor.Open("a.py")
		s.change()
		id = s.waiting(1)
	})
	t.Run("next", func(t *testing.T) {
		s.t = t
		s.start("neovim", lsptest.Options{})
		s.editor.Open("a.py")
		if again := s.waiting(1); again != id {
			t.Errorf("%s waits, not %s", again, id)
		}
		s.decide(id)
	})
	t.Run("last", func(t *testing.T) {
		s.t = t
		s.start("neovim", lsptest.Options{})
		s.editor.Open("a.py")
		s.waiting(0)
	})
}
