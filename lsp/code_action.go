package lsp

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/custom"
	"coauthor/agent/event"
	"coauthor/agent/mention"
	"coauthor/agent/problems"
	"coauthor/agent/proposal"
	"coauthor/lsp/annotate"
	"coauthor/lsp/document"
	"coauthor/lsp/review"
)

// triggerAutomatic marks requests that clients send at every move of the cursor.
const triggerAutomatic = 2

// actionPlace is what a code action request was made against.
type actionPlace struct {
	doc       *openDocument // nil for a document that is not open
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
	now := s.situation(place)
	now.part = s.partAt(place, &now, p.Context.Trigger == triggerAutomatic)
	now.comment = s.commentAt(ctx, place, now.ours)
	automatic := p.Context.Trigger == triggerAutomatic
	if !automatic {
		s.nearUndo(place, &now)
		now.complained = s.docs.complainedAt(place, now.ours)
		now.prose = s.proseAt(ctx, place, now.prompt)
		_, ranks := offers(s.table.offered, s.client.Caps, &now, nil, false)
		s.more(ctx, place, &now, roomBeside(ranks))
	}
	list := fitting(offers(s.table.offered, s.client.Caps, &now, p.Context.Only, automatic))
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

// situation is what the offers of one request depend on.
type situation struct {
	place       actionPlace
	running     *agent.TurnStatus     // the oldest
	waiting     []proposal.Proposal   // the newest first
	part        *partOffer            // of one of waiting, that the place is about; nil for none
	asked       []event.Question      // what the user is asked, the oldest first
	suggested   []string              // commands for the shell that the last answer suggests
	owns        []custom.Command      // the user's own commands
	regenerable string                // the proposal among waiting that is of the last request; "" for none
	roomy       bool                  // the menu has room for a second way to regenerate it
	undoable    string                // the applied turn that touched this document last
	redoable    string                // the undone turn that touched this document last
	undoLabel   string                // what that was asked for
	redoLabel   string                // the same
	problems    problems.Found        // on the lines that the last applied turn changed
	complained  []document.Diagnostic // that other servers have about the place, the worst first
	prose       string                // what is selected says so; "" where that is no prose
	unready     string                // what is missing in the set-up; "" for nothing that is known
	prompt      bool                  // the document is a prompt document
	comment     mention.AIKind        // what a marked comment there wants; "" for none
	marked      bool                  // a review shows something in this document
	refused     []annotate.Rejected   // that are marked in this place
	hunks       []annotate.Hunk       // under review, in this place or deleted
	reviewed    string                // how much is under review; "" for nothing
	elsewhere   bool                  // some of it can be gone to
	ours        bool                  // it is one of those that the server writes for the user to look at
	now         time.Time
	uri         func(path string) string // names a file of the folder as the client does
}

func (s *server) situation(place actionPlace) situation {
	r := place.doc.Root
	now := situation{place: place, now: s.opts.Clock(), uri: s.docs.uris(r), prompt: review.IsPrompt(place.doc.Path),
		ours: kindOf(place.doc.URI, place.doc.Path) != document.Users}
	// What the session says, as the status does: the last words of a turn that has ended may be on their way. The
	// settings are not asked for, since the folder that they lie in may hang.
	if running := r.session.Turns(); len(running) > 0 {
		now.running = &running[0]
	}
	now.unready = r.session.Unready().Text
	now.asked, now.problems = s.questions.In(r.session), r.session.NewProblems()
	now.marked = r.marks.Reviewed(place.doc.Path)
	now.refused = r.marks.Rejected(func(one *annotate.Rejected) bool { return one.In(place.doc.Path, &place.rng) })
	s.underReview(&now)
	now.waiting = r.session.Proposals().Pending()
	slices.Reverse(now.waiting)
	now.waiting = now.waiting[:min(len(now.waiting), offeredAtOnce)]
	for _, p := range now.waiting {
		if r.session.Regenerable(p) {
			now.regenerable = p.ID
		}
	}
	if place.doc.Path != "" {
		now.undoable, _ = r.session.Proposals().LastApplied(place.doc.Path)
		now.redoable, _ = r.session.Proposals().LastUndone(place.doc.Path)
	}
	return now
}

// mostActions is how many code actions a menu bears.
const mostActions = 8

// more adds to a situation what there may be much of, as far as a menu has room for it. Commands of the user's own are one
// offer where they do not fit, from which a question leads on.
func (s *server) more(ctx context.Context, place actionPlace, now *situation, room int) {
	r := place.doc.Root
	if now.roomy = now.regenerable != "" && room > 0; now.roomy {
		room--
	}
	now.suggested = r.session.Suggested()
	now.suggested = now.suggested[:min(len(now.suggested), max(room, 1))]
	if now.ours {
		return
	}
	now.owns = slices.DeleteFunc(slices.Clone(s.readOwn(ctx, r).List), func(c custom.Command) bool { return !c.Offered(place.doc.Language, place.selection) })
	if most := min(max(room-len(now.suggested), 1), mostOwn); len(now.owns) > most {
		now.owns = append(now.owns[:most-1], custom.Command{})
	}
}

// mostOwn is how many of the user's own commands a menu has; of more the last is the way to all of them.
const mostOwn = 4

// offeredAtOnce is how many things of a kind are offered: a menu should fit the screen.
const offeredAtOnce = 3

// actionKinds are the kinds that the server announces: exactly those of the table.
func actionKinds(rows []producer) []protocol.CodeActionKind {
	var kinds []protocol.CodeActionKind
	for _, p := range rows {
		if k := protocol.CodeActionKind(p.kind); !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// commandNames are the commands that the server announces.
func commandNames(actions []command.Action) []string {
	names := make([]string, len(actions))
	for i, a := range actions {
		names[i] = a.Command()
	}
	return names
}
