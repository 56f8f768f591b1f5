package lsp

import (
	"context"
	"os"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
	"coauthor/lsp/lsptest"
)

// What the checks say against a proposal is the first that a user meets of it, in every way of
// showing it, and a change that nobody wanted to see is shown after all.
func TestWarningsComeFirst(t *testing.T) {
	const warning = "a no longer has f, g"
	for _, mode := range []string{"auto", "diff", "none", "inline", "native"} {
		d := newBufferHarness(t, map[string]string{"a": "a\n"}, nil)
		var asked string
		d.pick = func(text string, _ []string) string { asked = text; return "" }
		d.open("a")
		p, err := d.root.Session.Proposals.Add("t-1", "make it better", []edits.Change{updated("a", "a\n", "A\n")},
			d.root.Workspace.Snapshot(), proposal.Checked{Warnings: []string{warning}})
		if err != nil {
			t.Fatal(err)
		}
		d.root.Shown.Review().Preview(context.Background(), *p, mode)
		if now, _ := d.root.Session.Proposals.Get(p.ID); now.State != event.ProposalPending || d.text("a") != "a\n" {
			t.Errorf("%s: state %s, text %q", mode, now.State, d.text("a"))
		}
		if !strings.HasPrefix(asked, "Coauthor: warning: "+warning+". make it better") {
			t.Errorf("%s: asked %q", mode, asked)
		}
		if len(d.said()) != 1 || !strings.HasPrefix(d.said()[0], "Coauthor: warning: "+warning) {
			t.Errorf("%s: told %q", mode, d.said())
		}
		abs, _ := document.PathOfURI(d.shown[0])
		raw, err := os.ReadFile(abs)
		if err != nil || !strings.HasPrefix(string(raw), "# warning: "+warning+"\n") {
			t.Errorf("%s: %v, the diff begins %.60q", mode, err, raw)
		}
		if v := d.root.Pending.View(p); len(v.Warnings) != 1 || v.Warnings[0] != warning {
			t.Errorf("%s: the plug-in gets %q", mode, v.Warnings)
		}
	}
}

// A client that previews by itself is told before it does.
func TestWarningsBeforeNativePreview(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n"}, func(c *client.Capabilities, q *client.Quirks) {
		c.Annotations, c.DocumentChanges, q.NativePreview = true, true, true
	})
	d.open("a")
	told := -1
	d.apply = func(d *bufferHarness, e lsptest.ApplyEdit) (any, error) {
		told = len(d.said())
		return map[string]any{"applied": false}, nil
	}
	p, err := d.root.Session.Proposals.Add("t-1", "make it better", []edits.Change{updated("a", "a\n", "A\n")},
		d.root.Workspace.Snapshot(), proposal.Checked{Warnings: []string{"a no longer has f", "a, line 1: missing )"}})
	if err != nil {
		t.Fatal(err)
	}
	d.root.Shown.Review().Preview(context.Background(), *p, "auto")
	if told != 1 || !strings.HasPrefix(d.said()[0], "Coauthor: first of 2 warnings: a no longer has f. ") {
		t.Errorf("%d messages before the preview: %q", told, d.said())
	}
}
