package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/event"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
	"coauthor/lsp/lsptest"
	"coauthor/lsp/review"
	"coauthor/lsp/turnview"
)

// run executes a command and gives the fields of its answer.
func (d *bufferHarness) run(name, args string) (map[string]any, error) {
	d.t.Helper()
	call := &executeParams{Command: command.CommandPrefix + name}
	if args != "" {
		call.Arguments = []json.RawMessage{json.RawMessage(args)}
	}
	got, err := d.s.executeCommand(context.Background(), call, d.s.captureCommand(call))
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(got)
	if err != nil {
		d.t.Fatal(err)
	}
	fields := map[string]any{}
	if err := json.Unmarshal(raw, &fields); err != nil {
		d.t.Fatalf("%s: %v", raw, err)
	}
	return fields, nil
}

// prompt opens a prompt document and returns its path.
func (d *bufferHarness) prompt(args string) string {
	d.t.Helper()
	got, err := d.run("openPrompt", args)
	uri, _ := got["uri"].(string)
	if err != nil || uri == "" {
		d.t.Fatalf("%s: %v, %v", args, got, err)
	}
	return d.path(uri)
}

// at is a range argument of a document.
func (d *bufferHarness) at(path string, start, end int) string {
	d.t.Helper()
	doc, open := d.s.docs.Get(d.uri(path))
	if !open {
		d.t.Fatalf("%s is not open", path)
	}
	raw, err := json.Marshal(map[string]any{"uri": doc.URI, "range": document.FromProtocol(doc.Lines.RangeOf(start, end, d.s.docs.encoding))})
	if err != nil {
		d.t.Fatal(err)
	}
	return string(raw)
}

// wantText waits until a document holds a text.
func (d *bufferHarness) wantText(path, want string) {
	d.t.Helper()
	for end := time.Now().Add(lsptest.Hung); !strings.Contains(d.text(path), want); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			d.t.Fatalf("%q is not in\n%s", want, d.text(path))
		}
	}
}

// forget makes the server one that was restarted: it knows prompt documents only as they read.
func (d *bufferHarness) forget() {
	d.s.own.Origins = review.Origins{}
}

