package codeaction

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/agent/mention"
)

// producer is one way in which a command is offered as a code action: all that is said of it stands in its row.
type producer struct {
	command string // the id of its action
	// title may hold words that fill puts in: {files}, {added}, {removed} of the pending change, {hunks} and {these} of the
	// place, {seconds} of the running turn, {choice} of a question, {request} in the words of the user, {problems} of the last
	// edit or of the place, {problem} for one of them, {own} of a command of the user's own, {command} that the last answer
	// suggests, {change} under review, {reviewing} all that is.
	title string
	kind  string // of code action
	when  string // says to users where it is offered; "here" is the place that the client asks about
	// automatic: it may appear unasked, in a light bulb.
	automatic bool
	// quiet: only where nothing runs or waits for the user, so that the menu stays short.
	quiet bool
	// model: a model will be asked, or has written what is applied.
	model bool
	// each lists what there is one action for each of; nil is one action.
	each func(*Context) []subject
	// fill completes an offer with its arguments, or says that it has no place here.
	fill func(*offer) bool
	// rank says what is left out first of a menu that is too long: what has the highest; 0, or nil, is never.
	rank func(*offer) int
}

// Kinds of code actions, as the protocol writes them.
const (
	kindRewrite  = "refactor.rewrite"
	kindRefactor = "refactor"
	kindQuickFix = "quickfix"
	kindSource   = "source"
)

// Where several are offered.
const (
	whenIdle         = "Coauthor is idle"
	whenPending      = "a change is pending"
	whenPendingHunks = "hunks of a pending change are here"
	whenPendingFiles = "files of a pending change are here"
	whenConflict     = "a pending change has a conflict"
	whenUnderReview  = "several hunks are under review"
)

// Table is THE table of code actions, in the order in which they are offered.
type Table struct{ rows []producer }

// NewTable makes the table, with the commands of these coders.
func NewTable(coders coder.Table) Table {
	return Table{slices.Concat(waitingProducers(), problemProducers(), editProducers(), hunkProducers(), promptProducers(), requestProducers(coders), laterProducers())}
}

// waitingProducers are for what waits for the user.
func waitingProducers() []producer {
	conflict := func(title, take string, model bool) producer {
		return producer{command: "resolve", title: title, kind: kindRewrite, when: whenConflict, model: model, each: eachPending, fill: func(o *offer) bool { return offerResolve(o, take) }}
	}
	return []producer{
		{command: "answer", title: "Coauthor: {choice}", kind: kindQuickFix, when: "a question is open", automatic: true, each: eachAnswer, fill: offerAnswer},
		{command: "cancel", title: "Coauthor: stop (running {seconds} s)", kind: kindQuickFix, when: "a request is running", automatic: true, fill: offerCancel},
		{command: "apply", title: "Coauthor: apply pending change ({files}, +{added} -{removed})", kind: kindRewrite, when: whenPending, automatic: true, model: true, each: eachPending, fill: offerApply},
		{command: "apply", title: "Coauthor: apply {hunks}", kind: kindRewrite, when: whenPendingHunks, automatic: true, model: true, fill: offerApplyHunks},
		{command: "apply", title: "Coauthor: apply {these}", kind: kindRewrite, when: whenPendingFiles, automatic: true, model: true, fill: offerApplyFiles, rank: always(rankUsual)},
		conflict("Coauthor: show both sides of the conflict", command.TakeBoth, false),
		conflict("Coauthor: keep my lines and apply the rest", command.TakeMine, false),
		conflict("Coauthor: use the model's lines", command.TakeTheirs, false),
		conflict("Coauthor: ask again with my text", command.TakeAgain, true),
		{command: "showPending", title: "Coauthor: show pending change", kind: kindRewrite, when: whenPending, automatic: true, each: eachPending, fill: offerPending, rank: rankOfShown},
		{command: "discard", title: "Coauthor: discard pending change", kind: kindRewrite, when: whenPending, automatic: true, each: eachPending, fill: offerPending},
		{command: "discard", title: "Coauthor: discard {hunks}", kind: kindRewrite, when: whenPendingHunks, automatic: true, fill: offerHunks, rank: rankOfHunks},
		{command: "discard", title: "Coauthor: discard {these}", kind: kindRewrite, when: whenPendingFiles, automatic: true, fill: offerFiles, rank: always(rankDiscardFiles)},
		{command: "takeAttempt", title: "Coauthor: use another attempt…", kind: kindRewrite, when: "a pending change has other attempts", each: eachPending, fill: offerAttempts},
	}
}

