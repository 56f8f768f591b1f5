package lsp

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
func (now *situation) quiet() bool {
	return now.running == nil && len(now.waiting)+len(now.asked)+len(now.hunks) == 0
}

func eachPending(now *situation) (list []subject) {
	for i := range now.waiting {
		list = append(list, subject{pending: &now.waiting[i]})
	}
	return list
}

// eachAnswer has each choice of each question.
func eachAnswer(now *situation) (list []subject) {
	for i := range now.asked {
		for _, choice := range now.asked[i].Choices {
			list = append(list, subject{question: &now.asked[i], choice: choice})
		}
	}
	return list
}

// eachFreeAnswer has the questions that can be answered in own words.
func eachFreeAnswer(now *situation) (list []subject) {
	for i := range now.asked {
		if q := &now.asked[i]; len(q.Choices) == 0 || q.FreeText {
			list = append(list, subject{question: q})
		}
	}
	return list
}

func eachOwn(now *situation) (list []subject) {
	for i := range now.owns {
		list = append(list, subject{own: &now.owns[i]})
	}
	return list
}

// eachComplaint has the worst.
func eachComplaint(now *situation) (list []subject) {
	for i := range now.complained[:min(len(now.complained), offeredAtOnce)] {
		list = append(list, subject{complaint: &now.complained[i]})
	}
	return list
}

func eachHunk(now *situation) (list []subject) {
	for i := range now.hunks {
		list = append(list, subject{hunk: &now.hunks[i]})
	}
	return list
}

func eachRefused(now *situation) (list []subject) {
	for i := range now.refused {
		list = append(list, subject{refused: &now.refused[i]})
	}
	return list
}

func eachSuggested(now *situation) (list []subject) {
	for _, command := range now.suggested {
		list = append(list, subject{suggested: command})
	}
	return list
}

// document names the document to the command.
func (o *offer) document() { o.args["uri"] = o.now.place.doc.URI }

// version names the document and the state that it is in.
func (o *offer) version() {
	o.document()
	o.args["version"] = o.now.place.doc.Version
}

// place names the place that the client asks about.
func (o *offer) place() { o.args["range"] = document.FromProtocol(o.now.place.rng) }

// change names a proposal.
func (o *offer) change(p *proposal.Proposal) {
	o.document()
	o.args["proposalId"], o.args["revision"], o.args["turnId"] = p.ID, p.Revision, p.Turn
}