// A prompt document that was opened on a selection is about exactly that, wherever it begins and ends, for the server
// that made it and, by what its head says, for one that was restarted.
func TestAPromptKeepsItsSelection(t *testing.T) {
	text := "äb\r\n\r\nc\U0001F600d e\n\nlast line"
	d := newBufferHarness(t, map[string]string{"dir/a.go": text}, nil)
	d.open("dir/a.go")
	for start := range text {
		for end := start + 1; end <= len(text); end++ {
			if _, whole := strings.CutPrefix(text[start:], "\n"); whole && start > 0 && text[start-1] == '\r' {
				continue // no place of its own
			}
			if end < len(text) && (text[end-1] == '\r' || text[end]&0xC0 == 0x80) || (start+end)%3 != 0 {
				continue // also none; and a third of them is enough
			}
			path := d.prompt(d.at("dir/a.go", start, end))
			for _, server := range []string{"that made it", "restarted"} {
				req, err := d.root.Chat.Prompts.Request(t.Context(), path)
				if err != nil || req.Target == nil || req.Target.Path != "dir/a.go" || req.Target.Version != 1 ||
					req.Target.Start != start || req.Target.End != end {
					t.Fatalf("%q: the server %s reads %+v, %v", text[start:end], server, req.Target, err)
				}
				d.forget()
			}
			if err := os.Remove(filepath.Join(d.root.Dir, path)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The head of a prompt document says what it was opened for, and the hint says how to go on.
func TestWhatAPromptIsFor(t *testing.T) {
	for _, c := range []struct {
		args, focus string
		head        review.PromptHead
	}{
		{``, "", review.PromptHead{Coder: "code"}},
		{`{}`, "a", review.PromptHead{Coder: "code", File: "a", Version: 1}},
		{`{"kind":"edit"}`, "a", review.PromptHead{Coder: "code", File: "a", Version: 1}},
		{`{"kind":"ask"}`, "a", review.PromptHead{Coder: "ask", File: "a", Version: 1}},
		{`{"kind":"ask"}`, "sub/b", review.PromptHead{Coder: "ask", File: "sub/b", Version: 1}},
		{`{"kind":"followUp"}`, "a", review.PromptHead{FollowUp: "t-1"}},
		{`{"uri":"$b"}`, "a", review.PromptHead{Coder: "code", File: "sub/b"}},
		{`{"uri":"$b","range":{"start":{"line":1,"character":0},"end":{"line":1,"character":1}}}`, "a",
			review.PromptHead{Coder: "code", File: "sub/b", Selection: "2:1-2:2"}},
		{`{"range":{"start":{"line":1,"character":2},"end":{"line":1,"character":2}}}`, "a", review.PromptHead{Coder: "code", File: "a", Version: 1}},
		{`{"range":{"start":{"line":0,"character":1},"end":{"line":1,"character":2}}}`, "a",
			review.PromptHead{Coder: "code", File: "a", Version: 1, Selection: "1:2-2:3"}},
	} {
		d := newBufferHarness(t, map[string]string{"a": "one\ntwo\n", "sub/b": "b\nb\n"}, nil)
		if c.focus != "" {
			d.open(c.focus)
		}
		if c.head.FollowUp != "" {
			if _, err := d.run("openPrompt", c.args); err == nil {
				t.Errorf("%s: there is nothing to go on with, and it was opened", c.args)
			}
			d.propose(updated("a", "one\ntwo\n", "x\n"))
		}
		path := d.prompt(strings.ReplaceAll(c.args, "$b", d.uri("sub/b")))
		text := d.text(path)
		head, body, err := review.ParsePrompt(text)
		if diff := cmp.Diff(c.head, head); err != nil || body != "" || diff != "" {
			t.Errorf("%s: %v, %q\n%s", c.args, err, body, diff)
		}
		mustHold(t, text, "\n# ", "run this instruction", "coder: ask")
	}
	d := newBufferHarness(t, map[string]string{"a": "one\n"}, nil)
	d.open("a")
	for _, bad := range []string{`{"kind":"nonsense"}`, `{"kind":"followUp"}`, `{"kind":"answer"}`} {
		if got, err := d.run("openPrompt", bad); err == nil {
			t.Errorf("%s: %v", bad, got)
		}
	}
	if d.root.Workspace.Door().OnDisk(".coauthor") {
		t.Error("a folder was made for a document that was not")
	}
}

// A document that is asked for in a prompt document is about the code that the user came from.
func TestAPromptFromAPrompt(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "one\n"}, nil)
	d.open("a")
	first := d.prompt(`{}`)
	d.open(first)
	second := d.prompt(fmt.Sprintf(`{"uri":%q}`, d.uri(first)))
	head, _, err := review.ParsePrompt(d.text(second))
	if err != nil || first != second || head.File != "a" {
		t.Errorf("%s is about %+v, %v", second, head, err)
	}
	// One of another folder is of no file here.
	other := d.s.folders.At(t.TempDir())
	doc, err := d.s.openPrompt(t.Context(), other, target{root: d.root, path: "a", version: 1}, review.PromptHead{Coder: ""}, "")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(doc.Abs)
	if err != nil || filepath.Dir(filepath.Dir(doc.Abs)) != other.Dir {
		t.Errorf("%s, %v", doc.Abs, err)
	}
	if head, _, err := review.ParsePrompt(string(raw)); err != nil || head.File != "" {
		t.Errorf("%+v, %v", head, err)
	}
	// There is no folder to write to without a folder.
	if _, err := d.s.openPrompt(t.Context(), d.s.folders.At(""), target{}, review.PromptHead{Coder: ""}, ""); err == nil {
		t.Error("a prompt document of no folder")
	}
}

// The cursor is put into the empty line below the head, which is the last but one, in whichever kind of document; and
// what is written there is the instruction.
func TestWhereTheInstructionBegins(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "one\ntwo\n"}, nil)
	d.open("a")
	question := event.Question{ID: "q", Text: "Which one of the two?", FreeText: true, Choices: []string{"this", "that"}}
	for name, make := range map[string]func() (review.PromptDocument, error){
		"an edit": func() (review.PromptDocument, error) {
			return d.s.openPrompt(t.Context(), d.root, target{}, review.PromptHead{Coder: ""}, "")
		},
		"of a file": func() (review.PromptDocument, error) {
			return d.s.openPrompt(t.Context(), d.root, target{root: d.root, path: "a"}, review.PromptHead{Coder: "ask"}, "")
		},
		"an answer": func() (review.PromptDocument, error) { return d.root.Chat.Prompts.ForAnswer(&question) },
		"no choices": func() (review.PromptDocument, error) {
			return d.root.Chat.Prompts.ForAnswer(&event.Question{ID: "r", Text: "Why?"})
		},
	} {
		doc, err := make()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(doc.Abs)
		if err != nil || document.URIOfPath(doc.Abs) != doc.URI {
			t.Fatalf("%s: %+v, %v", name, doc, err)
		}
		lines := strings.Split(string(raw), "\n")
		if doc.Line != len(lines)-2 || lines[doc.Line] != "" || lines[doc.Line-1] != "---" {
			t.Errorf("%s: line %d of %q", name, doc.Line, lines)
		}
		lines[doc.Line] = "Do it.\n--- really\n---"
		if _, body, err := review.ParsePrompt(strings.Join(lines, "\n")); err != nil || body != "Do it.\n--- really\n---" {
			t.Errorf("%s: %q, %v", name, body, err)
		}
		if listed := strings.Contains(string(raw), "this, that"); listed != (name == "an answer") {
			t.Errorf("%s: the choices are listed: %v", name, listed)
		}
	}
}

