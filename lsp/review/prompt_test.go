package review

import (
	"strings"
	"testing"
	"unicode/utf8"

	"coauthor/lsp/lsptest"
)

// The head of a prompt document ends with a line of dashes and nothing else.
func TestEndOfTheHead(t *testing.T) {
	for text, want := range map[string]string{
		"---\ncoder: ask\n---\nbody":                "ask|body",
		"---\ncoder: ask\n---":                      "ask|",
		"---\ncoder: ask\n------\nbody":             "ask|body",
		"---\ncoder: ask\n--- - \t\nbody\n":         "ask|body",
		"---\r\ncoder: ask\r\n---\r\nbo\r\ndy":      "ask|bo\ndy",
		"\ufeff---\ncoder: ask\n---\nbody":          "ask|body",
		"\ufeffbody":                                "|body",
		"---\n---\nbody\n---\nmore":                 "|body\n---\nmore",
		"---\n-----\nbody":                          "|body",
		"---\n---":                                  "|",
		"---":                                       "|---",
		"--- \ncoder: ask\n---\nbody":               "|--- \ncoder: ask\n---\nbody",
		"\n---\ncoder: ask\n---\nbody":              "|---\ncoder: ask\n---\nbody",
		"---\n--- x\nbody":                          "error",
		"---\n---x\n---\nbody":                      "error",
		"---\ncoder: ask\n---x\nbody":               "error",
		"---\ncoder: ask\n--- x\n---\nbody":         "error",
		"---\ncoder: ask\n":                         "error",
		"---\ncoder: ask\n --- \nbody":              "error",
		"---\n":                                     "error",
		"---\ncoder: ask\nfile: a\n---\n\n b c\n\n": "ask|b c",
	} {
		head, body, err := ParsePrompt(text)
		got := head.Coder + "|" + body
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%q is %q (%v), want %q", text, got, err, want)
		}
	}
}

func TestParsePrompt(t *testing.T) {
	for text, want := range map[string]string{
		"just words\n":                         "just words",
		"---\n---\nbody":                       "body",
		"---\r\ncoder: ask\r\n---\r\nbody\r\n": "ask:body",
		"---\ncoder: ask\n---\n\na\n---\nb\n":  "ask:a\n---\nb",
		"---\ncoder: ask\nbody":                "error: not closed",
		"---\nnonsense: 1\n---\nbody":          "error: cannot read",
		"---\ncoder: ask\n--- x\nbody":         "error: not closed",
		"---\ncoder: ask\n----- \t\nbody":      "ask:body",
		"---\ncoder: [\n---\nbody":             "error: cannot read",
		"":                                     "",
	} {
		head, body, err := ParsePrompt(text)
		got := body
		if head.Coder != "" {
			got = head.Coder + ":" + body
		}
		if err != nil {
			if detail, ok := strings.CutPrefix(want, "error: "); !ok || !strings.Contains(err.Error(), detail) {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if got != want {
			t.Errorf("%q gives %q", text, got)
		}
	}
}

func FuzzPrompt(f *testing.F) {
	for _, head := range []string{
		"file: a\nselection: 1:2-3", "selection: 1:99999999999-2:1", "selection: '2'", "selection: 1-99999999999999999999",
		"selection: 0:0-0:0", "version: 99999999999999", "files: [a, b]", "files: &x [*x]", "coder: {a: b}", "a: &a [1]\nfiles: *a", "files: !t x", "arguments: !t x",
	} {
		f.Add("---\n"+head+"\n---\nbody", "äb\r\ncd\n")
	}
	f.Add("no head", "")
	f.Add("---\n---", "\xff\n\r\r\n")
	f.Fuzz(func(t *testing.T, doc, text string) {
		var head PromptHead
		var err error
		lsptest.Within(t, "the head", func() { head, _, err = ParsePrompt(doc) })
		if err != nil {
			return
		}
		lsptest.Within(t, "the selection", func() {
			start, end, err := ParseSelection(text, head.Selection)
			switch {
			case err != nil:
			case start < 0 || end < start || end > len(text) || start == end && text != "":
				t.Errorf("%d to %d of %d", start, end, len(text))
			case utf8.ValidString(text) && (!utf8.ValidString(text[:start]) || !utf8.ValidString(text[start:end])):
				t.Errorf("%d to %d of %q cuts a letter", start, end, text)
			}
		})
	})
}

// The line of a head that says what is in the session follows it; nothing else of the document does, and what the user made
// of that line is theirs.
func TestWithNow(t *testing.T) {
	text, _, err := PromptHead{Coder: "ask"}.Document(PromptHint([]string{"ask"}, ""))
	if err != nil {
		t.Fatal(err)
	}
	text += "# Now: this is mine.\n"
	with, changed := WithNow(text, "in the chat: a.go")
	if !changed || strings.Count(with, "# Now: in the chat: a.go.\n") != 1 || !strings.HasSuffix(with, "# Now: this is mine.\n") ||
		strings.Replace(with, "in the chat: a.go", "no files in the chat, only those in each request", 1) != text {
		t.Errorf("%v, %q", changed, with)
	}
	for what, same := range map[string]string{
		"as it is":      with,
		"without it":    strings.Replace(with, "# Now: in the chat: a.go.\n", "", 1),
		"in other form": strings.Replace(with, "# Now: in", "#Now: in", 1),
		"no head":       "# Now: this is mine.\n",
		"open head":     "---\n# Now: old.\nWords",
		"empty":         "",
	} {
		if got, changed := WithNow(same, "in the chat: a.go"); changed || got != same {
			t.Errorf("%s: %q", what, got)
		}
	}
	windows := strings.ReplaceAll(text, "\n", "\r\n")
	if got, changed := WithNow(windows, "x"); !changed || got != strings.Replace(windows, "no files in the chat, only those in each request", "x", 1) {
		t.Errorf("%v, %q", changed, got)
	}
}
