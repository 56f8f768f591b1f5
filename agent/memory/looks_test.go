package memory

import (
	"strings"
	"testing"

	"coauthor/agent/history"
	"coauthor/agent/llm"
)

// look is a call of a model, with one result for each file.
func look(by string, files ...string) history.Look {
	l := history.Look{Said: llm.Text(llm.RoleAssistant, "I look."), By: by, Results: llm.Message{Role: llm.RoleTool}}
	for _, f := range files {
		l.Results.Parts = append(l.Results.Parts, llm.Part{Kind: llm.PartResult, Text: f + ": " + strings.Repeat("word ", 100)})
		l.Files = append(l.Files, []string{f})
	}
	return l
}

// shown are the files whose results a model is still sent.
func shown(m *Memory, by string) string {
	var list []string
	for _, one := range m.Talk("diff", by) {
		for _, p := range one.Parts {
			if p.Kind == llm.PartResult && strings.Contains(p.Text, "word") {
				list = append(list, strings.TrimSuffix(strings.Fields(p.Text)[0], ":"))
			}
		}
	}
	return strings.Join(list, " ")
}

// What the model looked at stays for the rounds after that one: but for files that have changed since, for another model where the calls
// are this one's, and, where room runs short, the first results.
func TestLooksStay(t *testing.T) {
	m := &Memory{}
	first := look("one", "a.go", "b.go")
	m.Add(history.Said{Reply: "First.", News: "Go on.", Looks: []history.Look{first}})
	m.Add(history.Said{Reply: "Second.", News: "Go on.", Looks: []history.Look{look("one", "c.go", "d.go")}, Changed: []string{"a.go", "d.go"}})
	if got := shown(m, "one"); got != "b.go c.go" {
		t.Errorf("after a change of a.go and d.go: %s", got)
	}
	if got := shown(m, "another"); got != "" {
		t.Errorf("another model is sent the calls of this one: %s", got)
	}
	if !strings.Contains(first.Results.Parts[0].Text, "word") {
		t.Error("a message that was sent has changed")
	}
	count := func(text string) int { return len(strings.Fields(text)) }
	if !m.Blank(50, count) || shown(m, "one") != "c.go" {
		t.Errorf("after 50 tokens were to be won: %s", shown(m, "one"))
	}
	if !m.Blank(1000, count) || shown(m, "one") != "" || m.Blank(1, count) {
		t.Errorf("after all were to be won: %s", shown(m, "one"))
	}
	var roles []string
	for _, one := range m.Talk("diff", "one") {
		roles = append(roles, string(one.Role))
	}
	if got := strings.Join(roles, " "); got != "assistant tool assistant user assistant tool assistant user" {
		t.Errorf("the order: %s", got)
	}
	m.Begin()
	m.Add(history.Said{Reply: "Another talk."})
	if got := m.Talk("diff", "one"); len(got) != 1 {
		t.Errorf("another talk is sent what was looked at before: %d messages", len(got))
	}
}
