package agent_test

import (
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
)

// A small model whose edit block does not fit is asked for whole files, as the editor of a plan in that one's form; where
// they would be long it corrects the block, and one that is not small does so anyway.
func TestWholeFilesInsteadOfBlocks(t *testing.T) {
	yes := true
	for name, c := range map[string]struct {
		file, format string
		small        bool
		whole        bool
	}{
		"a short file":      {"x = 1\n", "diff", true, true},
		"an editor's":       {"x = 1\n", "editor-diff", true, true},
		"a long file":       {"x = 1\n" + strings.Repeat("y = 234\n", 4000), "diff", true, false},
		"not a small model": {"x = 1\n", "diff", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, replies(noSuchX, xIsTwo), map[string]string{"a.py": c.file})
			if c.small {
				b.user.EditFormat, b.user.ShortPrompt = "whole", &yes
			}
			r, _ := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}, Format: c.format})
			if r.State != event.TurnProposed {
				t.Fatalf("%+v", r)
			}
			requests := b.server.Requests()
			if len(requests) != 2 {
				t.Fatalf("%d requests", len(requests))
			}
			again := shownRequest(requests[1])
			if got := strings.Contains(again, "does not fit") || strings.Contains(again, "not applied"); got == c.whole {
				t.Errorf("told what was wrong: %v", got)
			}
			system := requests[1].Messages[0].Content
			if got := strings.Contains(system, "listing"); got != c.whole {
				t.Errorf("asked for listings: %v\n%s", got, system)
			}
			if got, want := strings.Contains(system, "a description of changes"), strings.HasPrefix(c.format, "editor-"); got != want {
				t.Errorf("asked as the editor of a plan: %v", got)
			}
		})
	}
}
