package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
	"coauthor/lsp/review"
)

// Code actions are data: which rows of the table of actions fit this place now. No model, no file
// and no other process is asked, whatever runs at the moment.

// offers are the code actions of a table that fit a situation, for a client that can do so much, each with its rank: what
// has the highest is left out first of a menu that is too long, and 0 never is. only are the kinds that it wants, or their
// beginnings; none is all. automatic says that nobody asked.
func offers(actions []agent.Action, caps *client.Capabilities, now *situation, only []string, automatic bool) (list []protocol.CodeAction, ranks []int) {
	said := map[string]int{}
	for _, a := range actions {
		for _, row := range a.CodeActions {
			if automatic && !cheap(row.When) {
				continue
			}
			for one := range now.each(row.When) {
				this := row
				if one.own != nil && one.own.Kind != "" {
					this.Kind = one.own.Kind
				}
				if !wanted(this.Kind, only) {
					continue
				}
				if action, ok := offer(caps, &a, &this, one); ok {
					if said[action.Title]++; said[action.Title] > 1 { // two that were asked for in the same words
						action.Title += fmt.Sprintf(" (%d)", said[action.Title])
						action.Command.Title = action.Title
					}
					list, ranks = append(list, action), append(ranks, dispensable(a.ID, row.When, one))
				}
			}
		}
	}
	return list, ranks
}

// fitting leaves out of a menu what it does not bear.
func fitting(list []protocol.CodeAction, ranks []int) []protocol.CodeAction {
	for len(list) > mostActions {
		least := len(list) - 1
		for i, rank := range slices.Backward(ranks) {
			if rank > ranks[least] {
				least = i
			}
		}
		if ranks[least] == 0 {
			break
		}
		list, ranks = slices.Delete(list, least, least+1), slices.Delete(ranks, least, least+1)
	}
	return list
}

// roomBeside is how many further actions a menu bears, if what can be written as well is left out.
func roomBeside(ranks []int) int {
	room := mostActions
	for _, rank := range ranks {
		if rank < rankWritten {
			room--
		}
	}
	return max(room, 0)
}

// writtenToo can be written as an instruction, or run as commands, as well as chosen from a menu; what is asked for least often
// comes first.
var writtenToo = []string{"help", "context", "review", "auto", "architect", "simplify", "addDocs", "addTests", "ask", "explain"}

// Ranks of what is offered where nothing waits for the user.
const (
	rankRedo       = 10
	rankProse      = 11
	rankDiagnostic = 12
	rankOwn        = 13
	rankWritten    = 20 // and more: what can be written too
)

// dispensable ranks what is left out of a menu that is too long: what has the highest number goes first, 0 is never.
func dispensable(id string, w agent.When, now *situation) int {
	switch {
	case w == agent.WhenCode:
		if i := slices.Index(writtenToo, id); i >= 0 {
			return rankWritten + len(writtenToo) - i
		}
		return rankWritten
	case w == agent.WhenOwn && now.own.Name != "": // else the way to all of them
		return rankOwn
	case w == agent.WhenDiagnostic && len(now.complained) > 1:
		return rankDiagnostic
	case w == agent.WhenProse:
		return rankProse
	case w == agent.WhenUndone:
		return rankRedo
	case w == agent.WhenRefused && now.edit.askable: // it can be asked for again
		return 6
	case w == agent.WhenRegenerable, w == agent.WhenAnotherModel, w == agent.WhenReviewElsewhere && len(now.hunks) > 0:
		return 5
	case w == agent.WhenUnderReview:
		return 3
	case w == agent.WhenFile && id == "discard":
		return 4
	case w == agent.WhenPending && id == "showPending" && now.part != nil && now.ours: // it is on the screen
		return 3
	case w == agent.WhenHunk && id == "discard" && !now.ours:
		return 2
	case w == agent.WhenFile, w == agent.WhenNoInput, w == agent.WhenInputFile, w == agent.WhenInputSelection:
		return 1
	}
	return 0
}

// wanted reports whether the client's filter lets a kind pass. It names kinds or their beginnings.
func wanted(kind string, only []string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(o string) bool {
		return o == "" || kind == o || strings.HasPrefix(kind, o+".")
	})
}

