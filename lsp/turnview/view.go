package turnview

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/annotate"
	"coauthor/lsp/client"
	"coauthor/lsp/review"
)

// View is what the client sees of one turn: it makes progress, notifications and documents of
// its events. Events come from the turn's goroutine and must not wait for the client, so they are
// queued; a goroutine of the server takes them out.
type View struct {
	o        ViewOptions
	table    *Table
	progress *Progress

	mu    sync.Mutex
	queue []event.Event // guarded by mu; bounded by the length of a reply
	left  []string      // guarded by mu; why edits were refused
	wake  chan struct{} // buffered by one: full means that the queue has something
	id    string        // guarded by mu; "" until the session named it

	rounds rounds
	drafts drafts

	asking []event.Question // guarded by mu; what the user is asked now
	asked  bool             // guarded by mu; asking has changed since the line was looked at

	// The rest belongs to the goroutine that takes events out.
	line  event.Progress
	state event.State
	usage event.Usage
	// without are the edits that the turn has ended without.
	without []refused
	// suggested are the commands for the shell that its answer ends with.
	suggested []string
	told      string // the line that coauthor/turn carried last
	reply     reply
}

// Tick is how often the line of a running turn is looked at while nothing happens. It counts whole
// seconds, so the client hears of half of the ticks.
const Tick = 500 * time.Millisecond

// ViewOptions are whose turn is seen, and what shows of it what needs more than messages. All of it is required but
// Conversation.
type ViewOptions struct {
	Session  *agent.Session  // of the folder
	URI      string          // of the folder; "" for none
	Marks    *annotate.Marks // of the folder
	Request  agent.Request
	Proposes bool // the reply may hold edits beside words
	// HidesThinking says that the user does not want to see what the model thinks.
	HidesThinking bool
	Words         review.Words
	Conversation  Conversation // what it says there; nil for nothing
	// Answer shows an answer, and returns what to tell the user where no document could be opened.
	Answer func(ctx context.Context, turn, text string) string
	// Note shows a note of several lines; its name is that of no other.
	Note func(ctx context.Context, name, text string)
	// Preview says how a proposal is shown: in a way that was asked for, or for "" in the one that is set. The result shows it,
	// and returns when the user has done with it.
	Preview func(p proposal.Proposal, asked string) (show func(ctx context.Context))
	// Decided is told what becomes of the proposal, also when the turn is over.
	Decided func(e *event.Event)
	// Draft shows what the turn has changed so far.
	Draft func(turn string, changes []edits.Change)
}

// Conversation is where a turn says what the user asked, what the model replies and how it ended. Its methods wait for
// nothing but End.
type Conversation interface {
	// Begin is called when the turn has its id.
	Begin(turn string)
	// Delta takes a piece of the words of the reply.
	Delta(words string)
	// Round says that another reply begins.
	Round()
	// End returns what to tell the user of an answer that could not be opened; otherwise shows one that is not written there.
	End(ctx context.Context, e End, otherwise func(ctx context.Context, answer string) string) string
}

// End is how a turn ended, for its conversation.
type End struct {
	State    event.State
	Line     string // the last word of its progress
	Answer   string // of one that only answered
	Result   agent.Result
	Failures []event.FailureRef
}

// Turn returns the id of the turn, "" before it has one.
func (v *View) Turn() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.id
}

// Session is that of the folder of the turn.
func (v *View) Session() *agent.Session { return v.o.Session }

// Request is what the turn was started for.
func (v *View) Request() agent.Request { return v.o.Request }

func (v *View) answer(ctx context.Context, text string) string {
	return v.o.Answer(ctx, v.Turn(), text)
}

// stop cancels the turn.
func (v *View) stop() { v.o.Session.Turns.Cancel(v.Turn()) }

