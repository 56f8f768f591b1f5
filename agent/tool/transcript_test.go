package tool_test

import (
	"strings"
	"testing"

	"coauthor/agent/llm"
	"coauthor/agent/tool"
)

// TestTranscriptMakesRoom: the results of the first replies go, and then a summary stands for them, once.
func TestTranscriptMakesRoom(t *testing.T) {
	prompt := []llm.Message{llm.Text(llm.RoleUser, "do it")}
	tr := tool.NewTranscript(prompt, 5, func(text string) int { return len(text) })
	for _, name := range []string{"a", "b", "c"} {
		said, results := llm.Text(llm.RoleAssistant, name), llm.Text(llm.RoleUser, strings.Repeat(name, 200))
		tr.Begin(said, results, []tool.Ran{{Call: tool.Call{Tool: tool.Read, Args: tool.Args{"path": name}}}})
		tr.Add(said, results)
	}
	if tr.Tokens() != 5+3*201 || len(tr.Calls()) != 3 {
		t.Fatalf("%d tokens, %d calls", tr.Tokens(), len(tr.Calls()))
	}
	if tr.Blank(500) {
		t.Error("that would not win enough")
	}
	if !tr.Blank(300) || strings.Contains(tr.Messages[2].String(), "aa") || !strings.Contains(tr.Messages[6].String(), "ccc") || tr.Tokens() >= 5+3*201-200 {
		t.Errorf("%d tokens: %v", tr.Tokens(), tr.Messages)
	}
	if words := tr.Words(1); len(words) != 2 || words[0] != "a" || words[1] != "" {
		t.Errorf("what is summed up: %q", words)
	}
	tr.Replace(1, "FIRST")
	tr.Replace(1, "SECOND")
	all := ""
	for _, m := range tr.Messages {
		all += m.String() + "\n"
	}
	if len(tr.Messages) != 1+2+2 || strings.Contains(all, "FIRST") || !strings.Contains(all, "SECOND") || len(tr.Sizes()) != 1 {
		t.Errorf("%d messages: %s", len(tr.Messages), all)
	}
	if prompt[0].String() != "do it" || len(prompt) != 1 {
		t.Error("the prompt was changed")
	}
}
