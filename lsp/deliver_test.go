package lsp

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
	"coauthor/lsp/lsptest"
)

// TestDeliverEverywhere runs one plan of all operations through clients of every kind.
func TestDeliverEverywhere(t *testing.T) {
	for _, name := range client.Profiles() {
		t.Run(name, func(t *testing.T) { deliverTo(t, name) })
	}
}

func deliverTo(t *testing.T, name string) {
	q, err := client.QuirksOf(name)
	if err != nil {
		t.Fatal(err)
	}
	base := lineText(30)
	files := map[string]string{"open.go": base, "closed.go": base, "gone.go": "x\n", "from.go": "y\n"}
	d := newBufferHarness(t, files, func(c *client.Capabilities, use *client.Quirks) {
		*use = q
		if q.NoResourceOperations {
			c.CreateFile, c.RenameFile, c.DeleteFile = false, false, false
		}
		if name == "vscode" {
			c.FailureHandling = "textOnlyTransactional"
		}
	})
	d.client.Play(func(p *lsptest.Profile) { p.Quirks.EditOpensMissing = name != "vscode" })
	d.pick = func(_ string, choices []string) string { return choices[len(choices)-1] }
	d.open("open.go")
	goal := strings.NewReplacer("line 3\n", "three\n", "line 20\n", "", "line 30\n", "thirty").Replace(base)
	d.propose(
		updated("open.go", base, goal), updated("closed.go", base, goal),
		edits.Change{Path: "deep/down/new.go", Op: edits.OpCreate, After: "new\n"},
		edits.Change{Path: "gone.go", Op: edits.OpDelete, Before: "x\n"},
		edits.Change{Path: "from.go", To: "to.go", Op: edits.OpRename, Before: "y\n", After: "y\nz\n"},
	)
	ctx := context.Background()
	d.want(proposal.StatusApplied)(d.root.Decisions.Apply(ctx, proposal.Selector{}))
	same := func(path, want string) {
		t.Helper()
		if got := d.text(path); strings.TrimRight(got, "\n") != strings.TrimRight(want, "\n") {
			t.Errorf("%s reads %q", path, got)
		}
	}
	same("open.go", goal)
	same("closed.go", goal)
	same("deep/down/new.go", "new\n")
	same("to.go", "y\nz\n")
	if d.root.Workspace.Door().OnDisk("gone.go") || d.root.Workspace.Door().OnDisk("from.go") {
		t.Error("a file is still there")
	}
	if !d.root.Workspace.Door().OnDisk("deep/down") {
		t.Error("a new file could not be saved: its directory is missing")
	}
	d.typed("open.go", "typed\n"+d.text("open.go"))
	d.want(proposal.StatusUndone)(d.root.Decisions.Undo(ctx, ""))
	same("open.go", "typed\n"+base)
	same("closed.go", base)
	same("gone.go", "x\n")
	same("from.go", "y\n")
	if got := d.text("deep/down/new.go"); strings.TrimSpace(got) != "" && !strings.HasPrefix(got, "<") {
		t.Errorf("the new file is still there: %q", got)
	}
	d.want(proposal.StatusApplied)(d.root.Decisions.Redo(ctx, ""))
	same("open.go", "typed\n"+goal)
	same("to.go", "y\nz\n")
}

