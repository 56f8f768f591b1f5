package deliver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
)

// fakeEditor is an editor in memory, on a real folder: it carries out what an applier sends as most editors
// do, tells of it, and notes what it was sent.
type fakeEditor struct {
	t   *testing.T
	dir string
	ws  *workspace.Workspace
	a   *Applier

	// answer is called for each request, by its number from 0; nil does it and says so.
	answer func(ctx context.Context, n int, do func() client.Answer) (client.Answer, error)
	asked  func(n int) bool // whether the user agrees to question n from 0; nil agrees
	quiet  error            // in place of a pause of the user's

	untold    bool // closed files are changed on disk and nobody is told
	keepsOpen bool // a delete or rename leaves the document open

	mu        sync.Mutex
	docs      map[string]Document // guarded by mu; by document.KeyOfURI
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
	for word := range strings.FieldsSeq(s.files) {
		name := strings.TrimRight(word, ":!=")
		text := textOf(name)
		switch word[len(word)-1] {
		case '=':
			e.put(name, "", 1)
		case '!':
			e.put(name, text, 1)
		case ':':
			e.put(name, text, 1)
			e.write(name, text)
		default:
			e.write(name, text)
		}
	}
	caps := client.Capabilities{ApplyEdit: true, DocumentChanges: true, CreateFile: true, RenameFile: true, DeleteFile: true, FailureHandling: "abort"}
	if s.caps != nil {
		s.caps(&caps)
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
	if e.expected != 0 || !e.a.editor.Landings.Idle() || !e.a.editor.Echoes.Idle() {
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

// put is an open document in a version, of which the applier's side is told.
func (e *fakeEditor) put(name, text string, version int32) {
	e.store(Document{Document: workspace.NewDocument(name, text, version, time.Now()), URI: e.uri(name)})
}

func (e *fakeEditor) store(doc Document) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.docs[document.KeyOfURI(doc.URI)] = doc
	e.ws.Put(doc.Document)
	if e.a != nil {
		e.a.editor.Landings.Tell()
	}
}

// typed is a change of a document by the user.
func (e *fakeEditor) typed(name, text string) {
	doc, open := e.open(e.uri(name))
	if !open {
		e.t.Errorf("%s is not open", name)
		return
	}
	e.put(name, text, doc.Version+1)
}

func (e *fakeEditor) close(name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.docs, document.KeyOfURI(e.uri(name)))
	e.ws.DidClose(name)
	e.a.editor.Landings.Tell()
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

// reads is what the user has of a file: the open document, or what is on disk.
func (e *fakeEditor) reads(name string) string {
	if doc, open := e.open(e.uri(name)); open {
		return doc.Text
	}
	return e.disk(name)
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
	e.mu.Lock()
	n := len(e.sent)
	e.sent = append(e.sent, e.describe(p))
	e.mu.Unlock()
	do := func() client.Answer {
		if err := e.do(p); err != nil {
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
func (e *fakeEditor) describe(p *protocol.ApplyWorkspaceEditParams) string {
	if p.Label == nil || !strings.HasSuffix(*p.Label, "the label") {
		e.t.Errorf("the label is %v", p.Label)
	}
	if (p.Metadata != nil) != e.a.editor.Capabilities.EditMetadata || p.Metadata != nil && *p.Metadata.IsRefactoring {
		e.t.Errorf("metadata %+v", p.Metadata)
	}
	var words []string
	if len(p.Edit.Changes) > 0 {
		for u := range p.Edit.Changes {
			words = append(words, e.name(u))
		}
		slices.Sort(words)
		words = []string{"{" + strings.Join(words, " ") + "}"}
	}
	annotated := func(id protocol.ChangeAnnotationIdentifier, native bool) {
		if (id != "") != native {
			e.t.Errorf("annotation %v, preview %v", id, native)
		}
	}
	native := e.a.native
	for _, change := range p.Edit.DocumentChanges {
		switch c := change.(type) {
		case *protocol.TextDocumentEdit:
			word := e.name(c.TextDocument.URI)
			if c.TextDocument.Version != nil {
				word += fmt.Sprintf("@%d", *c.TextDocument.Version)
			}
			for i, one := range c.Edits {
				a, is := one.(*protocol.AnnotatedTextEdit)
				if is != native {
					e.t.Errorf("an edit with annotation %v in a preview %v", is, native)
				}
				if !is {
					continue
				}
				confirm := p.Edit.ChangeAnnotations[a.AnnotationID].NeedsConfirmation
				if confirm == nil {
					e.t.Errorf("the annotation %s is not there", a.AnnotationID)
				} else if *confirm {
					word += "!"
					if i > 0 || a.NewText != "" || a.Range != (protocol.Range{}) {
						e.t.Errorf("what opens the preview changes something: %+v", a)
					}
				}
			}
			words = append(words, word)
		case *protocol.CreateFile:
			annotated(c.AnnotationID, native)
			if c.Kind != "create" || c.Options == nil || *c.Options.Overwrite || *c.Options.IgnoreIfExists {
				e.t.Errorf("create with %+v", c.Options)
			}
			words = append(words, "+"+e.name(c.URI))
		case *protocol.RenameFile:
			annotated(c.AnnotationID, native)
			if c.Kind != "rename" || c.Options == nil || *c.Options.Overwrite || *c.Options.IgnoreIfExists {
				e.t.Errorf("rename with %+v", c.Options)
			}
			words = append(words, e.name(c.OldURI)+">"+e.name(c.NewURI))
		case *protocol.DeleteFile:
			annotated(c.AnnotationID, native)
			if c.Kind != "delete" {
				e.t.Errorf("%+v", c)
			}
			words = append(words, "-"+e.name(c.URI))
		}
	}
	return strings.Join(words, " ")
}

func (e *fakeEditor) name(u uri.URI) string {
	abs, _ := document.PathOfURI(string(u))
	name, err := filepath.Rel(e.dir, abs)
	if err != nil {
		e.t.Error(err)
	}
	return filepath.ToSlash(name)
}

// do carries an edit out, unless one of its texts is another one by now.
func (e *fakeEditor) do(p *protocol.ApplyWorkspaceEditParams) error {
	for _, change := range p.Edit.DocumentChanges {
		if c, is := change.(*protocol.TextDocumentEdit); is && c.TextDocument.Version != nil && !e.a.editor.Quirks.IgnoresVersions {
			if doc, open := e.open(string(c.TextDocument.URI)); !open || doc.Version != *c.TextDocument.Version {
				return errors.New("another version")
			}
		}
	}
	for u, list := range p.Edit.Changes {
		e.edit(e.name(u), list)
	}
	for _, change := range p.Edit.DocumentChanges {
		switch c := change.(type) {
		case *protocol.TextDocumentEdit:
			var list []protocol.TextEdit
			for _, one := range c.Edits {
				switch one := one.(type) {
				case *protocol.TextEdit:
					list = append(list, *one)
				case *protocol.AnnotatedTextEdit:
					list = append(list, one.TextEdit)
				}
			}
			e.edit(e.name(c.TextDocument.URI), list)
		case *protocol.CreateFile:
			if name := e.name(c.URI); e.disk(name) != "-" {
				return fmt.Errorf("%s is there", name)
			} else if e.write(name, ""); e.untold {
				continue
			}
			e.a.editor.Landings.Tell()
		case *protocol.RenameFile:
			if err := e.rename(e.name(c.OldURI), e.name(c.NewURI)); err != nil {
				return err
			}
		case *protocol.DeleteFile:
			name := e.name(c.URI)
			if err := os.Remove(filepath.Join(e.dir, name)); err != nil && c.Options == nil {
				return err
			}
			if !e.keepsOpen {
				e.close(name)
			}
		}
	}
	return nil
}

func (e *fakeEditor) rename(from, to string) error {
	if e.disk(to) != "-" {
		return fmt.Errorf("%s is there", to)
	}
	if err := os.Rename(filepath.Join(e.dir, from), filepath.Join(e.dir, to)); err != nil {
		return err
	}
	doc, open := e.open(e.uri(from))
	if open && !e.keepsOpen {
		e.close(from)
		e.put(to, doc.Text, doc.Version)
	}
	return nil
}

// edit changes the text of a document; one that is not open is opened for it.
func (e *fakeEditor) edit(name string, list []protocol.TextEdit) {
	text, version := e.disk(name), int32(0)
	if text == "-" {
		text = ""
	}
	doc, open := e.open(e.uri(name))
	if open {
		text, version = doc.Text, doc.Version
	}
	lines := document.LinesOf(text, e.a.editor.Quirks.OnlyLF)
	before := text
	for _, one := range slices.Backward(list) {
		start, end := lines.Span(one.Range, e.a.editor.Encoding)
		text = text[:start] + one.NewText + text[end:]
	}
	if e.a.editor.Quirks.NewFileEndsLine && before == "" && text != "" {
		text += "\n"
	}
	switch {
	case !open && e.untold:
		e.write(name, text)
	default:
		e.put(name, text, version+1)
	}
}

// names are those of the open documents.
func (e *fakeEditor) names() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []string
	for doc := range maps.Values(e.docs) {
		list = append(list, doc.Path)
	}
	slices.Sort(list)
	return list
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
