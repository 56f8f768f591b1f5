package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/lsp/client"
	"coauthor/lsp/review"
	"coauthor/lsp/wire"
)

// turns are the turns that this connection started and that have not ended, and the progress items
// that can cancel them.
type turns struct {
	s     *server
	items atomic.Int64 // progress items that were made
	open  wire.Group   // progress items and turns that still have something to say

	mu      sync.Mutex
	live    []*turnView       // guarded by mu; oldest first
	cancels map[string]func() // guarded by mu; by progress token
	ended   []*turnView       // guarded by mu; the last ones, oldest first
}

// keptTurns is how many turns that ended can be named by a follow-up.
const keptTurns = 100

func newTurns(s *server) *turns { return &turns{s: s, cancels: map[string]func(){}} }

// watch names what to do when the user cancels a progress item; nil forgets it.
func (t *turns) watch(token string, cancel func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if cancel == nil {
		delete(t.cancels, token)
		return
	}
	t.cancels[token] = cancel
}

func (t *turns) cancelled(token string) {
	t.mu.Lock()
	cancel := t.cancels[token]
	t.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// running returns the turns of a root that have not ended, oldest first.
func (t *turns) running(r *rootState) []*turnView {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []*turnView
	for _, v := range t.live {
		if v.root == r {
			list = append(list, v)
		}
	}
	return list
}

func (t *turns) add(v *turnView) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.live = append(t.live, v)
}

func (t *turns) remove(v *turnView) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.live, v); i >= 0 {
		t.live = slices.Delete(t.live, i, i+1)
		t.ended = append(t.ended, v)
		t.ended = t.ended[max(0, len(t.ended)-keptTurns):]
	}
}

// last returns the turn of a root that ended last; "" for none.
func (t *turns) last(r *rootState) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, v := range slices.Backward(t.ended) {
		if v.root == r {
			return v.turn()
		}
	}
	return ""
}

// rootOf returns the root of a turn; nil when it is unknown.
func (t *turns) rootOf(turn string) *rootState {
	if v := t.view(turn); v != nil {
		return v.root
	}
	return nil
}

// view returns a turn that runs, or one of the last that ended; nil when it is unknown.
func (t *turns) view(turn string) *turnView {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, v := range slices.Concat(t.live, t.ended) {
		if v.turn() == turn {
			return v
		}
	}
	return nil
}

// wait returns when every turn has said its last word, or with ctx.
func (t *turns) wait(ctx context.Context) { t.open.Wait(ctx) }

// turnView is what the client sees of one turn: it makes progress, notifications and documents of
// its events. Events come from the turn's goroutine and must not wait for the client, so they are
// queued; a goroutine of the server takes them out.
type turnView struct {
	s        *server
	root     *rootState
	request  agent.Request
	started  time.Time
	progress *progress

	mu    sync.Mutex
	queue []event.Event // guarded by mu; bounded by the length of a reply
	left  []string      // guarded by mu; why edits were refused
	wake  chan struct{} // buffered by one: full means that the queue has something
	id    string        // guarded by mu; "" until the session named it

	asking []event.Question // guarded by mu; what the user is asked now
	asked  bool             // guarded by mu; asking has changed since the line was looked at

	// The rest belongs to the goroutine that takes events out.
	line  event.Progress
	state event.State
	usage event.Usage
	told  string // the line that coauthor/turn carried last
	// pieces are the streams that the client shows as they come.
	pieces map[event.Channel]*display.Stream
}

// tick is how often the line of a running turn is looked at while nothing happens. It counts whole
// seconds, so the client hears of half of the ticks.
const tick = 500 * time.Millisecond

