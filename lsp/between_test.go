package lsp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/deliver"
	"coauthor/lsp/lsptest"
)

// write changes a file on disk behind the editor's back; "" takes it away.
func (d *bufferHarness) write(path, text string) {
	d.t.Helper()
	abs := filepath.Join(d.root.Dir, filepath.FromSlash(path))
	err := os.Remove(abs)
	if text != "" {
		err = os.WriteFile(abs, []byte(text), 0o600)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		d.t.Fatal(err)
	}
}

// disk reads a file on disk; "" where there is none.
func (d *bufferHarness) disk(path string) string {
	d.t.Helper()
	raw, err := os.ReadFile(filepath.Join(d.root.Dir, filepath.FromSlash(path)))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		d.t.Fatal(err)
	}
	return string(raw)
}

// sent is how many edits the client got.
func (d *bufferHarness) sent() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.applied)
}

// deliver carries out a plan that was made of the changes at some time before.
func (d *bufferHarness) deliver(changes ...edits.Change) []proposal.Landed {
	d.t.Helper()
	plan := make([]proposal.Step, len(changes))
	for i, c := range changes {
		plan[i] = proposal.Step{Change: c, Hunks: edits.Diff(c.Before, c.After)}
	}
	answers, err := d.root.Decisions.Applier(deliver.Options{Seen: true}).Deliver(context.Background(), "make it better", plan)
	if err != nil {
		d.t.Fatal(err)
	}
	return answers
}

