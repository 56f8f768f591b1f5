package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// row is a scenario that every editor is to be seen in, by its words in the table of ../README.md.
type row string

// The rows, from top to bottom.
const (
	rowFiles   row = "a change of several files, one of them new, one renamed, one deleted"
	rowHunk    row = "review the change and apply one hunk"
	rowDiscard row = "discard the change"
	rowTyping  row = "type while the model works"
	rowStale   row = "the text changes after the change is shown"
	rowUndo    row = "undo a request in all its files"
	rowCancel  row = "stop a request"
	rowComment row = "a comment as the instruction (`AI!`)"
	rowChat    row = "a conversation (prompt document or chat view)"
	rowFix     row = "fix what another language server reports"
	rowNoKey   row = "no key for the model"
	rowCrash   row = "the server crashes and is started again"
	rowLate    row = "answer a question late"
	rowBusy    row = "write the next message while a request runs"
	rowText    row = "non-ASCII text, CRLF line endings"
)

var rows = []row{
	rowFiles, rowHunk, rowDiscard, rowTyping, rowStale, rowUndo, rowCancel, rowComment, rowChat, rowFix, rowNoKey, rowCrash, rowLate, rowBusy, rowText,
}

// columns are the editors of the table, from left to right.
var columns = []string{
	"VS Code 1.139",
	"Neovim 0.12", "Neovim 0.10", "Neovim 0.7", "coc.nvim", "vim-lsp",
	"Helix 25.07", "Helix 25.01",
	"Emacs 30 Eglot", "Emacs 28 Eglot", "Emacs lsp-mode",
	"Kakoune",
}

// reason says why a scenario cannot be in an editor: a sentence for the user.
type reason struct {
	editor string
	row    row
	why    string
}

func cannot(editor string, row row, why string) reason { return reason{editor, row, why} }

// reasons are the cells that no test fills. A cell that a test fills has none.
var reasons = []reason{}

// result is what became of one test in one cell, a line of the file that COAUTHOR_E2E_RESULTS names.
type result struct {
	Editor string `json:"editor"`
	Row    row    `json:"row"`
	Test   string `json:"test"`
	Result string `json:"result"` // passed, failed, skipped
	Date   string `json:"date"`   // as 2006-01-02
}

// covers says that a test shows these scenarios in an editor, at the beginning of the test: what becomes of the test
// counts for those cells of the table.
func covers(t *testing.T, editor string, of ...row) {
	t.Helper()
	if !slices.Contains(columns, editor) {
		t.Fatalf("the table has no column %q", editor)
	}
	for _, r := range of {
		if slices.ContainsFunc(reasons, func(c reason) bool { return c.editor == editor && c.row == r }) {
			t.Errorf("the table says why %s has no %q, and here is a test of it", editor, r)
		}
	}
	t.Cleanup(func() {
		name := os.Getenv("COAUTHOR_E2E_RESULTS")
		if name == "" {
			return
		}
		became := "passed"
		switch {
		case t.Failed():
			became = "failed"
		case t.Skipped():
			became = "skipped"
		}
		var lines []byte
		for _, r := range of {
			line, err := json.Marshal(result{editor, r, t.Name(), became, time.Now().UTC().Format(time.DateOnly)})
			if err != nil {
				t.Fatal(err)
			}
			lines = append(append(lines, line...), '\n')
		}
		file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err == nil {
			_, err = file.Write(lines) // in one piece: other tests write there too
		}
		if err == nil {
			err = file.Close()
		}
		if err != nil {
			t.Errorf("note the result: %v", err)
		}
	})
}

// edition is the column of a Neovim or a Helix, by the folder that it was installed in.
func edition(t *testing.T, prefix string) string {
	t.Helper()
	for folder, name := range map[string]string{
		"nvim07": "Neovim 0.7", "nvim010": "Neovim 0.10", "nvim012": "Neovim 0.12", "helix": "Helix 25.01", "helix2507": "Helix 25.07",
	} {
		if filepath.Base(prefix) == folder {
			return name
		}
	}
	t.Fatalf("no column for %s", prefix)
	return ""
}
