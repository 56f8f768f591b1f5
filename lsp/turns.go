package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
)

// turns are the turns that this connection started and that have not ended, and the progress items
// that can cancel them.
type turns struct {
	s      *server
	random sync.Mutex // held while randomness is read
	open   gauge      // progress items and turns that still have something to say

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
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, v := range slices.Concat(t.live, t.ended) {
		if v.turn() == turn {
			return v.root
		}
	}
	return nil
}

// wait returns when every turn has said its last word, or with ctx.
func (t *turns) wait(ctx context.Context) { t.open.wait(ctx) }

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

	// The rest belongs to the goroutine that takes events out.
	state    event.State
	usage    event.Usage
	received int // bytes of the reply in this round
	note     string
}

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
	v.progress = s.newProgress("Coauthor", v.label(), v.stop)
	s.turns.open.add()
	if !s.background(func(ctx context.Context) {
		defer s.turns.open.done()
		defer s.turns.remove(v)
		defer v.progress.end("") // an earlier end counts; this one is for a panic and a hang-up
		v.run(ctx)
	}) {
		s.turns.open.done() // the session is over, and the engine ends the turn
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
	v.mu.Lock()
	if n := len(v.queue); n > 0 && e.Kind == event.KindDelta && v.queue[n-1].Kind == event.KindDelta && v.queue[n-1].Channel == e.Channel {
		v.queue[n-1].Text += e.Text // a slow client gets fewer and longer pieces
	} else {
		v.queue = append(v.queue, e)
	}
	v.mu.Unlock()
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// run handles events until the last one.
func (v *turnView) run(ctx context.Context) {
	for {
		select {
		case <-v.wake:
		case <-ctx.Done():
			return
		}
		v.mu.Lock()
		batch := v.queue
		v.queue = nil
		v.mu.Unlock()
		for _, e := range batch {
			v.show(&e)
			if e.Kind == event.KindEnded {
				v.end(ctx, &e)
				return
			}
		}
	}
}

// show tells the client what one event says.
func (v *turnView) show(e *event.Event) {
	switch e.Kind {
	case event.KindState:
		if v.state == event.TurnRequesting {
			v.note = ""
		}
		v.state = e.State
		v.received = 0
		v.tell(string(e.State), "")
	case event.KindDelta:
		v.received += len(e.Text)
		if v.s.caps.Stream {
			v.s.client.notify(methodStream, &streamParams{TurnID: e.Turn, Seq: e.Seq, Delta: e.Text, Channel: string(e.Channel)})
		}
	case event.KindEdit:
		v.note = e.Path
	case event.KindRound:
		v.note = ""
		if e.Round > 1 {
			v.note = "round " + fmt.Sprint(e.Round)
		}
	case event.KindUsage:
		if e.Usage != nil {
			v.usage = v.usage.Add(*e.Usage)
		}
	case event.KindNote:
		if e.Note != nil {
			v.s.logNote(e.Note)
			if v.state == event.TurnRequesting { // why nothing comes yet
				v.note = e.Note.Text
			}
		}
	case event.KindProposal:
		if e.Proposal != nil {
			v.s.announce(v.root, e.Proposal.ID)
		}
	case event.KindEnded:
		return
	}
	v.progress.report(v.message())
}

// message is the line that the progress item shows.
func (v *turnView) message() string {
	var what string
	switch v.state {
	case event.TurnQueued:
		what = "waits for the running turn"
	case event.TurnCollecting:
		what = "collects context"
	case event.TurnRequesting:
		what = "waits for the model"
	case event.TurnStreaming:
		what = fmt.Sprintf("writes, about %s tokens", thousands(v.received/4))
	case event.TurnVerifying:
		what = "checks the result"
	case event.TurnReflecting:
		what = "sends back what went wrong"
	case event.TurnAnswered, event.TurnProposed, event.TurnFailed, event.TurnCancelled:
		what = string(v.state)
	}
	parts := []string{v.label(), what, v.note}
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	return strings.Join(parts, " · ")
}

// tell sends coauthor/turn where the client knows it.
func (v *turnView) tell(state, message string) {
	if !v.s.caps.Turn {
		return
	}
	p := &turnParams{TurnID: v.turn(), URI: v.root.uri(), State: state, Label: v.label(), Message: message}
	if v.usage != (event.Usage{}) {
		p.Usage = viewUsage(v.usage)
	}
	v.s.client.notify(methodTurn, p)
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
		last = "proposed " + text
		v.mu.Lock()
		for _, f := range ended.Failures {
			v.left = append(v.left, refusedText(f))
		}
		v.mu.Unlock()
	case event.TurnAnswered:
		last = "answered"
	case event.TurnFailed:
		last = "failed: " + text
	case event.TurnCancelled:
		last = "stopped"
	case event.TurnQueued, event.TurnCollecting, event.TurnRequesting, event.TurnStreaming,
		event.TurnVerifying, event.TurnReflecting:
		last = "ended"
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
			v.s.client.showMessage(protocol.MessageTypeInfo, "Coauthor: "+elsewhere)
		}
	case event.TurnFailed:
		v.s.client.showMessage(protocol.MessageTypeError, "Coauthor: "+text)
	case event.TurnCancelled, event.TurnQueued, event.TurnCollecting, event.TurnRequesting,
		event.TurnStreaming, event.TurnVerifying, event.TurnReflecting:
	}
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
	t.mu.Lock()
	views := slices.Concat(t.live, t.ended)
	t.mu.Unlock()
	for _, v := range views {
		if v.turn() != turn {
			continue
		}
		v.mu.Lock()
		defer v.mu.Unlock()
		return slices.Clone(v.left)
	}
	return nil
}

// proposed shows a proposal in the way that suits the client.
func (v *turnView) proposed(_ context.Context, result agent.Result) {
	if result.Proposal == nil {
		return
	}
	for _, f := range result.Failures {
		v.s.log.Warn("edit refused", "path", f.Path, "reason", f.Reason, "message", f.Message)
	}
	p, mode := *result.Proposal, v.request.Preview
	if mode == "" {
		mode = v.s.settings(v.root).Preview
	}
	v.s.background(func(ctx context.Context) { v.s.preview(ctx, v.root, p, mode) })
}

func (s *server) logNote(n *event.Note) {
	switch n.Level {
	case event.LevelError, event.LevelWarning:
		s.log.Warn(n.Text)
	case event.LevelInfo:
		s.log.Info(n.Text)
	}
}

// size says how large a proposal is.
func size(p *proposal.Proposal) string {
	added, removed := p.Counts()
	return fmt.Sprintf("%s, +%d -%d", countFiles(len(p.Files)), added, removed)
}

func countFiles(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
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
	text += fmt.Sprintf(" · %s%s in / %s out", about, thousands(u.Prompt), thousands(u.Completion))
	if u.Cost > 0 {
		text += fmt.Sprintf(" · $%.2f", u.Cost)
		if u.Cost < 0.005 {
			text = strings.TrimSuffix(text, "$0.00") + "less than $0.01"
		}
	}
	return text
}

// thousands writes a number the short way.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%.1fk", float64(n)/1000)
}
