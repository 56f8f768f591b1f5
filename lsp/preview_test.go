package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
	"coauthor/lsp/lsptest"
	"coauthor/lsp/pending"
	"coauthor/lsp/review"
)

// message is a window/showMessage.
type message struct {
	kind protocol.MessageType
	text string
}

// messages keeps what the user is told, with its weight, and returns how to look at it.
func (d *bufferHarness) messages() (sofar func() []message) {
	var list []message
	d.listen(func(method string, params json.RawMessage) {
		var p struct {
			Type    protocol.MessageType
			Message string
		}
		if method == protocol.MethodWindowShowMessage && json.Unmarshal(params, &p) == nil {
			list = append(list, message{p.Type, p.Message})
		}
	})
	return func() []message {
		d.sync()
		d.mu.Lock()
		defer d.mu.Unlock()
		return slices.Clone(list)
	}
}

// Our own clients get a proposal as it stands: each file with what becomes of it, each hunk with its place in the text
// that it was made on, in the client's positions, and with what was decided. What they got counts as seen.
func TestWhatOurClientsGet(t *testing.T) {
	base := "ä1\nb\U0001F600\nc\nd\ne\nf\ng\n"
	goal := "ä1\nB\U0001F600\nc\nd\ne\nf\nG\n"
	files := map[string]string{"open": base, "closed": base, "gone": "x\n", "moved": "m\n", "both": base, "sub dir/x": "x\n"}
	for _, e := range encodings {
		d := newBufferHarness(t, files, nil)
		d.s.docs.encoding = e
		d.open("open")
		d.typed("open", base)
		p, err := d.root.Session.Proposals.Add("t-1", "make it better", []edits.Change{
			updated("open", base, goal), updated("closed", base, goal), {Path: "gone", Op: edits.OpDelete, Before: "x\n"},
			{Path: "moved", To: "deep/there", Op: edits.OpRename, Before: "m\n", After: "m\n"},
			{Path: "both", To: "both2", Op: edits.OpRename, Before: base, After: goal},
			{Path: "new", Op: edits.OpCreate, After: "n\n"}, {Path: "empty", Op: edits.OpCreate}, updated("sub dir/x", "x\n", "y\n"),
		}, d.root.Workspace.Snapshot(), proposal.Checked{Warnings: []string{"look at it"}})
		if err != nil {
			t.Fatal(err)
		}
		get := func(args getPendingParams) (pending.View, error) {
			got, err := d.s.getPending(t.Context(), &args, struct{}{})
			view, _ := got.(pending.View)
			return view, err
		}
		view, err := get(getPendingParams{})
		if err != nil || view.TurnID != "t-1" || view.ProposalID != p.ID || view.Revision != 1 || view.State != "pending" ||
			view.Label != "make it better" || !slices.Equal(view.Warnings, []string{"look at it"}) {
			t.Errorf("%+v, %v", view, err)
		}
		if now, _ := d.root.Session.Proposals.Get(p.ID); now.Shown != 1 {
			t.Errorf("shown %d", now.Shown)
		}
		byURI := map[string]pending.File{}
		for _, f := range view.Files {
			byURI[strings.TrimPrefix(f.URI, d.root.URI()+"/")] = f
		}
		two := int32(2)
		hunks := []pending.Hunk{
			{Number: 1, OldRange: *wireAt(1, 0, 0), OldText: "b\U0001F600\n", NewText: "B\U0001F600\n"},
			{Number: 2, OldRange: *wireAt(6, 0, 0), OldText: "g\n", NewText: "G\n"},
		}
		hunks[0].OldRange.End.Line, hunks[1].OldRange.End.Line = 2, 7
		one := pending.Hunk{Number: 1, OldRange: document.Range{}, OldText: "x\n"}
		one.OldRange.End.Line = 1
		other := one
		other.NewText = "y\n"
		want := map[string]pending.File{
			"open": {Op: "update", Version: &two, Added: 2, Removed: 2, Hunks: hunks}, "closed": {Op: "update", Added: 2, Removed: 2, Hunks: hunks},
			"gone": {Op: "delete", Removed: 1, Hunks: []pending.Hunk{one}}, "moved": {Op: "rename", NewURI: "deep/there", Hunks: []pending.Hunk{}},
			"both": {Op: "rename", NewURI: "both2", Added: 2, Removed: 2, Hunks: hunks},
			"new":  {Op: "create", Added: 1, Hunks: []pending.Hunk{{Number: 1, NewText: "n\n"}}}, "empty": {Op: "create", Hunks: []pending.Hunk{}},
			"sub%20dir/x": {Op: "update", Added: 1, Removed: 1, Hunks: []pending.Hunk{other}},
		}
		for name, f := range want {
			if f.URI = d.root.URI() + "/" + name; f.NewURI != "" {
				f.NewURI = d.root.URI() + "/" + f.NewURI
			}
			if diff := cmp.Diff(f, byURI[name]); diff != "" {
				t.Errorf("%s, %s:\n%s", e, name, diff)
			}
		}
		if len(byURI) != len(want) {
			t.Errorf("%d files", len(byURI))
		}
		// What was decided is told with it.
		if _, err := d.root.Shown.Review().Discard(proposal.Selector{Proposal: p.ID, Revision: 1, Files: []string{"open"}, Hunks: []int{2}}); err != nil {
			t.Fatal(err)
		}
		if _, err := d.root.Shown.Review().Discard(proposal.Selector{Proposal: p.ID, Revision: 1, Files: []string{"empty", "moved"}}); err != nil {
			t.Fatal(err)
		}
		d.want(proposal.StatusApplied)(d.root.Decisions.Apply(t.Context(), proposal.Selector{Proposal: p.ID, Revision: 1, Files: []string{"closed"}}))
		if view, err = get(getPendingParams{ProposalID: p.ID}); err != nil {
			t.Fatal(err)
		}
		states := map[string]string{}
		for _, f := range view.Files {
			name := strings.TrimPrefix(f.URI, d.root.URI()+"/")
			states[name] = fmt.Sprintf("%d %d %s", f.Added, f.Removed, f.State)
			for _, h := range f.Hunks {
				states[name] += " " + h.State
			}
		}
		if got := []string{states["open"], states["closed"], states["empty"], states["moved"], states["new"]}; !slices.Equal(got,
			[]string{"1 1   discarded", "0 0  landed landed", "0 0 discarded", "0 0 discarded", "1 0  "}) {
			t.Errorf("%q", got)
		}
	}
}

