package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/lsp/document"
	"coauthor/lsp/review"
)

// Code actions are data: which rows of the table of actions fit this place now. No model, no file
// and no other process is asked, whatever runs at the moment.

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
		t := s.targetIn(doc, &place.rng)
		place.selection = !t.whole()
	}
	return place
}

// codeAction answers textDocument/codeAction.
func (s *server) codeAction(_ context.Context, p *codeActionParams, place actionPlace) (any, error) {
	if place.doc == nil {
		return json.RawMessage("[]"), nil
	}
	now := s.situation(place)
	var list []protocol.CodeAction
	said := map[string]int{}
	for _, a := range agent.Actions() {
		for _, row := range a.CodeActions {
			if !wanted(row.Kind, p.Context.Only) {
				continue
			}
			if p.Context.Trigger == triggerAutomatic && !cheap(row.When) {
				continue
			}
			for one := range now.each(row.When) {
				if action, ok := s.offer(&a, &row, one); ok {
					if said[action.Title]++; said[action.Title] > 1 { // two that were asked for in the same words
						action.Title += fmt.Sprintf(" (%d)", said[action.Title])
						action.Command.Title = action.Title
					}
					list = append(list, action)
				}
			}
		}
	}
	if s.caps.ActionLiterals {
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

// wanted reports whether the client's filter lets a kind pass. It names kinds or their beginnings.
func wanted(kind string, only []string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(o string) bool {
		return o == "" || kind == o || strings.HasPrefix(kind, o+".")
	})
}

// cheap reports whether an action may appear unasked, in a light bulb.
func cheap(w agent.When) bool {
	return w == agent.WhenPending || w == agent.WhenRunning || w == agent.WhenAsked || w == agent.WhenAskedText
}

// situation is what the offers of one request depend on.
type situation struct {
	place    actionPlace
	running  *turnView
	waiting  []proposal.Proposal // the newest first
	pending  *proposal.Proposal  // the one of waiting that an offer is about
	asked    []event.Question    // what the user is asked, the oldest first
	question *event.Question     // the one of asked that an offer is about
	choice   string              // the answer that it would give
	undoable string              // the applied turn that touched this document last
	redoable string              // the undone turn that touched this document last
	prompt   bool                // the document is a prompt document
	ours     bool                // it is one of those that the server writes for the user to look at
	now      time.Time
}

func (s *server) situation(place actionPlace) situation {
	r := place.doc.Root
	now := situation{place: place, now: s.opts.Clock(), prompt: review.IsPrompt(place.doc.Path),
		ours: kindOf(place.doc.URI, place.doc.Path) != document.Users}
	if running := s.turns.running(r); len(running) > 0 {
		now.running = running[0]
	}
	now.asked = s.questions.in(r)
	now.waiting = r.session.Proposals().Pending()
	slices.Reverse(now.waiting)
	now.waiting = now.waiting[:min(len(now.waiting), offeredAtOnce)]
	if place.doc.Path != "" {
		now.undoable, _ = r.session.Proposals().LastApplied(place.doc.Path)
		now.redoable, _ = r.session.Proposals().LastUndone(place.doc.Path)
	}
	return now
}

// offeredAtOnce is how many things of a kind are offered: a menu should fit the screen.
const offeredAtOnce = 3

// each gives the situation once for each thing that a row could be about.
func (now *situation) each(w agent.When) func(func(*situation) bool) {
	return func(yield func(*situation) bool) {
		switch w {
		case agent.WhenPending:
		case agent.WhenAsked, agent.WhenAskedText:
			now.eachAnswer(w, yield)
			return
		case agent.WhenInputSelection, agent.WhenInputFile, agent.WhenNoInput, agent.WhenPrompt,
			agent.WhenRunning, agent.WhenApplied, agent.WhenUndone:
			yield(now)
			return
		}
		for i := range now.waiting {
			one := *now
			one.pending = &now.waiting[i]
			if !yield(&one) {
				return
			}
		}
	}
}

// eachAnswer gives the situation once for each answer that can be given.
func (now *situation) eachAnswer(w agent.When, yield func(*situation) bool) {
	for i := range now.asked {
		one := *now
		one.question = &now.asked[i]
		choices := one.question.Choices
		if w == agent.WhenAskedText {
			if len(choices) > 0 && !one.question.FreeText {
				continue
			}
			choices = []string{""}
		}
		for _, one.choice = range choices {
			if !yield(&one) {
				return
			}
		}
	}
}

// offer makes the code action of one row, where it fits.
func (s *server) offer(a *agent.Action, row *agent.CodeActionRow, now *situation) (protocol.CodeAction, bool) {
	doc := now.place.doc
	args := map[string]any{}
	title := row.Title
	var disabled string
	starts := false // a model will be asked
	switch row.When {
	case agent.WhenInputSelection, agent.WhenInputFile, agent.WhenNoInput:
		if now.ours || s.caps.InputBox != (row.When != agent.WhenNoInput) {
			return protocol.CodeAction{}, false
		}
		if row.When != agent.WhenNoInput && now.place.selection != (row.When == agent.WhenInputSelection) {
			return protocol.CodeAction{}, false
		}
		starts = true
		args["uri"], args["version"] = doc.URI, doc.Version
		if now.place.selection {
			args["range"] = document.FromProtocol(now.place.rng)
		}
		if doc.Path == "" {
			disabled = "this document is no file of a folder that is open"
		}
	case agent.WhenPrompt:
		if !now.prompt {
			return protocol.CodeAction{}, false
		}
		starts = true
		args["uri"] = doc.URI
	case agent.WhenPending:
		p := now.pending
		if p == nil || p.State == event.ProposalApplying {
			return protocol.CodeAction{}, false
		}
		if a.ID == "apply" && p.Shown != p.Revision {
			return protocol.CodeAction{}, false // nobody has seen it: it can be shown first
		}
		files, added, removed := p.Open()
		title = strings.NewReplacer("{files}", review.CountFiles(files), "{added}", strconv.Itoa(added),
			"{removed}", strconv.Itoa(removed)).Replace(title)
		if len(now.waiting) > 1 {
			title += ": " + p.Label
		}
		args["uri"], args["proposalId"], args["revision"], args["turnId"] = doc.URI, p.ID, p.Revision, p.Turn
	case agent.WhenAsked:
		title = answerTitle(now.question, now.choice)
		args["questionId"], args["choice"] = now.question.ID, now.choice
	case agent.WhenAskedText:
		args["uri"], args["questionId"], args["kind"] = doc.URI, now.question.ID, kindAnswer
	case agent.WhenRunning:
		if now.running == nil {
			return protocol.CodeAction{}, false
		}
		title = strings.ReplaceAll(title, "{seconds}", strconv.Itoa(int(now.now.Sub(now.running.started).Seconds())))
		args["turnId"] = now.running.turn()
	case agent.WhenApplied:
		if now.undoable == "" {
			return protocol.CodeAction{}, false
		}
		args["uri"], args["turnId"] = doc.URI, now.undoable
	case agent.WhenUndone:
		if now.redoable == "" {
			return protocol.CodeAction{}, false
		}
		args["uri"], args["turnId"] = doc.URI, now.redoable
	}
	if disabled != "" && !s.caps.DisabledActions {
		return protocol.CodeAction{}, false // elsewhere it would be run
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return protocol.CodeAction{}, false // maps of plain values always encode
	}
	kind := protocol.CodeActionKind(row.Kind)
	title = display.Message(title)
	action := protocol.CodeAction{
		Title: title, Kind: &kind,
		Command: protocol.Command{Title: title, Command: a.Command(), Arguments: []protocol.LSPAny{protocol.LSPAny(raw)}},
	}
	if disabled != "" {
		action.Disabled = protocol.CodeActionDisabled{Reason: disabled}
	}
	if s.caps.ActionTagLLM && (starts || a.ID == "apply") {
		action.Tags = []protocol.CodeActionTag{protocol.CodeActionTagLLMGenerated}
	}
	return action, true
}

// actionKinds are the kinds that the server announces: exactly those of the table.
func actionKinds(actions []agent.Action) []protocol.CodeActionKind {
	var kinds []protocol.CodeActionKind
	for _, a := range actions {
		for _, row := range a.CodeActions {
			if k := protocol.CodeActionKind(row.Kind); !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
	}
	return kinds
}

// commandNames are the commands that the server announces.
func commandNames(actions []agent.Action) []string {
	names := make([]string, len(actions))
	for i, a := range actions {
		names[i] = a.Command()
	}
	return names
}
