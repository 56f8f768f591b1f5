package prompt_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"coauthor/agent/coder"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/prompt"
)

func crowded(t *testing.T) prompt.Chunks {
	t.Helper()
	in := prompt.Input{Coder: coder.All()[0], Format: &words, Instruction: "THE REQUEST", Map: "THE MAP", Earlier: "THE NOTES",
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
			"reminder": strings.Count(text, "REMINDER") == 0,
			"old":      !strings.Contains(text, "OLD"), "new": !strings.Contains(text, "NEW"),
			"notes": !strings.Contains(text, "THE NOTES"), "map": !strings.Contains(text, "THE MAP"), "examples": !strings.Contains(text, "EXAMPLE"),
		}
		told := strings.Join(fitted.Dropped, ", ")
		for name, words := range map[string]string{"reminder": "repetition", "old": "conversation", "new": "conversation (2)", "notes": "summary", "map": "map", "examples": "examples"} {
			if gone[name] != strings.Contains(told, words) {
				t.Fatalf("limit %d: %s gone %v, the user is told %q", limit, name, gone[name], told)
			}
		}
		if sized := c.Parts(count); total(sized) != fitted.Tokens {
			t.Fatalf("limit %d: %d tokens, the parts are %+v", limit, fitted.Tokens, sized)
		}
		for _, name := range []string{"reminder", "old", "new", "notes", "map", "examples"} {
			if gone[name] && !slices.Contains(order, name) {
				order = append(order, name)
			}
		}
		if limit == full && len(order) > 0 {
			t.Fatalf("dropped %v although everything fits", order)
		}
	}
	if got := strings.Join(order, " "); got != "reminder old new notes map examples" {
		t.Errorf("dropped in the order: %s", got)
	}
}

// Of what stands at the end the reminder of the format goes, whose rules stand at the beginning, and what this model in particular
// has to be told stays, however little room there is.
func TestFitKeepsWhatIsSaidOnce(t *testing.T) {
	count := func(s string) int { return len(s) }
	for _, remind := range []string{"user", "sys", "none"} {
		c, err := prompt.Build(prompt.Input{Coder: coder.All()[0], Format: &words, Instruction: "THE REQUEST", Map: "THE MAP",
			Profile: model.Profile{UseSystemPrompt: true, Reminder: remind, Lazy: true}})
		if err != nil {
			t.Fatal(err)
		}
		before := show(c.Messages())
		fitted := c.Fit(1, count)
		text := show(c.Messages())
		if n := strings.Count(before, "REMINDER"); (n == 1) != (remind != "none") || strings.Contains(text, "REMINDER") {
			t.Errorf("%s: the reminder stood there %d times and is left:\n%s", remind, n, text)
		}
		for _, all := range []string{before, text} {
			if n := strings.Count(all, "in the place of code"); n != 1 {
				t.Errorf("%s: what the model has to be told stands there %d times:\n%s", remind, n, all)
			}
		}
		if told := strings.Join(fitted.Dropped, ", "); strings.Contains(told, "repetition") != (remind != "none") || !strings.Contains(told, "map") {
			t.Errorf("%s: the user is told %q", remind, told)
		}
		if got := total(c.Parts(count)); got != fitted.Tokens {
			t.Errorf("%s: %d tokens are told, and the parts have %d", remind, fitted.Tokens, got)
		}
	}
}

func total(parts []prompt.Part) int {
	n := 0
	for _, p := range parts {
		n += p.Tokens
	}
	return n
}

// The parts tell of everything that is sent, in its order, with the files that they hold.
func TestParts(t *testing.T) {
	in := prompt.Input{Coder: coder.All()[0], Format: &words, Instruction: "THE REQUEST", Map: "THE MAP",
		Profile:  model.Profile{UseSystemPrompt: true, Reminder: "user"},
		Rules:    []prompt.Rule{{File: prompt.File{Path: "AGENTS.md", Text: "rule"}}},
		ReadOnly: []prompt.File{{Path: "r", Text: "12345"}}, Chat: []prompt.File{{Path: "b", Text: "1234567"}, {Path: "a", Text: "1"}},
		Earlier: "before", Done: []llm.Message{llm.Text(llm.RoleUser, "u"), llm.Text(llm.RoleAssistant, "a")}}
	c, err := prompt.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range c.Parts(func(s string) int { return len(s) }) {
		got = append(got, p.Name)
		for _, f := range p.Files {
			got = append(got, f.Path+"="+strconv.Itoa(f.Tokens))
		}
	}
	want := "system, examples, rules, AGENTS.md=4, read-only files, r=5, repository map, summary, conversation, files, a=1, b=7, request, reminder"
	if strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
	if list := prompt.Expendable(); len(list) != 5 || strings.Contains(strings.Join(list, ""), "%") {
		t.Errorf("%q", list)
	}
}
