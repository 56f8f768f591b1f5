package lsp

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/prose"
	"coauthor/edits"
	"coauthor/lsp/annotate"
	"coauthor/lsp/client"
	"coauthor/lsp/review"
)

// turnView is what the client sees of one turn: it makes progress, notifications and documents of
// its events. Events come from the turn's goroutine and must not wait for the client, so they are
// queued; a goroutine of the server takes them out.
type turnView struct {
	ports    turnPorts
	root     *rootState
	request  agent.Request
	progress *progress
	talk     *turnTalk // what it says in the conversation; nil for nothing

	mu    sync.Mutex
	queue []event.Event // guarded by mu; bounded by the length of a reply
	left  []string      // guarded by mu; why edits were refused
	// rounds are the ids of what the turn has proposed after its rounds, fresh those of them that were not shown
	// yet; both are guarded by mu.
	rounds, fresh []string
	showing       showing       // guarded by mu; what the user is shown
	wake          chan struct{} // buffered by one: full means that the queue has something
	id            string        // guarded by mu; "" until the session named it

	drafts drafts

	asking []event.Question // guarded by mu; what the user is asked now
	asked  bool             // guarded by mu; asking has changed since the line was looked at

	// The rest belongs to the goroutine that takes events out.
	line  event.Progress
	state event.State
	usage event.Usage
	// without are the edits that the turn has ended without.
	without []refusedView
	told    string       // the line that coauthor/turn carried last
	edits   bool         // the reply may hold edits beside words
	prose   prose.Stream // tells them apart
	// pieces are the streams that the client shows as they come.
	pieces map[event.Channel]*display.Stream
}

// tick is how often the line of a running turn is looked at while nothing happens. It counts whole
// seconds, so the client hears of half of the ticks.
const tick = 500 * time.Millisecond

// turnPorts are what a turn needs of the connection to be seen, all of it required: see newTurnView.
type turnPorts struct {
	client *client.Client
	words  review.Words
	clock  func() time.Time
	log    *slog.Logger
	// alone says whether no other turn runs in the folder.
	alone func() bool
	// blocked says whether a turn of the folder waits for the user's answer.
	blocked func() bool
	// over is called when the turn has ended, before its last words.
	over func()
	// answer shows an answer, and returns what to tell the user where no document could be opened.
	answer func(ctx context.Context, text string) string
	// tells shows a note of several lines, beside the caller; its name is that of no other.
	tells func(name, text string)
	// preview shows a proposal, beside the caller, in the way that the setting asks for; "" is the way that is set.
	preview func(p proposal.Proposal, asked string)
	// decided is told what becomes of the proposal, also when the turn is over.
	decided func(e *event.Event)
	// draft shows what the turn has changed so far.
	draft func(turn string, changes []edits.Change)
}

func (v *turnView) label() string {
	if v.request.Label != "" {
		return v.request.Label
	}
	return proposal.Label(v.request.Instruction)
}

// turn returns the id of the turn.
func (v *turnView) turn() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.id
}

// stop cancels the turn.
func (v *turnView) stop() { v.root.session.Cancel(v.turn()) }

// event is the turn's sink.
func (v *turnView) event(e event.Event) {
	if e.Kind.After() { // it may come when nobody takes events out any more
		if p := e.Proposal; p != nil {
			v.drafts.over()
			if p.Round > 0 {
				v.noteRound(p)
			}
		}
		v.ports.decided(&e)
		return
	}
	v.mu.Lock()
	if n := len(v.queue); n > 0 && e.Kind == event.KindDelta && v.queue[n-1].Kind == event.KindDelta && v.queue[n-1].Channel == e.Channel {
		v.queue[n-1].Text += e.Text // a slow client gets fewer and longer pieces
	} else {
		v.queue = append(v.queue, e)
	}
	v.mu.Unlock()
	v.signal()
}

// run handles events until the last one, and moves the line meanwhile. It reports whether that one has come.
func (v *turnView) run(ctx context.Context) (ended bool) {
	clock := time.NewTicker(tick)
	defer clock.Stop()
	for {
		select {
		case <-v.wake:
		case <-clock.C:
			v.moved()
			v.showDraft()
			continue
		case <-ctx.Done():
			return false
		}
		v.mu.Lock()
		batch, asked := v.queue, v.asked
		v.queue, v.asked = nil, false
		v.mu.Unlock()
		for _, e := range batch {
			v.show(&e)
			if e.Kind == event.KindEnded {
				v.end(ctx, &e)
				return true
			}
		}
		if asked {
			v.moved()
		}
		v.showDraft()
	}
}

