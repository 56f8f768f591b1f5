package lsptest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestApplyQuirks sends one edit and sees what each kind of client makes of it and says about it.
func TestApplyQuirks(t *testing.T) {
	stale := func(s *toy, e *Editor) string {
		e.Replace("a.txt", "two", "2") // version 1 or, in Neovim, 4
		return s.edit(e, "a.txt", 0, first)
	}
	tests := []struct {
		name    string
		profile string
		quirks  func(*Quirks)
		edit    func(*toy, *Editor) string
		answer  string // the result or error as text
		text    string
	}{
		{"generic applies", "generic", nil, nil, "map[applied:true]", "ONE\ntwo\nthree\n"},
		{"generic refuses what is stale", "generic", nil, stale,
			"map[applied:false failedChange:0 failureReason:document has changed]", "one\n2\nthree\n"},
		{"Neovim drops what is stale and says applied", "neovim", nil, stale, "map[applied:true]", "one\n2\nthree\n"},
		{"Helix refuses", "helix", nil, stale,
			"map[applied:false failedChange:0 failureReason:document has changed]", "one\n2\nthree\n"},
		{"null", "generic", func(q *Quirks) { q.AppliedNull = true }, stale, "map[applied:<nil>]", "one\n2\nthree\n"},
		{"error", "generic", func(q *Quirks) { q.ErrorInsteadOfFalse = true }, stale,
			"map[code:-32603 message:Internal error]", "one\n2\nthree\n"},
		{"declined", "generic", func(q *Quirks) { q.DeclinesSilently = true }, nil, "map[applied:false]", "one\ntwo\nthree\n"},
		{"declined with a lie", "generic", func(q *Quirks) { q.DeclinesSilently, q.LieApplied = true, true }, nil,
			"map[applied:true]", "one\ntwo\nthree\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, e := run(t, tt.profile, func(p *Profile, o *Options) {
				o.Unreviewed = true
				if tt.quirks != nil {
					tt.quirks(&p.Quirks)
				}
			})
			e.Initialize()
			e.Open("a.txt")
			edit := s.edit(e, "a.txt", 0, first)
			if tt.edit != nil {
				edit = tt.edit(s, e)
			}
			m := s.ask("workspace/applyEdit", edit)
			got := fmt.Sprint(m["result"])
			if m["error"] != nil {
				got = fmt.Sprint(m["error"])
			}
			if got != tt.answer {
				t.Errorf("answer %s, want %s", got, tt.answer)
			}
			if text, _ := e.Text("a.txt"); text != tt.text {
				t.Errorf("text %q, want %q", text, tt.text)
			}
			e.Do(func(l *Log) {
				if len(l.Violations) > 0 {
					t.Errorf("violations: %v", l.Violations)
				}
			})
		})
	}
}

// TestNeovimChecksTheFirstOnly: a stale second document is edited at the wrong place.
func TestNeovimChecksTheFirstOnly(t *testing.T) {
	s, e := run(t, "neovim", func(_ *Profile, o *Options) { o.Unreviewed = true })
	e.Initialize()
	e.Open("a.txt")
	write(t, e.Path("b.txt"), "one\ntwo\n")
	e.Open("b.txt")
	e.Replace("b.txt", "one", "zero\none")
	s.ask("workspace/applyEdit", fmt.Sprintf(`{"label":"Coauthor: toy","edit":{"documentChanges":[
		{"textDocument":{"uri":%q,"version":0},"edits":%s},{"textDocument":{"uri":%q,"version":0},"edits":%s}]}}`,
		e.URI("a.txt"), first, e.URI("b.txt"), first))
	if text, _ := e.Text("b.txt"); text != "ONE\none\ntwo\n" {
		t.Errorf("b.txt is %q", text)
	}
}

// TestNewFile: a text edit of a missing file makes a buffer, tells so, and nothing lands on disk before a save.
func TestNewFile(t *testing.T) {
	for profile, want := range map[string]string{"generic": "x\n", "helix": "x\n\n", "neovim": "x\n\n"} {
		t.Run(profile, func(t *testing.T) {
			s, e := run(t, profile, func(_ *Profile, o *Options) { o.Unreviewed = true })
			e.Initialize()
			s.ask("workspace/applyEdit", s.edit(e, "sub/n.txt", nil,
				`[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"x\n"}]`))
			s.wait(func(m map[string]any) bool {
				return m["method"] == "textDocument/didChange" && strings.HasSuffix(fmt.Sprint(at(m["params"], "textDocument", "uri")), "n.txt")
			})
			if text, _ := e.Text("sub/n.txt"); text != want {
				t.Errorf("text %q, want %q", text, want)
			}
			if _, err := os.Stat(e.Path("sub/n.txt")); err == nil {
				t.Error("the file is on disk before it was saved")
			}
			if err := os.Mkdir(filepath.Dir(e.Path("sub/n.txt")), 0o755); err != nil {
				t.Fatal(err)
			}
			e.Save("sub/n.txt")
			if raw, err := os.ReadFile(e.Path("sub/n.txt")); err != nil || string(raw) != want {
				t.Errorf("on disk %q, %v", raw, err)
			}
		})
	}
}