// What a client asks for is found by its turn, by its id, and in the folder that it names.
func TestWhichProposalAClientGets(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n"}, nil)
	d.open("a")
	other := t.TempDir()
	d.s.folders.Change([]string{other}, nil)
	r := d.s.folders.At(other)
	there, err := r.Session.Proposals.Add("t-9", "x", []edits.Change{{Path: "n", Op: edits.OpCreate, After: "n\n"}}, r.Workspace.Snapshot(), proposal.Checked{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args getPendingParams
		want string
	}{
		{getPendingParams{}, ""}, // nothing waits in the folder of the document in front
		{getPendingParams{URI: document.URIOfPath(filepath.Join(other, "z"))}, there.ID},
		{getPendingParams{URI: document.URIOfPath(other), TurnID: "t-9"}, there.ID},
		{getPendingParams{URI: document.URIOfPath(other), ProposalID: there.ID}, there.ID},
		{getPendingParams{URI: document.URIOfPath(other), TurnID: "t-8"}, ""},
		{getPendingParams{URI: d.uri("a"), TurnID: "t-9"}, ""},
	} {
		got, err := d.s.getPending(t.Context(), &c.args, struct{}{})
		view, _ := got.(pending.View)
		if view.ProposalID != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%+v: %+v, %v", c.args, view, err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	d.s.folders.Change(nil, []string{other})
	if got, err := d.s.getPending(gone, &getPendingParams{URI: "file:///nowhere/of/all/x"}, struct{}{}); err == nil && got != nil {
		t.Logf("the disk was quicker: %v", got) // also an answer
	}
}

// What a user takes in the client's own preview is applied, what they leave out is discarded, and is told by name; what
// they typed meanwhile stays, and where it kept the client from taking anything, the preview comes again.
func TestTakenInTheClientsPreview(t *testing.T) {
	base := lineText(30)
	goal := strings.NewReplacer("line 3\n", "three\n", "line 15\n", "", "line 28\n", "28\nand more\n").Replace(base)
	half := strings.Replace(base, "line 15\n", "", 1)
	take := func(d *bufferHarness, e lsptest.ApplyEdit, keep func(path string) bool) (any, error) {
		e.Edit = e.Edit.Part(func(uri string) bool { return keep(d.path(uri)) })
		return d.do(e)
	}
	only := func(paths ...string) func(*bufferHarness, lsptest.ApplyEdit) (any, error) {
		return func(d *bufferHarness, e lsptest.ApplyEdit) (any, error) {
			return take(d, e, func(path string) bool { return slices.Contains(paths, path) })
		}
	}
	nothing := func(*bufferHarness, lsptest.ApplyEdit) (any, error) { return applyResult{}, nil }
	for _, c := range []struct {
		name   string
		apply  []func(d *bufferHarness, e lsptest.ApplyEdit) (any, error) // each preview
		state  event.ProposalState
		a, b   string
		Kind   protocol.MessageType
		says   []string
		mutely bool
	}{
		{"all", []func(*bufferHarness, lsptest.ApplyEdit) (any, error){only("a", "b", "n")}, event.ProposalApplied, goal, "B\n", protocol.MessageTypeInfo, []string{"3 files"}, false},
		{"one file", []func(*bufferHarness, lsptest.ApplyEdit) (any, error){only("a")}, event.ProposalApplied, goal, "b\n", protocol.MessageTypeInfo, []string{"1 file", "b", "n"}, false},
		{"two files", []func(*bufferHarness, lsptest.ApplyEdit) (any, error){only("b", "n")}, event.ProposalApplied, base, "B\n", protocol.MessageTypeInfo, []string{"2 files", "a"}, false},
		{"nothing", []func(*bufferHarness, lsptest.ApplyEdit) (any, error){nothing}, event.ProposalDiscarded, base, "b\n", protocol.MessageTypeInfo, []string{"3 files"}, false},
		{"a part of a file", []func(*bufferHarness, lsptest.ApplyEdit) (any, error){func(d *bufferHarness, _ lsptest.ApplyEdit) (any, error) {
			d.typed("a", half)
			return applyResult{Applied: true}, nil
		}}, event.ProposalApplied, half, "b\n", protocol.MessageTypeInfo, []string{"1 file", "a", "b", "n"}, false},
		{"typed under the preview", []func(*bufferHarness, lsptest.ApplyEdit) (any, error){func(d *bufferHarness, _ lsptest.ApplyEdit) (any, error) {
			d.typed("a", "typed\n"+base)
			return applyResult{}, nil
		}, only("a", "b", "n")}, event.ProposalApplied, "typed\n" + goal, "B\n", protocol.MessageTypeInfo, []string{"3 files"}, false},
		{"typed under the preview, and then nothing", []func(*bufferHarness, lsptest.ApplyEdit) (any, error){func(d *bufferHarness, _ lsptest.ApplyEdit) (any, error) {
			d.typed("a", "typed\n"+base)
			return applyResult{}, nil
		}, nothing}, event.ProposalDiscarded, "typed\n" + base, "b\n", protocol.MessageTypeInfo, []string{"3 files"}, false},
		{"something else", []func(*bufferHarness, lsptest.ApplyEdit) (any, error){func(d *bufferHarness, _ lsptest.ApplyEdit) (any, error) {
			d.typed("a", strings.Replace(half, "line 20", "twenty", 1))
			return applyResult{Applied: true}, nil
		}}, event.ProposalUnverified, strings.Replace(half, "line 20", "twenty", 1), "b\n", protocol.MessageTypeWarning, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newBufferHarness(t, map[string]string{"a": base, "b": "b\n"}, func(caps *client.Capabilities, q *client.Quirks) {
				caps.Annotations, caps.HonorsAnnotations, caps.FailureHandling = true, true, "textOnlyTransactional"
				*q, _ = client.QuirksOf("vscode")
			})
			told := d.messages()
			d.apply = func(d *bufferHarness, e lsptest.ApplyEdit) (any, error) {
				if d.sent() > len(c.apply) {
					t.Errorf("preview %d", d.sent())
					return applyResult{}, nil
				}
				return c.apply[d.sent()-1](d, e)
			}
			d.open("a")
			d.open("b")
			p, err := d.root.Session.Proposals.Add("t-1", "make it better", []edits.Change{updated("a", base, goal), updated("b", "b\n", "B\n"),
				{Path: "n", Op: edits.OpCreate, After: "n\n"}}, d.root.Workspace.Snapshot(), proposal.Checked{})
			if err != nil {
				t.Fatal(err)
			}
			d.root.Shown.Review().Preview(t.Context(), *p, "auto")
			now, _ := d.root.Session.Proposals.Get(p.ID)
			if now.State != c.state || d.text("a") != c.a || d.text("b") != c.b || d.sent() != len(c.apply) {
				t.Errorf("state %s after %d previews, a reads %q, b %q", now.State, d.sent(), d.text("a"), d.text("b"))
			}
			if len(told()) != 1 || told()[0].kind != c.Kind {
				t.Fatalf("told %+v", told())
			}
			mustHold(t, told()[0].text, c.says...)
			if len(d.asked)+len(d.shown) != 0 {
				t.Errorf("asked %q, shown %q", d.asked, d.shown)
			}
			if c.state == event.ProposalApplied && now.Pending() {
				t.Errorf("what was left out still waits: %+v", now.Files)
			}
		})
	}
}

// The dialog decides about what it shows: with the weight of what the checks say, with what was refused beside it, and
// what the user chose is told once.
func TestTheDialog(t *testing.T) {
	for _, c := range []struct {
		name     string
		warnings []string
		left     []string // why edits were refused
		pick     string
		asked    protocol.MessageType
		holds    []string
		lacks    []string
		told     protocol.MessageType // 0 for nothing
	}{
		{"nothing special", nil, nil, review.ChoiceApply, protocol.MessageTypeInfo, []string{"make it better", "2 files, +2 -1"}, []string{"warning", "refused", "not applied"}, protocol.MessageTypeInfo},
		{"a warning", []string{"f is gone."}, nil, review.ChoiceApply, protocol.MessageTypeWarning, []string{"f is gone"}, []string{"gone..", "refused"}, protocol.MessageTypeInfo},
		{"two warnings", []string{"f is gone.", "g is, too"}, nil, review.ChoiceDiscard, protocol.MessageTypeWarning, []string{"2", "f is gone"}, []string{"g is"}, protocol.MessageTypeInfo},
		{"a refused edit", nil, []string{"b: no such text."}, review.ChoiceApply, protocol.MessageTypeInfo, []string{"b: no such text"}, []string{"text."}, protocol.MessageTypeInfo},
		{"two refused edits", nil, []string{"b: no such text", "c: neither"}, review.ChoiceKeep, protocol.MessageTypeInfo, []string{"2 edits"}, []string{"no such text"}, 0},
		{"closed", []string{"f is gone"}, nil, "", protocol.MessageTypeWarning, nil, nil, protocol.MessageTypeWarning},
		{"closed, nothing special", nil, nil, "", protocol.MessageTypeInfo, nil, nil, protocol.MessageTypeInfo},
		{"what is no choice", nil, nil, "Perhaps", protocol.MessageTypeInfo, nil, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newBufferHarness(t, map[string]string{"a": "a\n"}, nil)
			told := d.messages()
			asked := ""
			var raw []byte // of the diff as it is while the user decides; afterwards it says what became of that
			d.pick = func(text string, _ []string) string {
				asked = text
				diffs, err := filepath.Glob(filepath.Join(d.root.Dir, ".coauthor", "*.diff"))
				if err != nil || len(diffs) != 1 {
					t.Errorf("diffs are %q, %v", diffs, err)
					return c.pick
				}
				if raw, err = os.ReadFile(diffs[0]); err != nil {
					t.Error(err)
				}
				return c.pick
			}
			d.open("a")
			p, err := d.root.Session.Proposals.Add("t-1", "make it better", []edits.Change{updated("a", "a\n", "A\n"), {Path: "n", Op: edits.OpCreate, After: "n\n"}},
				d.root.Workspace.Snapshot(), proposal.Checked{Warnings: c.warnings})
			if err != nil {
				t.Fatal(err)
			}
			r := d.root.Shown.Review()
			r.Refused = func(string) []string { return c.left }
			r.Preview(t.Context(), *p, "diff")
			if got := review.Severity(p); got != c.asked {
				t.Errorf("the weight is %v, want %v", got, c.asked)
			}
			mustHold(t, asked, c.holds...)
			for _, not := range c.lacks {
				if strings.Contains(asked, not) {
					t.Errorf("asked %q, which has %q", asked, not)
				}
			}
			switch {
			case c.told == 0 && len(told()) != 0, c.told != 0 && (len(told()) != 1 || told()[0].kind != c.told):
				t.Errorf("told %+v", told())
			}
			if c.pick == "" {
				mustHold(t, told()[0].text, append(c.holds, "make it better", filepath.Join(".coauthor", filepath.Base(d.shown[0])))...)
			}
			mustHold(t, string(raw), c.left...)
			mustHold(t, string(raw), c.warnings...)
			if n := strings.Count(string(raw), "# not applied: "); n != len(c.left) {
				t.Errorf("%d refused edits in\n%s", n, raw)
			}
		})
	}
}

