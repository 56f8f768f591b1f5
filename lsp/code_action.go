package lsp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent/command"
	"coauthor/agent/custom"
	"coauthor/agent/mention"
	"coauthor/agent/proposal"
	"coauthor/lsp/annotate"
	"coauthor/lsp/codeaction"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/present"
	"coauthor/lsp/review"
)

// triggerAutomatic marks requests that clients send at every move of the cursor.
const triggerAutomatic = 2

// actionPlace is what a code action request was made against.
type actionPlace struct {
	doc       *folder.Document // nil for a document that is not open
	selection bool
	rng       protocol.Range
}

// captureCodeAction fixes the place and remembers it for commands that name none.
func (s *server) captureCodeAction(p *codeActionParams) actionPlace {
	place := actionPlace{rng: p.Range.Protocol()}
	s.docs.Focus(p.Document.URI, &place.rng)
	if doc, open := s.docs.Get(p.Document.URI); open {
		place.doc = doc
		if s.docs.SeeDiagnostics(doc.URI, place.rng, p.Context.Diagnostics) {
			s.diagnosed(doc.URI)
		}
		t := s.targetIn(doc, &place.rng)
		place.selection = !t.whole()
	}
	return place
}

// codeAction answers textDocument/codeAction.
func (s *server) codeAction(ctx context.Context, p *codeActionParams, place actionPlace) (any, error) {
	if place.doc == nil {
		return json.RawMessage("[]"), nil
	}
	now := s.codeActionContext(place)
	now.Part = s.partAt(place, &now, p.Context.Trigger == triggerAutomatic)
	if t := s.targetIn(place.doc, &place.rng); !now.Ours {
		now.Comment = place.doc.Root.Comments.At(ctx, place.doc, t.start, t.end)
	}
	automatic := p.Context.Trigger == triggerAutomatic
	if !automatic {
		s.nearUndo(place, &now)
		now.Complained = s.docs.complainedAt(place, now.Ours)
		now.Prose = s.proseAt(ctx, place, now.Prompt)
		s.more(ctx, place, &now, s.table.offered.Room(s.client.Caps, &now))
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

// codeActionContext is what a request finds without a question or a comparison.
func (s *server) codeActionContext(place actionPlace) codeaction.Context {
	r, doc := place.doc.Root, place.doc
	now := codeaction.Context{URI: doc.URI, Version: doc.Version, Path: doc.Path, Range: place.rng, Selection: place.selection,
		Now: s.opts.Clock(), FileURI: s.docs.uris(r), Prompt: review.IsPrompt(doc.Path), Ours: folder.KindOf(doc.URI, doc.Path) != document.Users}
	// What the session says, as the status does: the last words of a turn that has ended may be on their way. The
	// settings are not asked for, since the folder that they lie in may hang.
	if running := r.Session.Turns.List(); len(running) > 0 {
		now.Running = &running[0]
	}
	now.Unready = r.Session.Turns.Unready().Text
	now.Asked, now.Problems = s.questions.In(r.Session), r.Session.Problems.Now()
	now.Marked = r.Marks.Reviewed(place.doc.Path)
	now.Refused = r.Marks.Rejected(func(one *annotate.Rejected) bool { return one.In(place.doc.Path, &place.rng) })
	now.Hunks, now.Elsewhere, now.Reviewed = r.Hunks.Around(now.Path, now.Range)
	now.Waiting = r.Session.Proposals.Pending()
	slices.Reverse(now.Waiting)
	now.Waiting = now.Waiting[:min(len(now.Waiting), codeaction.AtOnce)]
	for _, p := range now.Waiting {
		if r.Session.Turns.Regenerable(p) {
			now.Regenerable = p.ID
		}
	}
	if place.doc.Path != "" {
		now.Undoable, _ = r.Session.Proposals.LastApplied(place.doc.Path)
		now.Redoable, _ = r.Session.Proposals.LastUndone(place.doc.Path)
	}
	return now
}

// more adds to a context what there may be much of, as far as a menu has room for it. Commands of the user's own are one
// offer where they do not fit, from which a question leads on.
func (s *server) more(ctx context.Context, place actionPlace, now *codeaction.Context, room int) {
	r := place.doc.Root
	if now.Roomy = now.Regenerable != "" && room > 0; now.Roomy {
		room--
	}
	now.Suggested = command.Suggested(r.Session.Conversation.History, r.Session.Engine.Options())
	now.Suggested = now.Suggested[:min(len(now.Suggested), max(room, 1))]
	if now.Ours {
		return
	}
	now.Custom = slices.DeleteFunc(slices.Clone(s.readOwn(ctx, r).List), func(c custom.Command) bool { return !c.Offered(place.doc.Language, place.selection) })
	if most := min(max(room-len(now.Suggested), 1), codeaction.MostCustom); len(now.Custom) > most {
		now.Custom = append(now.Custom[:most-1], custom.Command{})
	}
}

// partAt finds the part that a place is about; nil for none. In the document of one proposal the others are left out of the
// context. In a file of the user's that asks for a comparison, which is not made unless the user has asked.
func (s *server) partAt(place actionPlace, now *codeaction.Context, automatic bool) *codeaction.Part {
	if p, ok := shownIn(&s.own, place.doc.URI, place.doc.Path); ok {
		now.Waiting = nil
		if !p.Pending() {
			return nil
		}
		now.Waiting = []proposal.Proposal{p}
		return codeaction.PartOf(p, func() (review.Part, bool) {
			first, last := int(place.rng.Start.Line), int(place.rng.End.Line)
			if last > first && place.rng.End.Character == 0 {
				last--
			}
			return review.PartAt(&p, place.doc.Text, first, last)
		}, true)
	}
	if automatic || now.Ours || place.doc.Path == "" {
		return nil
	}
	for _, p := range now.Waiting {
		part := codeaction.PartOf(p, func() (review.Part, bool) {
			start, end := place.doc.Lines.Span(place.rng, s.docs.encoding)
			return review.PartIn(&p, place.doc.Path, place.doc.Text, start, end)
		}, false)
		if part != nil {
			return part
		}
	}
	return nil
}

// shownIn returns the proposal that an open document shows the diff of, where it is one of ours.
func shownIn(own *present.Documents, uri, path string) (proposal.Proposal, bool) {
	if folder.KindOf(uri, path) != document.Ours {
		return proposal.Proposal{}, false
	}
	return own.ShownIn(uri, path)
}

// To undo and to redo a change is offered near what it has changed, by the words of its request: elsewhere in a file the
// user thinks of something else, and the commands are there as before.

// nearUndo leaves out of a context what is not near its place, and adds the words of the requests. It compares texts, so
// it is not for requests that nobody made.
func (s *server) nearUndo(place actionPlace, now *codeaction.Context) {
	near := func(turn *string) (label string) {
		if *turn == "" {
			return ""
		}
		label, change, ok := place.doc.Root.Session.Proposals.LastChange(*turn, place.doc.Path)
		if ok && !codeaction.Near(place.doc.Lines, place.rng, s.docs.encoding, change) {
			*turn = ""
		}
		return label
	}
	now.UndoLabel, now.RedoLabel = near(&now.Undoable), near(&now.Redoable)
}

// proseAt is what a selection says, where it is one of prose: a text for people, comments, or a prompt document. "" is for
// everything else. In a file of the folder it is no command, whatever it begins with: those are what the user writes.
func (s *server) proseAt(ctx context.Context, place actionPlace, prompt bool) string {
	if !place.selection || place.doc.Path == "" {
		return ""
	}
	t := s.targetIn(place.doc, &place.rng)
	said, err := mention.Prose(ctx, place.doc.Path, place.doc.Text, t.start, t.end)
	if err != nil || !prompt && strings.HasPrefix(said, "/") {
		return ""
	}
	return said
}

// commandNames are the commands that the server announces.
func commandNames(actions []command.Action) []string {
	var names []string
	for _, a := range actions {
		names = append(names, a.Commands()...)
	}
	return names
}
