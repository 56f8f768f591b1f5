package codeaction

import (
	"fmt"
	"strconv"
	"strings"

	"coauthor/agent/command"
	"coauthor/agent/event"
	"coauthor/agent/mention"
	"coauthor/agent/proposal"
	"coauthor/lsp/document"
	"coauthor/lsp/review"
	"coauthor/lsp/turnview"
)

// The functions of the table of producers: what each row is about, and what it says to its command.

// quiet reports whether nothing runs or waits for the user.
func (now *Context) quiet() bool {
	return now.Running == nil && len(now.Waiting)+len(now.Asked)+len(now.Hunks) == 0
}

func eachPending(now *Context) (list []subject) {
	for i := range now.Waiting {
		list = append(list, subject{pending: &now.Waiting[i]})
	}
	return list
}

// eachAnswer has each choice of each question.
func eachAnswer(now *Context) (list []subject) {
	for i := range now.Asked {
		for _, choice := range now.Asked[i].Choices {
			list = append(list, subject{question: &now.Asked[i], choice: choice})
		}
	}
	return list
}

// eachFreeAnswer has the questions that can be answered in own words.
func eachFreeAnswer(now *Context) (list []subject) {
	for i := range now.Asked {
		if q := &now.Asked[i]; len(q.Choices) == 0 || q.FreeText {
			list = append(list, subject{question: q})
		}
	}
	return list
}

func eachOwn(now *Context) (list []subject) {
	for i := range now.Custom {
		list = append(list, subject{own: &now.Custom[i]})
	}
	return list
}

// eachComplaint has the worst.
func eachComplaint(now *Context) (list []subject) {
	for i := range now.Complained[:min(len(now.Complained), AtOnce)] {
		list = append(list, subject{complaint: &now.Complained[i]})
	}
	return list
}

func eachHunk(now *Context) (list []subject) {
	for i := range now.Hunks {
		list = append(list, subject{hunk: &now.Hunks[i]})
	}
	return list
}

func eachRefused(now *Context) (list []subject) {
	for i := range now.Refused {
		list = append(list, subject{refused: &now.Refused[i]})
	}
	return list
}

func eachSuggested(now *Context) (list []subject) {
	for _, command := range now.Suggested {
		list = append(list, subject{suggested: command})
	}
	return list
}

// document names the document to the command.
func (o *offer) document() { o.args["uri"] = o.now.URI }

// version names the document and the state that it is in.
func (o *offer) version() {
	o.document()
	o.args["version"] = o.now.Version
}

// place names the place that the client asks about.
func (o *offer) place() { o.args["range"] = document.FromProtocol(o.now.Range) }

// change names a proposal.
func (o *offer) change(p *proposal.Proposal) {
	o.document()
	o.args["proposalId"], o.args["revision"], o.args["turnId"] = p.ID, p.Revision, p.Turn
}

// labelled says in the title which of several proposals is meant.
func (o *offer) labelled(p *proposal.Proposal) {
	if len(o.now.Waiting) > 1 {
		o.title += ": " + p.Label
	}
}

func offerAnswer(o *offer) bool {
	o.title = turnview.AnswerTitle(o.subject.question, o.subject.choice)
	o.args["questionId"], o.args["choice"] = o.subject.question.ID, o.subject.choice
	return true
}

func offerWriteAnswer(o *offer) bool {
	o.document()
	o.args["questionId"], o.args["kind"] = o.subject.question.ID, "answer"
	return true
}

func offerCancel(o *offer) bool {
	running := o.now.Running
	if running == nil {
		return false
	}
	o.say("{seconds}", strconv.Itoa(int(o.now.Now.Sub(running.Started).Seconds())))
	o.args["turnId"] = running.ID
	return true
}

func offerPending(o *offer) bool {
	p := o.subject.pending
	if p.State == event.ProposalApplying {
		return false
	}
	files, added, removed := p.Open()
	o.say("{files}", review.CountFiles(files), "{added}", strconv.Itoa(added), "{removed}", strconv.Itoa(removed))
	o.labelled(p)
	o.change(p)
	return true
}

// offerApply is for what somebody has seen; the rest can be shown first.
func offerApply(o *offer) bool {
	return o.subject.pending.Shown == o.subject.pending.Revision && offerPending(o)
}