// What the client does with a question that it cannot show, or whose answer comes when all is over.
func TestTheDialogThatFails(t *testing.T) {
	for _, menu := range []string{"", "the keys gra"} {
		d := newBufferHarness(t, map[string]string{"a": "a\n"}, func(_ *client.Capabilities, q *client.Quirks) { q.MessageRequestIfDeclared, q.Menu = true, menu })
		p := previewed(t, d, "diff")
		if len(d.asked) != 0 || len(d.said()) != 1 || p.Shown != 1 {
			t.Fatalf("asked %q, told %q, shown %d", d.asked, d.said(), p.Shown)
		}
		if how := d.said()[0]; menu != "" && (!strings.Contains(how, menu) || strings.Contains(how, "a code action")) || menu == "" && !strings.Contains(how, "a code action") {
			t.Errorf("menu %q: %q", menu, how)
		}
	}
	d := newBufferHarness(t, map[string]string{"a": "a\n"}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	d.pick = func(string, []string) string { cancel(); return review.ChoiceApply }
	d.open("a")
	p := d.propose(updated("a", "a\n", "A\n"))
	d.root.Shown.Review().Preview(ctx, *p, "diff")
	if now, _ := d.root.Session.Proposals.Get(p.ID); now.State != event.ProposalPending || len(d.said()) != 0 || d.sent() != 0 {
		t.Errorf("state %s, told %q", now.State, d.said())
	}
	// An error of the store is told, once.
	d = newBufferHarness(t, map[string]string{"a": "a\n"}, nil)
	told := d.messages()
	d.open("a")
	p = d.propose(updated("a", "a\n", "A\n"))
	d.root.Shown.Review().Apply(t.Context(), &proposal.Proposal{ID: "none", Revision: 1}, false)
	if len(told()) != 1 || told()[0].kind != protocol.MessageTypeError {
		t.Errorf("told %+v", told())
	}
	d.root.Shown.Review().Apply(t.Context(), p, false)
	d.root.Shown.Review().Apply(t.Context(), p, false) // decided by now
	if len(told()) != 2 || told()[1].kind != protocol.MessageTypeInfo || d.text("a") != "A\n" {
		t.Errorf("told %+v", told())
	}
	if _, err := d.root.Shown.Review().Discard(proposal.Selector{Proposal: p.ID, Revision: 1}); !errors.Is(err, proposal.ErrDecided) || len(told()) != 2 {
		t.Errorf("discarded what was applied: %v, told %+v", err, told())
	}
}

// What came of applying is told with its weight, and where something is left, how much.
func TestTheReportOfAnOutcome(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n", "b": "b\n"}, nil)
	told := d.messages()
	d.open("a")
	d.open("b")
	p := d.propose(updated("a", "a\n", "A\n"), updated("b", "b\n", "B\n"))
	d.want(proposal.StatusApplied)(d.root.Decisions.Apply(t.Context(), proposal.Selector{Proposal: p.ID, Revision: 1, Files: []string{"a"}}))
	d.apply = func(*bufferHarness, lsptest.ApplyEdit) (any, error) { return applyResult{Reason: "not today"}, nil }
	d.want(proposal.StatusPending)(d.root.Decisions.Apply(t.Context(), proposal.Selector{Proposal: p.ID, Revision: 1, Files: []string{"b"}}))
	d.apply = nil
	d.want(proposal.StatusApplied)(d.root.Decisions.Apply(t.Context(), proposal.Selector{Proposal: p.ID, Revision: 1}))
	d.want(proposal.StatusUndone)(d.root.Decisions.Undo(t.Context(), ""))
	for i, want := range []struct {
		Kind  protocol.MessageType
		holds []string
		open  bool
	}{
		{protocol.MessageTypeInfo, []string{"1 file,", "Still open: 1 file"}, true},
		{protocol.MessageTypeWarning, []string{"not today"}, false},
		{protocol.MessageTypeInfo, []string{"1 file,"}, false},
		{protocol.MessageTypeInfo, []string{"2 files"}, false},
	} {
		if i >= len(told()) {
			t.Fatalf("told %+v", told())
		}
		got := told()[i]
		mustHold(t, got.text, want.holds...)
		if got.kind != want.Kind || strings.Contains(got.text, "Still open") != want.open {
			t.Errorf("%d: %+v", i, got)
		}
	}
}

// A virtual document is the diff of its proposal as it stands now, and of no other.
func TestVirtualDocumentsStayTrue(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n", "b": "b\n"}, func(c *client.Capabilities, _ *client.Quirks) { c.VirtualDocuments = true })
	p := d.propose(updated("a", "a\n", "A\n"), updated("b", "b\n", "B\n"))
	v, err := d.root.Pending.Show(t.Context(), proposal.Selector{})
	if err != nil || v.URI == "" || len(d.shown) != 1 {
		t.Fatalf("%+v, %v", v, err)
	}
	text := func() string {
		t.Helper()
		got, err := d.s.textDocumentContent(t.Context(), &contentParams{URI: v.URI}, struct{}{})
		result, ok := got.(*protocol.TextDocumentContentResult)
		if err != nil || !ok {
			t.Fatalf("%v, %v", got, err)
		}
		return result.Text
	}
	mustHold(t, text(), "+A\n", "+B\n")
	if _, err := d.root.Shown.Review().Discard(proposal.Selector{Proposal: p.ID, Revision: 1, Files: []string{"a"}}); err != nil {
		t.Fatal(err)
	}
	if got := text(); strings.Contains(got, "+A\n") || !strings.Contains(got, "+B\n") {
		t.Errorf("after the discard:\n%s", got)
	}
	gone := d.root.Shown.Review().Name(&proposal.Proposal{ID: "gone", Turn: "t-7"}, "gone")
	if text, ok := d.s.own.Content(review.VirtualURI(gone)); ok {
		t.Errorf("a proposal that is gone reads %q", text)
	}
}