// A plan is carried out on the texts that it was made on, or not at all: what was typed, saved, made or
// deleted between the plan and its delivery stops all of it before anything is sent or asked, and it is
// planned again. What is not known for sure is refused.
func TestWhatChangedSinceThePlan(t *testing.T) {
	update := updated("a", "a\n", "A\n")
	gone := edits.Change{Path: "a", Op: edits.OpDelete, Before: "a\n"}
	made := edits.Change{Path: "n", Op: edits.OpCreate, After: "new\n"}
	moved := edits.Change{Path: "a", To: "b", Op: edits.OpRename, Before: "a\n", After: "a\nb\n"}
	second := updated("z", "z\n", "Z\n")
	for _, test := range []struct {
		name    string
		open    string // documents that are open when the plan is made
		plan    []edits.Change
		then    func(d *bufferHarness)
		refused bool // and not planned again
	}{
		{"typed into an open file", "a z", []edits.Change{update, second}, func(d *bufferHarness) { d.typed("a", "typed\na\n") }, false},
		{"typed into the second file", "a z", []edits.Change{update, second}, func(d *bufferHarness) { d.typed("z", "z\ntyped\n") }, false},
		{"typed into a file that is deleted", "a", []edits.Change{gone}, func(d *bufferHarness) { d.typed("a", "typed\na\n") }, false},
		{"typed into a file that is renamed", "a", []edits.Change{moved}, func(d *bufferHarness) { d.typed("a", "typed\na\n") }, false},
		{"opened and typed into", "", []edits.Change{update}, func(d *bufferHarness) { d.open("a"); d.typed("a", "typed\n") }, false},
		{"closed, and its text is not saved", "a", []edits.Change{updated("a", "typed\n", "A\n")}, func(d *bufferHarness) { d.close("a") }, false},
		{"a closed file saved", "", []edits.Change{update}, func(d *bufferHarness) { d.write("a", "saved\n") }, false},
		{"a closed file gone", "", []edits.Change{update}, func(d *bufferHarness) { d.write("a", "") }, false},
		{"a closed file is no text", "", []edits.Change{update}, func(d *bufferHarness) { d.write("a", "a\x00\xff\n") }, false},
		{"a deleted file saved", "", []edits.Change{gone}, func(d *bufferHarness) { d.write("a", "saved\n") }, false},
		{"a deleted file gone", "", []edits.Change{gone}, func(d *bufferHarness) { d.write("a", "") }, false},
		{"a renamed file saved", "", []edits.Change{moved}, func(d *bufferHarness) { d.write("a", "saved\n") }, false},
		{"the new file is there", "", []edits.Change{made}, func(d *bufferHarness) { d.write("n", "somebody's\n") }, false},
		{"the new file is there, and open", "", []edits.Change{made}, func(d *bufferHarness) { d.write("n", "somebody's\n"); d.open("n") }, false},
		{"the new file is there, and open and empty", "", []edits.Change{made}, func(d *bufferHarness) { d.write("n", "\n"); d.open("n") }, false},
		{"the new file is a buffer with a text", "", []edits.Change{made}, func(d *bufferHarness) { d.put("n", "somebody's\n", 1) }, false},
		{"the new name is there", "", []edits.Change{moved}, func(d *bufferHarness) { d.write("b", "somebody's\n") }, false},
		{"the new name is there, and the old one open", "a", []edits.Change{moved}, func(d *bufferHarness) { d.write("b", "somebody's\n") }, false},
		{"the new name is a buffer", "", []edits.Change{moved}, func(d *bufferHarness) { d.put("b", "somebody's\n", 1) }, false},
		{"not known any more", "a z", []edits.Change{second, update}, func(d *bufferHarness) { d.garble("a") }, true},
		{"a new file that is not known any more", "", []edits.Change{made}, func(d *bufferHarness) { d.put("n", "", 1); d.garble("n") }, true},
		{"a change still on its way", "a", []edits.Change{update}, func(d *bufferHarness) { d.early("a") }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			// Every client refuses a version that is not the buffer's, but those that apply it all the same.
			d := newBufferHarness(t, map[string]string{"a": "a\n", "z": "z\n"}, func(_ *client.Capabilities, q *client.Quirks) { q.VersionsStep = true })
			d.client.Play(func(p *lsptest.Profile) { p.Quirks.NoVersionCheck = true })
			d.pick = func(text string, _ []string) string { t.Errorf("asked %q", text); return "" }
			for _, path := range strings.Fields(test.open) {
				d.open(path)
			}
			if strings.HasPrefix(test.plan[0].Before, "typed") {
				d.typed("a", "typed\n")
			}
			test.then(d)
			texts := func() []string {
				var list []string
				for _, path := range []string{"a", "b", "n", "z"} {
					list = append(list, d.text(path), d.disk(path))
				}
				return list
			}
			before := texts()
			answers := d.deliver(test.plan...)
			if after := texts(); d.sent() != 0 || !slices.Equal(before, after) {
				t.Errorf("%d edits were sent; it reads %q, want %q", d.sent(), after, before)
			}
			if len(answers) != len(test.plan) {
				t.Fatalf("%+v", answers)
			}
			for i, a := range answers {
				want := proposal.LandAbsent
				if test.refused {
					want = proposal.LandRefused
				}
				if a.Path != test.plan[i].Path || a.State != want || a.Stale == test.refused || a.Reason == "" {
					t.Errorf("%+v, want %s", a, want)
				}
			}
		})
	}
	// The same plans arrive where nothing came between.
	for _, open := range []string{"", "a", "a z"} {
		for _, plan := range [][]edits.Change{{update, second}, {gone}, {made}, {moved}} {
			d := newBufferHarness(t, map[string]string{"a": "a\n", "z": "z\n"}, nil)
			for _, path := range strings.Fields(open) {
				d.open(path)
			}
			for _, a := range d.deliver(plan...) {
				if a.State != proposal.LandLanded || a.Stale || a.Reason != "" {
					t.Errorf("open %q: %+v", open, a)
				}
			}
		}
	}
	// An empty buffer without a file takes the text of the new file.
	for _, empty := range []string{"", "\n"} {
		d := newBufferHarness(t, nil, nil)
		d.put("n", empty, 1)
		if a := d.deliver(made); a[0].State != proposal.LandLanded || d.text("n") != "new\n" {
			t.Errorf("buffer %q: %+v, %q", empty, a, d.text("n"))
		}
	}
}

