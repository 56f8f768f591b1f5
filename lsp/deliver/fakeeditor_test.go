package deliver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/lsp/client"
	"coauthor/lsp/clienttest"
	"coauthor/lsp/document"
	"coauthor/lsp/lsptest"
	"coauthor/lsp/wire"
)

// fakeEditor is a fake client on a real folder, without a connection, and the server's side of it: what the client tells
// goes to the documents that an applier looks at, and what the applier sends is noted.
type fakeEditor struct {
	*lsptest.Workspace
	t   *testing.T
	dir string
	ws  *workspace.Workspace
	a   *Applier

	// answer is called for each request, by its number from 0; nil does it and says so.
	answer func(ctx context.Context, n int, do func() client.Answer) (client.Answer, error)
	asked  func(n int) bool // whether the user agrees to question n from 0; nil agrees
	quiet  error            // in place of a pause of the user's

	mu        sync.Mutex
	docs      map[string]Document // as the server has them; guarded by mu; by document.KeyOfURI
	sent      []string            // guarded by mu
	questions []string
	changed   []string
	expected  int               // texts that are expected and not over
	texts     map[string]string // that were expected last, by URI
	reasons   map[string]string // of the last answers, by path
	pauses    int
}

// situation is what an applier finds.
type situation struct {
	caps    func(c *client.Capabilities)
	quirks  client.Quirks
	options Options
	policy  workspace.Options
	// files are the names of the files. ":" behind one opens it, "!" opens one that was never saved, "=" an empty
	// document without a file.
	files string
}

func newFakeEditor(t *testing.T, s situation) *fakeEditor {
	t.Helper()
	e := &fakeEditor{t: t, dir: t.TempDir(), docs: map[string]Document{}}
	s.policy.Clock = time.Now
	ws, err := workspace.Open(e.dir, s.policy)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	})
	e.ws = ws
	caps := client.Capabilities{ApplyEdit: true, DocumentChanges: true, CreateFile: true, RenameFile: true, DeleteFile: true, FailureHandling: "abort"}
	if s.caps != nil {
		s.caps(&caps)
	}
	if s.options.Native {
		s.quirks.NativePreview, caps.Annotations = true, true
	}
	e.Workspace = lsptest.NewWorkspace(t, clienttest.Profile(caps, s.quirks), e.dir, e.told)
	for word := range strings.FieldsSeq(s.files) {
		name := strings.TrimRight(word, ":!=")
		text := textOf(name)
		switch word[len(word)-1] {
		case '=':
			e.Put(name, "", 1)
		case '!':
			e.Put(name, text, 1)
		case ':':
			e.Put(name, text, 1)
			e.write(name, text)
		default:
			e.write(name, text)
		}
	}
	e.a = New(Editor{
		Capabilities: caps, Quirks: s.quirks, Encoding: document.UTF16, Client: e, Open: e.open,
		Quiet: func(context.Context) error { e.pauses++; return e.quiet },
		Expect: func(texts map[string]string) func() {
			if len(texts) == 0 {
				e.t.Error("nothing is expected of a request")
			}
			e.expected++
			e.texts = texts
			return func() { e.expected-- }
		},
		Landings: &Landings{}, Echoes: &Echoes{}, Log: slog.New(slog.DiscardHandler),
	}, Root{Dir: e.dir, Workspace: ws, Asker: e, Changed: func(p string) { e.changed = append(e.changed, p) }}, s.options)
	return e
}

// deliver delivers a plan, and returns the answers by path: "a landed, b absent!". "!" is stale, "?" awaited, "*" has
// a remark, "~" reads otherwise, and "(word)" follows a state that says only what the editor says.
func (e *fakeEditor) deliver(words string) string {
	e.t.Helper()
	steps := plan(words)
	list, err := e.a.Deliver(context.Background(), "the label", steps)
	if err != nil {
		e.t.Error(err)
	}
	return e.check(steps, list)
}

// check looks whether the answers fit the plan, and that nothing is left behind.
func (e *fakeEditor) check(steps []proposal.Step, list []proposal.Landed) string {
	e.t.Helper()
	count := map[string]int{}
	var words []string
	e.reasons = map[string]string{}
	for _, l := range list {
		count[l.Path]++
		e.reasons[l.Path] = l.Reason
		word := l.Path + " " + string(l.State)
		for _, m := range []struct {
			mark string
			is   bool
		}{{"!", l.Stale}, {"?", l.Awaited}, {"*", l.Remark != ""}, {"~", l.Text != nil}, {"(word)", l.State == proposal.LandLanded && l.Reason != ""}} {
			if m.is {
				word += m.mark
			}
		}
		words = append(words, word)
		if l.State != proposal.LandLanded && l.Reason == "" || l.Stale && l.State != proposal.LandAbsent || l.Remark != "" && l.State != proposal.LandLanded {
			e.t.Errorf("%+v", l)
		}
	}
	touched := len(e.changed) > 0
	for _, step := range steps {
		if count[step.Change.Path] != 1 {
			e.t.Errorf("%d answers about %s: %+v", count[step.Change.Path], step.Change.Path, list)
		}
		for _, name := range []string{step.Change.Path, step.Change.To} {
			if name != "" && slices.Contains(e.changed, name) != touched {
				e.t.Errorf("told of %q, not of %s", e.changed, name)
			}
		}
	}
	if len(e.requests()) > 0 && !touched {
		e.t.Error("nobody is told of what was sent")
	}
	if e.expected != 0 || !e.a.docs.editor.Landings.Idle() || !e.a.docs.editor.Echoes.Idle() {
		e.t.Error("something is still awaited")
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

func (e *fakeEditor) requests() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.sent)
}

