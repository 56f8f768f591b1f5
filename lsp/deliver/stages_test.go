package deliver

import (
	"fmt"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
)

// A step goes in the requests that its client needs, in the order in which each must have arrived: files are made, texts
// written, files taken away; and an open document is emptied before its file is deleted where nothing closes it.
func TestStagesOfAStep(t *testing.T) {
	apart, empty := client.Quirks{OperationsApart: true}, client.Quirks{EmptyBeforeDelete: true}
	version := int32(1)
	for _, c := range []struct {
		quirks client.Quirks
		plan   string // as in steps; an "o" behind a letter is an open document that was saved
		want   string // requests of file and part: w whole, t text, f file; + more follows, * one came before
	}{
		{client.Quirks{}, "u", "0w"},
		{client.Quirks{}, "do", "0w"},
		{empty, "d", "0w"},
		{empty, "do", "0t+ 0f*"},
		{empty, "u do", "0w 1t+ 1f*"},
		{empty, "u", "0w"},
		{apart, "u", "0t"},
		{apart, "c", "0f+ 0t*"},
		{apart, "d", "0f"},
		{apart, "D", "0t"},
		{apart, "r", "0t+ 0f*"},
		{apart, "u c d r", "1f+ 0t1t*3t+ 2f3f*"},
		{client.Quirks{OperationsApart: true, NewFileByEdit: true}, "c u", "0t1t"},
		{client.Quirks{OperationsApart: true, EmptyBeforeDelete: true}, "do", "0t+ 0f*"},
		{client.Quirks{OperationsApart: true, EmptyBeforeDelete: true}, "d u", "1t 0f"},
	} {
		var list []clientStep
		for i, word := range strings.Fields(c.plan) {
			one := clientSteps(word[:1])[0]
			one.index = i
			if strings.HasSuffix(word, "o") {
				one.version = &version
			}
			list = append(list, one)
		}
		p := &requestBuilder{caps: &client.Capabilities{DocumentChanges: true, CreateFile: true, RenameFile: true, DeleteFile: true, FailureHandling: "abort"},
			quirks: &c.quirks, encoding: document.UTF16}
		var got []string
		for _, request := range p.stages(list) {
			word := ""
			for _, one := range request {
				word += fmt.Sprint(one.index) + map[part]string{partWhole: "w", partText: "t", partFile: "f"}[one.part]
				if one.more {
					word += "+"
				}
				if one.next {
					word += "*"
				}
			}
			got = append(got, word)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %s goes as %q, want %s", c.quirks.Switches(), c.plan, got, c.want)
		}
		p.native = true
		if native := p.stages(list); len(native) != 1 || len(native[0]) != len(list) {
			t.Errorf("%s: a preview is of %d parts", c.plan, len(native))
		}
	}
	// What is empty already needs not be emptied.
	for text, want := range map[string]int{"": 1, "\n": 1, "\r\n": 1, " ": 2, "x\n": 2} {
		one := clientSteps("d")[0]
		one.version = &version
		one.step.Change.Before, one.step.Hunks = text, edits.Diff(text, "")
		p := &requestBuilder{caps: &client.Capabilities{DocumentChanges: true, DeleteFile: true}, quirks: &empty, encoding: document.UTF16}
		if got := len(p.stages([]clientStep{one})); got != want {
			t.Errorf("%q is deleted in %d requests", text, got)
		}
		p.caps.DeleteFile = false
		if got := len(p.stages([]clientStep{one})); got != 1 {
			t.Errorf("%q: a client that cannot delete gets %d requests", text, got)
		}
	}
}
