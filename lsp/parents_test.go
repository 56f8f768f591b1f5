package lsp

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/lsptest"
)

// kindsSent lists the operations of each request that the client got: text, create, rename or delete.
func (d *bufferHarness) kindsSent() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []string
	for _, e := range d.applied {
		var kinds []string
		for range e.Edit.Changes {
			kinds = append(kinds, "text")
		}
		for _, c := range e.Edit.DocumentChanges {
			if c.Kind == "" {
				c.Kind = "text"
			}
			kinds = append(kinds, c.Kind)
		}
		out = append(out, strings.Join(kinds, " "))
	}
	return out
}

// The directory of a new file is made where the client would not make it. Who has looked at the proposal has agreed to
// that; who has not is asked. Without it nothing is done to the file.
func TestDirectoriesOfNewFiles(t *testing.T) {
	for _, test := range []struct {
		name, to    string
		own         bool // the client makes directories
		unseen, yes bool
		asked       int
		made        string // the directory that the server made
		lands       bool
	}{
		{"beside the others", "new", false, true, false, 0, "", true},
		{"in a directory that there is", "sub/new", false, true, false, 0, "", true},
		{"in a new one, looked at", "deep/down/new", false, false, false, 0, "deep/down", true},
		{"in a new one, allowed", "deep/down/new", false, true, true, 1, "deep/down", true},
		{"in a new one, not allowed", "deep/down/new", false, true, false, 1, "", false},
		{"in a new one that the client makes", "deep/down/new", true, true, false, 0, "", true},
		{"below a file", "plain/down/new", false, false, false, 0, "", false},
	} {
		for _, change := range []edits.Change{
			{Path: test.to, Op: edits.OpCreate, After: "n\n"},
			{Path: "from", To: test.to, Op: edits.OpRename, Before: "f\n", After: "f\n"},
		} {
			t.Run(test.name+"/"+string(change.Op), func(t *testing.T) {
				d := newBufferHarness(t, map[string]string{"plain": "p\n", "from": "f\n", "sub/x": "x\n"}, func(_ *client.Capabilities, q *client.Quirks) { q.MakeParents = !test.own })
				made := func(dir string) bool { return d.root.Workspace.Door().OnDisk(dir) }
				d.apply = func(d *bufferHarness, e lsptest.ApplyEdit) (any, error) {
					if (test.made != "") != made("deep/down") {
						t.Errorf("the edit comes, and the directory is there: %v", made("deep/down"))
					}
					if test.own {
						if err := os.MkdirAll(filepath.Join(d.root.Dir, "deep", "down"), 0o755); err != nil {
							t.Error(err)
						}
					}
					return d.do(e)
				}
				d.pick = func(text string, choices []string) string {
					if !strings.Contains(text, "deep/down") {
						t.Errorf("asked %q", text)
					}
					return choices[map[bool]int{false: 0, true: 1}[test.yes]]
				}
				p, err := d.root.Session.Proposals.Add("t-1", "make it better", []edits.Change{change}, d.root.Workspace.Snapshot(), proposal.Checked{})
				if err != nil {
					t.Fatal(err)
				}
				if !test.unseen {
					d.root.Session.Proposals.MarkShown(p.ID, 1)
				}
				out, err := d.root.Decisions.Apply(context.Background(), proposal.Selector{Proposal: p.ID, Revision: 1})
				if err != nil || (out.Status == proposal.StatusApplied) != test.lands || len(d.asked) != test.asked {
					t.Errorf("%+v, %v, asked %q", out, err, d.asked)
				}
				if !test.lands && (d.sent() != 0 || made("deep") || out.Files[0].State != proposal.LandRefused || out.Files[0].Reason == "") {
					t.Errorf("%d edits; %+v", d.sent(), out)
				}
				if test.lands && d.text(test.to) != change.After {
					t.Errorf("it reads %q", d.text(test.to))
				}
			})
		}
	}
}

// A document that a delete would leave open is renamed into our own folder, to a name that is neither on disk, nor
// open, nor given to another one; one that no file belongs to gets one first.
func TestWhereDeletedDocumentsGo(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a/x": "1\n", "b/x": "2\n", "c": "3\n", "closed": "4\n", ".coauthor/undone-1-x": "old\n"}, func(_ *client.Capabilities, q *client.Quirks) {
		q.DeleteKeepsDocument = true
	})
	var changes []edits.Change
	for path, text := range map[string]string{"a/x": "1\n", "b/x": "2\n", "c": "3\n", "closed": "4\n"} {
		if path != "closed" {
			d.open(path)
		}
		changes = append(changes, edits.Change{Path: path, Op: edits.OpDelete, Before: text})
	}
	d.put(".coauthor/undone-2-x", "typed\n", 1)
	d.put("unsaved", "5\n", 1)
	changes = append(changes, edits.Change{Path: "unsaved", Op: edits.OpDelete, Before: "5\n"})
	answers := d.deliver(changes...)
	where := map[string]string{}
	for _, e := range d.applied {
		for _, c := range e.Edit.DocumentChanges {
			switch c.Kind {
			case "rename":
				where[d.path(c.OldURI)] = d.path(c.NewURI)
			case "delete", "create":
				where[d.path(c.URI)] += c.Kind
			}
		}
	}
	places := []string{where["a/x"], where["b/x"]}
	slices.Sort(places)
	if want := []string{".coauthor/undone-3-x", ".coauthor/undone-4-x"}; !slices.Equal(places, want) || where["c"] != ".coauthor/undone-1-c" ||
		where["unsaved"] != ".coauthor/undone-1-unsaved" || where["closed"] != "delete" {
		t.Errorf("they went to %v", where)
	}
	for _, a := range answers {
		if place := where[a.Path]; a.State != proposal.LandLanded || strings.Contains(a.Remark, place) != (a.Path != "closed") {
			t.Errorf("%+v", a)
		}
	}
	if d.disk(".coauthor/undone-1-x") != "old\n" || d.text(".coauthor/undone-2-x") != "typed\n" {
		t.Error("a name was taken that was not free")
	}
	if len(answers) != 5 {
		t.Errorf("%d answers", len(answers))
	}
}

