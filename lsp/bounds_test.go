package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"coauthor/lsp/lsptest"
)

// TestNumbersOfASelectionHaveBounds: whatever stands there, the answer comes at once, and a number beyond
// the end means the end.
func TestNumbersOfASelectionHaveBounds(t *testing.T) {
	const huge, overflow = "99999999999", "99999999999999999999999999"
	text := "äb\ncd\r\nef"
	for selection, want := range map[string]string{
		"1:" + huge + "-2:1":              "\n",
		"1:" + overflow + "-2:1":          "\n",
		"1:1-1:" + huge:                   "äb",
		"1:1-1:" + overflow:               "äb",
		"2:1-2:" + huge:                   "cd",
		"1:3-" + huge + ":" + huge:        "\ncd\r\nef",
		"2-" + overflow:                   "cd\r\nef",
		"1:2-" + overflow + ":1":          "b\ncd\r\nef",
		"1:0-1:2":                         "ä",
		"000000001:00000001-0001:0000002": "ä",
		huge + "-" + huge:                 "",
		overflow:                          "",
		"0:1-2:1":                         "",
		"1-0":                             "",
		"1:1-0:" + huge:                   "",
		"1:" + huge + "-1:" + huge:        "",
		"3:" + huge + "-3:" + overflow:    "",
	} {
		lsptest.Within(t, selection, func() {
			start, end, err := parseSelection(text, selection)
			if want == "" {
				if err == nil {
					t.Errorf("%q selects %q", selection, text[start:end])
				}
				return
			}
			if err != nil || text[start:end] != want {
				t.Errorf("%q selects %q, %v; want %q", selection, text[start:end], err, want)
			}
		})
	}
	// A line may be long, and end in what looks like many line ends.
	long := strings.Repeat("\r", 1<<20) + "\nx\n"
	lsptest.Within(t, "a long line", func() {
		if start, end, err := parseSelection(long, "1:1000000-2"); err != nil || long[start:] != long[0:] || end != len(long) {
			t.Errorf("%d to %d, %v", start, end, err)
		}
	})
}

// TestAPromptDocumentWithHugeNumbersRuns goes the way of the user: the document is run, and answered.
func TestAPromptDocumentWithHugeNumbersRuns(t *testing.T) {
	r := newRig(t, nil, nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\ntwo\n")
	if err := os.MkdirAll(filepath.Join(r.root, ".coauthor"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct{ head, answer string }{
		{"selection: 1:99999999999-2:1", `"turnId"`},
		{"selection: 1:1-99999999999999999999:99999999999999999999", `"turnId"`},
		{"selection: 99999999999:1-2:1", "begins beyond the end"},
		{"version: 99999999999", "cannot be read"},
		{"version: -1\nselection: 1-1", `"turnId"`},
	} {
		path := fmt.Sprintf(".coauthor/prompt-%d.md", i+1)
		text := "---\nfile: a.txt\ncoder: ask\n" + c.head + "\n---\nexplain it\n"
		r.open(path, text)
		mustHold(t, r.command("runPrompt", fmt.Sprintf(`{"uri":%q}`, r.uri(path))), c.answer)
	}
}

func FuzzPrompt(f *testing.F) {
	for _, head := range []string{
		"file: a\nselection: 1:2-3", "selection: 1:99999999999-2:1", "selection: '2'", "selection: 1-99999999999999999999",
		"selection: 0:0-0:0", "version: 99999999999999", "files: [a, b]", "files: &x [*x]", "coder: {a: b}", "a: &a [1]\nfiles: *a",
	} {
		f.Add("---\n"+head+"\n---\nbody", "äb\r\ncd\n")
	}
	f.Add("no head", "")
	f.Add("---\n---", "\xff\n\r\r\n")
	f.Fuzz(func(t *testing.T, doc, text string) {
		var head promptHead
		var err error
		lsptest.Within(t, "the head", func() { head, _, err = parsePrompt(doc) })
		if err != nil {
			return
		}
		lsptest.Within(t, "the selection", func() {
			start, end, err := parseSelection(text, head.Selection)
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
