package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/history"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/proposal"
	"coauthor/edits"
)

// stepped has two requests that each changed a line of "a", applied, in the conversation; the second made "new" too.
func stepped(t *testing.T) *bufferHarness {
	t.Helper()
	d := newBufferHarness(t, map[string]string{"a": "one\ntwo\nthree\nfour\nfive\n"}, nil)
	d.open("a")
	for i, changes := range [][]edits.Change{
		{updated("a", "one\ntwo\nthree\nfour\nfive\n", "ONE\ntwo\nthree\nfour\nfive\n")},
		{updated("a", "ONE\ntwo\nthree\nfour\nfive\n", "ONE\ntwo\nthree\nfour\nFIVE\n"), {Path: "new", Op: edits.OpCreate, After: "new\n"}},
	} {
		turn := fmt.Sprintf("t-%d", i+1)
		store := d.root.Session.Proposals
		p, err := store.Add(turn, "make it better", changes, d.root.Workspace.Snapshot(), proposal.Checked{})
		if err != nil {
			t.Fatal(err)
		}
		store.MarkShown(p.ID, 1)
		d.root.Session.Conversation.History.Add(history.Exchange{Turn: turn, User: "Make it better.", Reply: "Done.", Proposal: p.ID})
		d.want(proposal.StatusApplied)(d.root.Decisions.Apply(t.Context(), proposal.Selector{Proposal: p.ID, Revision: 1}))
	}
	return d
}

// Files go back by an edit of the client, what the user typed elsewhere stays, and the user is told in one message; where
// the user typed in the same line, nothing is changed and the message says which file.
func TestRewindGoesThroughTheEditor(t *testing.T) {
	for name, c := range map[string]struct{ args, typed, text, status, says string }{
		"all":         {`{"request":1}`, "", "one\ntwo\nthree\nfour\nfive\n", "rewound", "2 requests undone"},
		"by words":    {`"2"`, "", "ONE\ntwo\nthree\nfour\nfive\n", "rewound", "before request 2"},
		"the last":    {"", "ONE\ntwo\n3\nfour\nFIVE\n", "ONE\ntwo\n3\nfour\nfive\n", "rewound", "1 request undone"},
		"by its turn": {`{"turnId":"t-1"}`, "", "one\ntwo\nthree\nfour\nfive\n", "rewound", "before request 1"},
		"in the way":  {`{"request":1}`, "ONE\ntwo\nthree\nfour\nuser\n", "ONE\ntwo\nthree\nfour\nuser\n", "conflict", "a"},
	} {
		t.Run(name, func(t *testing.T) {
			d := stepped(t)
			if c.typed != "" {
				d.typed("a", c.typed)
			}
			sofar := d.messages()
			sofar()
			result, err := d.run("rewind", c.args)
			if err != nil || result["status"] != c.status {
				t.Fatalf("%v, %v", result, err)
			}
			if got := d.text("a"); got != c.text {
				t.Errorf("a reads %q, want %q", got, c.text)
			}
			if made := strings.HasPrefix(d.text("new"), "new"); made != (c.status == "conflict") {
				t.Errorf("new reads %q", d.text("new"))
			}
			told := slices.DeleteFunc(sofar(), func(m message) bool { return strings.Contains(fmt.Sprint(m), "Applied to") }) // before
			if len(told) != 1 || !strings.Contains(fmt.Sprint(told), c.says) {
				t.Errorf("told %v", told)
			}
			if n := len(d.root.Session.Conversation.History.Done()); (n == 2) != (c.status == "conflict") {
				t.Errorf("%d requests are left", n)
			}
		})
	}
}

// A command that is written as an instruction is run and no model is asked; one that takes no words refuses them, and other
// words behind a slash are an instruction.
func TestCommandsAsInstructions(t *testing.T) {
	r := newModelHarness(t, llmtest.Say("One.", "Two.", "Three.", "Four."), nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	ask := func(said, want string) {
		t.Helper()
		calls := len(r.model.Requests())
		result := r.command("ask", fmt.Sprintf(`{"uri":%q,"instruction":%q}`, r.uri("a.txt"), said))
		mustHold(t, result, want)
		if started := strings.Contains(result, `"started"`); started {
			r.untilEnd()
			calls++
		}
		if n := len(r.model.Requests()); n != calls {
			t.Errorf("%s: %d requests, want %d", said, n, calls)
		}
	}
	lastHas := func(text string) bool {
		all := r.model.Requests()
		return strings.Contains(string(all[len(all)-1].Body), text)
	}
	ask("First?", `"started"`)
	ask("/history", `"number":1`)
	ask("/clear the cache in a.txt", "accepts no arguments")
	ask("/clear", `"requests":1`)
	ask("Second?", `"started"`)
	if lastHas("First?") {
		t.Error("a cleared conversation is sent")
	}
	ask("/rewind 7", "no request 7")
	ask("/rewind", `"rewound"`)
	ask("/rewind", "no requests")
	ask("Third?", `"started"`)
	if lastHas("Second?") {
		t.Error("what was taken back is sent")
	}
	ask("/reset", `"requests":1`)
	ask("/rewinding the tape?", `"started"`)
	mustHold(t, r.command("clear", ""), `"requests":1`)
	mustHold(t, r.command("reset", ""), `"requests":0`)
	mustHold(t, r.command("history", ""), `"requests":[]`)
	mustHold(t, r.command("rewind", `{"request":["x"]}`), "error")
}