// A document without a file is emptied, and then closed by the operation with which the client does that; where it has
// none, the user is told to close it. What is typed into it meanwhile stays.
func TestAnEmptiedDocumentIsClosed(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*client.Capabilities, *client.Quirks)
		typed  bool // before the client closes it
		sent   []string
		closed bool
	}{
		{"by a delete", func(*client.Capabilities, *client.Quirks) {}, false, []string{"text", "delete"}, true},
		{"by a delete of a file", func(_ *client.Capabilities, q *client.Quirks) { q.DeleteNeedsFile = true }, false, []string{"text", "create delete"}, true},
		{"no file can be made for it", func(_ *client.Capabilities, q *client.Quirks) { q.DeleteNeedsFile, q.CreateAlone = true, true }, false, []string{"text"}, false},
		{"there is no create", func(c *client.Capabilities, q *client.Quirks) { q.DeleteNeedsFile, c.CreateFile = true, false }, false, []string{"text"}, false},
		{"there is no delete", func(c *client.Capabilities, _ *client.Quirks) { c.DeleteFile = false }, false, []string{"text"}, false},
		{"there are no operations", func(_ *client.Capabilities, q *client.Quirks) { q.NoResourceOperations = true }, false, []string{"text"}, false},
		{"edits are of the old form", func(c *client.Capabilities, _ *client.Quirks) { c.DocumentChanges = false }, false, []string{"text"}, false},
		{"a delete would leave it", func(_ *client.Capabilities, q *client.Quirks) { q.EmptyBeforeDelete = true }, false, []string{"text"}, false},
		{"a delete would leave it, and there is no rename", func(c *client.Capabilities, q *client.Quirks) { q.DeleteKeepsDocument, c.RenameFile = true, false }, false, []string{"text"}, false},
		{"typed into it", func(*client.Capabilities, *client.Quirks) {}, true, []string{"text", "delete"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newBufferHarness(t, nil, test.change)
			d.apply = func(d *bufferHarness, e lsptest.ApplyEdit) (any, error) {
				last := len(e.Edit.DocumentChanges) - 1
				if last < 0 || e.Edit.DocumentChanges[last].Kind != "delete" {
					return d.do(e)
				}
				if test.typed {
					d.typed("new", "typed\n")
					return applyResult{Reason: "it has changes"}, nil
				}
				d.close("new")
				return applyResult{Applied: true}, nil
			}
			d.put("new", "n\n", 1)
			answers := d.deliver(edits.Change{Path: "new", Op: edits.OpDelete, Before: "n\n"})
			if got := d.kindsSent(); !slices.Equal(got, test.sent) {
				t.Errorf("sent %q, want %q", got, test.sent)
			}
			if len(answers) != 1 || answers[0].State != proposal.LandLanded || (answers[0].Remark == "") != test.closed || !test.closed && !strings.Contains(answers[0].Remark, "new") {
				t.Errorf("%+v", answers)
			}
			_, open := d.s.docs.Get(d.uri("new"))
			if open == test.closed || test.typed && d.text("new") != "typed\n" {
				t.Errorf("it is open: %v, and reads %q", open, d.text("new"))
			}
		})
	}
}

// What has arrived is not waited for, however long the client might take: neither for an edit of a file that is not
// open, which nobody types into, nor behind the client's answer.
func TestWhatHasArrivedIsNotWaitedFor(t *testing.T) {
	for _, q := range []client.Quirks{{NewFileByEdit: true}, {IgnoresVersions: true}, {SplitFiles: true}, {OperationsApart: true}, {SavesHidden: true, EmptyBeforeDelete: true}} {
		d := newBufferHarness(t, map[string]string{"a": "a\n", "b": "b\n", "from": "f\n", "gone": "g\n"}, func(_ *client.Capabilities, use *client.Quirks) { *use = q })
		if !q.IgnoresVersions { // who ignores them is not sent an edit of what is being typed
			d.open("a")
		}
		d.s.landings.Scale = 1000
		done := make(chan []proposal.Landed, 1)
		go func() {
			done <- d.deliver(updated("a", "a\n", "A\n"), updated("b", "b\n", "B\n"), edits.Change{Path: "new", Op: edits.OpCreate, After: "n\n"},
				edits.Change{Path: "gone", Op: edits.OpDelete, Before: "g\n"}, edits.Change{Path: "from", To: "to", Op: edits.OpRename, Before: "f\n", After: "F\n"})
		}()
		for _, a := range lsptest.Receive(t, "the end of the delivery", done) {
			if a.State != proposal.LandLanded {
				t.Errorf("%+v: %+v", q.Switches(), a)
			}
		}
	}
}
