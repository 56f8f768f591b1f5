package agent_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/event"
	"coauthor/agent/model"
)

// chosen is the command that regenerates, which asks for the model and is answered.
func (b *bench) chosen(choice, text string) command.Answer {
	b.t.Helper()
	b.asked, b.answers, b.texts = nil, nil, nil
	if choice != "" {
		b.answers = []string{choice}
	}
	if text != "" {
		b.texts = []string{text}
	}
	a, ok := command.ActionOf(command.Actions(), "coauthor.regenerate")
	if !ok {
		b.t.Fatal("there is no such command")
	}
	args, err := a.Read([]json.RawMessage{[]byte(`{"choose":true}`)})
	if err != nil {
		b.t.Fatal(err)
	}
	answer, err := a.Run.Do(b.t.Context(), b.session, command.Call{Args: args, Ports: agent.Ports{Ask: b}})
	if err != nil {
		b.t.Fatal(err)
	}
	return answer
}

// Which model is to answer this time is asked: the user's own are offered, but not the one that has answered, nor one of
// them under two names. A name can be written, and no answer leaves all as it is.
func TestRegenerateAsksForTheModel(t *testing.T) {
	b := newBench(t, replies(editOf("x = 1", "x = 2"), editOf("x = 1", "x = 3"), editOf("x = 1", "x = 4")), map[string]string{"a.py": "x = 1\n"})
	b.threeModels()
	same := b.user
	same.Model = "thrifty"
	b.settings.Models["cheap"] = same
	b.run(agent.Request{Instruction: "Change x.", Files: []string{"a.py"}})
	answer := b.chosen("", "")
	if answer.Then != nil || len(b.asked) != 1 || !slices.Equal(b.asked[0].Choices, []string{"cheap", "writer", "none"}) || b.asked[0].Default != "none" || !b.asked[0].FreeText ||
		b.asked[0].Title("cheap") != "regenerate with cheap (thrifty)" || b.asked[0].Title("writer") != "regenerate with writer" {
		t.Fatalf("%+v, %+v", answer, b.asked)
	}
	if answer = b.chosen("none", ""); answer.Then != nil {
		t.Errorf("none: %+v", answer.Then)
	}
	answer = b.chosen("writer", "")
	if r, _ := b.run(*answer.Then); r.Proposal == nil || r.Proposal.Revision != 2 {
		t.Fatalf("%+v", r)
	}
	if answer = b.chosen("", "thrifty"); !slices.Equal(b.asked[0].Choices, []string{"cheap", "scripted", "none"}) {
		t.Errorf("after the writer: %q", b.asked[0].Choices)
	}
	if r, _ := b.run(*answer.Then); r.State != event.TurnProposed {
		t.Fatalf("%+v", r)
	}
	if got := models(b); !slices.Equal(got, []string{"scripted", "writer", "thrifty"}) {
		t.Errorf("the models are %q", got)
	}
}

// Beside the user's own, the short names of what the same provider serves for the same key; of a server that the settings
// name for all models nothing else is known, and then a name is to be written.
func TestOtherModelsOfAProvider(t *testing.T) {
	b := newBench(t, replies("Fine."), map[string]string{"a.py": "x = 1\n"})
	b.run(agent.Request{Instruction: "What is x?", Coder: "ask"})
	choices := func(name, base string) []string {
		b.settings.Model, b.settings.APIBase, b.settings.Models = name, base, map[string]model.UserModel{"mine": {Model: "big", APIBase: "http://127.0.0.1:1"}}
		if base != "" {
			b.settings.Models = nil
		}
		c := b.session.Chosen.Get()
		c.Model = name
		if _, err := b.session.Choose(c); err != nil {
			t.Fatal(err)
		}
		b.chosen("", "")
		return b.asked[0].Choices
	}
	got := choices("claude-sonnet-4-5", "")
	if len(got) < 3 || len(got) > 7 || got[0] != "mine" || !slices.Contains(got, "haiku") || slices.ContainsFunc(got, func(n string) bool { return strings.Contains(n, "gemini") || strings.Contains(n, "gpt") }) {
		t.Errorf("of one provider: %q", got)
	}
	if got := choices("foo", "http://127.0.0.1:1"); got != nil {
		t.Errorf("of a server of one's own: %q", got)
	}
}

// A client that shows a list of its own asks for the names without a document.
func TestModelsWithoutAPage(t *testing.T) {
	b := newBench(t, replies("x"), map[string]string{"a.py": "x = 1\n"})
	a, ok := command.ActionOf(command.Actions(), "coauthor.listModels")
	if !ok {
		t.Fatal("no such action")
	}
	for _, quiet := range []bool{false, true} {
		args, err := a.Read([]json.RawMessage{fmt.Appendf(nil, `{"quiet":%v}`, quiet)})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := a.Run.Do(t.Context(), b.session, command.Call{Args: args})
		if err != nil {
			t.Fatal(err)
		}
		names, _ := answer.Data.(map[string]any)["models"].([]string)
		if len(names) == 0 || (answer.Page.Text == "") != quiet {
			t.Errorf("quiet %v: %d names, page %q", quiet, len(names), answer.Page.Name)
		}
	}
}
