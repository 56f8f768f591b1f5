package lsp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
	"coauthor/lsp/lsptest"
	"coauthor/repomap"
)

// What the server renames itself is renamed with its text, or not at all: where one file cannot be renamed, or the edit
// of it is refused, those before it are put back, nothing is sent, and each file has its answer.
func TestRenamesOnDisk(t *testing.T) {
	rename := func(from, to, before, after string) edits.Change {
		return edits.Change{Path: from, To: to, Op: edits.OpRename, Before: before, After: after}
	}
	both := []edits.Change{rename("a", "a2", "a\n", "A\n"), rename("b", "b2", "b\n", "B\n"), updated("c", "c\n", "C\n")}
	plain := []edits.Change{rename("a", "a2", "a\n", "a\n"), rename("b", "b2", "b\n", "b\n")}
	refuse := func(path string) func(*bufferHarness, lsptest.ApplyEdit) (any, error) {
		return func(d *bufferHarness, e lsptest.ApplyEdit) (any, error) {
			for _, c := range e.Edit.DocumentChanges {
				if c.Kind == "" && d.path(c.TextDocument.URI) == path {
					return applyResult{Reason: "not " + path}, nil
				}
			}
			return d.do(e)
		}
	}
	for _, c := range []struct {
		name  string
		open  string
		plan  []edits.Change
		apply func(*bufferHarness, lsptest.ApplyEdit) (any, error)
		last  func(*bufferHarness) // while the last question is asked
		want  string               // what is on disk or in a buffer: a a2 b b2 c; "-" for nothing
		state string               // of each answer
	}{
		{"all", "", both, nil, nil, "- A - B C", "landed landed landed"},
		{"all, open", "a b c", both, nil, nil, "- A - B C", "landed landed landed"},
		{"without edits", "", plain, nil, nil, "- a - b c", "landed landed"},
		{"without edits, open", "a", plain, nil, nil, "- a - b c", "landed landed"},
		{"the second was saved", "", both, nil, func(d *bufferHarness) { d.write("b", "saved\n") }, "a - saved - c", "absent absent absent"},
		{"the second is gone", "", both, nil, func(d *bufferHarness) { d.write("b", "") }, "a - - - c", "absent absent absent"},
		{"the new name is taken", "", plain, nil, func(d *bufferHarness) { d.write("b2", "theirs\n") }, "a - b theirs c", "absent absent"},
		{"the first was typed into", "a", both, nil, func(d *bufferHarness) { d.typed("a", "typed\n") }, "typed - b - c", "absent absent absent"},
		{"saved under an open file", "b", both, nil, func(d *bufferHarness) { d.write("b", "saved\n") }, "a - b - c", "absent absent absent"}, // as the document reads
		{"the edit of the second is refused", "", both[:2], refuse("b2"), nil, "- A b - c", "landed absent"},
		{"the edit of the first is refused", "", both[:2], refuse("a2"), nil, "a - b - c", "absent absent"},
		{"refused, and changed since", "", both[:1], func(d *bufferHarness, e lsptest.ApplyEdit) (any, error) {
			d.write("a2", "theirs\n")
			return applyResult{Reason: "no"}, nil
		}, nil, "- theirs b - c", "differs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newBufferHarness(t, map[string]string{"a": "a\n", "b": "b\n", "c": "c\n"}, func(caps *client.Capabilities, q *client.Quirks) {
				caps.RenameFile = false
				q.SplitFiles = true
			})
			questions := 0
			d.pick = func(_ string, choices []string) string {
				if questions++; c.last != nil && questions == 2 {
					c.last(d)
				}
				return choices[1]
			}
			d.apply = c.apply
			for _, path := range strings.Fields(c.open) {
				d.open(path)
			}
			answers := d.deliver(c.plan...)
			got := map[string]string{}
			for _, a := range answers {
				got[a.Path] += string(a.State)
				if a.State != proposal.LandLanded && a.Reason == "" {
					t.Errorf("no reason: %+v", a)
				}
			}
			var states, texts []string
			for _, change := range c.plan {
				states = append(states, got[change.Path])
			}
			for _, path := range []string{"a", "a2", "b", "b2", "c"} {
				text := "-"
				if d.disk(path) != "" || d.isOpen(path) && !slices.Contains([]string{"a", "b"}, path) {
					text = strings.TrimSpace(d.text(path))
				}
				texts = append(texts, text)
			}
			if strings.Join(states, " ") != c.state || strings.Join(texts, " ") != c.want || len(answers) != len(c.plan) {
				t.Errorf("%q, it reads %q; want %s, %s\n%+v", states, texts, c.state, c.want, answers)
			}
			if stopped := strings.HasPrefix(c.state, "absent absent"); stopped && c.apply == nil && d.sent() != 0 {
				t.Errorf("%d edits were sent", d.sent())
			}
			if strings.Contains(c.name, "saved") && d.disk("b") != "saved\n" {
				t.Errorf("what was saved is gone: %q", d.disk("b"))
			}
		})
	}
}

