package codeaction

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/custom"
	"coauthor/agent/mention"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/annotate"
	"coauthor/lsp/document"
	"coauthor/lsp/hunks"
	"coauthor/lsp/review"
)

// Place is what a request was made against: a place in an open document, as it was when the request came, and the folder of
// that. A Context is made of it in steps, of which those that cost more are for requests that the user made.
type Place struct {
	Session *agent.Session
	Marks   *annotate.Marks
	Hunks   *hunks.Hunks
	FileURI func(path string) string // names a file of the folder as the client does

	URI      string // as the client spells it
	Version  int32
	Path     string // relative to the folder; "" for what is no file of it
	Language string
	Kind     document.Kind
	Lines    document.Lines // of the text
	Encoding document.Encoding

	Range      protocol.Range // that the client asks about
	Start, End int            // the selection in bytes; equal for none
}

// Selection says whether a part of the document is selected.
func (p *Place) Selection() bool { return p.Start != p.End }

// Context is what a request finds without a question or a comparison.
func (p *Place) Context() Context {
	now := Context{URI: p.URI, Version: p.Version, Path: p.Path, Range: p.Range, Selection: p.Selection(), FileURI: p.FileURI,
		Prompt: review.IsPrompt(p.Path), Ours: p.Kind != document.Users}
	// What the session says, as the status does: the last words of a turn that has ended may be on their way. The
	// settings are not asked for, since the folder that they lie in may hang.
	if running := p.Session.Turns.List(); len(running) > 0 {
		now.Running = &running[0]
	}
	now.Unready = p.Session.Turns.MissingSetup().Text
	now.Problems = p.Session.Problems.Now()
	now.Marked = p.Marks.Reviewed(p.Path)
	now.Refused = p.Marks.Rejected(func(one *annotate.Rejected) bool { return one.In(p.Path, &p.Range) })
	now.Hunks, now.Elsewhere, now.Reviewed = p.Hunks.Around(p.Path, p.Range)
	now.Waiting = p.Session.Proposals.Pending()
	slices.Reverse(now.Waiting)
	now.Waiting = now.Waiting[:min(len(now.Waiting), AtOnce)]
	for _, one := range now.Waiting {
		if p.Session.Turns.Regenerable(one) {
			now.Regenerable = one.ID
		}
	}
	if p.Path != "" {
		now.Undoable, _ = p.Session.Proposals.Sent.LastApplied(p.Path)
		now.Redoable, _ = p.Session.Proposals.Sent.LastUndone(p.Path)
	}
	return now
}

// InDiff finds the part that a place in the document with the diff of a proposal is about, and leaves the other proposals
// out of the context.
func (p *Place) InDiff(now *Context, of proposal.Proposal) {
	now.Waiting = nil
	if !of.Pending() {
		return
	}
	now.Waiting = []proposal.Proposal{of}
	now.Part = partOf(of, func() (review.Part, bool) {
		first, last := int(p.Range.Start.Line), int(p.Range.End.Line)
		if last > first && p.Range.End.Character == 0 {
			last--
		}
		return review.PartAt(&of, p.Lines.Text, first, last)
	}, true)
}

// InFile finds the part that a place in a file of the user's is about. It compares texts.
func (p *Place) InFile(now *Context) {
	if now.Ours || p.Path == "" {
		return
	}
	for _, one := range now.Waiting {
		now.Part = partOf(one, func() (review.Part, bool) {
			start, end := p.Lines.Span(p.Range, p.Encoding)
			return review.PartIn(&one, p.Path, p.Lines.Text, start, end)
		}, false)
		if now.Part != nil {
			return
		}
	}
}

// To undo and to redo a change is offered near what it has changed, by the words of its request: elsewhere in a file the
// user thinks of something else, and the commands are there as before.

// NearUndo leaves out of a context what is not near its place, and adds the words of the requests. It compares texts.
func (p *Place) NearUndo(now *Context) {
	nearby := func(turn *string) (label string) {
		if *turn == "" {
			return ""
		}
		label, change, ok := p.Session.Proposals.Sent.LastChange(*turn, p.Path)
		if ok && !p.near(change) {
			*turn = ""
		}
		return label
	}
	now.UndoLabel, now.RedoLabel = nearby(&now.Undoable), nearby(&now.Redoable)
}

// nearLines is how many lines a place may be away from a changed line.
const nearLines = 10

// near says whether a place is near lines that a change has changed, wherever they are now.
func (p *Place) near(c edits.Change) bool {
	if c.Op != edits.OpUpdate && c.Op != edits.OpRename || c.Before == c.After {
		return true // the whole file is of it
	}
	var spans [][2]int
	for _, h := range edits.Diff(c.Before, c.After) {
		spans = append(spans, [2]int{h.NewStart, h.NewEnd})
	}
	first, last := int(p.Range.Start.Line)-nearLines, int(p.Range.End.Line)+nearLines
	for _, span := range review.FollowAll(c.After, p.Lines.Text, spans) {
		at := p.Lines.RangeOf(span[0], span[1], p.Encoding)
		if int(at.Start.Line) <= last && int(at.End.Line) >= first {
			return true
		}
	}
	return false
}

// Prose adds what a selection says, where it is one of prose: a text for people, comments, or a prompt document. In a file
// of the folder it is no command, whatever it begins with: those are what the user writes.
func (p *Place) Prose(ctx context.Context, now *Context) {
	if !p.Selection() || p.Path == "" {
		return
	}
	said, err := mention.Prose(ctx, p.Path, p.Lines.Text, p.Start, p.End)
	if err == nil && (now.Prompt || !strings.HasPrefix(said, "/")) {
		now.Prose = said
	}
}

// Fill adds what there may be much of, as far as a menu has room for it. It returns the room that is left.
func (p *Place) Fill(now *Context, room int) int {
	if now.Roomy = now.Regenerable != "" && room > 0; now.Roomy {
		room--
	}
	now.Suggested = command.Suggested(p.Session.Conversation.History, p.Session.Engine.Options())
	now.Suggested = now.Suggested[:min(len(now.Suggested), max(room, 1))]
	return room - len(now.Suggested)
}

// Own adds the user's own commands. They are one offer where they do not fit, from which a question leads on.
func (p *Place) Own(now *Context, own []custom.Command, room int) {
	now.Custom = slices.DeleteFunc(slices.Clone(own), func(c custom.Command) bool { return !c.Offered(p.Language, p.Selection()) })
	if most := min(max(room, 1), MostCustom); len(now.Custom) > most {
		now.Custom = append(now.Custom[:most-1], custom.Command{})
	}
}
