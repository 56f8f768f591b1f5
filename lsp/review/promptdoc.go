package review

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent/event"
	"coauthor/agent/workspace"
	"coauthor/lsp/document"
	"coauthor/lsp/wire"
)

// Prompts makes, opens and reads the documents of one folder in which the user writes. All fields are needed, but where
// there is no folder.
type Prompts struct {
	Editor    Editor
	Dir       string // OS path; "" is no folder, in which no document is made
	Workspace *workspace.Workspace
	// Text is what the client has of a document that it has open.
	Text    func(path string) (text string, open bool)
	Origins *Origins
	Log     *slog.Logger
}

// PromptDocument is a document for the user to write in, which is still to be opened.
type PromptDocument struct {
	URI  string
	Abs  string // OS path
	Path string // below the folder
	Line int    // on which the user begins, from 0
	// Column is where in that line, in UTF-16 units.
	Column int
	// Change is what is still to become of its text, since the client has it open; nil for nothing.
	Change func(text string) string
}

// ForAnswer makes a document for the answer to a question.
func (p *Prompts) ForAnswer(q *event.Question) (PromptDocument, error) {
	if p.Dir == "" {
		return PromptDocument{}, jsonrpc2.Errorf(wire.CodeRequestFailed, "an answer document needs a workspace folder; open a folder first")
	}
	return p.Make(Origin{Question: q.ID}, AnswerHint(q), "")
}

// Make writes a document for what o says, with a hint at its head, in which the user goes on behind what is said already.
func (p *Prompts) Make(o Origin, hint, said string) (PromptDocument, error) {
	text, line, err := o.Head.Document(hint)
	if err != nil {
		return PromptDocument{}, err
	}
	text = strings.TrimSuffix(text, "\n") + said + "\n"
	name := p.Free()
	abs, err := p.Workspace.StateDocument(path.Base(name), text)
	if err != nil {
		return PromptDocument{}, err
	}
	p.Origins.Put(p.Dir, name, o)
	return PromptDocument{URI: document.URIOfPath(abs), Abs: abs, Path: name, Line: line, Column: len(utf16.Encode([]rune(said)))}, nil
}

// GoOn has a document that there is be about what o says, in which the user goes on behind what is said. What they are
// writing there stays.
func (p *Prompts) GoOn(ctx context.Context, name string, o Origin, hint, said string) (PromptDocument, error) {
	doc, err := p.changed(ctx, name, func(text string) string {
		headed, err := WithHead(text, o.Head, hint)
		if err != nil {
			p.Log.Info("head of a prompt document not updated", "path", name, "err", err)
			headed = text
		}
		return WithDraft(headed, said)
	})
	if err == nil {
		p.Origins.Put(p.Dir, name, o)
	}
	return doc, err
}

// WithQuestion has a document that there is ask the user something, who answers in it.
func (p *Prompts) WithQuestion(ctx context.Context, name string, q *event.Question) (PromptDocument, error) {
	doc, err := p.changed(ctx, name, func(text string) string { return WithSection(text, QuestionSection(q)) })
	if err == nil {
		o, _ := p.Origins.Get(p.Dir, name)
		o.Question = q.ID
		p.Origins.Put(p.Dir, name, o)
	}
	return doc, err
}

// changed is a document that there is with a change: which is made where it is not open, and is still to be made where it is.
func (p *Prompts) changed(ctx context.Context, name string, change func(text string) string) (PromptDocument, error) {
	doc := p.At(name)
	text, open := p.Text(name)
	if !open {
		var err error
		if text, err = p.Workspace.Door().DiskText(ctx, name); err != nil {
			return PromptDocument{}, err
		}
	}
	text = change(text)
	if open {
		doc.Change = change
	} else if _, err := p.Workspace.StateDocument(path.Base(name), text); err != nil {
		return PromptDocument{}, err
	}
	doc.Line, doc.Column = DraftEnd(text)
	return doc, nil
}

// At is the document at a path, as it is.
func (p *Prompts) At(name string) PromptDocument {
	abs := filepath.Join(p.Dir, filepath.FromSlash(name))
	return PromptDocument{Path: name, Abs: abs, URI: document.URIOfPath(abs)}
}

// Free returns the first name that is neither on disk nor open.
func (p *Prompts) Free() string { return promptAt(p.count() + 1) }

// Last returns the document that was made last, "" for none.
func (p *Prompts) Last() string {
	if n := p.count(); n > 0 {
		return promptAt(n)
	}
	return ""
}

// count is how many documents there are, up to the first name that is neither on disk nor open.
func (p *Prompts) count() int {
	for n := 1; ; n++ {
		name := promptAt(n)
		if _, open := p.Text(name); !open && !p.Workspace.Door().OnDisk(name) {
			return n - 1
		}
	}
}

func promptAt(n int) string { return fmt.Sprintf("%s/prompt-%d.md", OwnFolder, n) }

// Show opens a document, or tells where it is.
func (p *Prompts) Show(ctx context.Context, doc PromptDocument) {
	at := protocol.Position{Line: uint32(doc.Line), Character: uint32(doc.Column)}
	shown, err := p.Editor.ShowDocument(ctx, doc.URI, true, &protocol.Range{Start: at, End: at})
	if shown || ctx.Err() != nil {
		return
	}
	if err != nil && !errors.Is(err, wire.ErrUnsupported) {
		p.Log.Info("prompt document not opened by the client", "uri", doc.URI, "err", err)
	}
	p.Editor.ShowMessage(protocol.MessageTypeInfo, "Coauthor: Type your instruction in "+doc.Abs+", then run it with the code action there.")
}

// Request makes a request of a document as it stands in the editor, or on disk.
func (p *Prompts) Request(ctx context.Context, path string) (Written, error) {
	text, open := p.Text(path)
	if !open {
		disk, err := p.Workspace.Door().DiskText(ctx, path)
		if errors.Is(err, fs.ErrNotExist) {
			return Written{}, jsonrpc2.Errorf(wire.CodeRequestFailed, "%s no longer exists; choose \"Write an instruction…\" to create a new one", path)
		}
		if err != nil {
			return Written{}, fmt.Errorf("read %s: %w", path, err)
		}
		text = disk
	}
	req, err := p.Origins.Request(p.Workspace.Snapshot(), p.Dir, path, text)
	if err != nil {
		return Written{}, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	return req, nil
}
