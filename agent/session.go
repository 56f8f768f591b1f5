package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"coauthor/agent/aicomment"
	"coauthor/agent/commit"
	"coauthor/agent/consent"
	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/mapper"
	"coauthor/agent/problems"
	"coauthor/agent/proposal"
	"coauthor/agent/web"
	"coauthor/agent/workspace"
)

// keepResults is how many ended turns can still be waited for and followed up.
const keepResults = 64

// Session is the conversation of one workspace root: its history, its turns and its proposals. It
// is safe for concurrent use. Its parts are set when it is made, and do not change.
type Session struct {
	Mapper       *mapper.Mapper        // of the repository
	Problems     *problems.Tracker     // that the last change brought
	Comments     *aicomment.Tracker    // that are marked for the model
	Pages        *web.Pages            // that were fetched
	Consent      *consent.Store        // of the user
	Commits      *commit.Committer     // makes them and takes them back
	Conversation *history.Conversation // of its turns

	e         *Engine
	ws        *workspace.Workspace
	ctx       context.Context // the parent of its turns; ends with the session
	cancel    context.CancelFunc
	proposals *proposal.Store
	journal   *proposal.Journal           // nil for none
	left      atomic.Bool                 // its folder is no longer worked in
	turns     sync.WaitGroup              // that have begun and not ended
	own       atomic.Pointer[OwnCommands] // what LoadOwn read last

	mu        sync.Mutex
	active    []*turn                   // guarded by mu; running, oldest first
	queue     []*turn                   // guarded by mu; follow-ups of running turns
	ended     []*turn                   // guarded by mu; the last keepResults
	choice    Choice                    // guarded by mu
	emitters  map[string]*event.Emitter // guarded by mu; by turn
	lastError string                    // guarded by mu
	unready   Lack                      // guarded by mu; what is missing in the set-up, as far as the last turn knows
	usage     event.Usage               // guarded by mu
	toolless  map[string]bool           // guarded by mu; models whose servers take no tools
	git       *bool                     // guarded by mu; whether the root is in a git work tree, nil until it is asked for
	warm      context.CancelFunc        // guarded by mu; ends what keepWarm began, nil for nothing
	cold      map[string]bool           // guarded by mu; models of which the user was told that nothing keeps their cache warm
}

// newSession makes the session of a root. before is closed when the one that the root had before has ended.
func newSession(e *Engine, ws *workspace.Workspace, before <-chan struct{}) *Session {
	s := &Session{e: e, ws: ws, emitters: map[string]*event.Emitter{}}
	s.Comments = aicomment.New(aicomment.Options{Workspace: ws, Hold: s.hold})
	s.Consent = consent.New(consent.Options{Workspace: ws, StateDir: e.o.StateDir, Settings: s.settings, Sandbox: e.o.Shadow, Random: e.o.Random, Log: e.o.Log})
	s.Pages = web.New(web.Options{Fetch: e.o.Fetch})
	s.Problems = problems.New(problems.Options{Clock: e.o.Clock})
	s.ctx, s.cancel = context.WithCancel(e.ctx)
	s.Mapper = mapper.New(mapper.Options{
		Context: s.ctx, Workspace: ws, Open: e.o.Map, Closed: s.left.Load, Stale: s.FileChanged, Log: e.o.Log,
		Wanted: func() bool { r := s.settings().RepoMap; return r.Enabled && r.Tokens >= 0 },
		Hold:   s.hold,
	})
	s.Conversation = history.NewConversation(history.ConversationOptions{
		Context: s.ctx, Root: ws.Root(), StateDir: e.o.StateDir, Settings: s.settings, Clock: e.o.Clock, Random: e.o.Random, Log: e.o.Log,
		Hold:  s.hold,
		Prose: proseIn, Limit: s.historyLimit, Summarize: s.summarize,
	})
	s.proposals, s.journal = e.newStore(s)
	s.Commits = commit.New(commit.Options{
		Context: s.ctx, Workspace: ws, Proposals: s.proposals, StateDir: e.o.StateDir, Settings: s.settings, Clock: e.o.Clock, Random: e.o.Random,
		Log: e.o.Log, Around: e.around, Message: s.commitMessage, FileChanged: s.FileChanged,
		Hold: s.hold,
		Said: func(turn string) (string, string, bool) {
			x, ok := s.Conversation.History.Find(turn)
			return x.User, x.Prose, ok
		},
		Emit: func(turn string, one event.Event) { s.emitter(turn).Emit(one) },
	})
	e.adoptLater(s, before) // it tells all parts of the session
	return s
}

// Proposals returns what the session's turns proposed.
func (s *Session) Proposals() *proposal.Store { return s.proposals }

// History returns what was said.
func (s *Session) History() *history.History { return s.Conversation.History }

// Usage returns the tokens of all turns of this session.
func (s *Session) Usage() event.Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.usage
}

// Has says whether there is a file in the folder, or an open document of that path.
func (s *Session) Has(path string) bool { return s.ws.Snapshot().Exists(path) }

// FileChanged says that a file of the root may have changed on disk; "" is any of them. It returns
// at once.
func (s *Session) FileChanged(path string) {
	s.Commits.Wrote(path)
	s.Mapper.Changed(path)
}

// FilesChanged is FileChanged for what a watcher of the disk reports: most of that is of no
// interest, such as what a build writes. It asks git, so it takes a moment.
func (s *Session) FilesChanged(ctx context.Context, paths []string) {
	s.Commits.Wrote(paths...)
	s.Mapper.FilesChanged(ctx, paths)
}

