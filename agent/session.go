package agent

import (
	"context"

	"coauthor/agent/aicomment"
	"coauthor/agent/commit"
	"coauthor/agent/consent"
	"coauthor/agent/custom"
	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/mapper"
	"coauthor/agent/problems"
	"coauthor/agent/proposal"
	"coauthor/agent/web"
	"coauthor/agent/workspace"
)

// Session is the conversation of one workspace root: its history, its turns and its proposals. It
// is safe for concurrent use. Its parts are set when it is made, and do not change.
type Session struct {
	Mapper       *mapper.Mapper        // of the repository
	Problems     *problems.Tracker     // that the last change brought
	Comments     *aicomment.Tracker    // that are marked for the model
	Consent      *consent.Store        // of the user
	Commits      *commit.Committer     // makes them and takes them back
	Conversation *history.Conversation // of its turns
	Custom       *custom.Store         // commands that the user wrote

	e         *Engine
	ws        *workspace.Workspace
	proposals *proposal.Store
	life      *lifetime // ends with its folder

	chosen chosen
	queue  queue // its turns
}

// newSession makes the session of a root. before is closed when the one that the root had before has ended.
func newSession(e *Engine, ws *workspace.Workspace, before <-chan struct{}) *Session {
	s := &Session{e: e, ws: ws, life: newLifetime(e.life, ErrLeft), queue: queue{emitters: newEmitters(ws, e.o.Sink)}, chosen: chosen{pages: web.New(web.Options{Fetch: e.o.Fetch})}}
	s.Comments = aicomment.New(aicomment.Options{Workspace: ws, Hold: s.life.hold})
	s.Consent = consent.New(consent.Options{Workspace: ws, StateDir: e.o.StateDir, Settings: s.settings, Sandbox: e.o.Shadow, Random: e.o.Random, Log: e.o.Log})
	s.Custom = custom.NewStore(func() custom.Sources {
		return custom.Sources{Coders: e.o.Coders, Reserved: e.o.Reserved, Settings: s.settings(), Files: e.o.OwnCommands, Workspace: ws}
	})
	s.Problems = problems.New(problems.Options{Clock: e.o.Clock})
	s.Mapper = mapper.New(mapper.Options{
		Context: s.life.ctx, Workspace: ws, Open: e.o.Map, Closed: s.life.isClosed, Stale: s.FileChanged, Log: e.o.Log,
		Wanted: func() bool { r := s.settings().RepoMap; return r.Enabled && r.Tokens >= 0 },
		Hold:   s.life.hold,
	})
	s.Conversation = history.NewConversation(history.Options{
		Context: s.life.ctx, Root: ws.Root(), StateDir: e.o.StateDir, Settings: s.settings, Clock: e.o.Clock, Random: e.o.Random, Log: e.o.Log,
		Hold:  s.life.hold,
		Prose: proseIn, Limit: s.weak().historyLimit, Summarize: s.weak().summarize,
	})
	journal := e.openJournal(ws)
	s.proposals = proposal.NewStore(ws.Root(), proposal.StoreOptions{
		Journal: journal, Clock: e.o.Clock, Random: e.o.Random, KeepPending: e.o.KeepPending, Changed: s.proposalChanged, Landed: s.landed,
		Protected: func(path string) bool {
			return ws.Door().Check(context.Background(), path, workspace.OpEdit).Verdict == workspace.Ask
		},
	})
	s.Commits = commit.New(commit.Options{
		Context: s.life.ctx, Workspace: ws, Proposals: s.proposals, StateDir: e.o.StateDir, Settings: s.settings, Clock: e.o.Clock, Random: e.o.Random,
		Log: e.o.Log, Around: e.around, Message: s.weak().commitMessage, FileChanged: s.FileChanged,
		Hold: s.life.hold,
		Said: func(turn string) (string, string, bool) {
			x, ok := s.Conversation.History.Find(turn)
			return x.User, x.Prose, ok
		},
		Emit: func(turn string, one event.Event) { s.queue.emitters.of(turn).Emit(one) },
	})
	if journal != nil {
		e.adoptLater(s, before) // it tells all parts of the session
	}
	return s
}

// Proposals returns what the session's turns proposed.
func (s *Session) Proposals() *proposal.Store { return s.proposals }

// History returns what was said.
func (s *Session) History() *history.History { return s.Conversation.History }

// Usage returns the tokens of all turns of this session.
func (s *Session) Usage() event.Usage { return s.queue.used() }

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
	return !s.queue.busy() && s.proposals.Idle()
}

// Status tells what the session is doing.
func (s *Session) Status() Status {
	v := s.settings()
	st := Status{Model: v.Model, Settings: v, Pending: s.proposals.Pending()}
	s.queue.status(&st)
	return st
}

// Turns tells of the turns that have not ended, the oldest first, without a look at the settings.
func (s *Session) Turns() []TurnStatus { return s.queue.turns() }

// Cancel ends a turn, queued or running, or all of them for "". It returns the ids it cancelled.
func (s *Session) Cancel(id string) []string { return s.queue.cancel(id) }

// Wait returns when the turn has ended, or with ctx's error.
func (s *Session) Wait(ctx context.Context, id string) (Result, error) { return s.queue.wait(ctx, id) }
