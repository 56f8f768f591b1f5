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
	"coauthor/edits"
)

// Session is the conversation of one workspace root: its history, its turns and its proposals. It
// is safe for concurrent use. Its parts are set when it is made, and do not change.
type Session struct {
	Engine       *Engine
	Workspace    *workspace.Workspace
	Chosen       ChoiceStore           // above the settings
	Turns        Queue                 // that run, that wait and that have ended
	Proposals    *proposal.Store       // of its turns
	Conversation *history.Conversation // of its turns
	Commits      *commit.Committer     // makes them and takes them back
	Consent      *consent.Store        // of the user
	Custom       *custom.Store         // commands that the user wrote
	Comments     *aicomment.Tracker    // that are marked for the model
	Problems     *problems.Tracker     // that the last change brought
	Mapper       *mapper.Mapper        // of the repository
	Life         *Lifetime             // ends with its folder
}

// newSession makes the session of a root. before is closed when the one that the root had before has ended.
func newSession(e *Engine, ws *workspace.Workspace, before <-chan struct{}) *Session {
	s := &Session{Engine: e, Workspace: ws, Life: newLifetime(e.life, ErrLeft), Turns: Queue{emitters: newEmitters(ws, e.o.Sink)}, Chosen: ChoiceStore{Pages: web.New(web.Options{Fetch: e.o.Fetch})}}
	s.Comments = aicomment.New(aicomment.Options{Workspace: ws, Hold: s.Life.Hold})
	s.Consent = consent.New(consent.Options{Workspace: ws, StateDir: e.o.StateDir, Settings: s.Settings, Sandbox: e.o.Shadow, Random: e.o.Random, Log: e.o.Log})
	s.Custom = custom.NewStore(func() custom.Sources {
		return custom.Sources{Coders: e.o.Coders, Reserved: e.o.Reserved, Settings: s.Settings(), Files: e.o.OwnCommands, Workspace: ws}
	})
	s.Problems = problems.New(problems.Options{Clock: e.o.Clock, Unasked: fixUnasked(&s.Turns, s.Settings)})
	s.Mapper = mapper.New(mapper.Options{
		Context: s.Life.ctx, Workspace: ws, Open: e.o.Map, Closed: s.Life.isClosed, Stale: s.FileChanged, Log: e.o.Log,
		Wanted: func() bool { r := s.Settings().RepoMap; return r.Enabled && r.Tokens >= 0 },
		Hold:   s.Life.Hold,
	})
	s.Conversation = history.NewConversation(history.Options{
		Context: s.Life.ctx, Root: ws.Root(), StateDir: e.o.StateDir, Settings: s.Settings, Clock: e.o.Clock, Random: e.o.Random, Log: e.o.Log,
		Hold:  s.Life.Hold,
		Prose: proseIn, Limit: s.weak().historyLimit, Summarize: s.weak().summarize,
	})
	journal := e.openJournal(ws)
	s.Proposals = proposal.NewStore(ws.Root(), proposal.StoreOptions{
		Journal: journal, Clock: e.o.Clock, Random: e.o.Random, KeepPending: e.o.KeepPending, Changed: s.proposalChanged, Landed: s.landed,
		Before: func(ctx context.Context, turn string, changes []edits.Change) { s.Commits.Before(ctx, turn, changes) },
		Protected: func(path string) bool {
			return ws.Door().Check(context.Background(), path, workspace.OpEdit).Verdict == workspace.Ask
		},
	})
	s.Commits = commit.New(commit.Options{
		Context: s.Life.ctx, Workspace: ws, Proposals: s.Proposals, StateDir: e.o.StateDir, Settings: s.Settings, Clock: e.o.Clock, Random: e.o.Random,
		Log: e.o.Log, Around: e.around, Message: s.weak().commitMessage, FileChanged: s.FileChanged,
		Hold: s.Life.Hold,
		Said: func(turn string) (string, string, bool) {
			x, ok := s.Conversation.History.Find(turn)
			return x.User, x.Prose, ok
		},
		Emit: func(turn string, one event.Event) { s.Turns.emitters.of(turn).Emit(one) },
	})
	if journal != nil {
		e.adoptLater(s, before) // it tells all parts of the session
	}
	return s
}

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
	return !s.Turns.busy() && s.Proposals.Idle()
}

// Status tells what the session is doing.
func (s *Session) Status() Status {
	v := s.Settings()
	st := Status{Model: v.Model, Settings: v, Pending: s.Proposals.Pending()}
	s.Turns.status(&st)
	return st
}