// rankOfShown: what is on the screen need not be shown.
func rankOfShown(o *offer) int {
	if o.now.Part != nil && o.now.Ours {
		return rankShown
	}
	return 0
}

// offerPart is for what the place is about of a proposal, in its diff or in the file.
func offerPart(o *offer) bool {
	part := o.now.Part
	if part == nil || part.of.State == event.ProposalApplying {
		return false
	}
	o.change(&part.of)
	o.args["files"] = part.Files
	o.say("{hunks}", these("hunk", len(part.Hunks)), "{these}", these("file", len(part.Files)))
	return true
}

func offerHunks(o *offer) bool {
	if !offerPart(o) || !o.now.Part.hunks {
		return false
	}
	o.args["hunks"] = o.now.Part.Hunks
	return true
}

func offerFiles(o *offer) bool { return offerPart(o) && o.now.Part.files }

func (o *offer) partShown() bool { p := o.now.Part; return p != nil && p.of.Shown == p.of.Revision }

func offerApplyHunks(o *offer) bool { return o.partShown() && offerHunks(o) }

func offerApplyFiles(o *offer) bool { return o.partShown() && offerFiles(o) }

// rankOfHunks: in the diff a hunk is what the user looks at.
func rankOfHunks(o *offer) int {
	if o.now.Ours {
		return 0
	}
	return rankDiscardHunks
}

// offerResolve takes one way out of a conflict. The one that asks the model waits for what runs.
func offerResolve(o *offer, take string) bool {
	p := o.subject.pending
	if p.State != event.ProposalConflict || take == command.TakeAgain && o.now.Running != nil {
		return false
	}
	o.labelled(p)
	o.change(p)
	o.args["take"] = take
	return true
}

func offerAttempts(o *offer) bool {
	p := o.subject.pending
	if p.State == event.ProposalApplying || len(p.Attempts) < 2 {
		return false
	}
	o.labelled(p)
	o.change(p)
	return true
}

// offerRegenerate is for the proposal of the last request.
func offerRegenerate(o *offer) bool {
	o.document()
	return o.subject.pending.ID == o.now.Regenerable && o.subject.pending.State != event.ProposalConflict
}

func offerAnotherModel(o *offer) bool {
	o.document()
	o.args["choose"] = true
	return o.now.Roomy && o.subject.pending.ID == o.now.Regenerable
}

// offerCode is for the user's own code.
func offerCode(o *offer) bool {
	if o.now.Ours {
		return false
	}
	o.version()
	if o.now.Selection {
		o.place()
	}
	if o.now.Path == "" {
		o.disabled = "this document is not in an open folder"
	}
	return true
}

func offerEditSelection(o *offer) bool {
	return o.caps.InputBox && o.now.Selection && offerCode(o)
}

func offerEditFile(o *offer) bool {
	return o.caps.InputBox && !o.now.Selection && offerCode(o)
}

func offerWrite(o *offer) bool { return !o.caps.InputBox && offerCode(o) }

// offerProse is for text and comments, also in a prompt document.
func offerProse(o *offer) bool {
	if o.now.Prose == "" || o.now.Ours && !o.now.Prompt {
		return false
	}
	o.version()
	o.args["instruction"] = o.now.Prose
	return true
}

// offerOwn is for one of the user's own commands, or for all of them where it has no name.
func offerOwn(o *offer) bool {
	name, own := "run a custom command…", o.subject.own
	if own.Name != "" {
		name, o.args["name"] = review.Cut(own.InMenu(), 80), own.Name
	}
	if own.Kind != "" {
		o.kind = own.Kind
	}
	o.say("{own}", name)
	return offerCode(o)
}

// rankOfOwnCommand: the way to all of them stays.
func rankOfOwnCommand(o *offer) int {
	if o.subject.own.Name == "" {
		return 0
	}
	return rankOwn
}

// complaints gives diagnostics to the command.
func (o *offer) complaints(about []document.Diagnostic) {
	o.about, o.args["diagnostics"] = about, about
}

func offerFixOne(o *offer) bool {
	o.say("{problem}", review.Cut(o.subject.complaint.Text(), 60))
	o.complaints([]document.Diagnostic{*o.subject.complaint})
	return offerCode(o)
}

