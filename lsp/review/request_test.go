package review

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"coauthor/agent/event"
	"coauthor/agent/workspace"
)

// A prompt document is about what its head says: the selection is followed through what happened to the file since it
// was made, where that is known and the user has not named another one, and read as it stands where not.
func TestRequestOfAPrompt(t *testing.T) {
	before, now := "one\ntwo\nthree\n", "zero\none\ntwo\nthree\n"
	made := OriginOf(PromptHead{File: "a"}, before, 4, 8)
	if made.Head.Selection != "2:1-3:1" || made.Text != before || made.Start != 4 || made.End != 8 || made.Head.File != "a" {
		t.Fatalf("%+v", made)
	}
	for _, test := range []struct {
		name   string
		head   string
		origin *Origin
		now    string
		want   string // that is selected; "-" for the whole file, "" for no file
		fails  bool
	}{
		{"no head", "", &made, now, "", false},
		{"a file", "file: a\n", &made, now, "-", false},
		{"known", "file: a\nselection: 2:1-3:1\n", &made, now, "two\n", false},
		{"unknown", "file: a\nselection: 2:1-3:1\n", nil, now, "one\n", false},
		{"another selection", "file: a\nselection: 1-2\n", &made, now, "zero\none\n", false},
		{"another file", "file: b\nselection: 2:1-3:1\n", &made, now, "B2\n", false},
		{"deleted", "file: a\nselection: 2:1-3:1\n", &made, "one\nthree\n", "", true},
		{"no selection", "file: a\nselection: nonsense\n", nil, now, "", true},
		{"no file", "file: c\nselection: 1-2\n", nil, now, "", true},
		{"no head of ours", "nonsense: 1\n", nil, now, "", true},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"a": test.now, "b": "B1\nB2\nB3\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		ws, err := workspace.Open(dir, workspace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = ws.Close() })
		ws.Put(workspace.NewDocument("a", test.now, 7, time.Time{}))
		var origins Origins
		if test.origin != nil {
			origins.Put(dir, "prompt", *test.origin)
		}
		text := "do it\n"
		if test.head != "" {
			text = "---\n" + test.head + "coder: ask\nmodel: m\nfiles: [x, y]\nfollowUp: t-1\n---\n\n do it \n"
		}
		req, err := origins.Request(ws.Snapshot(), dir, "prompt", text)
		if (err != nil) != test.fails || err != nil && !strings.Contains(err.Error(), "prompt") && !strings.Contains(err.Error(), "a") {
			t.Errorf("%s: %v", test.name, err)
		}
		if test.fails {
			continue
		}
		if req.Instruction != "do it" || test.head != "" && (req.Coder != "ask" || req.Model != "m" || !slices.Equal(req.Files, []string{"x", "y"}) || req.FollowUp != "t-1") {
			t.Errorf("%s: %+v", test.name, req)
		}
		if (req.Target != nil) != (test.want != "") {
			t.Fatalf("%s: %+v", test.name, req.Target)
		}
		if req.Target == nil {
			continue
		}
		selected, version := "-", int32(0)
		if test.want != "-" {
			text, err := ws.Snapshot().Read(req.Target.Path)
			if err != nil {
				t.Fatal(err)
			}
			selected = text[req.Target.Start:req.Target.End]
			if req.Target.Path == "a" {
				version = 7
			}
		}
		if selected != test.want || req.Target.Version != version || test.want == "-" && req.Target.Start+req.Target.End > 0 {
			t.Errorf("%s: %+v, %q", test.name, req.Target, selected)
		}
	}
}

// What is written for a user to fill in is read as it was meant, and the line on which the text begins is there and below
// the head.
func TestNewPromptDocuments(t *testing.T) {
	question := event.Question{Text: "What\nnow?", Choices: []string{"this", "that"}}
	for _, head := range []PromptHead{
		{}, {File: "a"}, {File: "a: b # c", Selection: "1:2-3:4", Version: 3}, {Files: []string{"x", "y"}, Coder: "ask", Model: "m", FollowUp: "t-1"},
	} {
		for _, hint := range []string{"", PromptHint([]string{"code", "ask"}, "coder code, in the chat: a.go"), AnswerHint(&question), AnswerHint(&event.Question{Text: "?"})} {
			text, line, err := head.Document(hint)
			if err != nil {
				t.Fatal(err)
			}
			for l := range strings.Lines(hint) {
				if !strings.HasPrefix(l, "#") {
					t.Errorf("the hint has the line %q", l)
				}
			}
			lines := strings.Split(text, "\n")
			if line != len(lines)-2 || lines[line] != "" || lines[line-1] != "---" || !strings.Contains(text, hint) || strings.Contains(text, "{}") {
				t.Errorf("line %d of %q", line, text)
			}
			lines[line] = "do it"
			got, body, err := ParsePrompt(strings.Join(lines, "\n"))
			if err != nil || body != "do it" || !reflect.DeepEqual(got, head) {
				t.Errorf("%+v, %q, %v, want %+v", got, body, err, head)
			}
		}
	}
	mustHold(t, AnswerHint(&question), "# What\n# now?\n", "this", "that")
}

// A text that is cut fits on a line of the length given, and begins as it did.
func TestCut(t *testing.T) {
	for text, want := range map[string]string{"": "", "abc": "abc", "abcd": "abcd", "abcde": "abc…", " a\n b ": "a b", "äöüß": "äöüß", "äöüßx": "äöü…"} {
		if got := Cut(text, 4); got != want || utf8.RuneCountInString(got) > 4 {
			t.Errorf("%q is cut to %q", text, got)
		}
	}
}
