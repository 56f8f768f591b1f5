package lsp

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/agent/event"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/codeaction"
	"coauthor/lsp/pending"
	"coauthor/lsp/review"
	"coauthor/lsp/turnview"
)

// offered asks for the code actions in a document and returns their commands with the arguments.
func (d *bufferHarness) offered(path string) map[string]map[string]any {
	d.t.Helper()
	place := d.s.captureCodeAction(&codeActionParams{Document: documentID{URI: d.uri(path)}})
	result, err := d.s.codeAction(context.Background(), &codeActionParams{}, place)
	if err != nil {
		d.t.Fatal(err)
	}
	raw, err := json.Marshal(result)
	if err != nil {
		d.t.Fatal(err)
	}
	var list []struct {
		Command struct {
			Command   string
			Arguments []map[string]any
		}
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		d.t.Fatalf("%s: %v", raw, err)
	}
	found := map[string]map[string]any{}
	for _, a := range list {
		found[strings.TrimPrefix(a.Command.Command, "coauthor.")] = a.Command.Arguments[0]
	}
	return found
}

const (
	mostActions = 8                  // how many code actions a menu bears
	whenIdle    = "Coauthor is idle" // where the requests are offered, as the table says it
)

// everywhere are the commands that can be asked for in every document of the user's while nothing waits.
func everywhere() []string {
	var list []string
	for _, p := range codeaction.NewTable(coder.All()).Rows() {
		if p.When == whenIdle {
			list = append(list, strings.TrimPrefix(p.Command, command.CommandPrefix))
		}
	}
	return list
}

// What can be done with a change is offered in its documents, by name, from its beginning to its end: shown, applied,
// discarded, taken back, and made again.
func TestOffersFollowAChange(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n", "b": "b\n"}, func(c *client.Capabilities, _ *client.Quirks) { c.ActionLiterals = true })
	d.open("a")
	d.open("b")
	is := func(when, path, want string) map[string]map[string]any {
		t.Helper()
		got := d.offered(path)
		delete(got, "openPrompt")
		for _, name := range everywhere() {
			delete(got, name)
		}
		var names []string
		for name := range got {
			names = append(names, name)
		}
		slices.Sort(names)
		if strings.Join(names, " ") != want {
			t.Errorf("%s, in %s: offered %q, want %q", when, path, names, want)
		}
		return got
	}
	is("at the start", "a", "")
	p, err := d.root.Session.Proposals.Add("t-1", "make it better", []edits.Change{updated("a", "a\n", "A\n")}, d.root.Workspace.Snapshot(), proposal.Checked{})
	if err != nil {
		t.Fatal(err)
	}
	is("not looked at", "a", "discard showPending")
	d.root.Session.Proposals.MarkShown(p.ID, 1)
	for _, path := range []string{"a", "b"} { // a proposal is the folder's
		got := is("looked at", path, "apply discard showPending")
		for _, name := range []string{"apply", "discard", "showPending"} {
			if a := got[name]; a["proposalId"] != p.ID || a["revision"] != 1.0 || a["turnId"] != "t-1" {
				t.Errorf("%s names %v", name, a)
			}
		}
	}
	d.want(proposal.StatusApplied)(d.root.Decisions.Apply(context.Background(), proposal.Selector{}))
	if got := is("applied", "a", "undoTurn"); got["undoTurn"]["turnId"] != "t-1" {
		t.Errorf("undo names %v", got)
	}
	is("applied", "b", "")
	d.want(proposal.StatusUndone)(d.root.Decisions.Undo(context.Background(), ""))
	if got := is("undone", "a", "redoTurn"); got["redoTurn"]["turnId"] != "t-1" {
		t.Errorf("redo names %v", got)
	}
	is("undone", "b", "")
	d.want(proposal.StatusApplied)(d.root.Decisions.Redo(context.Background(), ""))
	is("made again", "a", "undoTurn")
}

