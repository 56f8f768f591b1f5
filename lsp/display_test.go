package lsp

import (
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"coauthor/agent/display/displaytest"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/review"
)

// What the editor is told is visible: messages, questions, progress, answers and the head of a diff. The
// diff itself is exact.
func TestMessagesHideNothing(t *testing.T) {
	if got := review.AnswerDocument("why \u202e?\n![x](y)", "so\x07 ![a](b)"); displaytest.Hidden(got) || strings.Contains(got, "![") {
		t.Errorf("%q", got)
	}
	p := proposal.Proposal{Label: "make \x1b[2K it", Warnings: []string{"lost\u202e it"}, Files: []proposal.File{{
		Change: edits.Change{Path: "a.py", Op: edits.OpCreate, After: "x = 1\ny\u202e = 2\n"},
		Hunks:  edits.Diff("", "x = 1\ny\u202e = 2\n")}}}
	list := review.Warnings(&p)
	if len(list) != 2 || list[0] != "lost<U+202E> it" || !strings.Contains(list[1], "line 2 of a.py") || !strings.Contains(list[1], "y<U+202E> = 2") {
		t.Errorf("%q", list)
	}
	d := newBufferHarness(t, nil, nil)
	text := d.root.Shown.Review().DiffDocument(&p)
	head, diff, _ := strings.Cut(text, "\ndiff --git")
	if displaytest.Hidden(head) || !strings.Contains(head, "# warning: line 2 of a.py") {
		t.Errorf("the head: %q", head)
	}
	if !strings.Contains(diff, "+y\u202e = 2\n") {
		t.Errorf("the diff is not exact: %q", diff)
	}
	view := d.root.Pending.View(&p)
	if len(view.Warnings) != 2 || displaytest.Hidden(view.Label) || view.Files[0].Hunks[0].NewText != "x = 1\ny\u202e = 2\n" {
		t.Errorf("%+v", view)
	}
	if review.Warned(&p) == "" || review.Severity(&p) != protocol.MessageTypeWarning {
		t.Error("the dialog does not warn")
	}
	for r := range 0x3000 {
		if displaytest.Hidden(review.Harmless(string(rune(r)) + "x")) {
			t.Fatalf("U+%04X is left", r)
		}
	}
}
