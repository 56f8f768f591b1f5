package llm_test

import (
	"strings"
	"testing"

	"coauthor/agent/llm"
)

const (
	block     = "a.py\n```\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```\n"
	weighed   = "I could do\n\na.py\n```\n<<<<<<< SEARCH\nx\n=======\nbad\n>>>>>>> REPLACE\n```\n\nbut no.\n"
	unclosed  = "Perhaps\n\na.py\n```python\ndef f():\n"
	contains  = "a.js\n```\n<<<<<<< SEARCH\nx\n=======\n</think>\n>>>>>>> REPLACE\n```\n"
	listing   = "a.html\n```html\n<p>\n</think>\n</p>\n```\n"
	diff      = "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y </think>\n </think>\n"
	patched   = "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n</think>\n*** End Patch\n"
	arguments = "{\n\"content\": \"a\n</think>\n\"}"
)

func TestThinking(t *testing.T) {
	for _, x := range []struct {
		name, text, answer string
		open               bool
	}{
		{"no tags", block, block, false},
		{"a pair", "<think>\n" + weighed + "</think>\n\n" + block, block, false},
		{"another word", "<thinking>" + weighed + "</thinking>\n" + block, block, false},
		{"brackets", "[THINK]" + weighed + "[/THINK]" + block, block, false},
		{"no opening tag", weighed + "</think>\n\n" + block, block, false},
		{"no opening tag, Windows line ends", strings.ReplaceAll(weighed+"</think>\n\n", "\n", "\r\n") + block, block, false},
		{"the end of a line", weighed + "So be it.</think>\n\n" + block, block, false},
		{"the middle of a line", weighed + "So be it.</think>" + block, block, false},
		{"a block that was not ended", unclosed + "</think>\n\n" + block, block, false},
		{"an edit that was not ended", "a.py\n<<<<<<< SEARCH\nx\n=======\n</think>\n" + block, block, false},
		{"twice", "<think>a</think>\n<think>" + weighed + "</think>\n" + block, block, false},
		{"closed twice", "<think>\na\n</think>\n" + weighed + "</think>\n" + block, block, false},
		{"spoken of while thinking", "<think>\nStrip `</think>` in\n" + weighed + "</think>\n" + block, block, false},
		{"prose before", "Let me see.\n\n<think>\n" + weighed + "</think>\n" + block, "Let me see.\n\n\n" + block, false},
		{"between edits", block + "<think>\n" + weighed + "</think>\n" + block, block + "\n" + block, false},
		{"never closed", "<think>\n" + weighed, "", true},
		{"an alone tag with blanks behind it", weighed + "</think> \t\n" + block, " \t\n" + block, false},
		{"a tag that is alone but further in", weighed + "</think>\n\n\n" + block, block, false},
		{"text of a listing in tildes", "~~~\n</think>\n~~~\n", "~~~\n</think>\n~~~\n", false},
		{"text of a longer fence", "````\n```\n</think>\n````\n", "````\n```\n</think>\n````\n", false},
		{"a fence further in is text", "```\n  ```\n</think>\n```\n", "```\n  ```\n</think>\n```\n", false},
		{"text of a listing in tags", "<source>\n</think>\n</source>\n", "<source>\n</think>\n</source>\n", false},
		{"a listing that ended", "```\nx\n```\nbut no\n</think>\n" + block, block, false},
		{"a patch that ended", patched + "but no\n</think>\n" + block, block, false},
		{"in quotes of every kind", block + "The '</think>' and \"</think>\" and `</think>`.\n", block + "The '</think>' and \"</think>\" and `</think>`.\n", false},
		{"blank lines and a pair", "\r\n\n<think>a</think>\r\n\r\n" + block, "\r\n\n" + block, false},
		{"nothing behind", weighed + "</think>\n", "", false},
		{"text of a block", contains, contains, false},
		{"text of a listing", listing, listing, false},
		{"text of a listing that does not end", strings.TrimSuffix(listing, "```\n"), strings.TrimSuffix(listing, "```\n"), false},
		{"text of a diff", diff, diff, false},
		{"text of a patch", patched, patched, false},
		{"text of a call", arguments, arguments, false},
		{"thinking, then text of a block", weighed + "</think>\n" + contains, contains, false},
		{"spoken of", block + "Now `</think>` is stripped.\n", block + "Now `</think>` is stripped.\n", false},
		{"spoken of without quotes", block + "Now </think> is stripped.\n", block + "Now </think> is stripped.\n", false},
		{"a pair spoken of", "Text in <think>x</think>\n" + block, "Text in <think>x</think>\n" + block, false},
		{"an opening tag at a line's start, never closed", block + "<think>\nis what we strip\n", block + "<think>\nis what we strip\n", false},
	} {
		thinking, answer, open := llm.Thinking(x.text, llm.ThinkTags(""))
		if answer != x.answer || open != x.open {
			t.Errorf("%s: answer %q, open %v; thinking %q", x.name, answer, open, thinking)
		}
	}
	if _, answer, _ := llm.Thinking("<ponder>a</ponder>b", llm.ThinkTags("ponder")); answer != "b" {
		t.Errorf("a tag of one's own: %q", answer)
	}
}

// FuzzThinking: nothing of a reply is lost or made up, and an answer has no more to set apart.
func FuzzThinking(f *testing.F) {
	f.Add("<think>\n" + weighed + "</think>\n\n" + block)
	f.Add(unclosed + "</think>\n\n" + block)
	f.Add(weighed + "</think>x</think>\n" + contains)
	f.Fuzz(func(t *testing.T, text string) {
		tags := llm.ThinkTags("")
		thinking, answer, open := llm.Thinking(text, tags)
		if open && answer != "" {
			t.Errorf("%q never ends its thinking and answers %q", text, answer)
		}
		if len(thinking)+len(answer) > len(text) || !strings.Contains(text, "</") && !strings.Contains(text, "<think") &&
			!strings.Contains(text, "<reas") && !strings.Contains(text, "THINK]") && !strings.Contains(text, "<thou") && answer != text {
			t.Errorf("%q became %q and %q", text, thinking, answer)
		}
	})
}