// Our own clients are told of every change of a proposal: what it is now, and the turn's state.
func TestOurClientsAreToldOfAProposal(t *testing.T) {
	for _, caps := range []client.Capabilities{{Pending: true, Turn: true}, {Turn: true}, {}} {
		d := newBufferHarness(t, map[string]string{"a": "a\n"}, func(c *client.Capabilities, _ *client.Quirks) { c.Pending, c.Turn = caps.Pending, caps.Turn })
		var told []string
		d.listen(func(method string, params json.RawMessage) {
			var p struct{ TurnID, State, URI, Label string }
			if err := json.Unmarshal(params, &p); err == nil && (method == turnview.MethodTurn || method == pending.MethodPending) {
				told = append(told, strings.TrimPrefix(method, "coauthor/")+" "+p.TurnID+" "+p.State)
			}
			if method == turnview.MethodTurn && p.URI != d.root.URI() {
				t.Errorf("told of the folder %q", p.URI)
			}
		})
		p := d.propose(updated("a", "a\n", "A\n"))
		if _, err := d.root.Shown.Review().Discard(proposal.Selector{Proposal: p.ID, Revision: 1}); err != nil {
			t.Fatal(err)
		}
		d.sync()
		told = slices.Compact(told)
		for _, state := range []string{"pending", "discarded"} {
			for method, wanted := range map[string]bool{"turn": caps.Turn, "pending": caps.Pending} {
				if got := slices.Contains(told, method+" t-1 "+state); got != wanted {
					t.Errorf("%+v: told %q", caps, told)
				}
			}
		}
	}
}

// The diff holds what is still to be decided on, and says first what is to be known of it.
func TestDiffOfWhatIsLeft(t *testing.T) {
	base := lineText(20)
	goal := strings.NewReplacer("line 2\n", "two\n", "line 18\n", "eighteen\n").Replace(base)
	d := newBufferHarness(t, map[string]string{"a": base, "b": base, "deep/x": "x\n", ".github/workflows/ci.yml": "on: push\n"}, nil)
	p := d.propose(updated("a", base, goal), updated("b", base, goal), edits.Change{Path: "deep/n", Op: edits.OpCreate, After: "n\n"},
		edits.Change{Path: "new/n1", Op: edits.OpCreate, After: "n\n"}, edits.Change{Path: "new/n2", Op: edits.OpCreate, After: "n\n"},
		edits.Change{Path: "top", Op: edits.OpCreate, After: "n\n"}, edits.Change{Path: "deep/x", To: "other/x", Op: edits.OpRename, Before: "x\n", After: "x\n"})
	text := d.root.Shown.Review().DiffDocument(p)
	if strings.Count(text, "# new directory: new\n") != 1 || strings.Count(text, "# new directory: other\n") != 1 || strings.Count(text, "# new directory:") != 2 {
		t.Errorf("new directories of\n%s", text)
	}
	mustHold(t, text, "b/a\n", "b/b\n", "+two\n", "+eighteen\n", "b/deep/n\n", "b/top\n")
	if _, err := d.root.Shown.Review().Discard(proposal.Selector{Proposal: p.ID, Revision: 1, Files: []string{"b", "new/n1", "new/n2"}}); err != nil {
		t.Fatal(err)
	}
	left, _ := d.root.Session.Proposals.Get(p.ID)
	text = d.root.Shown.Review().DiffDocument(&left)
	mustHold(t, text, "b/a\n", "b/top\n")
	for _, gone := range []string{"b/b\n", "new/n1", "# new directory: new"} {
		if strings.Contains(text, gone) {
			t.Errorf("the diff still has %q:\n%s", gone, text)
		}
	}
}

// A client that cannot be told to open a document is asked whether to show the diff first. Where it can after all, the
// same question comes again without that choice, and what was shown can be applied.
func TestShowTheDiffFirst(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n"}, func(c *client.Capabilities, _ *client.Quirks) { c.ShowDocument = false })
	d.open("a")
	d.pick = func(_ string, choices []string) string {
		if len(d.asked) == 1 {
			d.s.client.Caps.ShowDocument = true // the user has configured it meanwhile
			return review.ChoiceShow
		}
		return review.ChoiceApply
	}
	p := d.propose(updated("a", "a\n", "A\n"))
	d.root.Shown.Review().Preview(context.Background(), *p, "diff")
	now, _ := d.root.Session.Proposals.Get(p.ID)
	if len(d.asked) != 2 || !slices.Contains(d.asked[0], review.ChoiceShow) || slices.Contains(d.asked[1], review.ChoiceShow) || len(d.shown) != 1 {
		t.Errorf("asked %q, shown %q", d.asked, d.shown)
	}
	if now.State != event.ProposalApplied || d.text("a") != "A\n" {
		t.Errorf("state %s, text %q", now.State, d.text("a"))
	}
}

