package editor

import (
	"encoding/json"
	"testing"
)

func TestApplyTextEdits(t *testing.T) {
	for _, c := range []struct{ name, text, edits, want string }{
		{"insert at the start", "a\nb\n", `[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"x\n"}]`, "x\na\nb\n"},
		{"replace a line", "a\nb\nc", `[{"range":{"start":{"line":1,"character":0},"end":{"line":2,"character":0}},"newText":"B\n"}]`, "a\nB\nc"},
		{"two, given backwards", "a\nb\nc\n", `[{"range":{"start":{"line":2,"character":0},"end":{"line":3,"character":0}},"newText":""},{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"newText":"A"}]`, "A\nb\n"},
		{"past the line end", "a\nb\n", `[{"range":{"start":{"line":0,"character":99},"end":{"line":1,"character":0}},"newText":"; "}]`, "a; b\n"},
	} {
		var edits []textEdit
		if err := json.Unmarshal([]byte(c.edits), &edits); err != nil {
			t.Fatal(err)
		}
		got, err := applyTextEdits(c.text, edits)
		if err != nil || got != c.want {
			t.Errorf("%s: got %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

func TestApplyTextEditsRefuses(t *testing.T) {
	for _, bad := range []string{
		`[{"range":{"start":{"line":9,"character":0},"end":{"line":9,"character":0}},"newText":"x"}]`,
		`[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":2}},"newText":"x"},{"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":3}},"newText":"y"}]`,
	} {
		var edits []textEdit
		if err := json.Unmarshal([]byte(bad), &edits); err != nil {
			t.Fatal(err)
		}
		if got, err := applyTextEdits("abc\n", edits); err == nil {
			t.Errorf("%s was accepted and gave %q", bad, got)
		}
	}
}
