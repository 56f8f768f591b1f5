package lsp

import (
	"context"
	"slices"
	"testing"

	"go.lsp.dev/protocol"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/lsp/client"
	"coauthor/lsp/lsptest"
)

// Of a client that tells with the next key what it did, nothing is said until then. Then the user is told what was done,
// all or a part of it, once; where they said no to their editor they know it, and can decide again.
func TestWhatIsToldWithTheNextKey(t *testing.T) {
	const before, after = "one\ntwo\n", "ONE\ntwo\n"
	for _, test := range []struct {
		name  string
		undo  bool
		a, b  string // what the client tells then; "" closes them as they are on disk, "saved" only saves
		state event.ProposalState
		kinds []protocol.MessageType
	}{
		{"done", false, after, after, event.ProposalApplied, []protocol.MessageType{protocol.MessageTypeInfo}},
		{"done, with the key", false, after + "k", after + "k", event.ProposalApplied, []protocol.MessageType{protocol.MessageTypeInfo}},
		{"refused", false, before + "k", before + "k", event.ProposalPending, nil},
		{"one of two", false, after, before + "k", event.ProposalPartial, []protocol.MessageType{protocol.MessageTypeWarning}},
		{"closed", false, "", "", event.ProposalPending, nil},
		{"saved", false, "saved", "saved", event.ProposalPending, nil},
		{"undone", true, before, before, event.ProposalUndone, []protocol.MessageType{protocol.MessageTypeInfo}},
		{"not undone", true, after + "k", after + "k", event.ProposalApplied, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newBufferHarness(t, map[string]string{"a": before, "b": before}, func(_ *client.Capabilities, q *client.Quirks) { q.ChangesLate = true })
			d.s.landings.Scale = 0.01
			told := d.messages()
			d.open("a")
			d.open("b")
			p := d.propose(updated("a", before, after), updated("b", before, after))
			ctx := context.Background()
			if test.undo {
				d.want(proposal.StatusApplied)(d.root.Decisions.Apply(ctx, selectAll))
			}
			sofar := len(told())
			d.apply = func(*bufferHarness, lsptest.ApplyEdit) (any, error) { return applyResult{Applied: true}, nil }
			if test.undo {
				d.want(proposal.StatusUnverified)(d.root.Decisions.Undo(ctx, ""))
			} else {
				d.want(proposal.StatusUnverified)(d.root.Decisions.Apply(ctx, selectAll))
			}
			if list := told()[sofar:]; len(list) > 0 {
				t.Errorf("told %+v before anything is known", list)
			}
			for path, text := range map[string]string{"a": test.a, "b": test.b} {
				switch text {
				case "":
					d.close(path)
				case "saved":
					d.notify(protocol.MethodTextDocumentDidSave, map[string]any{"textDocument": map[string]any{"uri": d.uri(path)}})
				default:
					d.typed(path, text)
				}
			}
			settled := func() {
				lsptest.Within(t, "what the documents decide on", func() { d.s.tasks.Wait(ctx) })
			}
			settled()
			now, _ := d.root.Session.Proposals.Get(p.ID)
			if now.State != test.state {
				t.Errorf("it is %s, want %s", now.State, test.state)
			}
			if test.a != "" {
				d.typed("a", test.a+"more\n")
			}
			settled()
			var kinds []protocol.MessageType
			for _, m := range told()[sofar:] {
				kinds = append(kinds, m.kind)
			}
			if !slices.Equal(kinds, test.kinds) {
				t.Errorf("told %+v", told()[sofar:])
			}
		})
	}
}

// A file that the editor changes on disk is told as opened and is not: it is no open document then, and the next time
// that it is opened it is one.
func TestAFileIsToldAsOpened(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "one\n", "b": "one\n"}, func(_ *client.Capabilities, q *client.Quirks) { q.EditsFilesOnDisk = true })
	open := func(path, text string) {
		d.notify(protocol.MethodTextDocumentDidOpen, map[string]any{"textDocument": map[string]any{"uri": d.uri(path), "languageId": "x", "version": 0, "text": text}})
	}
	d.apply = func(*bufferHarness, lsptest.ApplyEdit) (any, error) {
		d.write("a", "two\n")
		open("a", "two\n")
		open("b", "one\n") // which the user opens in this moment
		return applyResult{Applied: true}, nil
	}
	d.propose(updated("a", "one\n", "two\n"))
	d.want(proposal.StatusApplied)(d.root.Decisions.Apply(context.Background(), selectAll))
	is := func(path string) bool {
		_, open := d.s.docs.Get(d.uri(path))
		return open
	}
	if is("a") || !is("b") {
		t.Errorf("open are %q", d.documents())
	}
	open("a", "two\n")
	if !is("a") {
		t.Error("it stays closed")
	}
	d.close("a")
	d.close("b")
}