// A folder that cannot take a diff does not keep the user from deciding, who is asked twice about what they cannot see.
func TestDiffThatCannotBeWritten(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n", ".coauthor": "no folder\n"}, nil)
	d.open("a")
	d.pick = func(_ string, choices []string) string {
		if slices.Contains(choices, review.ChoiceApply) {
			return review.ChoiceApply
		}
		return choices[len(choices)-1]
	}
	p := d.propose(updated("a", "a\n", "A\n"))
	d.root.Shown.Review().Preview(context.Background(), *p, "diff")
	if len(d.asked) != 2 || !slices.Contains(d.asked[0], review.ChoiceShow) || d.text("a") != "A\n" {
		t.Errorf("asked %q, text %q", d.asked, d.text("a"))
	}
}

// What waits is shown again when the user asks for it, and counts as shown; in our own client it is sent, and in one
// that shows nothing a message says where it is.
func TestShowWhatWaits(t *testing.T) {
	for _, c := range []struct {
		name        string
		caps        func(*client.Capabilities, *client.Quirks)
		shown, told int
		file        bool
	}{
		{"a document", nil, 1, 0, true},
		{"a virtual document", func(c *client.Capabilities, _ *client.Quirks) { c.VirtualDocuments = true }, 1, 0, false},
		{"our client", func(c *client.Capabilities, _ *client.Quirks) { c.Pending = true }, 0, 0, false},
		{"a client that shows nothing", func(c *client.Capabilities, _ *client.Quirks) { c.ShowDocument = false }, 0, 1, true},
	} {
		d := newBufferHarness(t, map[string]string{"a": "a\n"}, c.caps)
		p, err := d.root.Session.Proposals.Add("t-1", "make it better", []edits.Change{updated("a", "a\n", "A\n")}, d.root.Workspace.Snapshot(), proposal.Checked{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := d.root.Pending.Show(context.Background(), proposal.Selector{})
		now, _ := d.root.Session.Proposals.Get(p.ID)
		if err != nil || v.ProposalID != p.ID || now.Shown != 1 || len(d.shown) != c.shown || len(d.said()) != c.told {
			t.Errorf("%s: %+v, %v, shown %d, opened %q, told %q", c.name, v, err, now.Shown, d.shown, d.said())
		}
		files, err := filepath.Glob(filepath.Join(d.root.Dir, ".coauthor", "*.diff"))
		if err != nil || len(files) == 1 != c.file {
			t.Errorf("%s: files %q, %v", c.name, files, err)
		}
		if _, err := d.root.Pending.Show(context.Background(), proposal.Selector{Turn: "none"}); err == nil {
			t.Errorf("%s: what does not wait was shown", c.name)
		}
	}
}

// A note of a turn reaches the log, with its weight; a client is told of those that matter.
func TestNotesOfATurn(t *testing.T) {
	d := newBufferHarness(t, nil, nil)
	var told []string
	d.listen(func(method string, params json.RawMessage) { told = append(told, method+" "+string(params)) })
	for _, level := range []event.Level{event.LevelError, event.LevelWarning, event.LevelInfo} {
		turnview.LogNote(d.s.log, &event.Note{Level: level, Text: "note " + string(level)})
	}
	d.sync()
	if len(told) != 2 || !strings.Contains(told[0], "note error") || !strings.Contains(told[1], "note warning") {
		t.Errorf("told %q", told)
	}
}

// Progress that the user can stop says so.
func TestProgressCanBeStopped(t *testing.T) {
	r := newModelHarness(t, llmtest.Say("An answer."), nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	r.command("ask", `"why?"`)
	for _, s := range r.untilEnd() {
		if strings.Contains(s, `"kind":"begin"`) {
			mustHold(t, s, `"cancellable":true`, `"title":"Coauthor"`)
			return
		}
	}
	t.Error("the progress never began")
}