// A prompt document that the client does not open is named in a message, and one that it opens is not.
func TestAPromptThatIsNotOpened(t *testing.T) {
	for _, c := range []struct {
		name string
		caps func(*client.Capabilities, *client.Quirks)
		told int
	}{
		{"opened", nil, 0},
		{"a client that shows nothing", func(c *client.Capabilities, _ *client.Quirks) { c.ShowDocument = false }, 1},
		{"a client that is known to show nothing", func(_ *client.Capabilities, q *client.Quirks) { q.NoShowDocument = true }, 1},
	} {
		d := newBufferHarness(t, nil, c.caps)
		path := d.prompt(`{}`)
		if len(d.said()) != c.told || len(d.shown) != 1-c.told {
			t.Errorf("%s: told %q, shown %q", c.name, d.said(), d.shown)
		}
		if c.told > 0 && !strings.Contains(d.said()[0], filepath.Join(d.root.Dir, filepath.FromSlash(path))) {
			t.Errorf("%s: told %q", c.name, d.said())
		}
	}
	d := newBufferHarness(t, nil, func(c *client.Capabilities, _ *client.Quirks) { c.ShowDocument = false })
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	doc, err := d.s.openPrompt(t.Context(), d.root, target{}, review.PromptHead{Coder: ""}, "")
	if err != nil {
		t.Fatal(err)
	}
	if d.root.Chat.Prompts.Show(gone, doc); len(d.said()) != 0 {
		t.Errorf("after the end: told %q", d.said())
	}
}