// TestAppliedIsNotBelieved: the clients of spec/lsp.md 3.2 that say other than they do.
func TestAppliedIsNotBelieved(t *testing.T) {
	base := lineText(10)
	goal := strings.Replace(base, "line 5\n", "five\n", 1)
	yes := applyResult{Applied: true}
	for _, test := range []struct {
		name  string
		caps  func(*client.Capabilities, *client.Quirks)
		apply func(d *bufferHarness, e lsptest.ApplyEdit) (any, error)
		want  proposal.Status
		text  string
		says  string
	}{
		{"yes, and the change is told later", nil, func(d *bufferHarness, e lsptest.ApplyEdit) (any, error) {
			d.client.Type("a", goal)
			d.s.tasks.Background(func(context.Context) { d.tell() })
			return yes, nil
		}, proposal.StatusApplied, goal, ""},
		{"the change comes first", nil, func(d *bufferHarness, _ lsptest.ApplyEdit) (any, error) {
			d.typed("a", goal)
			return yes, nil
		}, proposal.StatusApplied, goal, ""},
		{"yes, and nothing comes", nil, func(*bufferHarness, lsptest.ApplyEdit) (any, error) { return yes, nil },
			proposal.StatusUnverified, base, "did not change"},
		{"no, but it was done", nil, func(d *bufferHarness, _ lsptest.ApplyEdit) (any, error) {
			d.typed("a", goal)
			return applyResult{}, nil
		}, proposal.StatusApplied, goal, ""},
		{"no", nil, func(*bufferHarness, lsptest.ApplyEdit) (any, error) { return applyResult{Reason: "not today"}, nil },
			proposal.StatusPending, base, "not today"},
		{"null", nil, func(*bufferHarness, lsptest.ApplyEdit) (any, error) { return nil, nil },
			proposal.StatusUnverified, base, "not answered yet"},
		{"an error", nil, func(*bufferHarness, lsptest.ApplyEdit) (any, error) {
			return nil, &lsptest.ResponseError{Code: 32603, Message: "oops"}
		},
			proposal.StatusPending, base, "oops"},
		{"an error, and it was done", nil, func(d *bufferHarness, _ lsptest.ApplyEdit) (any, error) {
			d.typed("a", goal)
			return nil, &lsptest.ResponseError{Code: 32603, Message: "oops"}
		}, proposal.StatusApplied, goal, ""},
		{"an error of a client that tells late", func(_ *client.Capabilities, q *client.Quirks) { q.ChangesLate = true },
			func(*bufferHarness, lsptest.ApplyEdit) (any, error) {
				return nil, &lsptest.ResponseError{Code: 32603, Message: "oops"}
			},
			proposal.StatusUnverified, base, "next key"},
		{"yes of a client that tells late", func(_ *client.Capabilities, q *client.Quirks) { q.ChangesLate = true },
			func(*bufferHarness, lsptest.ApplyEdit) (any, error) { return yes, nil },
			proposal.StatusUnverified, base, "next key"},
		{"not there", nil, func(*bufferHarness, lsptest.ApplyEdit) (any, error) { return nil, notOffered("x") },
			proposal.StatusPending, base, "does not let servers"},
		{"no answer, but it was done", nil, func(d *bufferHarness, _ lsptest.ApplyEdit) (any, error) {
			d.typed("a", goal)
			return noAnswer, nil
		}, proposal.StatusApplied, goal, ""},
		{"something else was done", nil, func(d *bufferHarness, _ lsptest.ApplyEdit) (any, error) {
			d.typed("a", strings.Replace(base, "line 5\n", "half of it\n", 1))
			return yes, nil
		}, proposal.StatusUnverified, strings.Replace(base, "line 5\n", "half of it\n", 1), ""},
		{"no capability", func(c *client.Capabilities, _ *client.Quirks) { c.ApplyEdit = false }, nil,
			proposal.StatusPending, base, "workspace/applyEdit"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newBufferHarness(t, map[string]string{"a": base}, test.caps)
			d.apply = test.apply
			d.open("a")
			d.propose(updated("a", base, goal))
			out := d.want(test.want)(d.root.Decisions.Apply(context.Background(), proposal.Selector{}))
			if got := d.text("a"); got != test.text {
				t.Errorf("text %q", got)
			}
			if !strings.Contains(out.Reason, test.says) {
				t.Errorf("reason %q", out.Reason)
			}
			told := 1
			if d.s.client.Quirks.ChangesLate {
				told = 0 // it will tell
				if p, ok := d.root.Session.Proposals.Get(out.Proposal); !ok || !p.Pending() {
					t.Errorf("what was not seen to arrive cannot be applied again: %+v", p)
				}
			}
			if test.want != proposal.StatusApplied && len(d.said()) != told {
				t.Errorf("told %q", d.said())
			}
		})
	}
}

func TestNoAnswerAtAll(t *testing.T) {
	base := lineText(10)
	goal := strings.Replace(base, "line 5\n", "five\n", 1)
	d := newBufferHarness(t, map[string]string{"a": base}, nil)
	d.s.landings.Scale = 0.001
	d.apply = func(*bufferHarness, lsptest.ApplyEdit) (any, error) { return noAnswer, nil }
	d.open("a")
	p := d.propose(updated("a", base, goal))
	d.want(proposal.StatusUnverified)(d.root.Decisions.Apply(context.Background(), proposal.Selector{}))
	// It comes with the user's next key.
	d.typed("a", goal+"x")
	if now, _ := d.root.Session.Proposals.Get(p.ID); string(now.State) != "applied" {
		t.Fatalf("state %s", now.State)
	}
}