// cheap reports whether an action may appear unasked, in a light bulb.
func cheap(w agent.When) bool {
	return w == agent.WhenPending || w == agent.WhenHunk || w == agent.WhenFile || w == agent.WhenReviewHunk || w == agent.WhenReviewHunkIntact || w == agent.WhenAskable || w == agent.WhenProblems || w == agent.WhenCommentDo || w == agent.WhenCommentAsk || w == agent.WhenRunning || w == agent.WhenAsked || w == agent.WhenAskedText
}

// each gives the situation once for each thing that a row could be about.
func (now *situation) each(w agent.When) func(func(*situation) bool) {
	return func(yield func(*situation) bool) {
		switch w {
		case agent.WhenPending, agent.WhenRegenerable, agent.WhenAnotherModel, agent.WhenAttempts, agent.WhenConflict:
		case agent.WhenAsked, agent.WhenAskedText:
			now.eachAnswer(w, yield)
			return
		case agent.WhenOwn:
			for i := range now.owns {
				one := *now
				one.own = &now.owns[i]
				if !yield(&one) {
					return
				}
			}
			return
		case agent.WhenDiagnostic:
			for i := range now.complained[:min(len(now.complained), offeredAtOnce)] {
				one := *now
				one.complaint = &now.complained[i]
				if !yield(&one) {
					return
				}
			}
			return
		case agent.WhenReviewHunk, agent.WhenReviewHunkIntact:
			for i := range now.hunks {
				one := *now
				one.hunk = &now.hunks[i]
				if !yield(&one) {
					return
				}
			}
			return
		case agent.WhenRefused, agent.WhenAskable:
			for i := range now.refused {
				one := *now
				one.edit = &now.refused[i]
				if !yield(&one) {
					return
				}
			}
			return
		case agent.WhenSuggested:
			for _, command := range now.suggested {
				one := *now
				one.command = command
				if !yield(&one) {
					return
				}
			}
			return
		case agent.WhenInputSelection, agent.WhenInputFile, agent.WhenNoInput, agent.WhenCode, agent.WhenDiagnostics, agent.WhenProse, agent.WhenUnready, agent.WhenPrompt, agent.WhenHunk, agent.WhenFile,
			agent.WhenProblems, agent.WhenCommentDo, agent.WhenCommentAsk, agent.WhenRunning, agent.WhenApplied, agent.WhenUndone, agent.WhenReviewed, agent.WhenUnderReview, agent.WhenReviewElsewhere:
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

// requested puts the words of a request into a title; without any their place goes.
func requested(title, label string) string {
	if label == "" {
		return strings.ReplaceAll(title, " ({request})", "")
	}
	return strings.ReplaceAll(title, "{request}", review.Cut(label, 60))
}

// fits says whether an action that asks for an instruction has its place here, for a client with an input
// box or one without.
func (now *situation) fits(w agent.When, box bool) bool {
	switch w {
	case agent.WhenInputSelection:
		return box && now.place.selection
	case agent.WhenInputFile:
		return box && !now.place.selection
	case agent.WhenNoInput:
		return !box
	case agent.WhenCode, agent.WhenOwn, agent.WhenDiagnostic, agent.WhenDiagnostics, agent.WhenProse: // what waits for the user stands alone, so that the menu stays short
		return now.running == nil && len(now.waiting)+len(now.asked)+len(now.hunks) == 0
	case agent.WhenPending, agent.WhenHunk, agent.WhenFile, agent.WhenConflict, agent.WhenAttempts, agent.WhenRegenerable, agent.WhenAnotherModel, agent.WhenRefused, agent.WhenAskable, agent.WhenSuggested, agent.WhenPrompt, agent.WhenProblems, agent.WhenUnready, agent.WhenCommentDo, agent.WhenCommentAsk, agent.WhenAsked, agent.WhenAskedText,
		agent.WhenRunning, agent.WhenApplied, agent.WhenUndone, agent.WhenReviewed,
		agent.WhenReviewHunk, agent.WhenReviewHunkIntact, agent.WhenUnderReview, agent.WhenReviewElsewhere:
	}
	return true
}

// offer makes the code action of one row, where it fits.
func offer(caps *client.Capabilities, a *agent.Action, row *agent.CodeActionRow, now *situation) (protocol.CodeAction, bool) {
	doc := now.place.doc
	args := map[string]any{}
	title := row.Title
	var disabled string
	starts := false // a model will be asked
	var about []document.Diagnostic
	switch row.When {
	case agent.WhenInputSelection, agent.WhenInputFile, agent.WhenNoInput, agent.WhenCode, agent.WhenOwn, agent.WhenDiagnostic, agent.WhenDiagnostics:
		if now.ours || !now.fits(row.When, caps.InputBox) || row.When == agent.WhenDiagnostics && len(now.complained) < 2 {
			return protocol.CodeAction{}, false
		}
		starts = true
		args["uri"], args["version"] = doc.URI, doc.Version
		if now.place.selection {
			args["range"] = document.FromProtocol(now.place.rng)
		}
		if now.own != nil {
			name := "your own commands…"
			if now.own.Name != "" {
				name, args["name"] = review.Cut(now.own.InMenu(), 80), now.own.Name
			}
			title = strings.ReplaceAll(title, "{own}", name)
		}
		if now.complaint != nil {
			about = []document.Diagnostic{*now.complaint}
			title = strings.ReplaceAll(title, "{problem}", review.Cut(now.complaint.Text(), 60))
		}
		if row.When == agent.WhenDiagnostics {
			about = now.complained[:min(len(now.complained), mostComplaints)]
			title = strings.ReplaceAll(title, "{problems}", fmt.Sprintf("%d problems", len(about)))
		}
		if about != nil {
			args["diagnostics"] = about
		}
		if doc.Path == "" {
			disabled = "this document is not in an open folder"
		}
	case agent.WhenProse:
		if now.prose == "" || now.ours && !now.prompt || !now.fits(row.When, caps.InputBox) {
			return protocol.CodeAction{}, false
		}
		starts = true
		args["uri"], args["version"], args["instruction"] = doc.URI, doc.Version, now.prose
	case agent.WhenPrompt:
		if !now.prompt {
			return protocol.CodeAction{}, false
		}
		starts = true
		args["uri"] = doc.URI
	case agent.WhenCommentDo, agent.WhenCommentAsk:
		if now.comment != kindOfComment[row.When] {
			return protocol.CodeAction{}, false
		}
		starts = true
		args["uri"], args["version"], args["range"] = doc.URI, doc.Version, document.FromProtocol(now.place.rng)
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
	case agent.WhenConflict:
		p := now.pending
		if p == nil || p.State != event.ProposalConflict {
			return protocol.CodeAction{}, false
		}
		starts = row.Choice == agent.TakeAgain
		if starts && now.running != nil {
			return protocol.CodeAction{}, false
		}
		if len(now.waiting) > 1 {
			title += ": " + p.Label
		}
		args["uri"], args["proposalId"], args["revision"], args["turnId"] = doc.URI, p.ID, p.Revision, p.Turn
	case agent.WhenHunk, agent.WhenFile:
		part := now.part
		if part == nil || part.of.State == event.ProposalApplying || a.ID == "apply" && part.of.Shown != part.of.Revision {
			return protocol.CodeAction{}, false
		}
		args["uri"], args["proposalId"], args["revision"], args["turnId"] = doc.URI, part.of.ID, part.of.Revision, part.of.Turn
		args["files"] = part.Files
		if row.When == agent.WhenHunk {
			if !part.hunks {
				return protocol.CodeAction{}, false
			}
			args["hunks"] = part.Hunks
		} else if !part.files {
			return protocol.CodeAction{}, false
		}
		title = strings.NewReplacer("{hunks}", these("hunk", len(part.Hunks)), "{these}", these("file", len(part.Files))).Replace(title)
	case agent.WhenAttempts:
		p := now.pending
		if p == nil || p.State == event.ProposalApplying || len(p.Attempts) < 2 {
			return protocol.CodeAction{}, false
		}
		if len(now.waiting) > 1 {
			title += ": " + p.Label
		}
		args["uri"], args["proposalId"], args["revision"], args["turnId"] = doc.URI, p.ID, p.Revision, p.Turn
	case agent.WhenRegenerable:
		if now.pending == nil || now.pending.ID != now.regenerable || now.pending.State == event.ProposalConflict {
			return protocol.CodeAction{}, false
		}
		starts = true
		args["uri"] = doc.URI
	case agent.WhenAnotherModel:
		if !now.roomy || now.pending == nil || now.pending.ID != now.regenerable {
			return protocol.CodeAction{}, false
		}
		starts = true
		args["uri"], args["choose"] = doc.URI, true
	case agent.WhenRefused, agent.WhenAskable:
		starts = row.When == agent.WhenAskable
		if starts && (!now.edit.askable || now.running != nil) {
			return protocol.CodeAction{}, false
		}
		args["uri"], args["turnId"], args["hunk"] = doc.URI, now.edit.turn, now.edit.number
	case agent.WhenSuggested:
		if now.running != nil || len(now.asked) > 0 {
			return protocol.CodeAction{}, false
		}
		title = strings.ReplaceAll(title, "{command}", review.Cut(now.command, 80))
		args["uri"], args["command"] = doc.URI, now.command
	case agent.WhenAsked:
		title = answerTitle(now.question, now.choice)
		args["questionId"], args["choice"] = now.question.ID, now.choice
	case agent.WhenAskedText:
		args["uri"], args["questionId"], args["kind"] = doc.URI, now.question.ID, kindAnswer
	case agent.WhenRunning:
		if now.running == nil {
			return protocol.CodeAction{}, false
		}
		title = strings.ReplaceAll(title, "{seconds}", strconv.Itoa(int(now.now.Sub(now.running.Started).Seconds())))
		args["turnId"] = now.running.ID
	case agent.WhenProblems:
		if len(now.problems.List) == 0 || now.running != nil || len(now.waiting) > 0 {
			return protocol.CodeAction{}, false
		}
		starts = true
		title = strings.ReplaceAll(title, "{problems}", now.problems.Count())
		args["uri"] = doc.URI
	case agent.WhenUnready:
		if now.unready == "" || now.running != nil {
			return protocol.CodeAction{}, false
		}
		title = strings.ReplaceAll(title, "{problem}", review.Cut(now.unready, 60))
		args["uri"] = doc.URI
	case agent.WhenApplied:
		if now.undoable == "" {
			return protocol.CodeAction{}, false
		}
		args["uri"], args["turnId"] = doc.URI, now.undoable
		title = requested(title, now.undoLabel)
	case agent.WhenUndone:
		if now.redoable == "" {
			return protocol.CodeAction{}, false
		}
		args["uri"], args["turnId"] = doc.URI, now.redoable
		title = requested(title, now.redoLabel)
	case agent.WhenReviewHunk, agent.WhenReviewHunkIntact:
		if row.When == agent.WhenReviewHunkIntact && now.hunk.Touched {
			return protocol.CodeAction{}, false
		}
		title = strings.ReplaceAll(title, "{change}", now.hunk.what())
		args["uri"], args["proposalId"], args["files"], args["hunks"] = doc.URI, now.hunk.Proposal, []string{now.hunk.uri}, []int{now.hunk.Number}
	case agent.WhenUnderReview:
		if now.reviewed == "" {
			return protocol.CodeAction{}, false
		}
		title = strings.ReplaceAll(title, "{reviewing}", now.reviewed)
		args["uri"] = doc.URI
	case agent.WhenReviewElsewhere:
		if !now.elsewhere {
			return protocol.CodeAction{}, false
		}
		args["uri"], args["range"] = doc.URI, document.FromProtocol(now.place.rng)
	case agent.WhenReviewed:
		if !now.marked {
			return protocol.CodeAction{}, false
		}
		args["uri"] = doc.URI
	}
	if disabled != "" && !caps.DisabledActions {
		return protocol.CodeAction{}, false // elsewhere it would be run
	}
	if row.Choice != "" {
		args[a.Bare()] = row.Choice
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
	for _, d := range about { // so that the client shows it with what it is about
		if told, ok := d.Protocol(); ok {
			action.Diagnostics = append(action.Diagnostics, told)
		}
	}
	if disabled != "" {
		action.Disabled = protocol.CodeActionDisabled{Reason: disabled}
	}
	if caps.ActionTagLLM && (starts || a.ID == "apply") {
		action.Tags = []protocol.CodeActionTag{protocol.CodeActionTagLLMGenerated}
	}
	return action, true
}