// problemProducers are for what is wrong: with code, and with hunks that could not be applied.
func problemProducers() []producer {
	return []producer{
		{command: "fix", title: "Coauthor: fix {problems}", kind: kindQuickFix, when: "the last applied change caused problems", automatic: true, model: true, fill: offerFix},
		{command: "fix", title: `Coauthor: fix "{problem}"`, kind: kindQuickFix, when: "other servers report a problem here", quiet: true, model: true, each: eachComplaint, fill: offerFixOne, rank: rankOfComplaint},
		{command: "fix", title: "Coauthor: fix all {problems} here", kind: kindQuickFix, when: "other servers report several problems here", quiet: true, model: true, fill: offerFixAll},
		{command: "askAgain", title: "Coauthor: ask again for this hunk", kind: kindQuickFix, when: "the model can redo a refused hunk here", automatic: true, model: true, each: eachRefused, fill: offerAskAgain},
		{command: "dismissRefused", title: "Coauthor: dismiss this refused hunk", kind: kindQuickFix, when: "a refused hunk is marked here", each: eachRefused, fill: offerRefused, rank: rankOfRefused},
	}
}

// editProducers ask for an instruction, or have one.
func editProducers() []producer {
	return []producer{
		{command: "edit", title: "Coauthor: change selection…", kind: kindRewrite, when: "text is selected and the client has an input box", model: true, fill: offerEditSelection, rank: always(rankUsual)},
		{command: "edit", title: "Coauthor: change file…", kind: kindRewrite, when: "no text is selected and the client has an input box", model: true, fill: offerEditFile, rank: always(rankUsual)},
		{command: "edit", title: "Coauthor: use selection as instruction", kind: kindRewrite, when: "prose or comments are selected", quiet: true, model: true, fill: offerProse, rank: always(rankProse)},
	}
}

// hunkProducers are for hunks under review.
func hunkProducers() []producer {
	return []producer{
		{command: "keep", title: "Coauthor: keep {change}", kind: kindRewrite, when: "a hunk under review is here", automatic: true, each: eachHunk, fill: offerHunk},
		{command: "undoHunk", title: "Coauthor: undo {change}", kind: kindRewrite, when: "an unedited hunk under review is here", automatic: true, each: eachHunk, fill: offerUndoHunk},
		{command: "keepAll", title: "Coauthor: keep all ({reviewing})", kind: kindRewrite, when: whenUnderReview, fill: offerReviewed, rank: always(rankReviewed)},
		{command: "undoAll", title: "Coauthor: undo all ({reviewing})", kind: kindRewrite, when: whenUnderReview, fill: offerReviewed, rank: always(rankReviewed)},
		{command: "nextHunk", title: "Coauthor: go to the next change", kind: kindRewrite, when: "another hunk is under review", fill: offerNextHunk, rank: rankOfNextHunk},
	}
}

// promptProducers are for instructions that stand in documents.
func promptProducers() []producer {
	return []producer{
		{command: "openPrompt", title: "Coauthor: write the answer…", kind: kindQuickFix, when: "an open question accepts free text", automatic: true, each: eachFreeAnswer, fill: offerWriteAnswer},
		{command: "openPrompt", title: "Coauthor: write an instruction…", kind: kindRewrite, when: "the client has no input box", model: true, fill: offerWrite, rank: always(rankUsual)},
		{command: "runPrompt", title: "Coauthor: run this instruction", kind: kindRewrite, when: "the document is a prompt document", model: true, fill: offerRunPrompt},
		{command: "doComments", title: "Coauthor: carry out this comment", kind: kindRewrite, when: "a comment here is marked `AI!`", automatic: true, model: true, fill: func(o *offer) bool { return offerComment(o, mention.AIDo) }},
		{command: "doComments", title: "Coauthor: answer this comment", kind: kindRefactor, when: "a comment here is marked `AI?`", automatic: true, model: true, fill: func(o *offer) bool { return offerComment(o, mention.AIAsk) }},
	}
}

