package lsp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
	"coauthor/lsp/lsptest"
	"coauthor/lsp/review"
)

func TestAsk(t *testing.T) {
	q := event.Question{ID: "q1", Text: "Add it?", Choices: []string{"No", "Yes"}, Default: "No"}
	for _, test := range []struct {
		name string
		pick func(d *bufferHarness) func(string, []string) string
		want event.Answer
	}{
		{"by the dialog", func(*bufferHarness) func(string, []string) string {
			return func(string, []string) string { return "Yes" }
		}, event.Answer{Choice: "Yes"}},
		{"closed", func(*bufferHarness) func(string, []string) string {
			return func(string, []string) string { return "" }
		}, event.Answer{Choice: "No", Defaulted: true}},
		{"by the command while the dialog hangs", func(d *bufferHarness) func(string, []string) string {
			return func(string, []string) string {
				if status, err := d.s.questions.Answer("", "yes", ""); status != "answered" || err != nil {
					d.t.Errorf("answer: %s, %v", status, err)
				}
				return noAnswer
			}
		}, event.Answer{Choice: "Yes"}},
		{"nobody answers", func(d *bufferHarness) func(string, []string) string {
			d.s.landings.Scale = 0.0001
			return func(string, []string) string { return noAnswer }
		}, event.Answer{Choice: "No", Defaulted: true}},
		{"no dialogs and nobody answers", func(d *bufferHarness) func(string, []string) string {
			d.s.landings.Scale = 0.0001
			return nil
		}, event.Answer{Choice: "No", Defaulted: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newBufferHarness(t, nil, nil)
			d.pick = test.pick(d)
			got, err := d.root.Shown.Asker().Ask(context.Background(), q)
			if err != nil || got != test.want {
				t.Fatalf("%+v, %v", got, err)
			}
			if d.pick == nil && (len(d.said()) != 2 || !strings.Contains(d.said()[0], "with the code action") ||
				!strings.Contains(d.said()[1], "used the default: No. (Add it?)")) {
				t.Errorf("told %q", d.said())
			}
			if status, err := d.s.questions.Answer("q1", "Yes", ""); status != "none" || err != nil {
				t.Errorf("an answer that comes late: %s, %v", status, err)
			}
		})
	}
}

func TestAskIsCancelled(t *testing.T) {
	d := newBufferHarness(t, nil, nil)
	ctx, cancel := context.WithCancel(context.Background())
	d.pick = func(string, []string) string { cancel(); return noAnswer }
	if _, err := d.root.Shown.Asker().Ask(ctx, event.Question{Text: "?", Choices: []string{"a"}, Default: "a"}); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
}

func TestAnswersThatDoNotFit(t *testing.T) {
	d := newBufferHarness(t, nil, nil)
	one := d.s.questions.Put(nil, event.Question{ID: "one", Text: "which?", Choices: []string{"a", "b"}})
	two := d.s.questions.Put(nil, event.Question{ID: "two", Text: "what?", FreeText: true})
	if _, err := d.s.questions.Answer("", "a", ""); err == nil || !strings.Contains(err.Error(), "which?") {
		t.Errorf("no id: %v", err)
	}
	if _, err := d.s.questions.Answer("one", "c", ""); err == nil || !strings.Contains(err.Error(), "a, b") {
		t.Errorf("no choice: %v", err)
	}
	if status, err := d.s.questions.Answer("two", "", "free words"); status != "answered" || err != nil {
		t.Errorf("free text: %s, %v", status, err)
	}
	if a := lsptest.Receive(t, "the answer", two.Answered()); a.Text != "free words" {
		t.Errorf("answer %+v", a)
	}
	if status, err := d.s.questions.Answer("one", "", "B"); status != "answered" || err != nil {
		t.Errorf("a choice as text: %s, %v", status, err)
	}
	if a := lsptest.Receive(t, "the answer", one.Answered()); a.Choice != "b" {
		t.Errorf("answer %+v", a)
	}
}

// previewed proposes a change of one line and previews it.
func previewed(t *testing.T, d *bufferHarness, mode string) proposal.Proposal {
	t.Helper()
	d.open("a")
	p, err := d.root.Session.Proposals.Add("t-1", "make it better", []edits.Change{
		updated("a", "a\n", "A\n"), {Path: "sub/new", Op: edits.OpCreate, After: "x\n"},
	}, d.root.Workspace.Snapshot(), proposal.Checked{})
	if err != nil {
		t.Fatal(err)
	}
	d.root.Shown.Review().Preview(context.Background(), *p, mode)
	now, _ := d.root.Session.Proposals.Get(p.ID)
	return now
}