// garble sends a change of a document that cannot be read.
func (d *bufferHarness) garble(path string) {
	d.t.Helper()
	v := 2.0
	if err := d.s.didChange(context.Background(), &didChangeParams{Document: documentID{URI: d.uri(path), Version: &v}, Changes: []byte(`[{"text":7}]`)}); err == nil {
		d.t.Error("a change that cannot be read was taken")
	}
}

// early sends a change that comes before the one that it follows.
func (d *bufferHarness) early(path string) {
	d.t.Helper()
	v := 3.0
	if err := d.s.didChange(context.Background(), &didChangeParams{Document: documentID{URI: d.uri(path), Version: &v},
		Changes: []byte(`[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"text":"x"}]`)}); err != nil {
		d.t.Error(err)
	}
}

// A question takes its time, and so does the request before. What is typed meanwhile is not overwritten, also by a
// client that applies an edit to whatever text it has, and the change arrives in the end.
func TestTypedBeforeTheNextRequest(t *testing.T) {
	base := lineText(10)
	goal := strings.Replace(base, "line 5\n", "five\n", 1)
	for _, open := range []bool{true, false} {
		for _, during := range []string{"the question", "the request before"} {
			d := newBufferHarness(t, map[string]string{"a": base, "b": base, ".github/workflows/ci.yml": "on: push\n"}, func(_ *client.Capabilities, q *client.Quirks) {
				q.SplitFiles = true
			})
			d.client.Play(func(p *lsptest.Profile) { p.Quirks.NoVersionCheck = true })
			if open {
				d.open("a")
				d.open("b")
			}
			done := false
			typed := func() {
				if done {
					return
				}
				done = true
				if open {
					d.typed("b", "typed\n"+base)
				} else {
					d.write("b", "typed\n"+base)
				}
			}
			d.pick = func(_ string, choices []string) string {
				if during == "the question" {
					typed()
				}
				return choices[1]
			}
			d.apply = func(d *bufferHarness, e lsptest.ApplyEdit) (any, error) {
				answer, err := d.do(e)
				if during == "the request before" {
					typed()
				}
				return answer, err
			}
			d.propose(updated(".github/workflows/ci.yml", "on: push\n", "on: pull_request\n"), updated("a", base, goal), updated("b", base, goal))
			d.want(proposal.StatusApplied)(d.root.Decisions.Apply(context.Background(), proposal.Selector{}))
			if got := d.text("b"); got != "typed\n"+goal || !done {
				t.Errorf("open %v, during %s: b reads %q", open, during, got)
			}
			if got := d.text("a"); got != goal {
				t.Errorf("open %v, during %s: a reads %q", open, during, got)
			}
		}
	}
}

// The user types right behind a line that an edit on its way is for, and the client refuses the edit: it is known that none of it
// has arrived, so that a later look at the rest does not count it as applied.
func TestRefusedWhileTypingBesideIt(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "one\ntwo\nthree\n"}, nil)
	d.open("a")
	d.apply = func(d *bufferHarness, _ lsptest.ApplyEdit) (any, error) {
		d.typed("a", "one\ntwo\ntyped\nthree\n")
		return applyResult{Reason: "document has changed"}, nil
	}
	p := d.propose(updated("a", "one\ntwo\nthree\n", "one\nTWO\nthree\n"))
	out, err := d.root.Decisions.Apply(context.Background(), proposal.Selector{})
	now, _ := d.root.Session.Proposals.Get(p.ID)
	if err != nil || out.Status == proposal.StatusUnverified || !now.Pending() || d.text("a") != "one\ntwo\ntyped\nthree\n" {
		t.Errorf("%+v, %v; the proposal is %s, a reads %q", out, err, now.State, d.text("a"))
	}
}