func (e *fakeEditor) uri(name string) string { return document.URIOfPath(filepath.Join(e.dir, name)) }

func (e *fakeEditor) open(u string) (Document, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	doc, is := e.docs[document.KeyOfURI(u)]
	return doc, is
}

// told takes what the client tells of a document.
func (e *fakeEditor) told(n lsptest.Notice) {
	name := e.name(n.URI)
	if n.Method == "textDocument/didOpen" && e.a != nil && e.a.docs.editor.Echoes.Take(document.KeyOfURI(n.URI)) {
		return // as the server takes it: the file was changed on disk
	}
	if n.Method != "textDocument/didClose" {
		e.store(Document{Document: workspace.NewDocument(name, n.Text, n.Version, time.Now()), URI: n.URI})
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.docs, document.KeyOfURI(n.URI))
	e.ws.DidClose(name)
	e.a.docs.editor.Landings.Tell()
}

// store is a document as the server has it, whatever the client has.
func (e *fakeEditor) store(doc Document) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.docs[document.KeyOfURI(doc.URI)] = doc
	e.ws.Put(doc.Document)
	if e.a != nil {
		e.a.docs.editor.Landings.Tell()
	}
}

func (e *fakeEditor) write(name, text string) {
	file := filepath.Join(e.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		e.t.Error(err)
	}
}

// disk is what a file reads on disk; "-" for none.
func (e *fakeEditor) disk(name string) string {
	raw, err := os.ReadFile(filepath.Join(e.dir, name))
	if err != nil {
		return "-"
	}
	return string(raw)
}

// reads is what the user has of a file: the open document, or what is on disk; "-" for neither.
func (e *fakeEditor) reads(name string) string {
	if text, is := e.Text(name); is {
		return text
	}
	return "-"
}

// Ask implements event.Asker.
func (e *fakeEditor) Ask(_ context.Context, q event.Question) (event.Answer, error) {
	n := len(e.questions)
	e.questions = append(e.questions, q.Text)
	if len(q.Choices) != 2 || q.Default != q.Choices[0] {
		e.t.Errorf("a question that is not yes or no: %+v", q)
	}
	if e.asked == nil || e.asked(n) {
		return event.Answer{Choice: q.Choices[1]}, nil
	}
	return event.Answer{Choice: q.Default}, nil
}

// ApplyEdit implements Sender.
func (e *fakeEditor) ApplyEdit(ctx context.Context, p *protocol.ApplyWorkspaceEditParams) (client.Answer, error) {
	raw, err := wire.Encode(p)
	if err != nil {
		e.t.Error(err)
	}
	asked := e.Receive(json.RawMessage(raw))
	e.mu.Lock()
	n := len(e.sent)
	e.sent = append(e.sent, e.describe(asked))
	e.mu.Unlock()
	do := func() client.Answer {
		if err := e.Apply(asked.Edit); err != nil {
			return client.Answer{Reason: err.Error()}
		}
		return client.Answer{Applied: true}
	}
	if e.answer == nil {
		return do(), nil
	}
	return e.answer(ctx, n, do)
}

// describe writes an edit as words: "a" a text edit, "a@1" of a version, "!" behind it opens a preview, "+a" create,
// "-a" delete, "a>b" rename; "{a b}" is the form without versions.
func (e *fakeEditor) describe(asked lsptest.ApplyEdit) string {
	if asked.Label != "Coauthor: the label" {
		e.t.Errorf("the label is %q", asked.Label)
	}
	if native := len(asked.Edit.ChangeAnnotations) > 0; native != e.a.native {
		e.t.Errorf("annotations %v, preview %v", native, e.a.native)
	}
	var words []string
	if len(asked.Edit.Changes) > 0 {
		for u := range asked.Edit.Changes {
			words = append(words, e.name(u))
		}
		slices.Sort(words)
		words = []string{"{" + strings.Join(words, " ") + "}"}
	}
	for _, c := range asked.Edit.DocumentChanges {
		word := map[string]string{"create": "+", "delete": "-"}[c.Kind] + e.name(c.Target())
		if c.Kind == "rename" {
			word += ">" + e.name(c.NewURI)
		}
		if v := c.TextDocument.Version; v != nil {
			word += fmt.Sprintf("@%d", *v)
		}
		if asked.Edit.Asks(c) {
			word += "!"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func (e *fakeEditor) name(u string) string {
	abs, _ := document.PathOfURI(u)
	name, err := filepath.Rel(e.dir, abs)
	if err != nil {
		e.t.Error(err)
	}
	return filepath.ToSlash(name)
}

// keepsOpen makes a client of it that leaves a document open when its file is deleted or renamed.
func keepsOpen(p *lsptest.Profile) {
	p.Quirks.DeleteKeepsBuffer, p.Quirks.RenameKeepsBuffer = true, true
}

func (e *fakeEditor) remove(name string) {
	if err := os.Remove(filepath.Join(e.dir, name)); err != nil {
		e.t.Error(err)
	}
}

func (e *fakeEditor) mode(name string, mode os.FileMode) {
	if err := os.Chmod(filepath.Join(e.dir, name), mode); err != nil {
		e.t.Error(err)
	}
}
