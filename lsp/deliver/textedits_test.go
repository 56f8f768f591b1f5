package deliver

import (
	"fmt"
	"slices"
	"testing"

	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
)

// The texts of an edit are written as the client takes them: whole lines, in its own line ends, without what it puts
// at the end itself, and in the lines that it counts.
func TestTextEdits(t *testing.T) {
	version := int32(1)
	update, create, remove := edits.OpUpdate, edits.OpCreate, edits.OpDelete
	for _, test := range []struct {
		quirks        client.Quirks
		op            edits.Op
		open          bool
		buffered      bool
		part          part
		before, after string
		want          []string // ranges and texts
	}{
		{client.Quirks{}, update, true, false, partWhole, "a\nb\nc\n", "a\nB\nc\n", []string{`1:0-2:0 "B\n"`}},
		{client.Quirks{}, update, true, false, partWhole, "a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\nf\n", []string{`0:0-1:0 "A\n"`, `5:0-5:0 "f\n"`}},
		{client.Quirks{}, update, true, false, partWhole, "a\n", "a\n", nil},
		{client.Quirks{}, create, false, false, partWhole, "", "n\n", []string{`0:0-0:0 "n\n"`}},
		{client.Quirks{}, create, false, false, partWhole, "", "", nil},

		{client.Quirks{WritesLF: true}, update, true, false, partWhole, "a\r\nb\r\n", "a\r\nB\r\n", []string{`1:0-2:0 "B\n"`}},
		{client.Quirks{WritesLF: true}, update, false, false, partWhole, "a\r\nb\r\n", "a\r\nB\r\n", []string{`1:0-2:0 "B\r\n"`}},
		{client.Quirks{}, update, true, false, partWhole, "a\r\nb\r\n", "a\r\nB\r\n", []string{`1:0-2:0 "B\r\n"`}},

		{client.Quirks{NewFileEndsLine: true}, create, false, false, partWhole, "", "n\n", []string{`0:0-0:0 "n"`}},
		{client.Quirks{NewFileEndsLine: true}, create, false, false, partWhole, "", "n\r\n", []string{`0:0-0:0 "n"`}},
		{client.Quirks{NewFileEndsLine: true}, create, false, false, partWhole, "", "\n", nil},
		{client.Quirks{NewFileEndsLine: true}, create, true, false, partWhole, "", "n\n", []string{`0:0-0:0 "n\n"`}},
		{client.Quirks{NewFileEndsLine: true}, update, false, false, partWhole, "a\n", "b\n", []string{`0:0-1:0 "b\n"`}},

		{client.Quirks{KeepLastBreak: true}, update, true, false, partWhole, "a\n", "b\n", []string{`0:0-0:1 "b"`}},
		{client.Quirks{KeepLastBreak: true}, update, false, false, partWhole, "a\n", "b\n", []string{`0:0-0:1 "b"`}},
		{client.Quirks{KeepLastBreak: true, EditsFilesOnDisk: true}, update, false, false, partWhole, "a\n", "b\n", []string{`0:0-1:0 "b\n"`}},
		{client.Quirks{KeepLastBreak: true, EditsFilesOnDisk: true}, update, true, false, partWhole, "a\n", "b\n", []string{`0:0-0:1 "b"`}},
		{client.Quirks{KeepLastBreak: true}, update, true, false, partWhole, "a\n", "a", nil},
		{client.Quirks{KeepLastBreak: true}, create, true, false, partWhole, "\n", "b\n", []string{`0:0-0:0 "b"`}},
		{client.Quirks{KeepLastBreak: true}, create, false, false, partWhole, "\n", "b\n", []string{`0:0-1:0 "b\n"`}},

		{client.Quirks{OnlyLF: true}, update, true, false, partWhole, "a\rb\nc\n", "a\rb\nC\n", []string{`1:0-2:0 "C\n"`}},
		{client.Quirks{}, update, true, false, partWhole, "a\rb\nc\n", "a\rb\nC\n", []string{`2:0-3:0 "C\n"`}},
		{client.Quirks{OnlyLF: true}, update, true, false, partWhole, "a\rb\r\nc", "a\rb\r\nC", []string{`1:0-1:1 "C"`}},
		{client.Quirks{OnlyLF: true, KeepLastBreak: true}, update, true, false, partWhole, "a\nb\rc\r\n", "a\nB\r\n", []string{`1:0-1:3 "B"`}},

		{client.Quirks{}, remove, true, false, partWhole, "a\n", "", nil},
		{client.Quirks{}, remove, true, false, partText, "a\n", "", []string{`0:0-1:0 ""`}},
		{client.Quirks{}, remove, true, true, partWhole, "a\n", "", []string{`0:0-1:0 ""`}},
		{client.Quirks{}, remove, true, true, partText, "\r\n", "", nil},
	} {
		c := clientStep{step: proposal.Step{Change: edits.Change{Path: "a", Op: test.op, Before: test.before, After: test.after}, Hunks: edits.Diff(test.before, test.after)}, buffered: test.buffered, part: test.part}
		if test.open {
			c.version = &version
		}
		p := &requestBuilder{caps: &client.Capabilities{DocumentChanges: true, CreateFile: true}, quirks: &test.quirks, encoding: document.UTF16}
		var got []string
		for _, e := range p.textEdits(c) {
			got = append(got, fmt.Sprintf("%d:%d-%d:%d %q", e.Range.Start.Line, e.Range.Start.Character, e.Range.End.Line, e.Range.End.Character, e.NewText))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s %q to %q, %q, open %v: %s, want %s", test.op, test.before, test.after, test.quirks.Switches(), test.open, got, test.want)
		}
	}
}
