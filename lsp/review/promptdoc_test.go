package review

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/lsp/document"
)

// newPrompts makes the documents of a folder in which the client has the texts of open.
func newPrompts(t *testing.T, u *user, open map[string]string) *Prompts {
	t.Helper()
	r, _, _ := newReview(t, u)
	return &Prompts{
		Editor: u, Dir: r.Root.Dir, Workspace: r.Root.Workspace, Origins: &Origins{}, Log: slog.New(slog.DiscardHandler),
		Text: func(path string) (string, bool) { text, is := open[path]; return text, is },
	}
}

// A document for the user to write in is a new one, by a name that is neither on disk nor open; what it was made for is
// known when it is read.
func TestPromptsAreNew(t *testing.T) {
	p := newPrompts(t, &user{}, map[string]string{".coauthor/prompt-2.md": "open, and not saved"})
	for i, want := range []string{"prompt-1.md", "prompt-3.md", "prompt-4.md"} {
		q := event.Question{ID: "q" + want, Text: "Which one?", FreeText: true}
		doc, err := p.ForAnswer(&q)
		if err != nil || doc.Abs != filepath.Join(p.Dir, OwnFolder, want) || doc.URI != document.URIOfPath(doc.Abs) {
			t.Fatalf("document %d is %+v, %v", i, doc, err)
		}
		raw, err := os.ReadFile(doc.Abs)
		if lines := strings.Split(string(raw), "\n"); err != nil || doc.Line >= len(lines) || lines[doc.Line] != "" || !strings.Contains(string(raw), q.Text) {
			t.Errorf("%q, begun in line %d, %v", raw, doc.Line, err)
		}
		if o, known := p.Origins.Get(p.Dir, OwnFolder+"/"+want); !known || o.Question != q.ID {
			t.Errorf("%s is for %+v", want, o)
		}
	}
	if _, err := (&Prompts{}).ForAnswer(&event.Question{ID: "q"}); err == nil {
		t.Error("a document was made in no folder")
	}
	if err := os.RemoveAll(filepath.Join(p.Dir, OwnFolder)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.Dir, OwnFolder), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Make(Origin{}, PromptHint([]string{"code", "ask"}, "coder code, in the chat: a.go"), ""); err == nil {
		t.Error("a document was made where its folder is a file")
	}
}

// It is opened, or the user is told where it is, but not when nobody waits for it any more.
func TestPromptsAreShown(t *testing.T) {
	doc := PromptDocument{URI: "file:///r/.coauthor/prompt-1.md", Abs: "/r/.coauthor/prompt-1.md", Line: 3}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx   context.Context
		user  user
		shown int
		told  int
	}{
		{t.Context(), user{}, 1, 0},
		{t.Context(), user{noShow: true}, 0, 1},
		{gone, user{noShow: true}, 0, 0},
	} {
		p := newPrompts(t, &c.user, nil)
		if p.Show(c.ctx, doc); len(c.user.shown) != c.shown || len(c.user.told) != c.told {
			t.Errorf("shown %q, told %q", c.user.shown, c.user.told)
		}
		if c.told > 0 && !strings.Contains(c.user.told[0], doc.Abs) {
			t.Errorf("told %q", c.user.told)
		}
	}
}

// What is asked is what the user has before them: the open text before the one on disk.
func TestPromptsAreRead(t *testing.T) {
	open := map[string]string{}
	p := newPrompts(t, &user{}, open)
	doc, err := p.Make(Origin{Head: PromptHead{Coder: "ask"}}, PromptHint([]string{"code", "ask"}, "coder code, in the chat: a.go"), "")
	if err != nil {
		t.Fatal(err)
	}
	name := OwnFolder + "/" + filepath.Base(doc.Abs)
	text, err := os.ReadFile(doc.Abs)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(doc.Abs, []byte(string(text)+"On disk.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if req, err := p.Request(t.Context(), name); err != nil || req.Instruction != "On disk." || req.Coder != "ask" {
		t.Errorf("%+v, %v", req, err)
	}
	open[name] = string(text) + "In the editor.\n"
	if req, err := p.Request(t.Context(), name); err != nil || req.Instruction != "In the editor." {
		t.Errorf("%+v, %v", req, err)
	}
	open[name] = "---\nno: end"
	if _, err := p.Request(t.Context(), name); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("%v", err)
	}
	for what, hint := range map[string]string{OwnFolder + "/prompt-9.md": "Write an instruction…", OwnFolder: OwnFolder} {
		if _, err := p.Request(t.Context(), what); err == nil || !strings.Contains(err.Error(), hint) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