// labelled says in the title which of several proposals is meant.
func (o *offer) labelled(p *proposal.Proposal) {
	if len(o.now.waiting) > 1 {
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
	o.args["questionId"], o.args["kind"] = o.subject.question.ID, kindAnswer
	return true
}

func offerCancel(o *offer) bool {
	running := o.now.running
	if running == nil {
		return false
	}
	o.say("{seconds}", strconv.Itoa(int(o.now.now.Sub(running.Started).Seconds())))
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
	if o.now.part != nil && o.now.ours {
		return rankShown
	}
	return 0
}

// offerPart is for what the place is about of a proposal, in its diff or in the file.
func offerPart(o *offer) bool {
	part := o.now.part
	if part == nil || part.of.State == event.ProposalApplying {
		return false
	}
	o.change(&part.of)
	o.args["files"] = part.Files
	o.say("{hunks}", these("hunk", len(part.Hunks)), "{these}", these("file", len(part.Files)))
	return true
}

func offerHunks(o *offer) bool {
	if !offerPart(o) || !o.now.part.hunks {
		return false
	}
	o.args["hunks"] = o.now.part.Hunks
	return true
}

func offerFiles(o *offer) bool { return offerPart(o) && o.now.part.files }

func (o *offer) partShown() bool { p := o.now.part; return p != nil && p.of.Shown == p.of.Revision }

func offerApplyHunks(o *offer) bool { return o.partShown() && offerHunks(o) }

func offerApplyFiles(o *offer) bool { return o.partShown() && offerFiles(o) }

// rankOfHunks: in the diff a hunk is what the user looks at.
func rankOfHunks(o *offer) int {
	if o.now.ours {
		return 0
	}
	return rankDiscardHunks
}

// offerResolve takes one way out of a conflict. The one that asks the model waits for what runs.
func offerResolve(o *offer, take string) bool {
	p := o.subject.pending
	if p.State != event.ProposalConflict || take == command.TakeAgain && o.now.running != nil {
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
	return o.subject.pending.ID == o.now.regenerable && o.subject.pending.State != event.ProposalConflict
}

func offerAnotherModel(o *offer) bool {
	o.document()
	o.args["choose"] = true
	return o.now.roomy && o.subject.pending.ID == o.now.regenerable
}

// offerCode is for the user's own code.
func offerCode(o *offer) bool {
	if o.now.ours {
		return false
	}
	o.version()
	if o.now.place.selection {
		o.place()
	}
	if o.now.place.doc.Path == "" {
		o.disabled = "this document is not in an open folder"
	}
	return true
}

func offerEditSelection(o *offer) bool {
	return o.caps.InputBox && o.now.place.selection && offerCode(o)
}

func offerEditFile(o *offer) bool {
	return o.caps.InputBox && !o.now.place.selection && offerCode(o)
}

func offerWrite(o *offer) bool { return !o.caps.InputBox && offerCode(o) }

// offerProse is for text and comments, also in a prompt document.
func offerProse(o *offer) bool {
	if o.now.prose == "" || o.now.ours && !o.now.prompt {
		return false
	}
	o.version()
	o.args["instruction"] = o.now.prose
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
	if len(o.now.complained) > 1 {
		return rankComplaint
	}
	return 0
}

func offerFixAll(o *offer) bool {
	if len(o.now.complained) < 2 {
		return false
	}
	about := o.now.complained[:min(len(o.now.complained), mostComplaints)]
	o.say("{problems}", fmt.Sprintf("%d problems", len(about)))
	o.complaints(about)
	return offerCode(o)
}

// offerFix is for problems that are new since the last change.
func offerFix(o *offer) bool {
	if len(o.now.problems.List) == 0 || o.now.running != nil || len(o.now.waiting) > 0 {
		return false
	}
	o.say("{problems}", o.now.problems.Count())
	o.document()
	return true
}

func offerRunPrompt(o *offer) bool {
	o.document()
	return o.now.prompt
}

func offerComment(o *offer, kind mention.AIKind) bool {
	o.version()
	o.place()
	return o.now.comment == kind
}

// offerRefused is for a hunk that seems to be meant for this place.
func offerRefused(o *offer) bool {
	o.document()
	o.args["turnId"], o.args["hunk"] = o.subject.refused.Turn, o.subject.refused.Number
	return true
}

func offerAskAgain(o *offer) bool {
	return o.subject.refused.Askable && o.now.running == nil && offerRefused(o)
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
	if o.now.running != nil || len(o.now.asked) > 0 {
		return false
	}
	o.say("{command}", review.Cut(o.subject.suggested, 80))
	o.document()
	o.args["command"] = o.subject.suggested
	return true
}

// offerDoctor is for a last turn that came to nothing for want of a model, its key or its endpoint.
func offerDoctor(o *offer) bool {
	if o.now.unready == "" || o.now.running != nil {
		return false
	}
	o.say("{problem}", review.Cut(o.now.unready, 60))
	o.document()
	return true
}

// offerUndo is for the turn whose change of this document came last and is still there, near its place.
func offerUndo(o *offer) bool { return offerTurn(o, o.now.undoable, o.now.undoLabel) }

// offerRedo is for the last undone turn, in the same way.
func offerRedo(o *offer) bool { return offerTurn(o, o.now.redoable, o.now.redoLabel) }

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
	o.args["proposalId"], o.args["files"], o.args["hunks"] = h.Proposal, []string{o.now.uri(h.Path)}, []int{h.Number}
	return true
}

// offerUndoHunk is for one that the user has not changed since.
func offerUndoHunk(o *offer) bool { return !o.subject.hunk.Touched && offerHunk(o) }

// offerReviewed is for all that is under review in the folder.
func offerReviewed(o *offer) bool {
	o.say("{reviewing}", o.now.reviewed)
	o.document()
	return o.now.reviewed != ""
}

func offerNextHunk(o *offer) bool {
	o.document()
	o.place()
	return o.now.elsewhere
}

// rankOfNextHunk: where a hunk is, there is something to decide first.
func rankOfNextHunk(o *offer) int {
	if len(o.now.hunks) > 0 {
		return rankNextHunk
	}
	return 0
}

func offerClearReview(o *offer) bool {
	o.document()
	return o.now.marked
}