// What the server takes from disk for a client that cannot is what the user agreed to lose. Nothing is taken away when
// the edit of a rename was refused, or when the old one was changed, typed into, or protected meanwhile.
func TestNothingIsTakenFromDiskThatChanged(t *testing.T) {
	rename := edits.Change{Path: "from", To: "to", Op: edits.OpRename, Before: "text\n", After: "text\nmore\n"}
	remove := edits.Change{Path: "from", Op: edits.OpDelete, Before: "text\n"}
	no := func(*bufferHarness, lsptest.ApplyEdit) (any, error) { return applyResult{Reason: "no"}, nil }
	for _, test := range []struct {
		name   string
		change edits.Change
		open   bool
		apply  func(d *bufferHarness, e lsptest.ApplyEdit) (any, error)
		asked  func(d *bufferHarness) // while the user is asked
		from   string                 // on disk afterwards
	}{
		{"a rename", rename, false, nil, nil, ""},
		{"a rename of an open file", rename, true, nil, nil, ""},
		{"a delete", remove, false, nil, nil, ""},
		{"a delete of an open file", remove, true, nil, nil, ""},
		{"the edit was refused", rename, false, no, nil, "text\n"},
		{"the edit was refused, the old one open", rename, true, no, nil, "text\n"},
		{"the edit was only promised", rename, false, func(*bufferHarness, lsptest.ApplyEdit) (any, error) { return applyResult{Applied: true}, nil }, nil, ""},
		{"saved while the user is asked to rename", rename, false, nil, func(d *bufferHarness) { d.write("from", "saved\n") }, "saved\n"},
		{"saved while the user is asked to delete", remove, false, nil, func(d *bufferHarness) { d.write("from", "saved\n") }, "saved\n"},
		{"saved under an open file", remove, true, nil, func(d *bufferHarness) { d.write("from", "saved\n") }, "saved\n"},
		{"typed while the user is asked to rename", rename, true, nil, func(d *bufferHarness) { d.typed("from", "typed\n") }, "text\n"},
		{"typed while the user is asked to delete", remove, true, nil, func(d *bufferHarness) { d.typed("from", "typed\n") }, "text\n"},
		{"a folder by now", remove, false, nil, func(d *bufferHarness) {
			d.write("from", "")
			if err := os.MkdirAll(filepath.Join(d.root.Dir, "from", "below"), 0o755); err != nil {
				d.t.Fatal(err)
			}
		}, "folder"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newBufferHarness(t, map[string]string{"from": "text\n"}, func(c *client.Capabilities, _ *client.Quirks) { c.RenameFile, c.DeleteFile = false, false })
			d.apply = test.apply
			asked := 0
			d.pick = func(_ string, choices []string) string {
				if asked++; test.asked != nil && asked == 1 {
					test.asked(d)
				}
				return choices[1]
			}
			if test.open {
				d.open("from")
			}
			answers := d.deliver(test.change)
			if asked != 1 {
				t.Errorf("%d questions", asked)
			}
			if test.from == "folder" {
				if !d.root.Workspace.Door().OnDisk("from/below") {
					t.Error("the folder is gone")
				}
			} else if got := d.disk("from"); got != test.from {
				t.Errorf("from reads %q on disk, want %q", got, test.from)
			}
			if changed := test.asked != nil && test.change.Op == edits.OpDelete; changed != slices.ContainsFunc(answers, func(a proposal.Landed) bool { return a.Stale && a.State == proposal.LandAbsent }) && test.change.Op == edits.OpDelete {
				t.Errorf("planned again: want %v: %+v", changed, answers)
			}
			landed := !slices.ContainsFunc(answers, func(a proposal.Landed) bool { return a.State != proposal.LandLanded })
			promised := strings.Contains(test.name, "promised") // it is renamed, and what it reads is on disk
			if landed != (test.from == "" && !promised) || promised && d.disk("to") != "text\n" {
				t.Errorf("%+v; to reads %q on disk", answers, d.disk("to"))
			}
			if test.change.Op == edits.OpRename && landed && d.text("to") != "text\nmore\n" {
				t.Errorf("to reads %q", d.text("to"))
			}
			if told := slices.ContainsFunc(answers, func(a proposal.Landed) bool { return strings.Contains(a.Remark, "close from") }); landed && told != test.open {
				t.Errorf("open %v: %+v", test.open, answers)
			}
		})
	}
}

