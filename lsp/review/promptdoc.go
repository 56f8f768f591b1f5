package review

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path"
	"strings"
	"unicode/utf16"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
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

// PromptDocument is a document that was made for the user to write in, and is still to be opened.
type PromptDocument struct {
	URI  string
	Abs  string // OS path
	Line int    // on which the user begins, from 0
	// Column is where in that line, in UTF-16 units.
	Column int
}

// ForAnswer makes a document for the answer to a question.
func (p *Prompts) ForAnswer(q *event.Question) (PromptDocument, error) {
	if p.Dir == "" {
		return PromptDocument{}, jsonrpc2.Errorf(wire.CodeRequestFailed, "a document for the answer needs a workspace folder")
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
	name := p.free()
	abs, err := p.Workspace.StateDocument(path.Base(name), text)
	if err != nil {
		return PromptDocument{}, err
	}
	p.Origins.Put(p.Dir, name, o)
	return PromptDocument{URI: document.URIOfPath(abs), Abs: abs, Line: line, Column: len(utf16.Encode([]rune(said)))}, nil
}

// free returns the first name that is neither on disk nor open.
func (p *Prompts) free() string {
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s/prompt-%d.md", OwnFolder, n)
		if _, open := p.Text(name); !open && !p.Workspace.Door().OnDisk(name) {
			return name
		}
	}
}

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
	p.Editor.ShowMessage(protocol.MessageTypeInfo, "Coauthor: write the instruction in "+doc.Abs+", then run it with the code action there.")
}

// Request makes a request of a document as it stands in the editor, or on disk.
func (p *Prompts) Request(ctx context.Context, path string) (agent.Request, error) {
	text, open := p.Text(path)
	if !open {
		disk, err := p.Workspace.Door().DiskText(ctx, path)
		if errors.Is(err, fs.ErrNotExist) {
			return agent.Request{}, jsonrpc2.Errorf(wire.CodeRequestFailed, "%s is gone; coauthor.openPrompt makes a new one", path)
		}
		if err != nil {
			return agent.Request{}, fmt.Errorf("read %s: %w", path, err)
		}
		text = disk
	}
	req, err := p.Origins.Request(p.Workspace.Snapshot(), p.Dir, path, text)
	if err != nil {
		return agent.Request{}, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	return req, nil
}
