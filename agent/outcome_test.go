package agent_test

import (
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/proposal"
)

// The next request begins with what became of the last edits, as it is by then: after an undo, and after its redo, too.
func TestTheModelIsToldWhatBecameOfItsEdits(t *testing.T) {
	two := xIsTwo + "\nb.py\n```\n<<<<<<< SEARCH\ny = 1\n=======\ny = 2\n>>>>>>> REPLACE\n```\n"
	apply := func(b *bench, r agent.Result, files ...string) {
		b.t.Helper()
		store := b.session.Proposals
		store.MarkShown(r.Proposal.ID, r.Proposal.Revision)
		if _, err := store.Apply(b.t.Context(), proposal.Selector{Proposal: r.Proposal.ID, Revision: r.Proposal.Revision, Files: files}, editorDelivery{b}); err != nil {
			b.t.Fatal(err)
		}
	}
	undo := func(b *bench, r agent.Result) {
		b.t.Helper()
		if _, err := b.session.Proposals.Undo(b.t.Context(), r.Turn, editorDelivery{b}); err != nil {
			b.t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		reply string
		do    func(b *bench, r agent.Result)
		told  string
		shown string // of the file
	}{
		"nobody has decided": {two, func(*bench, agent.Result) {}, "Your last edits are not applied yet; the files are shown without them.", "x = 1"},
		"taken":              {two, func(b *bench, r agent.Result) { apply(b, r) }, "Your last edits were applied.", "x = 2"},
		"taken in part":      {two, func(b *bench, r agent.Result) { apply(b, r, "a.py") }, "Your last edits were applied in part; the files show which.", "x = 2"},
		"undone":             {two, func(b *bench, r agent.Result) { apply(b, r); undo(b, r) }, "Your last edits were applied and taken back again.", "x = 1"},
		"undone and redone": {two, func(b *bench, r agent.Result) {
			apply(b, r)
			undo(b, r)
			if _, err := b.session.Proposals.Redo(b.t.Context(), r.Turn, editorDelivery{b}); err != nil {
				b.t.Fatal(err)
			}
		}, "Your last edits were applied.", "x = 2"},
		"rejected": {two, func(b *bench, r agent.Result) {
			if _, err := b.session.Proposals.Discard(proposal.Selector{Proposal: r.Proposal.ID, Revision: r.Proposal.Revision}); err != nil {
				b.t.Fatal(err)
			}
		}, "Your last edits were rejected; the files are unchanged.", "x = 1"},
		"none fitted":     {noSuchX, func(*bench, agent.Result) {}, "None of your last edits could be applied; the files are unchanged.", "x = 1"},
		"there were none": {"It is one.", func(*bench, agent.Result) {}, "", "x = 1"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, replies(c.reply, "I see."), map[string]string{"a.py": "x = 1\n", "b.py": "y = 1\n"})
			b.settings.MaxReflections = 0
			r, _ := b.run(agent.Request{Instruction: "Make them two.", Files: []string{"a.py", "b.py"}})
			c.do(b, r)
			b.run(agent.Request{Instruction: "And now?", Files: []string{"a.py", "b.py"}})
			sent := shownRequest(b.server.Requests()[1])
			if c.told == "" && strings.Contains(sent, "last edits") || c.told != "" && !strings.Contains(sent, "("+c.told+")\n\nAnd now?") {
				t.Errorf("the request is not told %q:\n%s", c.told, sent)
			}
			if _, files, _ := strings.Cut(sent, "These are the files you may change"); !strings.Contains(files, c.shown) {
				t.Errorf("%s is not shown:\n%s", c.shown, files)
			}
		})
	}
}