// TestTypedWhileItIsSent: the client drops the stale edit and says yes, or refuses it; the server
// tries again on what is there now.
func TestTypedWhileItIsSent(t *testing.T) {
	base := lineText(10)
	goal := strings.Replace(base, "line 5\n", "five\n", 1)
	for _, answer := range []applyResult{{Applied: true}, {Reason: "document has changed"}} {
		d := newBufferHarness(t, map[string]string{"a": base}, nil)
		d.open("a")
		first := true
		d.apply = func(d *bufferHarness, e lsptest.ApplyEdit) (any, error) {
			if first {
				first = false
				d.typed("a", "typed\n"+base)
				return answer, nil
			}
			return d.do(e)
		}
		d.propose(updated("a", base, goal))
		d.want(proposal.StatusApplied)(d.root.Decisions.Apply(context.Background(), proposal.Selector{}))
		if got := d.text("a"); got != "typed\n"+goal {
			t.Errorf("text %q", got)
		}
	}
}

func TestAbortStopsWhatFollows(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n", "gone": "g\n"}, nil)
	d.open("a")
	d.apply = func(d *bufferHarness, e lsptest.ApplyEdit) (any, error) {
		if len(e.Edit.DocumentChanges[0].Edits) > 0 {
			return applyResult{Reason: "no"}, nil
		}
		return d.do(e)
	}
	d.propose(updated("a", "a\n", "A\n"), edits.Change{Path: "gone", Op: edits.OpDelete, Before: "g\n"})
	out := d.want(proposal.StatusPending)(d.root.Decisions.Apply(context.Background(), proposal.Selector{}))
	if len(d.applied) != 1 || !d.root.Workspace.Door().OnDisk("gone") {
		t.Errorf("%d edits were sent; %+v", len(d.applied), out)
	}
}

func TestConsentIsAsked(t *testing.T) {
	for _, yes := range []bool{false, true} {
		d := newBufferHarness(t, map[string]string{"a": "a\n", ".github/workflows/ci.yml": "on: push\n", "gone": "g\n"}, func(c *client.Capabilities, _ *client.Quirks) {
			c.CreateFile, c.RenameFile, c.DeleteFile = false, false, false
		})
		var questions []string
		d.pick = func(text string, choices []string) string {
			questions = append(questions, text)
			if yes {
				return choices[1]
			}
			return choices[0]
		}
		d.open("a")
		d.propose(updated("a", "a\n", "A\n"), updated(".github/workflows/ci.yml", "on: push\n", "on: pull_request\n"),
			edits.Change{Path: "gone", Op: edits.OpDelete, Before: "g\n"})
		out, err := d.root.Decisions.Apply(context.Background(), proposal.Selector{})
		if err != nil || len(questions) != 2 || !strings.Contains(strings.Join(questions, " "), "ci.yml") {
			t.Fatalf("%+v, %v, asked %q", out, err, questions)
		}
		if d.text("a") != "A\n" || (d.text(".github/workflows/ci.yml") == "on: pull_request\n") != yes || d.root.Workspace.Door().OnDisk("gone") == yes {
			t.Errorf("yes %v: %+v", yes, out)
		}
	}
}

func TestNeverDeleteUnsavedWork(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n"}, func(c *client.Capabilities, _ *client.Quirks) { c.DeleteFile = false })
	d.pick = func(_ string, choices []string) string { return choices[1] }
	d.open("a")
	d.typed("a", "unsaved\n")
	d.propose(edits.Change{Path: "a", Op: edits.OpDelete, Before: "unsaved\n"})
	out := d.want(proposal.StatusPending)(d.root.Decisions.Apply(context.Background(), proposal.Selector{}))
	if !strings.Contains(out.Reason, "unsaved changes") || !d.root.Workspace.Door().OnDisk("a") {
		t.Errorf("%+v", out)
	}
}

