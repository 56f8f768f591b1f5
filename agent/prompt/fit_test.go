package prompt_test

import (
	"slices"
	"strings"
	"testing"

	"coauthor/agent/coder"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/prompt"
)

func crowded(t *testing.T) prompt.Chunks {
	t.Helper()
	in := prompt.Input{Coder: coder.All()[0], Format: &words, Instruction: "THE REQUEST", Map: "THE MAP",
		Profile: model.Profile{UseSystemPrompt: true, Reminder: "user"},
		Chat:    []prompt.File{{Path: "a", Text: "THE FILE\n"}}}
	for _, s := range []string{"OLD", "NEW"} {
		in.Done = append(in.Done, llm.Text(llm.RoleUser, s+" REQUEST"), llm.Text(llm.RoleAssistant, s+" REPLY"))
	}
	c, err := prompt.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// With less and less room things go in a fixed order, never more than needed, and the request and
// the files never.
func TestFitDropsInOrder(t *testing.T) {
	count := func(s string) int { return len(s) }
	c := crowded(t)
	full := c.Fit(0, count).Tokens
	var order []string
	for limit := full; limit > 0; limit-- {
		c := crowded(t)
		fitted := c.Fit(limit, count)
		if fitted.Tokens > limit && fitted.Over != fitted.Tokens-limit || fitted.Tokens <= limit && fitted.Over != 0 {
			t.Fatalf("limit %d: %d tokens, over %d", limit, fitted.Tokens, fitted.Over)
		}
		text := show(c.Messages())
		alternate(t, c.Messages())
		for _, must := range []string{"THE REQUEST", "THE FILE", "RULES"} {
			if !strings.Contains(text, must) {
				t.Fatalf("limit %d: %s is gone", limit, must)
			}
		}
		gone := map[string]bool{
			"reminder": strings.Count(text, "REMINDER") == 1,
			"old":      !strings.Contains(text, "OLD"), "new": !strings.Contains(text, "NEW"),
			"map": !strings.Contains(text, "THE MAP"), "examples": !strings.Contains(text, "EXAMPLE"),
		}
		for _, name := range []string{"reminder", "old", "new", "map", "examples"} {
			if gone[name] && !slices.Contains(order, name) {
				order = append(order, name)
			}
		}
		if limit == full && len(order) > 0 {
			t.Fatalf("dropped %v although everything fits", order)
		}
	}
	if got := strings.Join(order, " "); got != "reminder old new map examples" {
		t.Errorf("dropped in the order: %s", got)
	}
}
