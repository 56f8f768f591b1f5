package agent_test

import (
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/chosen"
	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/agent/event"
)

// What is chosen for a session holds for its turns, above the settings and below what a request says; every change
// answers with what is in force.
func TestWhatIsChosenForASession(t *testing.T) {
	b := newBench(t, "repeat: true\n-- 1.md --\nFine.\n", map[string]string{"a.py": "x = 1\n", "b.py": "y = 1\n", "doc.md": "Words.\n", ".env": "KEY=secret\n"})
	b.threeModels()
	b.settings.Coder, b.settings.EditFormat, b.settings.Trusted = "code", "diff", true
	if in := b.session.InForce(); in.Coder != "code" || in.Format != "diff" || in.Model != "scripted" || in.WeakModel != "thrifty" || in.EditorModel != "writer" || !in.Trusted {
		t.Errorf("by the settings: %+v", in)
	}
	in, err := b.session.Choose(chosen.Choice{Coder: "ask", Model: "writer", Files: []string{"b.py", ".env", "../out"}, ReadOnly: []string{"doc.md", ".env", "b.py"}})
	if err != nil || in.Coder != "ask" || in.Format != "diff" || in.Model != "writer" || in.WeakModel != "thrifty" || len(in.Files) != 3 {
		t.Errorf("chosen: %+v, %v", in, err)
	}
	if st := b.session.Status(); st.Model != "writer" {
		t.Errorf("the status says %s", st.Model)
	}
	last := func(r agent.Request) (model, sent string) {
		if got, _ := b.run(r); got.State != event.TurnAnswered {
			t.Fatalf("%+v", got)
		}
		all := b.server.Requests()
		return all[len(all)-1].Model, shownRequest(all[len(all)-1])
	}
	name, sent := last(agent.Request{Instruction: "Why?", Files: []string{"a.py"}})
	for want, there := range map[string]bool{"x = 1": true, "y = 1": true, "Words.": true, "KEY=secret": false, "SEARCH": false} {
		if strings.Contains(sent, want) != there {
			t.Errorf("%q is sent: %v\n%s", want, !there, sent)
		}
	}
	if strings.Count(sent, "y = 1") != 1 || name != "writer" {
		t.Errorf("%s is sent\n%s", name, sent)
	}
	if name, _ = last(agent.Request{Instruction: "Why?", Model: "thrifty"}); name != "thrifty" {
		t.Errorf("a request for thrifty went to %s", name)
	}
	for _, wrong := range []chosen.Choice{{Coder: "poet"}, {Format: "morse"}} {
		if got, err := b.session.Choose(wrong); err == nil || got.Coder != "ask" || !slices.Equal(got.Files, in.Files) {
			t.Errorf("%+v: %+v, %v", wrong, got, err)
		}
	}
	b.session.Chosen.Clear()
	b.session.Conversation.Clear()
	if in := b.session.InForce(); len(in.Files)+len(in.ReadOnly) != 0 || in.Coder != "ask" {
		t.Errorf("forgotten: %+v", in)
	}
	if in, err := b.session.Choose(chosen.Choice{Format: "auto"}); err != nil || in.Coder != "code" || in.Model != "scripted" || in.Format != "auto" {
		t.Errorf("back to the settings: %+v, %v", in, err)
	}
	// Another root is not concerned, and neither is the next session of this one.
	b.withCoders(coder.Coder{Name: "plan", Template: "ask.md.tmpl", Next: coder.Finish})
	if in, err := b.session.Choose(chosen.Choice{Coder: "plan"}); err != nil || in.Coder != "plan" {
		t.Errorf("a coder of one's own: %+v, %v", in, err)
	}
	b.engine.Leave(b.ws)
	b.reopen()
	if in := b.session.InForce(); in.Coder != "code" {
		t.Errorf("the next session: %+v", in)
	}
}

// A file of the chat that cannot be shown is left out, and neither asked about nor the end of the turn: the user
// is told which and why, also by who only looks at the prompt.
func TestFilesOfTheChatThatCannotBeShown(t *testing.T) {
	b := newBench(t, "-- 1.md --\nYes.\n-- 2.md --\nYes.\n", map[string]string{
		"a.py": "x = 1\n", "doc.md": "DOC\n", "big.txt": strings.Repeat("big ", 4000), "data.bin": "\x00\x01", ".env": "SECRET=1\n", "made.txt": "MADE\n", ".gitignore": "made.txt\n"})
	b.user.ContextWindow, b.user.MaxOutput = 3000, 100
	left := map[string]string{"big.txt": "exceeds the model", "data.bin": "binary", ".env": "secrets", "made.txt": "ignored", "gone.py": "does not exist"}
	chosen := chosen.Choice{Files: []string{"a.py", "gone.py", "big.txt", "data.bin"}, ReadOnly: []string{"doc.md", ".env", "made.txt"}}
	if _, err := b.session.Choose(chosen); err != nil {
		t.Fatal(err)
	}
	r := agent.Request{Instruction: "Is it done?", Coder: "ask"}
	p, err := b.session.Prompt(t.Context(), r, agent.Ports{Ask: b})
	if err != nil {
		t.Fatal(err)
	}
	why := map[string]string{}
	for _, l := range command.LeftOut(p) {
		why[l.What] = l.Why
	}
	result, events := b.run(r)
	if result.State != event.TurnAnswered || len(b.asked) > 0 {
		t.Fatalf("%+v, asked %v", result, b.asked)
	}
	told := ""
	for _, e := range events {
		if e.Note != nil {
			told += e.Note.Text + "\n"
		}
	}
	sent := shownRequest(b.server.Requests()[0])
	for path, reason := range left {
		if !strings.Contains(why[path], reason) {
			t.Errorf("%s is left out because %q", path, why[path])
		}
		if !strings.Contains(told, path+" is in the chat but was not sent to the model: "+why[path]+".") {
			t.Errorf("of %s the user is told:\n%s", path, told)
		}
		if strings.Contains(sent, path) {
			t.Errorf("%s is in the prompt", path)
		}
	}
	for _, shown := range []string{"x = 1", "DOC"} {
		if !strings.Contains(sent, shown) {
			t.Errorf("%q is not in the prompt:\n%s", shown, sent)
		}
	}
	if c := b.session.Chosen.Get(); !slices.Equal(c.Files, chosen.Files) || !slices.Equal(c.ReadOnly, chosen.ReadOnly) {
		t.Errorf("the chat is %+v", c)
	}
	// What comes back is shown again.
	b.put("gone.py", "back = 1\n")
	b.run(r)
	if sent := shownRequest(b.server.Requests()[1]); !strings.Contains(sent, "back = 1") {
		t.Errorf("what came back is not shown:\n%s", sent)
	}
}