// Idle says that no turn runs or waits, and that nothing is lost when the session ends: the user need not
// decide on anything, and what can be undone stands in the journal.
func (s *Session) Idle() bool {
	s.mu.Lock()
	busy := len(s.active)+len(s.queue) > 0
	s.mu.Unlock()
	return !busy && s.proposals.Idle()
}

// Status tells what the session is doing.
func (s *Session) Status() Status {
	v := s.settings()
	st := Status{Model: v.Model, Settings: v, Pending: s.proposals.Pending()}
	s.mu.Lock()
	defer s.mu.Unlock()
	st.LastError, st.Usage = s.lastError, s.usage
	for _, t := range slices.Concat(s.active, s.queue) {
		st.Busy = st.Busy || t.resolved.Coder.Proposes()
	}
	st.Turns = s.turnsNow()
	return st
}

// Turns tells of the turns that have not ended, the oldest first, without a look at the settings.
func (s *Session) Turns() []TurnStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turnsNow()
}

// turnsNow is Turns with s.mu held.
func (s *Session) turnsNow() []TurnStatus {
	var list []TurnStatus
	for _, t := range slices.Concat(s.active, s.queue) {
		list = append(list, TurnStatus{ID: t.id, State: t.life.state, Coder: t.resolved.Coder.Name, Label: t.life.label, Started: t.life.started})
	}
	return list
}

// ErrClosed says that the engine runs no more turns.
var ErrClosed = errors.New("the server is shutting down")

// begin runs a new turn, queues it or refuses it.
func (s *Session) begin(t *turn) (Started, error) {
	if err := s.enter(); err != nil {
		t.life.cancel(nil)
		return Started{}, err
	}
	s.mu.Lock()
	s.cool()
	switch {
	case s.waitsFor(t):
		t.life.state = event.TurnQueued
		s.queue = append(s.queue, t)
		s.mu.Unlock()
		t.emit.Emit(event.Event{Kind: event.KindState, State: event.TurnQueued})
		s.mu.Lock()
		t.life.queued = true
		s.mu.Unlock()
		s.next() // what it waits for may have ended meanwhile
		return Started{Turn: t.id, Status: StatusQueued}, nil
	case t.resolved.Coder.Proposes() && s.editing() != nil:
		busy := s.editing().id
		s.mu.Unlock()
		t.life.cancel(nil)
		s.leave()
		return Started{Status: StatusBusy, Busy: busy}, nil
	}
	s.active = append(s.active, t)
	s.mu.Unlock()
	go t.run()
	return Started{Turn: t.id, Status: StatusStarted}, nil
}

// waitsFor says whether t follows up a turn that runs or is queued. The caller holds mu.
func (s *Session) waitsFor(t *turn) bool {
	return t.resolved.before != nil && slices.Contains(slices.Concat(s.active, s.queue), t.resolved.before)
}

// editing returns the editing turn that runs or is to run next. The caller holds mu.
func (s *Session) editing() *turn {
	for _, t := range slices.Concat(s.active, s.queue) {
		if t.resolved.Coder.Proposes() {
			return t
		}
	}
	return nil
}

// next starts the queued turns for which nothing stands in the way any more.
func (s *Session) next() {
	var start []*turn
	s.mu.Lock()
	for i := 0; i < len(s.queue); {
		t := s.queue[i]
		running := slices.ContainsFunc(s.active, func(a *turn) bool { return a.resolved.Coder.Proposes() })
		if !t.life.queued || slices.Contains(s.active, t.resolved.before) || slices.Contains(s.queue[:i], t.resolved.before) || t.resolved.Coder.Proposes() && running {
			i++
			continue
		}
		s.queue = slices.Delete(s.queue, i, i+1)
		s.active = append(s.active, t)
		start = append(start, t)
	}
	s.mu.Unlock()
	for _, t := range start {
		t.life.waited = true
		go t.run()
	}
}

// find returns a turn of this session by its id, nil when it is unknown or forgotten.
func (s *Session) find(id string) *turn {
	id = proposal.TurnOf(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, list := range [][]*turn{s.active, s.queue, s.ended} {
		for _, t := range list {
			if t.id == id {
				return t
			}
		}
	}
	return nil
}

// Cancel ends a turn, queued or running, or all of them for "". It returns the ids it cancelled.
func (s *Session) Cancel(id string) []string {
	id = proposal.TurnOf(id)
	var ids []string
	var dropped []*turn
	s.mu.Lock()
	for _, t := range s.active {
		if id == "" || t.id == id {
			t.life.cancel(context.Canceled)
			ids = append(ids, t.id)
		}
	}
	s.queue = slices.DeleteFunc(s.queue, func(t *turn) bool {
		if id != "" && t.id != id {
			return false
		}
		t.life.cancel(context.Canceled)
		dropped, ids = append(dropped, t), append(ids, t.id)
		return true
	})
	s.mu.Unlock()
	for _, t := range dropped { // they have no goroutine of their own that would end them
		t.end(Result{State: event.TurnCancelled, Err: context.Canceled})
	}
	return ids
}

// Wait returns when the turn has ended, or with ctx's error.
func (s *Session) Wait(ctx context.Context, id string) (Result, error) {
	t := s.find(id)
	if t == nil {
		return Result{}, fmt.Errorf("request %s not found", id)
	}
	select {
	case <-t.life.done:
		return t.life.result, nil
	case <-ctx.Done():
		return Result{}, ctx.Err()
	}
}
