package agent_test

import (
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/help"
)

// The coder help is given the passages that fit, with the names of their files, and nothing of the project.
func TestHelpAnswersFromTheManual(t *testing.T) {
	b := newBench(t, replies("Run coauthor.undoTurn."), map[string]string{"a.py": "x = 1\n"})
	b.threeModels()
	b.engine.Close()
	o := b.options("")
	o.Manual = []help.Text{
		{Name: "lsp/COMMANDS.md", Text: "# Commands\n\n## `coauthor.undoTurn`\n\nUndoes an edit as a whole.\n\n## `coauthor.status`\n\nShows what runs.\n"},
		{Name: "README.md", Text: "# Coauthor\n\nOther matters.\n" + strings.Repeat("## More\n\nAbout an edit.\n", 2000)},
	}
	b.engine = agent.NewEngine(o)
	b.session = b.engine.Session(b.ws)
	b.ws.DidOpen("a.py", "x = 1\n", 1)
	r, _ := b.run(agent.Request{Instruction: "How do I undo an edit?", Coder: "help"})
	sent := b.server.Requests()[0]
	var all strings.Builder
	for _, m := range sent.Messages {
		all.WriteString(m.Content)
	}
	text := all.String()
	if r.State != event.TurnAnswered || sent.Model != "thrifty" || strings.Contains(text, "x = 1") || strings.Contains(text, "Shows what runs") {
		t.Errorf("%s by %s, sent\n%s", r.State, sent.Model, text)
	}
	if !strings.Contains(text, "lsp/COMMANDS.md, under \"Commands › `coauthor.undoTurn`\"") || !strings.Contains(text, "Undoes an edit as a whole.") {
		t.Errorf("the passage is not there:\n%s", text)
	}
	if len(text)/4 > 4096+1000 {
		t.Errorf("%d bytes are sent", len(text))
	}
}
