package prompt

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"coauthor/agent/model"
)

// The message is one text of lines that fit, whatever a model wraps it in.
func TestCommitMessage(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 30))
	for _, c := range []struct{ name, answer, want string }{
		{"plain", "Add a test", "Add a test\n"},
		{"white space", "\n\n  Add   a test \n", "Add a test\n"},
		{"quotes", `"Add a test"`, "Add a test\n"},
		{"quotes that are part of it", `"a" becomes "b"`, "\"a\" becomes \"b\"\n"},
		{"fence", "```text\nAdd a test\n\nIt was missing.\n```\nThat is all.", "Add a test\n\nIt was missing.\n"},
		{"introduction", "Here is the commit message:\n\nAdd a test", "Add a test\n"},
		{"body", "Add a test\n\n\n\n- one\n- two\n", "Add a test\n\n- one\n- two\n"},
		{"body without a line between", "Add a test\nIt was missing.", "Add a test\n\nIt was missing.\n"},
		{"trailers", "Add a test\n\nIt was missing.\n\nSigned-off-by: Boss <b@example.org>\nco-authored-by : x\n", "Add a test\n\nIt was missing.\n"},
		{"only trailers", "Signed-off-by: Boss <b@example.org>", ""},
		{"nothing", " \n\t\n", ""},
		{"long first line", long, strings.TrimSpace(strings.Repeat("word ", 14)) + "\n\n" + strings.TrimSpace(strings.Repeat("word ", 14)) + "\n" + "word word\n"},
		{"long line of a list", "Add\n\n- " + long, "Add\n\n- " + strings.TrimSpace(strings.Repeat("word ", 14)) + "\n  " + strings.TrimSpace(strings.Repeat("word ", 14)) + "\n  word word\n"},
		{"a long word", "Add\n\nhttps://example.org/" + strings.Repeat("x", 80), "Add\n\nhttps://example.org/" + strings.Repeat("x", 80) + "\n"},
		{"wide signs", strings.Repeat("表", 40), strings.Repeat("表", 36) + "\n\n" + strings.Repeat("表", 4) + "\n"},
		{"hidden signs", "Add\x1b[31m a\u202e test\x00\r\n", "Add[31m a test\n"},
		{"another language", "Füge einen Test hinzu", "Füge einen Test hinzu\n"},
	} {
		if got := CommitMessage(c.answer); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := CommitMessage("Add\n\n" + strings.Repeat("x\n", 500)); strings.Count(got, "\n") > mostBody+2 {
		t.Errorf("%d lines", strings.Count(got, "\n"))
	}
}

// Whatever a model answers, its message has lines that fit or are one word, shows all that it holds, and signs for
// nobody.
func FuzzCommitMessage(f *testing.F) {
	for _, seed := range []string{"Add", "a\n\nb", "```\nx\n```", "\"x\"", "- \t x", "\u202ex\r\ry", "表表", "A-by: b\nx", "\xff\xfe", "1. x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		got := CommitMessage(answer)
		if got == "" {
			return
		}
		if !utf8.ValidString(got) || !strings.HasSuffix(got, "\n") || strings.TrimSpace(got) == "" {
			t.Fatalf("%q", got)
		}
		for i, line := range strings.Split(got, "\n") {
			if columnsOf(line) > columns && (i == 0 || len(strings.Fields(listItem.ReplaceAllString(line, ""))) > 1) {
				t.Errorf("line %d takes %d columns: %q", i, columnsOf(line), line)
			}
			if trailerLine.MatchString(line) {
				t.Errorf("line %d signs: %q", i, line)
			}
		}
		if strings.ContainsFunc(got, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) {
			t.Errorf("%q", got)
		}
	})
}

// The model is shown the diff and what was said, as far as they fit, in fences that they do not end.
func TestCommitMessages(t *testing.T) {
	count := func(s string) int { return len(s) / 4 }
	in := Commit{Diff: "+x\n```\n", Hidden: 2, Asked: "Mach x zwei.", Answer: "Done.", Subjects: []string{"x: add y"}}
	list, err := CommitMessages(model.Profile{UseSystemPrompt: true}, in, 10000, count)
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	system, user := list[0].String(), list[1].String()
	for _, want := range []string{"72 characters", "language"} {
		if !strings.Contains(system, want) {
			t.Errorf("no %q in\n%s", want, system)
		}
	}
	for _, want := range []string{"+x\n```\n", "Mach x zwei.", "Done.", "x: add y", "2 more files"} {
		if !strings.Contains(user, want) {
			t.Errorf("no %q in\n%s", want, user)
		}
	}
	in.Around.Language = "German"
	if list, err := CommitMessages(model.Profile{}, in, 10000, count); err != nil || len(list) != 1 || !strings.Contains(list[0].String(), "German") {
		t.Errorf("one message: %v, %v", list, err)
	}
	in.System = "Say moo."
	if list, err := CommitMessages(model.Profile{UseSystemPrompt: true}, in, 10000, count); err != nil || list[0].String() != "Say moo." {
		t.Errorf("the user's own: %v, %v", list, err)
	}
	in.Diff = strings.Repeat("+a line of the change\n", 5000)
	list, err = CommitMessages(model.Profile{UseSystemPrompt: true}, in, 2000, count)
	if err != nil || count(list[0].String()+list[1].String()) > 2000 || !strings.Contains(list[1].String(), "left out") {
		t.Errorf("cut: %d tokens, %v", count(list[1].String()), err)
	}
	in.Asked, in.Answer = strings.Repeat("Make it so. ", 2000), strings.Repeat("It is so. ", 2000)
	list, err = CommitMessages(model.Profile{UseSystemPrompt: true}, in, 2000, count)
	if err != nil || count(list[0].String()+list[1].String()) > 2000 || strings.Count(list[1].String(), "a line of the change") < 100 || !strings.Contains(list[1].String(), "Make it so.") {
		t.Errorf("much was said: %v, %v", list, err)
	}
	in.Asked, in.Answer = "Mach x zwei.", "Done."
	if _, err := CommitMessages(model.Profile{}, in, 300, count); err == nil {
		t.Error("it fits into nothing")
	}
}