// start begins a turn behind the request that asked for it. What it became is known at once.
func (s *server) start(r *rootState, req agent.Request, snapshot *workspace.Snapshot) (agent.Started, error) {
	v := &turnView{s: s, root: r, request: req, started: s.opts.Clock(), wake: make(chan struct{}, 1)}
	started, err := r.session.Start(req, agent.Ports{Sink: v.event, Ask: s.asker(r), Snapshot: snapshot})
	if err != nil || started.Turn == "" {
		return started, err
	}
	v.mu.Lock()
	v.id = started.Turn
	v.mu.Unlock()
	s.turns.add(v)
	v.progress = s.newProgress("Coauthor", "Starting", v.stop)
	s.turns.open.Add()
	if !s.background(func(ctx context.Context) {
		defer s.turns.open.Done()
		defer s.turns.remove(v)
		defer v.progress.end("") // an earlier end counts; this one is for a panic and a hang-up
		v.run(ctx)
	}) {
		s.turns.open.Done() // the session is over, and the engine ends the turn
	}
	return started, nil
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
		v.s.decided(v.root, &e)
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

// run handles events until the last one, and moves the line meanwhile.
func (v *turnView) run(ctx context.Context) {
	clock := time.NewTicker(tick)
	defer clock.Stop()
	for {
		select {
		case <-v.wake:
		case <-clock.C:
			v.moved()
			continue
		case <-ctx.Done():
			return
		}
		v.mu.Lock()
		batch, asked := v.queue, v.asked
		v.queue, v.asked = nil, false
		v.mu.Unlock()
		for _, e := range batch {
			v.show(&e)
			if e.Kind == event.KindEnded {
				v.end(ctx, &e)
				v.s.roots.leave(v.root)
				return
			}
		}
		if asked {
			v.moved()
		}
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
	v.line.Take(e, v.s.opts.Clock())
	switch e.Kind {
	case event.KindState:
		v.state = e.State
		if !e.State.Final() { // the end says more
			v.tell(string(e.State), v.message())
		}
	case event.KindDelta:
		if v.s.caps.Stream {
			v.s.client.Notify(methodStream, &streamParams{TurnID: e.Turn, Seq: e.Seq, Delta: v.visible(e), Channel: string(e.Channel)})
		}
	case event.KindUsage:
		if e.Usage != nil {
			v.usage = v.usage.Add(*e.Usage)
		}
	case event.KindNote:
		if e.Note != nil {
			v.s.logNote(e.Note)
		}
	case event.KindEdit, event.KindRound, event.KindProposal, event.KindLanded:
	case event.KindEnded:
		return
	}
	v.report()
}

// visible is a piece of the reply as the client may show it. What the next piece decides on comes with it.
func (v *turnView) visible(e *event.Event) string {
	if v.pieces == nil {
		v.pieces = map[event.Channel]*display.Stream{}
	}
	if v.pieces[e.Channel] == nil {
		v.pieces[e.Channel] = &display.Stream{}
	}
	return v.pieces[e.Channel].Write(e.Text)
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
	now := v.s.opts.Clock()
	v.mu.Lock()
	question := ""
	if len(v.asking) > 0 {
		question = v.asking[0].Text
	}
	v.mu.Unlock()
	v.line.Ask(question, now)
	line := v.line.Line(now)
	if line != "" && len(v.s.turns.running(v.root)) > 1 {
		line += " · " + v.label()
	}
	return line
}

// tell sends coauthor/turn where the client knows it.
func (v *turnView) tell(state, message string) {
	if !v.s.caps.Turn {
		return
	}
	v.told = message
	p := &turnParams{TurnID: v.turn(), URI: v.root.uri(), State: state, Label: display.Message(v.label()), Message: client.Spoken(message)}
	if v.usage != (event.Usage{}) {
		p.Usage = viewUsage(v.usage)
	}
	v.s.client.Notify(methodTurn, p)
}

// end is the turn's last word: the progress ends, and the answer, the proposal or the one message
// of an error is shown.
func (v *turnView) end(ctx context.Context, e *event.Event) {
	ended := e.Ended
	if ended == nil {
		ended = &event.Ended{State: v.state}
	}
	text := strings.TrimSpace(ended.Message + " " + ended.Advice)
	result, err := v.root.session.Wait(ctx, e.Turn)
	if err != nil {
		v.s.log.Debug("turn has no result", "turn", e.Turn, "err", err)
	}
	v.s.turns.remove(v)
	var last string
	switch ended.State {
	case event.TurnProposed:
		last = ready(result.Proposal, len(ended.Failures), v.s.words())
		v.mu.Lock()
		for _, f := range ended.Failures {
			v.left = append(v.left, refusedText(f))
		}
		v.mu.Unlock()
	case event.TurnAnswered:
		last = "Answered"
	case event.TurnFailed:
		last = "Failed: " + text
	case event.TurnCancelled:
		last = "Stopped, nothing was changed"
	case event.TurnQueued, event.TurnCollecting, event.TurnRequesting, event.TurnStreaming,
		event.TurnVerifying, event.TurnReflecting:
		last = "Ended"
	}
	var elsewhere string
	if ended.State == event.TurnAnswered { // the turn has not ended before its answer is there
		elsewhere = v.s.showAnswer(ctx, v, result.Answer)
	}
	v.progress.end(withUsage(last, v.usage))
	v.progress.wait(ctx) // some clients overwrite a message with the progress that ends behind it
	v.tell(string(ended.State), text)
	switch ended.State {
	case event.TurnProposed:
		v.proposed(ctx, result)
	case event.TurnAnswered:
		if elsewhere != "" {
			v.s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+elsewhere)
		}
	case event.TurnFailed:
		v.s.client.ShowMessage(protocol.MessageTypeError, "Coauthor: "+text)
	case event.TurnCancelled, event.TurnQueued, event.TurnCollecting, event.TurnRequesting,
		event.TurnStreaming, event.TurnVerifying, event.TurnReflecting:
	}
}

// ready is the last word of a turn that made a proposal and of which so many edits were refused.
func ready(p *proposal.Proposal, refused int, words review.Words) string {
	if p == nil {
		return "Ready"
	}
	files, added, removed := p.Open()
	text := fmt.Sprintf("%s changed, +%d -%d", review.CountFiles(files), added, removed)
	switch {
	case refused == 1:
		text += ", 1 edit was refused"
	case refused > 1:
		text += fmt.Sprintf(", %d edits were refused", refused)
	}
	return text + ". Review: " + words.How("showPending")
}

// refusedText says in one line which edit was refused and why.
func refusedText(f event.FailureRef) string {
	text := strings.Join(strings.Fields(f.Message), " ")
	if f.Path != "" && !strings.Contains(text, f.Path) {
		text = f.Path + ": " + text
	}
	return text
}

// refused returns why edits of a turn were refused beside those of its proposal.
func (t *turns) refused(turn string) []string {
	v := t.view(turn)
	if v == nil {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.left)
}

// proposed shows a proposal in the way that suits the client.
func (v *turnView) proposed(_ context.Context, result agent.Result) {
	if result.Proposal == nil {
		return
	}
	for _, f := range result.Failures {
		v.s.log.Warn("edit refused", "path", f.Path, "reason", f.Reason, "message", f.Message)
	}
	for _, w := range result.Proposal.Warnings {
		v.s.log.Warn(w)
	}
	p, mode := *result.Proposal, v.request.Preview
	if mode == "" {
		mode = v.s.settings(v.root).Preview
	}
	v.s.background(func(ctx context.Context) { v.s.review(v.root).Preview(ctx, p, mode) })
}

func (s *server) logNote(n *event.Note) {
	switch n.Level {
	case event.LevelError, event.LevelWarning:
		s.log.Warn(n.Text)
	case event.LevelInfo:
		s.log.Info(n.Text)
	}
}

func viewUsage(u event.Usage) *usageView {
	return &usageView{In: u.Prompt, Out: u.Completion, CacheRead: u.CacheRead, Estimated: u.Estimated, Cost: u.Cost}
}

// withUsage adds the tokens and, where it is known, the price.
func withUsage(text string, u event.Usage) string {
	if u.Prompt+u.Completion == 0 {
		return text
	}
	about := ""
	if u.Estimated {
		about = "about "
	}
	text += fmt.Sprintf(" · %s%s tokens in, %s out", about, event.Thousands(u.Prompt), event.Thousands(u.Completion))
	if u.Cost > 0 {
		text += fmt.Sprintf(" · $%.2f", u.Cost)
		if u.Cost < 0.005 {
			text = strings.TrimSuffix(text, "$0.00") + "less than $0.01"
		}
	}
	return text
}