// TestMirror: a server that follows the changes has the text of the buffer after typing, edits, undo and odd letters.
func TestMirror(t *testing.T) {
	encoding := counting{encoding: "utf-16"}
	s, e := run(t, "generic", func(_ *Profile, o *Options) { o.Unreviewed = true })
	e.Initialize()
	write(t, e.Path("c.txt"), "a😀b\r\nzwei\r\n")
	e.Open("c.txt")
	e.Replace("c.txt", "b", "B\r\nneu")
	e.Replace("c.txt", "zwei", "ẞ𐐷")
	e.Undo("c.txt")
	e.Replace("c.txt", "😀", "😁") // the bytes differ in the last one only
	s.ask("workspace/applyEdit", s.edit(e, "c.txt", e.Version("c.txt"),
		`[{"range":{"start":{"line":0,"character":3},"end":{"line":0,"character":4}},"newText":"C"}]`))
	want, _ := e.Text("c.txt")
	s.sync()
	got := ""
	for _, m := range s.sent() {
		switch m["method"] {
		case "textDocument/didOpen":
			got = fmt.Sprint(at(m["params"], "textDocument", "text"))
		case "textDocument/didChange":
			list, _ := at(m["params"], "contentChanges").([]any)
			for _, c := range list {
				got = applyEdits(got, []TextEdit{{Range: rangeOf(at(c, "range")), NewText: fmt.Sprint(at(c, "text"))}}, encoding)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the mirror differs (-buffer +mirror):\n%s", diff)
	}
	if want != "a😁C\r\nneu\r\nzwei\r\n" {
		t.Errorf("the buffer is %q", want)
	}
}

func (s *toy) sent() []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]map[string]any(nil), s.got...)
}

func rangeOf(v any) Range {
	pos := func(key string) Position {
		line, _ := at(v, key, "line").(float64)
		character, _ := at(v, key, "character").(float64)
		return Position{Line: uint32(line), Character: uint32(character)}
	}
	return Range{Start: pos("start"), End: pos("end")}
}

// TestDialogs: one client answers when the user does, one never, one has no dialogs.
func TestDialogs(t *testing.T) {
	const question = `{"type":3,"message":"Apply?","actions":[{"title":"Apply"},{"title":"Discard"}]}`
	s, e := run(t, "generic", nil)
	e.Initialize()
	id := s.post("window/showMessageRequest", question)
	e.Answer("Discard")
	m := s.wait(func(m map[string]any) bool { return m["id"] == id })
	if got := fmt.Sprint(m["result"]); got != "map[title:Discard]" {
		t.Errorf("answer %s", got)
	}
	s, e = run(t, "helix-25.01", nil)
	e.Initialize()
	if m := s.ask("window/showMessageRequest", question); fmt.Sprint(at(m, "error", "code")) != "-32601" {
		t.Errorf("answer %v", m)
	}
	s, e = run(t, "generic", func(p *Profile, _ *Options) { p.Quirks.NeverAnswersSMR = true })
	e.Initialize()
	id = s.post("window/showMessageRequest", question)
	s.sync()
	for _, m := range s.sent() {
		if m["id"] == id {
			t.Errorf("answered with %v", m)
		}
	}
}

// TestWorking: an item counts from the request for it on, since a server may begin it at any moment behind that.
func TestWorking(t *testing.T) {
	s, e := run(t, "generic", nil)
	e.Initialize()
	s.ask("window/workDoneProgress/create", `{"token":"p"}`)
	for _, kind := range []string{"", "begin", "end"} {
		if kind != "" {
			s.say(fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/progress","params":{"token":"p","value":{"kind":%q%s}}}`, kind, map[string]string{"begin": `,"title":"t"`}[kind]))
		}
		s.sync()
		e.Do(func(l *Log) {
			if l.Working() == (kind == "end") {
				t.Errorf("after %q it works: %v", kind, l.Working())
			}
		})
	}
}