// TestNativePreview is the trick that makes VS Code open its preview with the changes ticked.
func TestNativePreview(t *testing.T) {
	base := lineText(10)
	goal := strings.Replace(base, "line 5\n", "five\n", 1)
	native := func(c *client.Capabilities, q *client.Quirks) {
		c.Annotations, c.HonorsAnnotations, c.FailureHandling = true, true, "textOnlyTransactional"
		*q, _ = client.QuirksOf("vscode")
	}
	for press, state := range map[bool]event.ProposalState{true: event.ProposalApplied, false: event.ProposalDiscarded} {
		d := newBufferHarness(t, map[string]string{"a": base}, native)
		d.apply = func(d *bufferHarness, e lsptest.ApplyEdit) (any, error) {
			if press {
				return d.do(e)
			}
			return applyResult{}, nil
		}
		d.open("a")
		p := d.propose(updated("a", base, goal), edits.Change{Path: "new", Op: edits.OpCreate, After: "x\n"})
		d.root.Shown.Review().Preview(context.Background(), *p, "auto")
		if len(d.applied) != 1 {
			t.Fatalf("%d edits", len(d.applied))
		}
		e := d.applied[0].Edit
		var confirm, plain int
		for _, c := range e.DocumentChanges {
			if c.Kind != "" && c.AnnotationID == "" {
				t.Errorf("%s without annotation", c.Kind)
			}
			for _, one := range c.Edits {
				if *e.ChangeAnnotations[one.AnnotationID].NeedsConfirmation {
					confirm++ // which changes nothing: every edit is judged by that
				} else {
					plain++
				}
			}
		}
		if confirm != 1 || plain != 2 {
			t.Errorf("%d to confirm, %d not", confirm, plain)
		}
		now, _ := d.root.Session.Proposals.Get(p.ID)
		if now.State != state || press && d.text("a") != goal || !press && d.text("a") != base {
			t.Errorf("pressed %v: state %s", press, now.State)
		}
	}
}

func TestPositionsOnTheWire(t *testing.T) {
	for _, e := range []document.Encoding{document.UTF8, document.UTF16, document.UTF32} {
		for _, text := range []string{
			"a\r\nb\r\nc\r\n", "no end", "äö😀\nx\n😀 end", "\ufeffbom\nx\n", "lone\rreturn\nx\n", "",
		} {
			for _, after := range []string{text + "more\n", strings.Replace(text, "x", "y😀", 1), "", "first\n" + text, "all new"} {
				if after == text {
					continue
				}
				d := newBufferHarness(t, map[string]string{"a": text}, nil)
				d.s.docs.encoding = e
				d.open("a")
				d.propose(updated("a", text, after))
				d.want(proposal.StatusApplied)(d.root.Decisions.Apply(context.Background(), proposal.Selector{}))
				if got := d.text("a"); got != after {
					t.Errorf("%s: %q became %q, want %q", e, text, got, after)
				}
			}
		}
	}
}

func TestTheClientsSpelling(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a b.go": "a\n"}, nil)
	spelled := strings.Replace(d.uri("a b.go"), "a%20b.go", "%61%20b.go", 1)
	d.put(spelled, "a\n", 3)
	d.propose(updated("a b.go", "a\n", "A\n"))
	d.apply = func(d *bufferHarness, e lsptest.ApplyEdit) (any, error) { return applyResult{}, nil }
	d.want(proposal.StatusPending)(d.root.Decisions.Apply(context.Background(), proposal.Selector{}))
	if got := d.applied[0].Edit.DocumentChanges[0].TextDocument.URI; got != spelled {
		t.Errorf("URI %q, the client said %q", got, spelled)
	}
}

func TestOneFileAtATime(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n", "b": "b\n"}, func(_ *client.Capabilities, q *client.Quirks) { *q, _ = client.QuirksOf("neovim") })
	d.open("a")
	d.propose(updated("a", "a\n", "A\n"), updated("b", "b\n", "B\n"), edits.Change{Path: "n", Op: edits.OpCreate, After: "x\n"})
	d.want(proposal.StatusApplied)(d.root.Decisions.Apply(context.Background(), proposal.Selector{}))
	var sizes []int
	for _, e := range d.applied {
		sizes = append(sizes, len(e.Edit.DocumentChanges))
	}
	if !slices.Equal(sizes, []int{1, 1, 1}) {
		t.Errorf("documents in each edit: %v", sizes)
	}
	if got := d.applied[0].Edit.DocumentChanges[0].Edits[0].NewText; got != "x" {
		t.Errorf("a new file of this client must leave out the last line break: %q", got)
	}
	if !maps.Equal(map[string]string{"a": d.text("a"), "b": d.text("b")}, map[string]string{"a": "A\n", "b": "B\n"}) {
		t.Error("the texts are not as meant")
	}
}