// moved shows the line where time or a question has changed it and no event.
func (v *turnView) moved() {
	v.report()
	if line := v.message(); line != v.told {
		v.tell(string(v.state), line)
	}
}

// asks shows that the turn waits for an answer, until the result is called.
func (v *turnView) asks(q event.Question) (answered func()) {
	v.mu.Lock()
	v.asking, v.asked = append(v.asking, q), true
	v.mu.Unlock()
	v.signal()
	return func() {
		v.mu.Lock()
		v.asking = slices.DeleteFunc(v.asking, func(other event.Question) bool { return other.ID == q.ID })
		v.asked = true
		v.mu.Unlock()
		v.signal()
	}
}

func (v *turnView) signal() {
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// show tells the client what one event says.
func (v *turnView) show(e *event.Event) {
	v.line.Take(e, v.ports.clock())
	switch e.Kind {
	case event.KindState:
		v.state = e.State
		if !e.State.Final() { // the end says more
			v.tell(string(e.State), v.message())
		}
	case event.KindDelta:
		v.piece(e)
	case event.KindUsage:
		if e.Usage != nil {
			v.usage = v.usage.Add(*e.Usage)
		}
	case event.KindNote:
		if e.Note != nil {
			logNote(v.ports.log, e.Note)
			switch {
			case !e.Note.Shown:
			case strings.Contains(e.Note.Text, "\n"): // which many editors show in one line, or behind a key
				v.ports.tells(fmt.Sprintf("%s-%d", e.Turn, e.Seq), e.Note.Text)
			default:
				v.ports.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+e.Note.Text)
			}
		}
	case event.KindRound:
		v.pieceOver(e)
		if v.talk != nil {
			v.talk.round()
		}
		v.showRounds()
	case event.KindEdit, event.KindTool, event.KindProposal, event.KindLanded, event.KindCommit:
	case event.KindEnded:
		return
	}
	v.report()
}

// report shows the line as it is now.
func (v *turnView) report() {
	if line := v.message(); line != "" {
		v.progress.report(line)
	}
}

// message is the line that the progress item shows. Where several turns run, it ends with what this
// one is about.
func (v *turnView) message() string {
	now := v.ports.clock()
	v.mu.Lock()
	question := ""
	if len(v.asking) > 0 {
		question = v.asking[0].Text
	}
	v.mu.Unlock()
	v.line.Ask(question, now)
	line := v.line.Line(now)
	if v.state == event.TurnQueued && v.ports.blocked() {
		line = "Waiting for you to answer the previous request's question"
	}
	if line != "" && !v.ports.alone() {
		line += " · " + v.label()
	}
	return line
}

// tell sends coauthor/turn where the client knows it.
func (v *turnView) tell(state, message string) {
	if !v.ports.client.Caps.Turn {
		return
	}
	v.told = message
	p := &turnParams{Refused: v.without, TurnID: v.turn(), URI: v.root.uri(), State: state, Label: display.Message(v.label()), Message: client.Spoken(message)}
	if v.usage != (event.Usage{}) {
		p.Usage = viewUsage(v.usage)
	}
	if state == string(event.TurnFailed) {
		missing := v.root.session.Unready()
		p.Unready = missing.Text != ""
		if missing.Key && v.ports.client.Caps.TellsFailures { // it has a button for a key, and the advice is to set the environment
			p.Message = client.Spoken(missing.Text)
		}
	}
	v.ports.client.Notify(methodTurn, p)
}

