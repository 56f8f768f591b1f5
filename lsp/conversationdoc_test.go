package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/llm/llmtest"
	"coauthor/lsp/lsptest"
	"coauthor/lsp/review"
)

// until waits for a condition.
func (d *bufferHarness) until(what string, is func() bool) {
	d.t.Helper()
	for end := time.Now().Add(lsptest.Hung); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			d.t.Fatalf("never: %s", what)
		}
	}
}

// talked makes a conversation with one answer in an open document, which was not saved.
func talked(t *testing.T, d *bufferHarness) (path, disk string) {
	t.Helper()
	path = d.prompt(`{"kind":"ask"}`)
	disk = d.text(path)
	d.open(path)
	d.typed(path, disk+"Why?\n")
	if !d.root.Chat.Write(t.Context(), path, func(doc string) string {
		return review.WithSection(review.WithSaid(doc, "Why?"), review.Section{Kind: review.SectionAnswer, ID: "t-1", Title: "Coauthor", Text: "So."})
	}) {
		t.Fatalf("not written:\n%s", d.text(path))
	}
	d.wantText(path, "\nSo.\n")
	return path, disk
}

// What was answered is not lost with a document that is closed without being saved, and an open one is never written behind
// the editor's back.
func TestAConversationIsKept(t *testing.T) {
	for name, c := range map[string]struct {
		before func(d *bufferHarness, path string)
		kept   bool
	}{
		"closed":                          {func(d *bufferHarness, path string) { d.close(path) }, true},
		"left open while the editor goes": {func(d *bufferHarness, _ string) { d.s.keepDocuments() }, true},
		"open": {func(d *bufferHarness, path string) {
			doc, _ := d.s.docs.Get(d.uri(path))
			doc.Root.Chat.Keep(d.t.Context(), shown(doc))
		}, false},
		"deleted on disk": {func(d *bufferHarness, path string) {
			if err := os.Remove(filepath.Join(d.root.Dir, path)); err != nil {
				d.t.Fatal(err)
			}
			d.s.keepDocuments()
		}, false},
		"newer on disk": {func(d *bufferHarness, path string) {
			newer := review.WithSection(d.text(path), review.Section{Kind: review.SectionAnswer, ID: "t-2", Text: "More."})
			if err := os.WriteFile(filepath.Join(d.root.Dir, path), []byte(newer), 0o600); err != nil {
				d.t.Fatal(err)
			}
			d.s.keepDocuments()
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			d := newBufferHarness(t, nil, nil)
			path, disk := talked(t, d)
			c.before(d, path)
			read := func() string {
				raw, _ := os.ReadFile(filepath.Join(d.root.Dir, path)) // one that is gone is empty
				return string(raw)
			}
			if c.kept {
				d.until("the answer is on disk", func() bool { return strings.Contains(read(), "\nSo.\n") })
			}
			d.sync()
			if got := read(); !c.kept && got != "" && got != disk || name == "newer on disk" && !strings.Contains(got, "More.") {
				t.Errorf("on disk is\n%s", got)
			}
		})
	}
}

// What is answered while the editor leaves is not lost, and does not keep it: the file gets it, below what was not saved.
func TestAConversationIsWrittenAtTheEnd(t *testing.T) {
	d := newBufferHarness(t, nil, nil)
	path, _ := talked(t, d)
	d.s.beginShutdown(nil)
	sent := d.sent()
	late := review.Section{Kind: review.SectionAnswer, ID: "t-2", Title: "Coauthor", Text: "Late."}
	if !d.root.Chat.Write(t.Context(), path, func(doc string) string { return review.WithSection(doc, late) }) {
		t.Error("not written")
	}
	raw, err := os.ReadFile(filepath.Join(d.root.Dir, path))
	if text := string(raw); err != nil || !strings.Contains(text, "\nSo.\n") || !strings.Contains(text, "\nLate.\n") {
		t.Errorf("%v, on disk is\n%s", err, text)
	}
	if n := d.sent() - sent; n != 0 {
		t.Errorf("%d edits were sent", n)
	}
}