// There is one prompt document, also for a server that was restarted; a new one is made where it cannot be written, and takes
// the name of none that is on disk or open.
func TestNamesOfPrompts(t *testing.T) {
	d := newBufferHarness(t, nil, nil)
	is := func(what, want string) {
		t.Helper()
		if got := d.prompt(`{}`); got != ".coauthor/prompt-"+want+".md" {
			t.Errorf("%s: %s", what, got)
		}
	}
	is("at first", "1")
	is("again", "1")
	d.put(".coauthor/prompt-2.md", "written by hand, not saved\n", 1)
	is("that was used last", "1")
	d.root.Chat = d.s.newChat(d.root)
	is("after a restart the newest", "2")
	d.s.client.Quirks.AsksItself = true
	is("where each edit would be asked about", "3")
	is("that is not open there", "3")
	d.s.client.Quirks.AsksItself = false
	for _, name := range []string{"1", "3"} {
		if err := os.Remove(filepath.Join(d.root.Dir, ".coauthor", "prompt-"+name+".md")); err != nil {
			t.Fatal(err)
		}
	}
	is("after one was removed", "1")
	for path, want := range map[string]bool{
		".coauthor/prompt-1.md": true, ".coauthor/prompt-12.md": true, ".coauthor/prompt-.md": false, ".coauthor/prompt-x.md": false,
		".coauthor/prompt-1.md.bak": false, "sub/.coauthor/prompt-1.md": false, "prompt-1.md": false, ".coauthor/prompt-1xmd": false,
		"xcoauthor/prompt-1.md": false, "": false,
	} {
		if review.IsPrompt(path) != want {
			t.Errorf("%q is a prompt document: %v", path, !want)
		}
	}
}

// A prompt document is read as it stands in the editor, saved or not, else from disk; what its head says counts, and
// what it cannot mean is an error that names it.
func TestReadingAPrompt(t *testing.T) {
	const path = ".coauthor/prompt-1.md"
	text := "one\ntwo\nthree\n"
	for _, c := range []struct {
		name, text string
		want       agent.Request
		bad        string
	}{
		{"words alone", "Do it.\n", agent.Request{Instruction: "Do it."}, ""},
		{"a head of nothing", "---\n---\nDo it.", agent.Request{Instruction: "Do it."}, ""},
		{"all of a head", "---\ncoder: ask\nmodel: m\nfiles: [a, b/c]\nfollowUp: t-1\n---\nDo it.\n",
			agent.Request{Instruction: "Do it.", Coder: "ask", Model: "m", Files: []string{"a", "b/c"}, FollowUp: "t-1"}, ""},
		{"a file", "---\nfile: a\n---\nDo it.", agent.Request{Instruction: "Do it.", Target: &agent.Target{Path: "a"}}, ""},
		{"a file that is not there", "---\nfile: none\n---\nDo it.", agent.Request{Instruction: "Do it.", Target: &agent.Target{Path: "none"}}, ""},
		{"lines", "---\nfile: a\nselection: 2-3\n---\nDo it.", agent.Request{Instruction: "Do it.", Target: &agent.Target{Path: "a", Start: 4, End: 14, Version: 1}}, ""},
		{"places", "---\nfile: a\nselection: 1:2-2:2\n---\nDo it.", agent.Request{Instruction: "Do it.", Target: &agent.Target{Path: "a", Start: 1, End: 5, Version: 1}}, ""},
		{"a selection and no file", "---\nselection: 2-3\n---\nDo it.", agent.Request{Instruction: "Do it."}, ""},
		{"a selection of a file that is not there", "---\nfile: none\nselection: 2-3\n---\nDo it.", agent.Request{}, "none"},
		{"a selection that is none", "---\nfile: a\nselection: x\n---\nDo it.", agent.Request{}, `"x"`},
		{"beyond the end", "---\nfile: a\nselection: 9\n---\nDo it.", agent.Request{}, "9"},
		{"no end of the head", "---\nfile: a\nDo it.", agent.Request{}, "closed"},
		{"an unknown key", "---\nfiel: a\n---\nDo it.", agent.Request{}, "fiel"},
	} {
		for _, place := range []string{"on disk", "saved", "not saved"} {
			d := newBufferHarness(t, map[string]string{"a": text}, nil)
			d.open("a")
			if err := os.MkdirAll(filepath.Join(d.root.Dir, ".coauthor"), 0o700); err != nil {
				t.Fatal(err)
			}
			disk := c.text
			if place == "not saved" {
				disk = "Something else.\n"
			}
			d.write(path, disk)
			if place != "on disk" {
				d.open(path)
				d.typed(path, c.text)
			}
			got, err := d.root.Chat.Prompts.Request(t.Context(), path)
			if c.bad != "" {
				if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), c.bad) {
					t.Errorf("%s, %s: %+v, %v", c.name, place, got, err)
				}
				continue
			}
			if diff := cmp.Diff(c.want, got.Request, cmpopts.IgnoreUnexported(agent.Request{})); err != nil || diff != "" {
				t.Errorf("%s, %s: %v\n%s", c.name, place, err, diff)
			}
		}
	}
	d := newBufferHarness(t, nil, nil)
	if _, err := d.root.Chat.Prompts.Request(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "no longer exists") {
		t.Errorf("a document that is gone: %v", err)
	}
	if err := os.MkdirAll(filepath.Join(d.root.Dir, filepath.FromSlash(path)), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := d.root.Chat.Prompts.Request(t.Context(), path); err == nil || strings.Contains(err.Error(), "no longer exists") || !strings.Contains(err.Error(), path) {
		t.Errorf("a folder: %v", err)
	}
}