// The door is asked when a change is delivered, whatever was allowed before: about the file, and for a rename about
// both names. What it refuses stays as it is, what it asks about waits for the user, and the rest arrives.
func TestTheDoorAtDelivery(t *testing.T) {
	policy := workspace.Policy{DenyGlobs: []string{"secret*"}, ProtectedGlobs: []string{"ask*"}}
	files := map[string]string{"a": "a\n", "secret1": "s\n", "ask1": "q\n", "plain": "p\n", "rest": "r\n"}
	for _, test := range []struct {
		change edits.Change
		asks   bool
	}{
		{updated("plain", "p\n", "P\n"), false},
		{edits.Change{Path: "new", Op: edits.OpCreate, After: "n\n"}, false},
		{edits.Change{Path: "plain", Op: edits.OpDelete, Before: "p\n"}, false},
		{edits.Change{Path: "plain", To: "other", Op: edits.OpRename, Before: "p\n", After: "p\n"}, false},
		{updated("ask1", "q\n", "Q\n"), true},
		{edits.Change{Path: "ask2", Op: edits.OpCreate, After: "n\n"}, true},
		{edits.Change{Path: "ask1", Op: edits.OpDelete, Before: "q\n"}, true},
		{edits.Change{Path: "ask1", To: "other", Op: edits.OpRename, Before: "q\n", After: "q\n"}, true},
		{edits.Change{Path: "plain", To: "ask2", Op: edits.OpRename, Before: "p\n", After: "p\n"}, true},
	} {
		for _, yes := range []bool{false, true} {
			d := newBufferHarnessUnder(t, policy, files, nil)
			asked := 0
			d.pick = func(text string, choices []string) string {
				if asked++; !strings.Contains(text, test.change.Path) || !strings.Contains(text, test.change.To) {
					t.Errorf("asked %q about %+v", text, test.change)
				}
				if yes {
					return choices[1]
				}
				return choices[0]
			}
			answers := d.deliver(test.change, updated("rest", "r\n", "R\n"))
			checkDoor(t, d, test.change, answers, !test.asks || yes)
			if (asked > 0) != test.asks {
				t.Errorf("%+v: %d questions", test.change, asked)
			}
		}
	}
	outside := filepath.Join("..", "outside")
	for _, change := range []edits.Change{
		{Path: outside, Op: edits.OpCreate, After: "n\n"},
		{Path: "plain", To: outside, Op: edits.OpRename, Before: "p\n", After: "p\n"},
		{Path: "plain", To: ".git/hooks/x", Op: edits.OpRename, Before: "p\n", After: "p\n"},
	} {
		d := newBufferHarnessUnder(t, policy, files, nil)
		d.pick = func(_ string, choices []string) string { return choices[0] }
		checkDoor(t, d, change, d.deliver(change, updated("rest", "r\n", "R\n")), false)
		if _, err := os.Stat(filepath.Join(d.root.Dir, outside)); err == nil {
			t.Error("a file was made outside of the root")
		}
	}
}