// A conversation goes on in the document of an earlier session: its answers stay, and what comes is said below them.
func TestAConversationGoesOnAfterARestart(t *testing.T) {
	r := newModelHarness(t, llmtest.Say("The second."), nil)
	own := filepath.Join(r.root, ".coauthor")
	if err := os.Mkdir(own, 0o755); err != nil {
		t.Fatal(err)
	}
	first := review.WithSection(review.WithSaid("---\ncoder: ask\n---\n\nWhy?\n", "Why?"), review.Section{Kind: review.SectionAnswer, ID: "t-1", Title: "Coauthor", Text: "The first."})
	file := filepath.Join(own, "prompt-1.md")
	if err := os.WriteFile(file, []byte(first+"Half a question"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	mustHold(t, r.command("ask", `"And why?"`), `"started"`)
	r.idle()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	mustHold(t, text, "\nThe first.\n", "\nAnd why?\n\n## Coauthor", "\nThe second.\n")
	if _, open, err := review.ParsePrompt(text); err != nil || open != "Half a question" {
		t.Errorf("%q is being written, %v, in\n%s", open, err, text)
	}
	if more, err := filepath.Glob(filepath.Join(own, "*.md")); err != nil || len(more) != 1 {
		t.Errorf("documents are %q, %v", more, err)
	}
}

// What the user types while the conversation is written stays: the edit is made again of what they have.
func TestAConversationIsWrittenAroundTheUser(t *testing.T) {
	d := newBufferHarness(t, nil, nil)
	path, _ := talked(t, d)
	typed := ""
	d.apply = func(d *bufferHarness, e lsptest.ApplyEdit) (any, error) {
		if len(typed) < 5 {
			typed += fmt.Sprint(len(typed))
			d.typed(path, d.text(path)+typed[len(typed)-1:])
		}
		return d.do(e)
	}
	more := review.Section{Kind: review.SectionAnswer, ID: "t-1", Title: "Coauthor", Text: "So.\n\nAnd so."}
	if !d.root.Chat.Write(t.Context(), path, func(doc string) string { return review.WithMore(doc, more, "So.") }) {
		t.Fatal("not written")
	}
	d.wantText(path, "\nAnd so.\n")
	if _, open, err := review.ParsePrompt(d.text(path)); err != nil || open != typed || len(typed) != 5 {
		t.Errorf("%q is being written, want %q, %v", open, typed, err)
	}
}

// A tick answers the question, when the user types no more; a box elsewhere, or of a question that is gone, answers nothing.
func TestATickAnswers(t *testing.T) {
	d := newBufferHarness(t, nil, nil)
	path, _ := talked(t, d)
	o := d.s.questions.Put(d.root.Session, event.Question{ID: "q-1", Text: "Sure?", Choices: []string{"no", "yes"}, Default: "no"})
	over, _ := d.root.Chat.Ask(t.Context(), o.Question)
	d.wantText(path, "\n- [ ] yes\n")
	d.typed(path, d.text(path)+"- [x] yes\n")
	d.typed(path, strings.Replace(d.text(path), "- [ ] yes", "- [x] yes", 1))
	if a := lsptest.Receive(t, "the answer", o.Answered()); a.Choice != "yes" {
		t.Errorf("%+v", a)
	}
	d.s.questions.Drop(o)
	over(event.Answer{Choice: "yes"})
	d.wantText(path, "Answered: yes")
	if text := d.text(path); strings.Contains(strings.Split(text, "## You")[0], "- [") || !strings.HasSuffix(text, "- [x] yes\n") {
		t.Errorf("the document reads\n%s", text)
	}
	d.s.client.Caps.ApplyEdit = false
	over, _ = d.root.Chat.Ask(t.Context(), o.Question)
	over(event.Answer{})
	over, _ = d.s.folders.At("").Chat.Ask(t.Context(), o.Question)
	over(event.Answer{})
}