// rankOfComplaint: where there are several, all of them can be fixed at once.
func rankOfComplaint(o *offer) int {
	if len(o.now.Complained) > 1 {
		return rankComplaint
	}
	return 0
}

func offerFixAll(o *offer) bool {
	if len(o.now.Complained) < 2 {
		return false
	}
	about := o.now.Complained[:min(len(o.now.Complained), MostProblems)]
	o.say("{problems}", fmt.Sprintf("%d problems", len(about)))
	o.complaints(about)
	return offerCode(o)
}

// offerFix is for problems that are new since the last change.
func offerFix(o *offer) bool {
	if len(o.now.Problems.List) == 0 || o.now.Running != nil || len(o.now.Waiting) > 0 {
		return false
	}
	o.say("{problems}", o.now.Problems.Count())
	o.document()
	return true
}

func offerRunPrompt(o *offer) bool {
	o.document()
	return o.now.Prompt
}

func offerComment(o *offer, kind mention.AIKind) bool {
	o.version()
	o.place()
	return o.now.Comment == kind
}

// offerRefused is for a hunk that seems to be meant for this place.
func offerRefused(o *offer) bool {
	o.document()
	o.args["turnId"], o.args["hunk"] = o.subject.refused.Turn, o.subject.refused.Number
	return true
}

func offerAskAgain(o *offer) bool {
	return o.subject.refused.Askable && o.now.Running == nil && offerRefused(o)
}

// rankOfRefused: what can be asked for again need not be dismissed.
func rankOfRefused(o *offer) int {
	if o.subject.refused.Askable {
		return rankRefused
	}
	return 0
}

// offerRun is for a command that the last answer suggests, where nothing runs.
func offerRun(o *offer) bool {
	if o.now.Running != nil || len(o.now.Asked) > 0 {
		return false
	}
	o.say("{command}", review.Cut(o.subject.suggested, 80))
	o.document()
	o.args["command"] = o.subject.suggested
	return true
}

// offerDoctor is for a last turn that came to nothing for want of a model, its key or its endpoint.
func offerDoctor(o *offer) bool {
	if o.now.Unready == "" || o.now.Running != nil {
		return false
	}
	o.say("{problem}", review.Cut(o.now.Unready, 60))
	o.document()
	return true
}

// offerUndo is for the turn whose change of this document came last and is still there, near its place.
func offerUndo(o *offer) bool { return offerTurn(o, o.now.Undoable, o.now.UndoLabel) }

// offerRedo is for the last undone turn, in the same way.
func offerRedo(o *offer) bool { return offerTurn(o, o.now.Redoable, o.now.RedoLabel) }

// offerTurn names a turn, by the words of its request where there are any.
func offerTurn(o *offer, turn, label string) bool {
	if turn == "" {
		return false
	}
	if label == "" {
		o.title = strings.ReplaceAll(o.title, " ({request})", "")
	}
	o.say("{request}", review.Cut(label, 60))
	o.document()
	o.args["turnId"] = turn
	return true
}

// offerHunk is for a hunk under review, or a file that is gone.
func offerHunk(o *offer) bool {
	h := o.subject.hunk
	o.say("{change}", h.What())
	o.document()
	o.args["proposalId"], o.args["files"], o.args["hunks"] = h.Proposal, []string{o.now.FileURI(h.Path)}, []int{h.Number}
	return true
}

// offerUndoHunk is for one that the user has not changed since.
func offerUndoHunk(o *offer) bool { return !o.subject.hunk.Touched && offerHunk(o) }

// offerReviewed is for all that is under review in the folder.
func offerReviewed(o *offer) bool {
	o.say("{reviewing}", o.now.Reviewed)
	o.document()
	return o.now.Reviewed != ""
}

func offerNextHunk(o *offer) bool {
	o.document()
	o.place()
	return o.now.Elsewhere
}

// rankOfNextHunk: where a hunk is, there is something to decide first.
func rankOfNextHunk(o *offer) int {
	if len(o.now.Hunks) > 0 {
		return rankNextHunk
	}
	return 0
}

func offerClearReview(o *offer) bool {
	o.document()
	return o.now.Marked
}

// these names some things at a place.
func these(what string, n int) string {
	if n == 1 {
		return "this " + what
	}
	return fmt.Sprintf("these %d %ss", n, what)
}
