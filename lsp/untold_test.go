package lsp

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/lsptest"
)

// Where a client tells later what an edit made of a document, what it was sent counts until then, for the undo as for the
// next edit. What it tells in the end is made of what it told before, is no key of the user's where it is what was sent,
// and is complained about where the change is not in it.
func TestWhatIsToldLaterIsProved(t *testing.T) {
	const before, after = "one\ntwo\nend\n", "ONE\nand\ntwo\nend\n"
	whole := func(text string) []any { return []any{map[string]any{"text": text}} }
	part := func(line, to int, text string) map[string]any {
		return map[string]any{"range": map[string]any{"start": map[string]any{"line": line, "character": 0},
			"end": map[string]any{"line": to, "character": 0}}, "text": text}
	}
	for _, test := range []struct {
		name    string
		changes []any // nil: the document is closed
		reads   string
		warns   bool
		keys    int
	}{
		{"as it was sent", whole(after), after, false, 0},
		{"as it was sent, in parts of what was told before", []any{part(0, 1, "ONE\nand\n")}, after, false, 0},
		{"with more below", []any{part(0, 1, "ONE\nand\n"), part(3, 4, "END\n")}, "ONE\nand\ntwo\nEND\n", false, 1},
		{"as it was before", whole(before), before, true, 1},
		{"in the wrong place", whole("one\nONE\nand\nend\n"), "one\nONE\nand\nend\n", true, 1},
		{"closed without saving", nil, before, false, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newBufferHarness(t, map[string]string{"a": before}, func(_ *client.Capabilities, q *client.Quirks) { q.HiddenUntold = true })
			told := d.messages()
			d.open("a")
			d.propose(updated("a", before, after))
			d.apply = func(*bufferHarness, lsptest.ApplyEdit) (any, error) { return applyResult{Applied: true}, nil }
			out := d.want(proposal.StatusApplied)(d.root.Decisions.Apply(context.Background(), selectAll))
			if !strings.Contains(out.Remark, "a") {
				t.Errorf("the user is not told of what is to be seen: %+v", out)
			}
			if text, err := d.root.Workspace.Snapshot().Read("a"); err != nil || text != after {
				t.Fatalf("it reads %q (%v)", text, err)
			}
			sofar := len(told())
			if test.changes == nil {
				d.close("a")
			} else {
				d.notify(protocol.MethodTextDocumentDidChange, map[string]any{
					"textDocument": map[string]any{"uri": d.uri("a"), "version": 2}, "contentChanges": test.changes,
				})
			}
			if text, err := d.root.Workspace.Snapshot().Read("a"); err != nil || text != test.reads {
				t.Errorf("it reads %q (%v), want %q", text, err, test.reads)
			}
			if keys, _ := d.s.docs.keys.state(); keys != test.keys {
				t.Errorf("%d keys, want %d", keys, test.keys)
			}
			for end := time.Now().Add(lsptest.Hung); test.warns && len(told()) == sofar; time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("hung: nobody complains")
				}
			}
			for _, m := range told()[sofar:] {
				if !test.warns || m.kind != protocol.MessageTypeWarning || !strings.Contains(m.text, "a does not match") {
					t.Errorf("the user is told: %+v", m)
				}
			}
			if test.changes != nil { // it is said once
				d.notify(protocol.MethodTextDocumentDidChange, map[string]any{
					"textDocument": map[string]any{"uri": d.uri("a"), "version": 3}, "contentChanges": whole("other\n"),
				})
				if n := len(told()) - sofar; n > 1 {
					t.Errorf("%d messages", n)
				}
			}
		})
	}
}

// The undo of an edit that was not told of is made of what was sent, and leaves nothing to be told. An edit that was
// refused, or of which nothing is known, is not believed.
func TestUndoOfWhatWasNotTold(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "one\ntwo\n"}, func(_ *client.Capabilities, q *client.Quirks) { q.HiddenUntold = true })
	d.open("a")
	ctx := context.Background()
	d.propose(updated("a", "one\ntwo\n", "new\none\ntwo\n"))
	d.apply = func(*bufferHarness, lsptest.ApplyEdit) (any, error) { return applyResult{Reason: "no"}, nil }
	d.want(proposal.StatusPending)(d.root.Decisions.Apply(ctx, selectAll))
	if text, _ := d.root.Workspace.Snapshot().Read("a"); text != "one\ntwo\n" {
		t.Errorf("refused, it reads %q", text)
	}
	hidden := func(want []lsptest.AnnotatedEdit) func(*bufferHarness, lsptest.ApplyEdit) (any, error) {
		return func(_ *bufferHarness, e lsptest.ApplyEdit) (any, error) {
			if len(e.Edit.DocumentChanges) != 1 || len(e.Edit.DocumentChanges[0].Edits) != 1 || e.Edit.DocumentChanges[0].Edits[0] != want[0] {
				t.Errorf("sent %+v, want %+v", e.Edit.DocumentChanges, want)
			}
			return applyResult{Applied: true}, nil
		}
	}
	text := func(from, to int, with string) []lsptest.AnnotatedEdit {
		var e lsptest.AnnotatedEdit
		e.Range.Start.Line, e.Range.End.Line, e.NewText = uint32(from), uint32(to), with
		return []lsptest.AnnotatedEdit{e}
	}
	d.apply = hidden(text(0, 0, "new\n"))
	d.want(proposal.StatusApplied)(d.root.Decisions.Apply(ctx, selectAll))
	d.apply = hidden(text(0, 1, ""))
	d.want(proposal.StatusUndone)(d.root.Decisions.Undo(ctx, ""))
	if _, left := d.root.Workspace.TakeSent("a"); left {
		t.Error("something is still to be told")
	}
	d.apply = hidden(text(0, 0, "new\n"))
	d.want(proposal.StatusApplied)(d.root.Decisions.Redo(ctx, ""))
	if change, sent := d.root.Workspace.TakeSent("a"); !sent || change.Op != edits.OpUpdate || change.After != "new\none\ntwo\n" {
		t.Errorf("%+v", change)
	}
}

// Who gave up what takes the keyboard is not made to wait for it, and nothing of it goes out, whether the user types or
// not.
func TestNothingGoesOutForWhoGaveUp(t *testing.T) {
	for name, typed := range map[string]func(d *bufferHarness){
		"nobody typed":         func(*bufferHarness) {},
		"just typed":           func(d *bufferHarness) { d.typed("a", "x\n") },
		"typed long ago":       func(d *bufferHarness) { d.typed("a", "x\n"); d.clock.pass(time.Hour) },
		"asked for by the key": nil,
	} {
		t.Run(name, func(t *testing.T) {
			d := newBufferHarness(t, map[string]string{"a": "a\n"}, nil)
			d.open("a")
			ctx := context.Background()
			if typed == nil {
				d.typed("a", "x\n")
				ctx = keepAsked(d.s.docs.askedNow(ctx), ctx)
			} else {
				typed(d)
			}
			gone, cancel := context.WithCancel(ctx)
			cancel()
			if err := d.s.docs.keys.quiet(gone); !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
			if name != "just typed" {
				if err := d.s.docs.keys.quiet(ctx); err != nil || len(d.clock.slept) > 0 {
					t.Errorf("%v, waited %v", err, d.clock.slept)
				}
			}
		})
	}
}
