package agent_test

import (
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/commit"
	"coauthor/agent/event"
	"coauthor/agent/settings"
)

// The line that switches a model is the first of whatever it is asked: a change, a question, a summary, a message of a commit.
// A prompt that is only shown has it too.
func TestEveryPromptBeginsWithTheLineOfItsModel(t *testing.T) {
	line := "/no_think\n"
	own := func(b *bench) {
		prefix := strings.TrimSpace(line)
		b.user.SystemPrefix = &prefix
	}
	first := func(b *bench) {
		t.Helper()
		for i, r := range b.server.Requests() {
			if !strings.HasPrefix(r.Messages[0].Content, line+"You ") {
				t.Errorf("request %d to %s begins with\n%.200s", i+1, r.Model, r.Messages[0].Content)
			}
		}
	}

	b := newGitBench(t, replies("Yes.", xIsTwo, "Set x"), map[string]string{"a.py": "x = 1\n"})
	plain, err := b.session.Prompt(t.Context(), agent.Request{Instruction: "Is it?", Coder: "ask"}, agent.Ports{})
	if err != nil {
		t.Fatal(err)
	}
	own(b)
	shown, err := b.session.Prompt(t.Context(), agent.Request{Instruction: "Is it?", Coder: "ask"}, agent.Ports{})
	if err == nil && shown.Model.Room >= plain.Model.Room {
		t.Error("the line takes no room")
	}
	if err != nil || !strings.HasPrefix(shown.Messages[0].String(), line+"You ") {
		t.Fatalf("%v: shown is\n%.200s", err, shown.Messages[0].String())
	}
	b.run(agent.Request{Instruction: "Is it?", Coder: "ask"})
	if r, _ := b.run(agent.Request{Instruction: "Set x.", Files: []string{"a.py"}}); r.State != event.TurnProposed {
		t.Fatalf("%s, %v", r.State, r.Err)
	}
	b.put("a.py", "x = 2\n")
	if made, err := b.session.Commits.Commit(t.Context(), commit.Request{}); err != nil || made.Subject != "Set x" {
		t.Fatalf("%+v, %v", made, err)
	}
	if n := len(b.server.Requests()); n != 3 {
		t.Errorf("%d requests", n)
	}
	first(b)

	b = newBench(t, talk(""), nil)
	own(b)
	b.keeping(settings.History{Mode: settings.HistorySave, Tokens: 300})
	for _, text := range []string{"One.", "Two.", "Three.", "Four."} {
		b.say(text)
	}
	if _, texts := b.summaries(); len(texts) == 0 {
		t.Error("nothing was summed up")
	}
	first(b)
}