func TestDiffPreview(t *testing.T) {
	for _, test := range []struct {
		name  string
		caps  func(*client.Capabilities, *client.Quirks)
		pick  func(string, []string) string
		state event.ProposalState
		asked string // the choices of each dialog
		told  int
		opens int
	}{
		{"apply", nil, func(_ string, c []string) string { return c[0] }, event.ProposalApplied, "Apply Discard Keep pending", 1, 1},
		{"discard", nil, func(_ string, c []string) string { return c[1] }, event.ProposalDiscarded, "Apply Discard Keep pending", 1, 1},
		{"keep", nil, func(_ string, c []string) string { return c[2] }, event.ProposalPending, "Apply Discard Keep pending", 0, 1},
		{"closed", nil, func(string, []string) string { return "" }, event.ProposalPending, "Apply Discard Keep pending", 1, 1},
		{"no answer", nil, func(string, []string) string { return noAnswer }, event.ProposalPending, "Apply Discard Keep pending", 1, 1},
		{"no dialog", nil, nil, event.ProposalPending, "Apply Discard Keep pending", 1, 1},
		{"no documents", func(c *client.Capabilities, _ *client.Quirks) { c.ShowDocument = false },
			func(_ string, c []string) string { return c[1] }, event.ProposalApplied, "Show diff Apply Discard Keep pending", 1, 0},
		{"show what cannot be shown", func(c *client.Capabilities, _ *client.Quirks) { c.ShowDocument = false },
			func(_ string, c []string) string { return c[0] }, event.ProposalPending, "Show diff Apply Discard Keep pending", 1, 0},
		{"our own plug-in draws it", func(c *client.Capabilities, _ *client.Quirks) { c.Pending = true }, nil, event.ProposalPending, "", 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newBufferHarness(t, map[string]string{"a": "a\n"}, test.caps)
			if test.name == "no answer" {
				d.s.landings.Scale = 0.0001
			}
			d.pick = test.pick
			p := previewed(t, d, "auto")
			if p.State != test.state || p.Shown != 1 {
				t.Errorf("state %s, shown %d", p.State, p.Shown)
			}
			var asked []string
			eventually(t, "the question", func() bool { // to which nobody may have waited for an answer
				asked = d.dialogs()
				return len(asked) > 0 || test.asked == ""
			})
			if got := strings.Join(asked, "; "); got != test.asked {
				t.Errorf("asked %q", got)
			}
			if len(d.said()) != test.told || len(d.shown) != test.opens {
				t.Errorf("told %q, opened %q", d.said(), d.shown)
			}
			says := map[event.ProposalState]string{event.ProposalPending: "with a code action",
				event.ProposalApplied:   "Applied to 2 files, not saved yet. Undo: code action",
				event.ProposalDiscarded: "Discarded the change in 2 files."}
			if test.told > 0 && !strings.Contains(d.said()[0], says[test.state]) {
				t.Errorf("told %q", d.said())
			}
			if test.state != event.ProposalApplied && (len(d.applied) > 0 || d.text("a") != "a\n") {
				t.Error("something was applied")
			}
			// What is pending can be applied by the command now: it was shown.
			if test.state == event.ProposalPending {
				if _, err := d.root.Session.Proposals.Select(proposal.Selector{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestTheDiffDocument(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n"}, nil)
	previewed(t, d, "diff")
	abs, _ := document.PathOfURI(d.shown[0])
	if want := filepath.Join(d.root.Dir, ".coauthor", d.clock.read().Format("2006-01-02-15.04.05")+"-a.diff"); abs != want {
		t.Fatalf("shown %s", abs)
	}
	info, err := os.Stat(abs)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	raw, err := os.ReadFile(abs)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# make it better\n", "# new directory: sub\n", "@@ -1,1 +1,1 @@ hunk 1\n-a\n+A\n", "+++ b/sub/new\n"} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("no %q in\n%s", want, raw)
		}
	}
	v, err := d.root.Pending.Show(context.Background(), proposal.Selector{})
	if err != nil || v.URI != d.shown[1] || len(v.Files) != 2 {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestVirtualDiff(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n"}, func(c *client.Capabilities, _ *client.Quirks) { c.VirtualDocuments = true })
	p := previewed(t, d, "diff")
	text, ok := d.s.own.Content(d.shown[0])
	if !ok || !strings.Contains(text, "+A\n") {
		t.Errorf("%s: %q", d.shown[0], text)
	}
	if strings.Contains(d.shown[0], p.ID) || strings.Contains(d.shown[0], p.Turn) {
		t.Errorf("the user sees an id: %s", d.shown[0])
	}
	if _, ok := d.s.own.Content(strings.ReplaceAll(d.shown[0], "-", "%2D")); !ok {
		t.Error("an escaped URI is another document")
	}
	for _, uri := range []string{"coauthor:/x?none", "coauthor:/", "coauthor:", "", "coauthor:/%"} {
		if text, ok := d.s.own.Content(uri); ok {
			t.Errorf("%q is a document: %q", uri, text)
		}
	}
	if d.root.Workspace.Door().OnDisk(".coauthor") {
		t.Error("a folder was made for a virtual document")
	}
}

func TestAppliedUnseen(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n"}, nil)
	if p := previewed(t, d, "none"); p.State != event.ProposalApplied || d.text("a") != "A\n" || len(d.asked)+len(d.shown) != 0 {
		t.Errorf("state %s, asked %q, shown %q", p.State, d.asked, d.shown)
	}
}

func TestPromptDocument(t *testing.T) {
	text := "package a\n\nfunc one() {}\n\nfunc two() {}\n"
	d := newBufferHarness(t, map[string]string{"dir/a.go": text}, nil)
	d.open("dir/a.go")
	doc, _ := d.s.docs.Get(d.uri("dir/a.go"))
	sel := protocol.Range{Start: protocol.Position{Line: 2}, End: protocol.Position{Line: 2, Character: 13}}
	prompt := func(t target, kind string) (string, error) {
		made, err := d.s.openPrompt(context.Background(), d.root, t, review.PromptHead{Coder: kind}, "")
		if err == nil {
			d.root.Chat.Prompts.Show(context.Background(), made)
		}
		return made.URI, err
	}
	uri, err := prompt(d.s.docs.targetIn(doc, &sel), "")
	if err != nil || len(d.shown) != 1 || d.shown[0] != uri {
		t.Fatalf("%s, %v, shown %q", uri, err, d.shown)
	}
	path := d.path(uri)
	if path != ".coauthor/prompt-1.md" || !review.IsPrompt(path) {
		t.Fatalf("path %s", path)
	}
	d.open(path)
	if req, err := d.root.Chat.Prompts.Request(t.Context(), path); err != nil || req.Instruction != "" {
		t.Fatalf("empty: %+v, %v", req, err)
	}
	head := d.text(path)
	if _, line, err := (review.PromptHead{Coder: "code"}).Document(review.PromptHint(coder.All().Names(), "coder code")); err != nil || line != 8 {
		t.Errorf("the instruction begins on line %d, %v", line, err)
	}
	d.typed(path, head+"Rename it.\n\nAnd more.\n")
	d.typed("dir/a.go", "// typed\n"+strings.Replace(text, "one()", "ONE(x int)", 1))
	req, err := d.root.Chat.Prompts.Request(t.Context(), path)
	if err != nil || req.Instruction != "Rename it.\n\nAnd more." || req.Coder != "code" || req.Target == nil || req.Target.Path != "dir/a.go" {
		t.Fatalf("%+v, %v", req, err)
	}
	if got := d.text("dir/a.go")[req.Target.Start:req.Target.End]; strings.TrimSpace(got) != "func ONE(x int) {}" {
		t.Errorf("selected %q", got)
	}
	// The user's own selection counts, and one that is gone is no whole file.
	d.typed(path, strings.Replace(head, "3:1-3:14", "6", 1)+"x")
	if req, err = d.root.Chat.Prompts.Request(t.Context(), path); err != nil || d.text("dir/a.go")[req.Target.Start:req.Target.End] != "func two() {}\n" {
		t.Errorf("%+v, %v", req.Target, err)
	}
	d.typed(path, head+"x")
	d.typed("dir/a.go", "package a\n")
	if _, err = d.root.Chat.Prompts.Request(t.Context(), path); err == nil || !strings.Contains(err.Error(), "no longer exists") {
		t.Errorf("error %v", err)
	}
	// The next instruction is written in the same document, and asks get their own coder. What is being written stays.
	made, err := d.s.openPrompt(t.Context(), d.root, target{root: d.root}, review.PromptHead{Coder: "ask"}, "")
	if err != nil || made.URI != uri || made.Change == nil {
		t.Fatalf("%+v, %v", made, err)
	}
	d.root.Chat.Show(t.Context(), made)
	if got := d.text(path); !strings.Contains(got, "coder: ask\n---\n") || strings.Contains(got, "a.go") || !strings.HasSuffix(got, "\nx") {
		t.Errorf("%q", got)
	}
}
