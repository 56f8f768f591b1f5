package agent

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"coauthor/agent/call"
	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/settings"
	"coauthor/agent/strategy"
	"coauthor/agent/workspace"
)

// saying is a client that streams one text, a rune at a time.
type saying string

func (s saying) Stream(_ context.Context, _ llm.Request, on func(llm.Delta)) (llm.Reply, error) {
	for _, r := range string(s) {
		on(llm.Delta{Channel: event.ChannelAnswer, Text: string(r)})
	}
	return llm.Reply{Text: string(s), Finish: llm.FinishStop}, nil
}

// seen is everything in a Context that a stage could have changed.
func seen(c Context) string {
	so := c.edits
	so.landed = nil // holds what only package edits may look into; its length says enough
	return fmt.Sprintf("%v %v %v %v %v %v %+v %+v %d %v %v %v", c.Chat, c.ReadOnly, c.Missing, c.Unshown, c.offered, c.agreed,
		so, c.Focus, len(c.edits.landed), c.Now.Changes(), c.Base.Changes(), c.Notes)
}

// The stages are functions: what they are given stays as it is, and the same values give the same result. So a round does
// not change when others follow it, and who only wants to see what would happen can run a stage as well as a turn.
func TestStagesAreFunctions(t *testing.T) {
	root := t.TempDir()
	for path, text := range map[string]string{"a.py": "x = 1\n", "b.py": "y = 1\n", "held.py": "z = 1\n", "lost.py": "def one():\n    pass\n\ndef two():\n    pass\n"} {
		if err := os.WriteFile(filepath.Join(root, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	block := func(path, search, replace string) string {
		return path + "\n```\n<<<<<<< SEARCH\n" + search + "\n=======\n" + replace + "\n>>>>>>> REPLACE\n```\n\n"
	}
	catalog, err := model.Load(map[string]model.UserModel{"scripted": {APIBase: "http://127.0.0.1:1", APIKeyEnv: model.NoKey, EditFormat: "diff", Tokenizer: "chars4", Tools: "never"}})
	if err != nil {
		t.Fatal(err)
	}
	e := NewEngine(Options{Settings: func(string) settings.Settings { return settings.Settings{} }, Catalog: func() *model.Catalog { return catalog }})
	defer e.Close()
	s := e.Session(ws)
	put := func(_ context.Context, q event.Question) (event.Answer, error) {
		if strings.Contains(q.Text, "held") {
			return event.Answer{Choice: q.Choices[1]}, nil
		}
		return event.Answer{Choice: q.Choices[0]}, nil
	}
	tell := func(event.Event) {}
	settles := s.settleDeps(put, tell)
	set := settings.Settings{Model: "scripted", AddMentioned: "ask", Verify: "syntax"}
	code, err := coder.All().ByName("code")
	if err != nil {
		t.Fatal(err)
	}
	r := Request{Instruction: "Change it.", Files: []string{"a.py", "lost.py", "new.py"}, Target: &Target{Path: "a.py", Start: 0, End: 3}}
	by, err := strategy.Choose(catalog, set, r.wanted(), code, coder.HandOver{})
	if err != nil {
		t.Fatal(err)
	}
	_, from := s.starting(t.Context(), r, Ports{}, code, nil)
	c, err := gather(t.Context(), s.gatherDeps(put), r, from.start, set, by)
	if err != nil {
		t.Fatal(err)
	}
	var contexts []Context
	var were []string
	for round, text := range []string{
		"All kinds.\n\n" + block("a.py", "x = 1", "x = 2") + block("a.py", "no such", "x") + block("new.py", "", "n = 1") + block("b.py", "y = 1", "y = 2") + block("held.py", "z = 1", "z = 2") +
			block("lost.py", "def one():\n    pass\n", "def three(:") + block("../out.py", "", "x"),
		"Again.\n\n" + block("a.py", "x = 2", "x = 3") + block("a.py", "nor this", "x"),
		"Nothing more.",
	} {
		contexts, were = append(contexts, c), append(were, seen(c))
		p, err := assemble(c, earlier{}, nil)
		if again, _ := assemble(c, earlier{}, nil); err != nil || !reflect.DeepEqual(again.Messages, p.Messages) || again.Tokens != p.Tokens {
			t.Fatalf("round %d: two prompts for one context: %v", round, err)
		}
		reply, err := call.Do(t.Context(), call.Options{Client: saying(text), Tell: tell}, p.Ask)
		if err != nil {
			t.Fatal(err)
		}
		out, err := settle(t.Context(), settles, c, reply)
		if err != nil {
			t.Fatal(err)
		}
		again, err := settle(t.Context(), settles, c, reply)
		if err != nil || seen(again.After) != seen(out.After) || again.Told != out.Told || again.Prose != out.Prose || !reflect.DeepEqual(again.Notes, out.Notes) {
			t.Errorf("round %d: two outcomes of one reply, %v:\n%s\n%s", round, err, seen(out.After), seen(again.After))
		}
		c = out.After
		for i, before := range were {
			if now := seen(contexts[i]); now != before {
				t.Errorf("round %d changed the context of round %d:\n%s\n%s", round, i, before, now)
			}
		}
	}
	if last := seen(c); !strings.Contains(last, "b.py") || len(c.edits.refused) == 0 || len(c.edits.given) == 0 || len(c.Now.Changes()) < 3 {
		t.Errorf("the rounds did less than they were made for:\n%s", last)
	}
}