// The selection that a prompt document was opened for is followed through what is typed into the file, as long as the
// head names that selection of that file; another one means the text as it stands.
func TestWhoseSelectionCounts(t *testing.T) {
	text := "one\ntwo\nthree\nfour\n"
	for _, c := range []struct{ name, from, to, want string }{
		{"as it was", "", "", "TWO\n"},
		{"other lines", "selection: 2:1-3:1", "selection: 1:1-2:1", "new\n"},
		{"the same lines of another file", "file: a", "file: b", "two\n"},
		{"no lines", "selection: 2:1-3:1", "", ""},
	} {
		d := newBufferHarness(t, map[string]string{"a": text, "b": text}, nil)
		d.open("a")
		path := d.prompt(d.at("a", 4, 8))
		d.typed("a", "new\none\nTWO\nthree\nfour\n")
		d.open(path)
		head := d.text(path)
		if !strings.Contains(head, c.from) {
			t.Fatalf("%s: %s", c.name, head)
		}
		d.typed(path, strings.Replace(head, c.from, c.to, 1)+"Do it.\n")
		req, err := d.root.Chat.Prompts.Request(t.Context(), path)
		if err != nil || req.Target == nil {
			t.Fatalf("%s: %+v, %v", c.name, req, err)
		}
		now, err := d.root.Workspace.Snapshot().Read(req.Target.Path)
		if err != nil || now[req.Target.Start:req.Target.End] != c.want {
			t.Errorf("%s: selected %q of %s, %v", c.name, now[req.Target.Start:req.Target.End], req.Target.Path, err)
		}
	}
}

// A question is answered in the document of the conversation, which names it: that which was asked for, or the only one that
// is open.
func TestADocumentForAnAnswer(t *testing.T) {
	d := newBufferHarness(t, nil, nil)
	one := d.s.questions.Put(d.root.Session, event.Question{ID: "one", Text: "Which?", FreeText: true})
	path := d.prompt(`{"kind":"answer"}`)
	mustHold(t, d.text(path), "# Which?\n", "run this instruction")
	two := d.s.questions.Put(d.root.Session, event.Question{ID: "two", Text: "What?", FreeText: true})
	if _, err := d.run("openPrompt", `{"kind":"answer"}`); err == nil || !strings.Contains(err.Error(), "Which?") || !strings.Contains(err.Error(), "What?") {
		t.Errorf("two are open: %v", err)
	}
	d.open(path)
	for _, o := range []*turnview.Question{two, one} {
		if again := d.prompt(fmt.Sprintf(`{"kind":"answer","questionId":%q}`, o.ID)); again != path {
			t.Errorf("%s is not %s", again, path)
		}
		d.wantText(path, "question "+o.ID+" -->\n\n> "+o.Text)
		d.typed(path, strings.TrimRight(d.text(path), "\n")+"\n\nBecause of "+o.ID+".\n")
		if got, err := d.run("runPrompt", fmt.Sprintf(`{"uri":%q}`, d.uri(path))); err != nil || got["status"] != "answered" {
			t.Errorf("%s: %v, %v", o.ID, got, err)
		}
		if a := lsptest.Receive(t, "the answer", o.Answered()); a.Text != "Because of "+o.ID+"." {
			t.Errorf("%s: %+v", o.ID, a)
		}
		d.s.questions.Drop(o)
		d.wantText(path, "Because of "+o.ID+".\n\n## You")
	}
	d.prompt(`{"kind":"edit"}`)
	d.s.own.Origins.Put(d.root.Dir, path, review.Origin{Question: "gone"})
	d.typed(path, d.text(path)+"Too late.\n")
	if got, err := d.run("runPrompt", fmt.Sprintf(`{"uri":%q}`, d.uri(path))); err == nil || !strings.Contains(err.Error(), "run the document again") {
		t.Errorf("it is not open any more: %v, %v", got, err)
	}
	if o, _ := d.s.own.Origins.Get(d.root.Dir, path); o.Question != "" {
		t.Error("what is written next is an answer to nothing")
	}
	// One that was asked in no folder has no place for a document.
	d.s.questions.Put(nil, event.Question{ID: "three", Text: "Where?", FreeText: true})
	if _, err := d.run("openPrompt", `{"kind":"answer"}`); err == nil {
		t.Error("a document in no folder")
	}
	if _, err := d.s.folders.At("").Chat.Prompts.ForAnswer(&event.Question{ID: "four"}); err == nil {
		t.Error("a document in no folder")
	}
	if _, err := d.run("runPrompt", fmt.Sprintf(`{"uri":%q}`, d.uri("a"))); err == nil {
		t.Error("a file that is no prompt document was run")
	}
}

