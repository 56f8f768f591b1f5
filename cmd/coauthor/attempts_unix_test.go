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

// An attempt of self-heal can be taken when the server that made it is gone: the next one has all of them.
func TestAnAttemptIsTakenTheNextTime(t *testing.T) {
	s := newScene(t, map[string]string{"run.sh": "sh main.sh\n", "main.sh": "exit 1\n"})
	diff := func(was, now string) string {
		return "```diff\n--- main.sh\n+++ main.sh\n@@ -1 +1 @@\n-" + was + "\n+" + now + "\n```\n"
	}
	script, err := llmtest.Parse([]byte("-- 1.md --\n" + diff("exit 1", "exit 3") + "-- 2.md --\n" + diff("exit 3", "echo works")))
	if err != nil {
		t.Fatal(err)
	}
	s.mine = llmtest.Start(script)
	t.Cleanup(s.mine.Close)
	s.env["PATH"] = "/usr/bin:/bin"
	s.user("model: a\napiBase: MODEL\nverify: off\n")
	command := func(name string, args map[string]any) any {
		s.t.Helper()
		args["uri"] = s.editor.URI("main.sh")
		result, failed := s.editor.Command("coauthor."+name, args)
		if failed != nil {
			s.t.Fatalf("%s: %v", name, failed)
		}
		return result
	}
	var id string
	t.Run("first", func(t *testing.T) {
		s.t = t
		s.start("neovim", lsptest.Options{})
		s.editor.Open("main.sh")
		command("selfHeal", map[string]any{"instruction": "It works."})
		for end := time.Now().Add(time.Minute); strings.Contains(fmt.Sprint(command("status", map[string]any{})), "pending:[]"); s.editor.Pause() {
			if time.Now().After(end) {
				t.Fatalf("hung: nothing is proposed\n%s", s.editor.Tail())
			}
			command("answer", map[string]any{"choice": "run"}) // to each question whether to run what became of it
		}
		id = s.waiting(1)
	})
	t.Run("next", func(t *testing.T) {
		s.t = t
		s.start("neovim", lsptest.Options{})
		s.editor.Open("main.sh")
		if again := s.waiting(1); again != id {
			t.Errorf("%s waits, not %s", again, id)
		}
		if result := fmt.Sprint(command("takeAttempt", map[string]any{"attempt": 1})); !strings.Contains(result, "attempt:1") {
			t.Errorf("taken: %s", result)
		}
		command("showPending", map[string]any{"proposalId": id})
		command("apply", map[string]any{"proposalId": id})
		s.waiting(0)
		if text, _ := s.editor.Text("main.sh"); text != "exit 3\n" {
			t.Errorf("the file has %q", text)
		}
	})
}
