package lsp

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent/command"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/review"
)

// Completion is for prompt documents alone, so that no other server's list has ours in it: there "@" begins the name of
// a file or of something that is defined, and a "/" at the beginning of the instruction a command.

// promptPattern matches the documents in which there is completion.
const promptPattern = "**/" + review.OwnFolder + "/prompt-*.md"

// completionSigns make an editor ask without a key.
var completionSigns = []string{"@", "/"}

// completionOptions is what is declared to a client that cannot be told later for which documents it is; nil is nothing.
func (s *server) completionOptions() *protocol.CompletionOptions {
	if !s.client.Caps.Completion || s.client.Caps.RegisterCompletion {
		return nil
	}
	return &protocol.CompletionOptions{TriggerCharacters: completionSigns}
}

// registerCompletion declares it for prompt documents, where the client can be told so.
func (s *server) registerCompletion(ctx context.Context) {
	if !s.client.Caps.Completion || !s.client.Caps.RegisterCompletion {
		return
	}
	type filter struct {
		Pattern string `json:"pattern"`
	}
	err := s.client.Register(ctx, "coauthor-completion", protocol.MethodTextDocumentCompletion, map[string]any{
		"documentSelector": []filter{{promptPattern}}, "triggerCharacters": completionSigns})
	if err != nil {
		s.log.Info("no completion in prompt documents", "err", err)
	}
}

// completionParams are the params of textDocument/completion, as far as they matter.
type completionParams struct {
	Document documentID        `json:"textDocument"`
	Position document.Position `json:"position"`
}

// completionList is protocol.CompletionList with what all clients understand.
type completionList struct {
	Incomplete bool             `json:"isIncomplete"`
	Items      []completionItem `json:"items"`
}

type completionItem struct {
	Label         string                      `json:"label"`
	Kind          protocol.CompletionItemKind `json:"kind"`
	Detail        string                      `json:"detail,omitzero"`
	Documentation string                      `json:"documentation,omitzero"`
	Sort          string                      `json:"sortText"`
	Filter        string                      `json:"filterText"`
	Edit          completionEdit              `json:"textEdit"`
}

type completionEdit struct {
	Range document.Range `json:"range"`
	Text  string         `json:"newText"`
}

// typed is what of a prompt document is to be completed.
type typed struct {
	root *folder.Folder
	sign string // "@", "/" or "" for nothing
	word string // behind it
	at   document.Range
}

var (
	mentionTyped = regexp.MustCompile("(?:^|[\\s(\\[{\"'`,;])@([^\\s@()\\[\\]{}<>\"'`,;]*)$")
	slashTyped   = regexp.MustCompile(`^\s*/([\pL\pN_:.-]*)$`)
)

// captureCompletion finds what is to be completed, before later messages can move it.
func (d *documents) captureCompletion(p *completionParams) typed {
	doc, open := d.Get(p.Document.URI)
	if !open || !review.IsPrompt(doc.Path) {
		return typed{}
	}
	at, _ := doc.Lines.Span(document.Range{Start: p.Position, End: p.Position}.Protocol(), d.encoding)
	body, _ := review.OpenText(doc.Text)
	if at < body {
		return typed{}
	}
	line := doc.Text[strings.LastIndexByte(doc.Text[:at], '\n')+1 : at]
	t := typed{root: doc.Root}
	if m := mentionTyped.FindStringSubmatch(line); m != nil {
		t.sign, t.word = "@", m[1]
	} else if m := slashTyped.FindStringSubmatch(doc.Text[body:at]); m != nil {
		t.sign, t.word = "/", m[1]
	}
	t.at = document.FromProtocol(doc.Lines.RangeOf(at-len(t.sign)-len(t.word), at, d.encoding))
	return t
}

// completion answers textDocument/completion.
func (s *server) completion(ctx context.Context, _ *completionParams, t typed) (any, error) {
	list := completionList{Items: []completionItem{}}
	add := func(name, detail, doc, filter string, kind protocol.CompletionItemKind) {
		list.Items = append(list.Items, completionItem{Label: name, Kind: kind, Detail: detail, Documentation: doc,
			Sort: fmt.Sprintf("%04d", len(list.Items)), Filter: t.sign + filter, Edit: completionEdit{Range: t.at, Text: t.sign + name}})
	}
	switch t.sign {
	case "/":
		for _, c := range command.Slashes(s.table.actions, s.opts.Coders, t.root.Custom.Read(ctx).List) {
			if strings.HasPrefix(strings.ToLower(c.Word), strings.ToLower(t.word)) {
				add(c.Word, c.Hint, c.Doc, c.Word, protocol.CompletionItemKindKeyword)
			}
		}
	case "@":
		ctx, cancel := context.WithTimeout(ctx, s.opts.within(answerWithin))
		defer cancel()
		names, err := command.Named(ctx, t.root.Session, t.word)
		if err != nil {
			s.log.Info("no completion of names", "err", err)
		}
		list.Incomplete = true // what is typed next may fit better elsewhere
		for _, path := range names.Paths {
			filter := path
			if base := path[strings.LastIndexByte(path, '/')+1:]; strings.HasPrefix(strings.ToLower(base), strings.ToLower(t.word)) {
				filter = base // some editors take what begins as it was typed, and nothing else
			}
			add(path, "", "", filter, protocol.CompletionItemKindFile)
		}
		for _, d := range names.Definitions {
			add(d.Name, fmt.Sprintf("%s %s:%d", d.Kind, d.Path, d.Line+1), "", d.Name, protocol.CompletionItemKindReference)
		}
	}
	return list, nil
}
