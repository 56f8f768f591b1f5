package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"

	"coauthor/agent/command"
	"coauthor/agent/proposal"
	"coauthor/lsp/codeaction"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/present"
)

// triggerAutomatic marks requests that clients send at every move of the cursor.
const triggerAutomatic = 2

// actionPlace is what a code action request was made against.
type actionPlace struct {
	doc *folder.Document // nil for a document that is not open
	codeaction.Place
}

// captureCodeAction fixes the place and remembers it for commands that name none.
func (s *server) captureCodeAction(p *codeActionParams) actionPlace {
	at := p.Range.Protocol()
	s.docs.Focus(p.Document.URI, &at)
	doc, open := s.docs.Get(p.Document.URI)
	if !open {
		return actionPlace{}
	}
	if s.docs.SeeDiagnostics(doc.URI, at, p.Context.Diagnostics) {
		s.diagnosed(doc.URI)
	}
	r, t := doc.Root, s.docs.targetIn(doc, &at)
	return actionPlace{doc, codeaction.Place{
		Session: r.Session, Marks: r.Marks, Hunks: r.Hunks, FileURI: s.docs.uris(r),
		URI: doc.URI, Version: doc.Version, Path: doc.Path, Language: doc.Language, Kind: folder.KindOf(doc.URI, doc.Path),
		Lines: doc.Lines, Encoding: s.docs.encoding, Range: at, Start: t.start, End: t.end,
	}}
}

// codeAction answers textDocument/codeAction.
func (s *server) codeAction(ctx context.Context, p *codeActionParams, place actionPlace) (any, error) {
	if place.doc == nil {
		return json.RawMessage("[]"), nil
	}
	automatic := p.Context.Trigger == triggerAutomatic
	now := place.Context()
	now.Now, now.Asked = s.opts.Clock(), s.questions.In(place.Session)
	if of, ok := shownIn(&s.own, place.URI, place.Path); ok {
		place.InDiff(&now, of)
	} else if !automatic { // nothing is compared unless the user has asked
		place.InFile(&now)
	}
	if !now.Ours {
		now.Comment = place.doc.Root.Comments.At(ctx, place.doc, place.Start, place.End)
	}
	if !automatic {
		place.NearUndo(&now)
		now.Complained = s.docs.complainedAt(place, now.Ours)
		place.Prose(ctx, &now)
		room := place.Fill(&now, s.table.offered.Room(s.client.Caps, &now))
		if !now.Ours {
			place.Own(&now, place.doc.Root.Custom.Read(ctx).List, room)
		}
	}
	list := s.table.offered.Menu(s.client.Caps, &now, p.Context.Only, automatic)
	if s.client.Caps.ActionLiterals {
		return actionList(list)
	}
	commands := make([]protocol.Command, 0, len(list))
	for _, a := range list {
		if a.Disabled.Reason == "" {
			commands = append(commands, a.Command)
		}
	}
	return commands, nil
}

// actionList encodes the actions; an empty list is no null, which some clients take for a fault.
func actionList(list []protocol.CodeAction) (any, error) {
	out := []byte{'['}
	for i := range list {
		if i > 0 {
			out = append(out, ',')
		}
		raw, err := protocol.Marshal(&list[i])
		if err != nil {
			return nil, err
		}
		out = append(out, raw...)
	}
	return json.RawMessage(append(out, ']')), nil
}

// shownIn returns the proposal that an open document shows the diff of, where it is one of ours.
func shownIn(own *present.Documents, uri, path string) (proposal.Proposal, bool) {
	if folder.KindOf(uri, path) != document.Ours {
		return proposal.Proposal{}, false
	}
	return own.ShownIn(uri, path)
}

// commandNames are the commands that the server announces.
func commandNames(actions []command.Action) []string {
	var names []string
	for _, a := range actions {
		names = append(names, a.Commands()...)
	}
	return names
}
