package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestAPromptDocumentWithHugeNumbersRuns goes the way of the user: the document is run, and answered.
func TestAPromptDocumentWithHugeNumbersRuns(t *testing.T) {
	r := newModelHarness(t, nil, nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\ntwo\n")
	if err := os.MkdirAll(filepath.Join(r.root, ".coauthor"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct{ head, answer string }{
		{"selection: 1:99999999999-2:1", `"turnId"`},
		{"selection: 1:1-99999999999999999999:99999999999999999999", `"turnId"`},
		{"selection: 99999999999:1-2:1", "starts after the end"},
		{"version: 99999999999", "cannot read"},
		{"version: -1\nselection: 1-1", `"turnId"`},
	} {
		path := fmt.Sprintf(".coauthor/prompt-%d.md", i+1)
		text := "---\nfile: a.txt\ncoder: ask\n" + c.head + "\n---\nexplain it\n"
		r.open(path, text)
		mustHold(t, r.command("runPrompt", fmt.Sprintf(`{"uri":%q}`, r.uri(path))), c.answer)
	}
}