// What the client cannot do and the user forbids, or what was not saved, is left as it is.
func TestWhatIsNotDoneOnDisk(t *testing.T) {
	for _, op := range []edits.Change{{Path: "a", Op: edits.OpDelete, Before: "a\n"}, {Path: "a", To: "b", Op: edits.OpRename, Before: "a\n", After: "a\n"}} {
		for _, why := range []string{"forbidden", "not saved"} {
			d := newBufferHarness(t, map[string]string{"a": "a\n"}, func(c *client.Capabilities, _ *client.Quirks) { c.RenameFile, c.DeleteFile = false, false })
			asked := 0
			d.pick = func(_ string, choices []string) string { asked++; return choices[0] }
			change := op
			if why == "not saved" {
				d.open("a")
				d.typed("a", "typed\n")
				if change.Before = "typed\n"; change.Op == edits.OpRename {
					change.After = "typed\nmore\n"
				}
			}
			answers := d.deliver(change)
			if len(answers) != 1 || answers[0].State != proposal.LandRefused || answers[0].Reason == "" || d.disk("a") != "a\n" || d.disk("b") != "" || d.sent() != 0 {
				t.Errorf("%s, %s: %+v, a reads %q", op.Op, why, answers, d.disk("a"))
			}
			if (asked == 1) != (why == "forbidden") {
				t.Errorf("%s, %s: %d questions", op.Op, why, asked)
			}
		}
	}
}

// Documents that the server wrote are its own wherever they lie, open or not; others are not.
func TestWhoseDocumentItIs(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n"}, nil)
	d.open("a")
	far := t.TempDir()
	for uri, want := range map[string]bool{
		"": false, d.uri("a"): false, d.uri("b"): false, d.uri(".coauthor/x.md"): true, d.uri(".coauthor/sub/x"): true, d.uri(".coauthor"): false,
		d.uri("sub/.coauthor/x.md"): false, d.uri(".coauthorx/x"): false, "coauthor:/x.diff": true, "coauthorx:/x": false, "untitled:x": false,
		document.URIOfPath(filepath.Join(far, ".coauthor", "x.md")): true, document.URIOfPath(filepath.Join(far, "x.md")): false, "http://x/.coauthor/y": false,
	} {
		if got := d.s.folders.Ours(uri); got != want {
			t.Errorf("%q is ours: %v", uri, got)
		}
	}
}

// What belongs to no file belongs to the folder of the document that the user is in, else to the first folder, else to none;
// a folder that cannot be opened refuses everything and stops nobody.
func TestTheDefaultFolder(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n"}, nil)
	other := t.TempDir()
	d.s.folders.Change([]string{other}, nil)
	if got := d.s.folders.Default(); got != d.root {
		t.Errorf("it is %s", got.Dir)
	}
	var p didOpenParams
	p.Document.URI, p.Document.Text, p.Document.Version = document.URIOfPath(filepath.Join(other, "x")), "x\n", 1
	if err := d.s.didOpen(t.Context(), &p); err != nil {
		t.Fatal(err)
	}
	if got := d.s.folders.Default(); got.Dir != other {
		t.Errorf("it is %s", got.Dir)
	}
	d.folders(nil, []string{other, d.root.Dir})
	d.closeURI(p.Document.URI)
	if got := d.s.folders.Default(); got.Dir != "" || got.URI() != "" {
		t.Errorf("it is %s", got.Dir)
	}
	none := d.s.folders.At("")
	if _, open := d.s.docs.document(none, "a"); open {
		t.Error("a document of no folder")
	}
	if d.s.folders.Of(nil) != nil || d.s.folders.Of(none.Workspace) != none {
		t.Error("the folder of a workspace")
	}
	open := d.s.opts.Workspace
	d.s.opts.Workspace = func(root string, get func() settings.Settings) (*workspace.Workspace, error) {
		if root != "" {
			return nil, os.ErrPermission
		}
		return open(root, get)
	}
	if got := d.s.folders.At(filepath.Join(other, "closed")); got != none {
		t.Errorf("a folder that cannot be opened is %+v", got)
	}
}

// closeURI closes a document by its URI.
func (d *bufferHarness) closeURI(uri string) {
	d.t.Helper()
	var p documentParams
	p.Document.URI = uri
	if err := d.s.didClose(context.Background(), &p); err != nil {
		d.t.Fatal(err)
	}
}

// The page of a map has the map as the model gets it, and a row for each of the best files with what each signal added.
func TestPageOfAMap(t *testing.T) {
	m := agent.RepoMap{Text: "a.go:\n  func A\n", Tokens: 12, Complete: 1}
	for i := range mapFiles + 5 {
		f := repomap.RankedFile{Path: fmt.Sprintf("f%d|x.go", i), Score: float64(i), Shown: i%2 == 0}
		f.Signals = append(f.Signals, repomap.Signal{Name: "rank", Value: 0.5, Weight: 3})
		if i == 1 {
			f.Signals = []repomap.Signal{{Name: "named", Value: 2, Weight: 2}}
		}
		m.Files = append(m.Files, f)
	}
	text := mapText(m, 100)
	mustHold(t, text, "12 of 100", "~~~~text\n"+m.Text+"~~~~\n")
	if strings.Contains(text, "%") {
		t.Errorf("it is complete:\n%.200s", text)
	}
	var rows []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "| ") && strings.Contains(line, "x.go") {
			rows = append(rows, strings.TrimSpace(line))
		}
	}
	if len(rows) != mapFiles || rows[0] != `| + | f0\|x.go | 0.00 | 1.50 | 0.00 |` || rows[1] != `|  | f1\|x.go | 1.00 | 0.00 | 4.00 |` {
		t.Errorf("%d rows: %q", len(rows), rows[:2])
	}
	mustHold(t, text, "| file | score | rank | named |\n|---|---|---:|---:|---:|\n")
	m.Complete = 0.25
	mustHold(t, mapText(m, 100), "25%")
}