// Event is the turn's sink; see agent.Ports.
func (v *View) Event(e event.Event) {
	if e.Kind.After() { // it may come when nobody takes events out any more
		if p := e.Proposal; p != nil {
			v.drafts.over()
			if p.Round > 0 {
				v.rounds.note(p)
			}
		}
		v.o.Decided(&e)
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

// Drafted is told what the turn has changed so far; see agent.Ports.
func (v *View) Drafted(turn string, changes []edits.Change) {
	v.drafts.put(turn, changes)
	v.signal()
}

// run handles events until the last one, and moves the line meanwhile. It reports whether that one has come.
func (v *View) run(ctx context.Context) (ended bool) {
	clock := time.NewTicker(Tick)
	defer clock.Stop()
	for {
		select {
		case <-v.wake:
		case <-clock.C:
			v.moved()
			v.drafts.show(v.table.o.Clock(), v.o.Draft)
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
		v.drafts.show(v.table.o.Clock(), v.o.Draft)
	}
}

// moved shows the line where time or a question has changed it and no event.
func (v *View) moved() {
	v.report()
	if line := v.message(); line != v.told {
		v.tell(string(v.state), line)
	}
}

// asks shows that the turn waits for an answer, until the result is called.
func (v *View) asks(q event.Question) (answered func()) {
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

func (v *View) signal() {
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// show tells the client what one event says.
func (v *View) show(e *event.Event) {
	v.line.Take(e, v.table.o.Clock())
	switch e.Kind {
	case event.KindState:
		v.state = e.State
		if !e.State.Final() { // the end says more
			v.tell(string(e.State), v.message())
		}
	case event.KindDelta:
		v.reply.take(e)
	case event.KindUsage:
		if e.Usage != nil {
			v.usage = v.usage.Add(*e.Usage)
		}
	case event.KindNote:
		if e.Note != nil {
			LogNote(v.table.o.Log, e.Note)
			switch {
			case !e.Note.Shown:
			case strings.Contains(e.Note.Text, "\n"): // which many editors show in one line, or behind a key
				name, text := fmt.Sprintf("%s-%d", e.Turn, e.Seq), e.Note.Text
				v.table.o.Background(func(ctx context.Context) { v.o.Note(ctx, name, text) })
			default:
				v.table.o.Client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+e.Note.Text)
			}
		}
	case event.KindRound:
		v.reply.end(e)
		if v.o.Conversation != nil {
			v.o.Conversation.Round()
		}
		v.showRounds()
	case event.KindEdit, event.KindTool, event.KindOutput, event.KindProposal, event.KindLanded, event.KindCommit:
	case event.KindEnded:
		return
	}
	v.report()
}

// report shows the line as it is now.
func (v *View) report() {
	if line := v.message(); line != "" {
		v.progress.Report(line)
	}
}

// message is the line that the progress item shows. Where several turns run, it ends with what this
// one is about.
func (v *View) message() string {
	now := v.table.o.Clock()
	v.mu.Lock()
	question := ""
	if len(v.asking) > 0 {
		question = v.asking[0].Text
	}
	v.mu.Unlock()
	v.line.Ask(question, now)
	line := v.line.Line(now)
	if v.state == event.TurnQueued && v.table.o.Questions.blocks(v.o.Session) {
		line = "Waiting for you to answer the previous request's question"
	}
	if line != "" && len(v.table.Running(v.o.Session)) > 1 {
		line += " · " + label(v.o.Request)
	}
	return line
}

// tell sends coauthor/turn where the client knows it.
func (v *View) tell(state, message string) {
	if !v.table.o.Client.Caps.Turn {
		return
	}
	v.told = message
	p := &turnParams{Refused: v.without, Commands: v.suggested, TurnID: v.Turn(), URI: v.o.URI, State: state, Label: display.Message(label(v.o.Request)), Message: client.Spoken(message)}
	if v.usage != (event.Usage{}) {
		p.Usage = UsageOf(v.usage)
	}
	if state == string(event.TurnFailed) {
		missing := v.o.Session.Turns.MissingSetup()
		p.Unready = missing.Text != ""
		if missing.Key && v.table.o.Client.Caps.TellsFailures { // it has a button for a key, and the advice is to set the environment
			p.Message = client.Spoken(missing.Text)
		}
	}
	v.table.o.Client.Notify(MethodTurn, p)
}

// end is the turn's last word: the progress ends, and the answer, the proposal or the one message
// of an error is shown.
func (v *View) end(ctx context.Context, e *event.Event) {
	ended := e.Ended
	if ended == nil {
		ended = &event.Ended{State: v.state}
	}
	text := strings.TrimSpace(ended.Message + " " + ended.Advice)
	v.reply.end(e)
	v.drafts.over()
	result, err := v.o.Session.Turns.Wait(ctx, e.Turn)
	if err != nil {
		v.table.o.Log.Debug("turn has no result", "turn", e.Turn, "err", err)
	}
	v.table.remove(v)
	if ended.State == event.TurnProposed {
		v.mu.Lock()
		for _, f := range ended.Failures {
			v.left = append(v.left, annotate.RejectedText(f))
		}
		v.mu.Unlock()
	}
	last := lastWord(ended, text, result.Proposal, v.o.Words)
	answer, elsewhere := "", ""
	if ended.State == event.TurnAnswered && strings.TrimSpace(result.Answer) != "" { // the turn has not ended before its answer is there
		answer = result.Answer
	}
	switch {
	case v.o.Conversation != nil:
		elsewhere = v.o.Conversation.End(ctx, End{State: ended.State, Line: WithUsage(last, v.usage), Answer: answer, Result: result, Failures: ended.Failures}, v.answer)
	case answer != "":
		elsewhere = v.answer(ctx, answer)
	}
	if result.Review != nil && result.Review.Unread == "" { // else what the last one found is all there is to see
		v.o.Marks.Review(*result.Review)
	}
	v.o.Marks.Reject(result, v.o.Request.FollowUp)
	v.progress.End(WithUsage(last, v.usage))
	v.progress.Wait(ctx) // some clients overwrite a message with the progress that ends behind it
	v.without = refusedViews(result.Failures)
	if x, ok := v.o.Session.Conversation.History.Find(e.Turn); ok {
		v.suggested = command.SuggestedIn(x, v.o.Session.Engine.Options())
	}
	v.tell(string(ended.State), text)
	switch ended.State {
	case event.TurnProposed:
		v.proposed(result)
	case event.TurnAnswered:
		if elsewhere != "" {
			v.table.o.Client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+elsewhere)
		}
	case event.TurnFailed:
		if !v.table.o.Client.Caps.TellsFailures {
			v.table.o.Client.ShowMessage(protocol.MessageTypeError, "Coauthor: "+text)
		}
	case event.TurnCancelled, event.TurnQueued, event.TurnCollecting, event.TurnRequesting,
		event.TurnStreaming, event.TurnVerifying, event.TurnReflecting:
	}
}

// proposed shows a proposal in the way that suits the client.
func (v *View) proposed(result agent.Result) {
	if result.Proposal == nil {
		return
	}
	for _, f := range result.Failures {
		v.table.o.Log.Warn("edit refused", "path", f.Path, "reason", f.Reason, "message", f.Message)
	}
	if result.Proposal.Turn != v.Turn() { // it proposes in rounds, and that of the last may be shown already
		v.showRounds()
		return
	}
	v.preview(*result.Proposal)
}

// preview shows a proposal, beside the caller, when the user has done with the one before it, and logs what the checks
// say against it.
func (v *View) preview(p proposal.Proposal) {
	for _, w := range p.Warnings {
		v.table.o.Log.Warn(w)
	}
	show := v.o.Preview(p, v.o.Request.Preview)
	now, before := v.rounds.next(p.ID)
	if !v.table.o.Background(func(ctx context.Context) {
		defer now.done()
		if before.ended != nil {
			select {
			case <-before.ended:
			case <-ctx.Done():
				return
			}
		}
		show(ctx)
	}) {
		now.done()
	}
}

// showRounds shows what rounds have proposed since it was called last.
func (v *View) showRounds() {
	for _, id := range v.rounds.take() {
		if p, ok := v.o.Session.Proposals.Get(id); ok {
			v.preview(p)
		}
	}
}
