package lsp

import (
	"context"
	"slices"
	"testing"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/lsptest"
)

var selectAll = proposal.Selector{}

// TestNothingTakesTheKeyboardWhileTheUserTypes: whatever it is, it goes out a second after the last key, to the
// moment, and at once where no key came.
func TestNothingTakesTheKeyboardWhileTheUserTypes(t *testing.T) {
	ways := map[string]func(d *bufferHarness, ctx context.Context){
		"document": func(d *bufferHarness, ctx context.Context) {
			_, _ = d.s.client.ShowDocument(ctx, d.uri("a"), true, nil)
		},
		"answer": func(d *bufferHarness, ctx context.Context) { d.root.Shown.Page(ctx, "answer-1.md", "text") },
		"question": func(d *bufferHarness, ctx context.Context) {
			_, _ = d.root.Shown.Asker().Ask(ctx, event.Question{Text: "?", Choices: []string{"a"}, Default: "a"})
		},
		"input": func(d *bufferHarness, ctx context.Context) {
			d.s.client.Caps.InputRequest = true
			_, _, _ = d.s.client.InputBox(ctx, client.InputBoxParams{})
		},
		"diff": func(d *bufferHarness, ctx context.Context) {
			p := d.propose(updated("b", "b\n", "B\n"))
			d.root.Shown.Review().Preview(ctx, *p, "diff")
		},
		"native preview": func(d *bufferHarness, ctx context.Context) {
			d.s.client.Quirks.NativePreview, d.s.client.Caps.Annotations = true, true
			p := d.propose(updated("b", "b\n", "B\n"))
			d.root.Shown.Review().Preview(ctx, *p, "native")
		},
		"edit that the client asks about": func(d *bufferHarness, ctx context.Context) {
			d.s.client.Quirks.AsksItself = true
			p := d.propose(updated("b", "b\n", "B\n"))
			d.root.Shown.Review().Preview(ctx, *p, "none")
		},
	}
	for name, way := range ways {
		for _, test := range []struct {
			name  string
			typed func(d *bufferHarness)
			ctx   func(d *bufferHarness) context.Context
			want  []time.Duration
		}{
			{"nobody typed", func(*bufferHarness) {}, nil, nil},
			{"just typed", func(d *bufferHarness) { d.typed("a", "x\n") }, nil, []time.Duration{time.Second}},
			{"typed a moment ago", func(d *bufferHarness) { d.typed("a", "x\n"); d.clock.pass(999 * time.Millisecond) }, nil, []time.Duration{time.Millisecond}},
			{"typed a second ago", func(d *bufferHarness) { d.typed("a", "x\n"); d.clock.pass(time.Second) }, nil, nil},
			{"typed again meanwhile", func(d *bufferHarness) {
				d.typed("a", "x\n")
				d.clock.during = func() { d.typed("a", "xy\n"); d.clock.pass(300 * time.Millisecond) }
			}, nil, []time.Duration{time.Second, 700 * time.Millisecond}},
			{"asked for since", func(d *bufferHarness) { d.typed("a", "x\n") },
				func(d *bufferHarness) context.Context { return d.s.docs.askedNow(context.Background()) }, nil},
			{"asked for and typed since", func(d *bufferHarness) { d.typed("a", "x\n") },
				func(d *bufferHarness) context.Context {
					ctx := d.s.docs.askedNow(context.Background())
					d.typed("a", "xy\n")
					return ctx
				}, []time.Duration{time.Second}},
		} {
			t.Run(name+"/"+test.name, func(t *testing.T) {
				d := newBufferHarness(t, map[string]string{"a": "a\n", "b": "b\n"}, nil)
				d.pick = func(_ string, c []string) string { return c[len(c)-1] }
				d.open("a")
				test.typed(d)
				ctx := context.Background()
				if test.ctx != nil {
					ctx = test.ctx(d)
				}
				way(d, ctx)
				if !slices.Equal(d.clock.slept, test.want) {
					t.Errorf("waited %v, want %v", d.clock.slept, test.want)
				}
				if n := len(d.shown) + len(d.asked) + len(d.applied); n == 0 && name != "input" {
					t.Error("nothing came at all")
				}
			})
		}
	}
}

// TestOurOwnEditsAreNoKeys: what an edit of ours makes of a document is not typed by the user; what differs from it is.
func TestOurOwnEditsAreNoKeys(t *testing.T) {
	for want, made := range map[int]string{0: "A\n", 1: "A\ntyped\n"} {
		d := newBufferHarness(t, map[string]string{"a": "a\n"}, nil)
		d.open("a")
		d.propose(updated("a", "a\n", "A\n"))
		d.apply = func(d *bufferHarness, _ lsptest.ApplyEdit) (any, error) {
			d.typed("a", made)
			return applyResult{Applied: true}, nil
		}
		if _, err := d.root.Decisions.Apply(context.Background(), selectAll); err != nil {
			t.Fatal(err)
		}
		if pressed, _ := d.s.docs.keys.state(); pressed != want {
			t.Errorf("%q: %d keys, want %d", made, pressed, want)
		}
		d.typed("a", "A\n!") // behind it the same text is typed
		if pressed, _ := d.s.docs.keys.state(); pressed != want+1 {
			t.Errorf("%q: %d keys behind it, want %d", made, pressed, want+1)
		}
	}
}

// TestTypingEndsWithTheSession: nobody waits for the user when the connection has ended.
func TestTypingEndsWithTheSession(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n"}, nil)
	d.s.docs.keys.sleep = sleep
	d.open("a")
	d.typed("a", "x\n")
	done := make(chan error, 1)
	go func() {
		_, err := d.s.client.ShowDocument(context.Background(), d.uri("a"), true, nil)
		done <- err
	}()
	d.s.tasks.Cancel()
	select {
	case err := <-done:
		if err == nil || len(d.shown) > 0 {
			t.Errorf("%v, shown %q", err, d.shown)
		}
	case <-time.After(900 * time.Millisecond):
		t.Error("it waited on")
	}
}

// TestDecidedWhileTheUserTypes: what was decided meanwhile is not asked about any more.
func TestDecidedWhileTheUserTypes(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n", "b": "b\n"}, nil)
	d.open("a")
	p := d.propose(edits.Change{Path: "b", Op: edits.OpUpdate, Before: "b\n", After: "B\n"})
	d.typed("a", "x\n")
	d.clock.during = func() {
		if _, err := d.root.Session.Proposals.Discard(selectAll); err != nil {
			t.Error(err)
		}
	}
	d.root.Shown.Review().Preview(context.Background(), *p, "diff")
	if len(d.shown)+len(d.asked) > 0 {
		t.Errorf("shown %q, asked %q", d.shown, d.asked)
	}
}