// end is the turn's last word: the progress ends, and the answer, the proposal or the one message
// of an error is shown.
func (v *turnView) end(ctx context.Context, e *event.Event) {
	ended := e.Ended
	if ended == nil {
		ended = &event.Ended{State: v.state}
	}
	text := strings.TrimSpace(ended.Message + " " + ended.Advice)
	v.pieceOver(e)
	v.drafts.over()
	result, err := v.root.session.Wait(ctx, e.Turn)
	if err != nil {
		v.ports.log.Debug("turn has no result", "turn", e.Turn, "err", err)
	}
	v.ports.over()
	if ended.State == event.TurnProposed {
		v.mu.Lock()
		for _, f := range ended.Failures {
			v.left = append(v.left, annotate.RejectedText(f))
		}
		v.mu.Unlock()
	}
	last := lastWord(ended, text, result.Proposal, v.ports.words)
	answer, elsewhere := "", ""
	if ended.State == event.TurnAnswered && strings.TrimSpace(result.Answer) != "" { // the turn has not ended before its answer is there
		answer = result.Answer
	}
	switch {
	case v.talk != nil:
		elsewhere = v.talk.end(ctx, turnEnd{state: ended.State, line: withUsage(last, v.usage), answer: answer, result: result, failures: ended.Failures}, v.ports.answer)
	case answer != "":
		elsewhere = v.ports.answer(ctx, answer)
	}
	if result.Review != nil && result.Review.Unread == "" { // else what the last one found is all there is to see
		v.root.marks.Review(*result.Review)
	}
	v.root.marks.Reject(result, v.request.FollowUp)
	v.progress.end(withUsage(last, v.usage))
	v.progress.wait(ctx) // some clients overwrite a message with the progress that ends behind it
	v.without = refusedViews(result.Failures)
	v.tell(string(ended.State), text)
	switch ended.State {
	case event.TurnProposed:
		v.proposed(result)
	case event.TurnAnswered:
		if elsewhere != "" {
			v.ports.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+elsewhere)
		}
	case event.TurnFailed:
		if !v.ports.client.Caps.TellsFailures {
			v.ports.client.ShowMessage(protocol.MessageTypeError, "Coauthor: "+text)
		}
	case event.TurnCancelled, event.TurnQueued, event.TurnCollecting, event.TurnRequesting,
		event.TurnStreaming, event.TurnVerifying, event.TurnReflecting:
	}
}

// proposed shows a proposal in the way that suits the client.
func (v *turnView) proposed(result agent.Result) {
	if result.Proposal == nil {
		return
	}
	for _, f := range result.Failures {
		v.ports.log.Warn("edit refused", "path", f.Path, "reason", f.Reason, "message", f.Message)
	}
	if result.Proposal.Turn != v.turn() { // it proposes in rounds, and that of the last may be shown already
		v.showRounds()
		return
	}
	v.shows(*result.Proposal)
}

// shows shows a proposal, and logs what the checks say against it.
func (v *turnView) shows(p proposal.Proposal) {
	for _, w := range p.Warnings {
		v.ports.log.Warn(w)
	}
	v.ports.preview(p, v.request.Preview)
}

// noteRound takes in what a round has proposed, or what became of that.
func (v *turnView) noteRound(p *event.ProposalRef) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch p.State {
	case event.ProposalPending:
		if !slices.Contains(v.rounds, p.ID) {
			v.rounds, v.fresh = append(v.rounds, p.ID), append(v.fresh, p.ID)
		}
	case event.ProposalApplied, event.ProposalUnverified, event.ProposalDiscarded, event.ProposalUndone:
		if v.showing.id == p.ID {
			v.showing.done()
		}
	case event.ProposalApplying, event.ProposalPartial, event.ProposalConflict, event.ProposalSuperseded:
	}
}

// showing is a proposal that the user is shown.
type showing struct {
	id    string
	ended chan struct{} // closed when the user has done with it; nil for none
	done  func()        // closes ended, once
}

// next makes a proposal the one that is shown, and returns it and the one before it: of several rounds the user
// is shown one at a time.
func (v *turnView) next(id string) (now, before showing) {
	ended := make(chan struct{})
	v.mu.Lock()
	defer v.mu.Unlock()
	before = v.showing
	v.showing = showing{id: id, ended: ended, done: sync.OnceFunc(func() { close(ended) })}
	return v.showing, before
}

// showRounds shows what rounds have proposed since it was called last.
func (v *turnView) showRounds() {
	v.mu.Lock()
	list := v.fresh
	v.fresh = nil
	v.mu.Unlock()
	for _, id := range list {
		if p, ok := v.root.session.Proposals().Get(id); ok {
			v.shows(p)
		}
	}
}