// requestProducers are the requests of the coders' table and those that need no words, about the place.
func requestProducers(coders coder.Table) []producer {
	var list []producer
	request := func(command, title, kind string) {
		list = append(list, producer{command: command, title: title, kind: kind, when: whenIdle, quiet: true, model: true, fill: offerCode, rank: always(rankOfWritten(command))})
	}
	kinds := map[bool]string{true: kindRewrite, false: kindRefactor}
	for _, a := range command.ActionsOf(coders) {
		if a.Preset != nil {
			request(a.ID, "Coauthor: "+strings.ToLower(a.Title), kinds[a.Group == command.GroupChange])
		}
	}
	for _, c := range coders.Offered() {
		if c.Menu != "" {
			request(c.Name, "Coauthor: "+c.Menu, kinds[c.Proposes()])
		}
	}
	return list
}

// laterProducers are for turns that there were, and for what concerns none.
func laterProducers() []producer {
	return []producer{
		{command: "runAction", title: "Coauthor: {own}", kind: kindRewrite, when: "a custom command applies here", quiet: true, model: true, each: eachOwn, fill: offerOwn, rank: rankOfOwnCommand},
		{command: "undoTurn", title: "Coauthor: undo last change ({request})", kind: kindRefactor, when: "the last applied change is near", fill: offerUndo},
		{command: "redoTurn", title: "Coauthor: redo undone change ({request})", kind: kindRefactor, when: "the last undone change is near", fill: offerRedo, rank: always(rankRedo)},
		{command: "doctor", title: "Coauthor: check the setup ({problem})", kind: kindRefactor, when: "setup is incomplete", fill: offerDoctor},
		{command: "review", title: "Coauthor: review uncommitted changes", kind: kindSource, when: whenIdle, quiet: true, model: true, fill: offerCode, rank: always(rankOfWritten("review"))},
		{command: "clearReview", title: "Coauthor: clear review diagnostics", kind: kindQuickFix, when: "the last review reported problems in this document", fill: offerClearReview},
		{command: "run", title: "Coauthor: run {command}", kind: kindRefactor, when: "the last answer suggests shell commands", each: eachSuggested, fill: offerRun},
		{command: "regenerate", title: "Coauthor: regenerate pending change", kind: kindRewrite, when: "the last request has a pending change", model: true, each: eachPending, fill: offerRegenerate, rank: always(rankRegenerate)},
		{command: "regenerate", title: "Coauthor: regenerate with another model…", kind: kindRewrite, when: "the last request has a pending change and the menu has space", model: true, each: eachPending, fill: offerAnotherModel, rank: always(rankRegenerate)},
	}
}

// Row is what a page says of a code action.
type Row struct {
	Command string // the name of its command
	Title   string
	Kind    string
	When    string // where it is offered
}

// Rows lists the code actions in the order in which they are offered.
func (t Table) Rows() []Row {
	var list []Row
	for _, p := range t.rows {
		list = append(list, Row{Command: command.CommandPrefix + p.command, Title: p.title, Kind: p.kind, When: p.when})
	}
	return list
}

// Kinds are the kinds that the server announces: exactly those of the table.
func (t Table) Kinds() []protocol.CodeActionKind {
	var kinds []protocol.CodeActionKind
	for _, p := range t.rows {
		if k := protocol.CodeActionKind(p.kind); !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// Titles has the first title of each command, by its id.
func (t Table) Titles() map[string]string {
	titles := map[string]string{}
	for _, p := range t.rows {
		if titles[p.command] == "" {
			titles[p.command] = p.title
		}
	}
	return titles
}