// A prompt document that cannot be made, or would be about nothing, is not opened: the user is told why.
func TestAPromptThatCannotBeMade(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n", review.OwnFolder: "a file"}, nil)
	rootless := d.s.folders.At("")
	missing := target{root: d.root, path: "missing", start: 0, end: 1, snapshot: d.root.Workspace.Snapshot()}
	for what, try := range map[string]func() (review.PromptDocument, error){
		"where its folder is a file": func() (review.PromptDocument, error) {
			return d.s.openPrompt(t.Context(), d.root, target{}, review.PromptHead{Coder: kindEdit}, "")
		},
		"about a file that is gone": func() (review.PromptDocument, error) {
			return d.s.openPrompt(t.Context(), d.root, missing, review.PromptHead{Coder: kindEdit}, "")
		},
		"that follows nothing": func() (review.PromptDocument, error) {
			return d.s.openPrompt(t.Context(), d.root, target{}, review.PromptHead{Coder: kindFollowUp}, "")
		},
		"without a folder": func() (review.PromptDocument, error) {
			return d.s.openPrompt(t.Context(), rootless, target{}, review.PromptHead{Coder: "ask"}, "")
		},
		"for the answer to nothing": func() (review.PromptDocument, error) { return d.s.openAnswer(t.Context(), "") },
		"for an answer without a folder": func() (review.PromptDocument, error) {
			return rootless.Chat.ForAnswer(t.Context(), &event.Question{Text: "?"})
		},
	} {
		if doc, err := try(); err == nil || doc.URI+doc.Abs != "" {
			t.Errorf("a prompt %s: %+v, %v", what, doc, err)
		}
	}
	if len(d.documents()) > 0 {
		t.Errorf("opened %q", d.documents())
	}
}

// The head of a prompt document says what is in the chat when it is opened; commands in documents change that for the next.
func TestTheHeadSaysWhatIsInTheChat(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a.go": "package a\n", "b.go": "package b\n"}, nil)
	d.open("a.go")
	head := func() string {
		t.Helper()
		raw, err := os.ReadFile(filepath.Join(d.root.Dir, d.prompt("")))
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	if got := head(); !strings.Contains(got, "# Now: no files in the chat") || strings.Contains(got, "b.go") {
		t.Errorf("the head is\n%s", got)
	}
	if _, err := d.run("edit", `{"instruction": "/add b.go"}`); err != nil {
		t.Fatal(err)
	}
	if got := head(); !strings.Contains(got, "in the chat: b.go") {
		t.Errorf("the head is\n%s", got)
	}
}