// checkDoor wants the first change to have arrived, or to be refused and nothing of it done, and the second, of the
// file rest, to have arrived in any case.
func checkDoor(t *testing.T, d *bufferHarness, change edits.Change, answers []proposal.Landed, allowed bool) {
	t.Helper()
	for _, a := range answers {
		want := proposal.LandLanded
		if a.Path == change.Path && !allowed {
			want = proposal.LandRefused
		}
		if a.State != want || want == proposal.LandRefused && (a.Reason == "" || a.Stale) {
			t.Errorf("%+v: %+v, want %s", change, a, want)
		}
	}
	if len(answers) != 2 || d.text("rest") != "R\n" {
		t.Errorf("%+v: %+v, rest reads %q", change, answers, d.text("rest"))
	}
	if allowed {
		return
	}
	for _, path := range []string{"plain", "ask1", "secret1"} {
		if d.disk(path) == "" || d.text(path) != d.disk(path) {
			t.Errorf("%+v: %s reads %q", change, path, d.text(path))
		}
	}
	for _, path := range []string{"new", "other", "ask2", "secret2"} {
		if d.root.Workspace.Door().OnDisk(path) || d.isOpen(path) {
			t.Errorf("%+v: %s was made", change, path)
		}
	}
}

// A document whose text is not known is neither changed nor believed until its client tells all of it: by closing and
// opening it, by opening it once more, or in a whole text. Then it is as any other.
func TestLostUntilItIsToldAgain(t *testing.T) {
	for _, again := range []struct {
		name string
		tell func(d *bufferHarness)
	}{
		{"closed and opened", func(d *bufferHarness) {
			d.close("a")
			d.put("a", "a\n", 1)
		}},
		{"opened once more", func(d *bufferHarness) {
			d.notify(protocol.MethodTextDocumentDidOpen, lsptest.Notice{Method: protocol.MethodTextDocumentDidOpen, URI: d.uri("a"), Language: "text", Version: 1, Text: "a\n"}.Params())
		}},
		{"a whole text", func(d *bufferHarness) { d.typed("a", "a\n") }},
	} {
		t.Run(again.name, func(t *testing.T) {
			d := newBufferHarness(t, map[string]string{"a": "a\n"}, nil)
			d.open("a")
			d.garble("a")
			d.propose(updated("a", "a\n", "A\n"))
			out := d.want(proposal.StatusPending)(d.root.Decisions.Apply(context.Background(), proposal.Selector{}))
			if !strings.Contains(out.Reason, "close and reopen it") || d.sent() != 0 || d.text("a") != "a\n" {
				t.Errorf("%+v, %d edits", out, d.sent())
			}
			again.tell(d)
			doc, open := d.s.docs.Get(d.uri("a"))
			if in, err := d.root.Workspace.Snapshot().Document("a"); !open || doc.Uncertain() || err != nil || in.Lost || in.Text != "a\n" {
				t.Errorf("the server has %+v, the workspace %+v, %v", doc, in, err)
			}
			d.want(proposal.StatusApplied)(d.root.Decisions.Apply(context.Background(), proposal.Selector{}))
			if d.text("a") != "A\n" {
				t.Errorf("text %q", d.text("a"))
			}
		})
	}
}

// A document that becomes unknown while an edit of it is on its way does not count as changed, whatever it read last.
func TestLostWhileTheEditIsOnItsWay(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n"}, nil)
	d.open("a")
	d.apply = func(d *bufferHarness, e lsptest.ApplyEdit) (any, error) {
		d.typed("a", "A\n")
		v := 3.0
		_ = d.s.didChange(context.Background(), &didChangeParams{Document: documentID{URI: d.uri("a"), Version: &v}, Changes: []byte(`[{"text":7}]`)})
		return applyResult{Applied: true}, nil
	}
	d.propose(updated("a", "a\n", "A\n"))
	out := d.want(proposal.StatusUnverified)(d.root.Decisions.Apply(context.Background(), proposal.Selector{}))
	if !strings.Contains(out.Reason, "close and reopen it") {
		t.Errorf("%+v", out)
	}
	// Opened again it is known, and what it reads settles the question.
	d.close("a")
	d.put("a", "A\n", 1)
	if p, _ := d.root.Session.Proposals.Get(out.Proposal); p.State != event.ProposalApplied {
		t.Errorf("state %s", p.State)
	}
}
