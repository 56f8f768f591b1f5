package agent

import (
	"cmp"
	"context"
	"errors"

	"coauthor/agent/aicomment"
	"coauthor/agent/chosen"
	"coauthor/agent/commit"
	"coauthor/agent/consent"
	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/lifetime"
	"coauthor/agent/llm"
	"coauthor/agent/mapper"
	"coauthor/agent/model"
	"coauthor/agent/problems"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/strategy"
	"coauthor/agent/weak"
	"coauthor/agent/web"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/edits/formats"
)

// ErrClosed says that the engine runs no more turns.
var ErrClosed = errors.New("the server is shutting down")

// ErrLeft says that the folder of a session is no longer worked in.
var ErrLeft = errors.New("the folder is no longer open; open one of its files and try again")

// Session is the conversation of one workspace root: its history, its turns and its proposals. It
// is safe for concurrent use. Its parts are set when it is made, and do not change.
type Session struct {
	Engine       *Engine
	Workspace    *workspace.Workspace
	Chosen       chosen.Store          // above the settings
	Turns        Queue                 // that run, that wait and that have ended
	Proposals    *proposal.Store       // of its turns
	Conversation *history.Conversation // of its turns
	Commits      *commit.Committer     // makes them and takes them back
	Consent      *consent.Store        // of the user
	Comments     *aicomment.Tracker    // that are marked for the model
	Problems     *problems.Tracker     // that the last change brought
	Mapper       *mapper.Mapper        // of the repository
	Life         *lifetime.Lifetime    // ends with its folder
}

// newSession makes the session of a root. before is closed when the one that the root had before has ended.
func newSession(e *Engine, ws *workspace.Workspace, before <-chan struct{}) *Session {
	s := &Session{Engine: e, Workspace: ws, Life: lifetime.New(e.life, ErrLeft), Turns: Queue{emitters: event.NewEmitters(func(one event.Event) { e.o.Sink(ws, one) })}, Chosen: chosen.Store{Pages: web.New(web.Options{Fetch: e.o.Fetch})}}
	s.Comments = aicomment.New(aicomment.Options{Workspace: ws, Hold: s.Life.Hold})
	s.Consent = consent.New(consent.Options{Workspace: ws, StateDir: e.o.StateDir, Settings: s.Settings, Sandbox: e.o.Shadow, Random: e.o.Random, Log: e.o.Log})
	s.Problems = problems.New(problems.Options{Clock: e.o.Clock, Unasked: fixUnasked(&s.Turns, s.Settings)})
	s.Mapper = mapper.New(mapper.Options{
		Context: s.Life.Context, Workspace: ws, Open: e.o.Map, Closed: s.Life.Closed, Stale: s.FileChanged, Log: e.o.Log,
		Wanted: func() bool { return s.Settings().RepoMap.Tokens != 0 },
		Hold:   s.Life.Hold,
	})
	writer := weak.New(weak.Options{Settings: s.Settings, Catalog: e.o.Catalog, Client: e.o.ClientFor, Spent: s.Turns.spend})
	s.Conversation = history.NewConversation(history.Options{
		Context: s.Life.Context, Root: ws.Root(), StateDir: e.o.StateDir, Settings: s.Settings, Clock: e.o.Clock, Random: e.o.Random, Log: e.o.Log,
		Hold:  s.Life.Hold,
		Prose: proseIn, Limit: writer.HistoryLimit, Summarize: writer.Summarize,
	})
	journal := e.openJournal(ws)
	s.Proposals = proposal.NewStore(ws.Root(), proposal.StoreOptions{
		Journal: journal, Clock: e.o.Clock, Random: e.o.Random, KeepPending: e.o.KeepPending, Changed: func(p proposal.Proposal) {
			if p.State == event.ProposalApplying {
				s.Problems.Applying(&p) // what is complained about before
			}
			s.Turns.emit(p.Turn, event.Event{Kind: event.KindProposal, Proposal: p.Ref()})
			s.Commits.Look() // nothing of it may wait any more
		}, Landed: func(l proposal.Landing) {
			s.Problems.Landed(l)
			s.Turns.emit(l.Turn, event.Event{Kind: event.KindLanded, Landed: l.Ref()})
			s.Commits.Landed(l)
			s.Comments.Landed(s.Life.Context, l.Files)
			s.Commits.Look()
		},
		Before: func(ctx context.Context, turn string, changes []edits.Change) { s.Commits.Before(ctx, turn, changes) },
		Protected: func(path string) bool {
			return ws.Door().Check(context.Background(), path, workspace.OpEdit).Verdict == workspace.Ask
		},
	})
	s.Commits = commit.New(commit.Options{
		Context: s.Life.Context, Workspace: ws, Proposals: s.Proposals, StateDir: e.o.StateDir, Settings: s.Settings, Clock: e.o.Clock, Random: e.o.Random,
		Log: e.o.Log, Around: e.around, Message: writer.CommitMessage, FileChanged: s.FileChanged,
		Hold: s.Life.Hold,
		Said: func(turn string) (string, string, bool) {
			x, ok := s.Conversation.History.Find(turn)
			return x.User, x.Prose, ok
		},
		Emit: s.Turns.emit,
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

// end ends the session, and returns when nothing of it runs any more. What it proposed and what it applied stays on disk.
func (s *Session) end() {
	s.Life.Close()
	s.Turns.Cancel("")
	s.Life.End()
	s.Mapper.Close()
	s.closeFiles()
}

// closeFiles closes what the session keeps on disk.
func (s *Session) closeFiles() {
	if err := s.Proposals.Close(); err != nil {
		s.Engine.o.Log.Warn("could not close the journal", "root", s.Workspace.Root(), "error", err)
	}
	s.Conversation.Close()
}

// Choose replaces what was chosen for the session and returns what is now in force. After an error the choice
// is as it was.
func (s *Session) Choose(c chosen.Choice) (chosen.InForce, error) {
	if _, err := s.Engine.o.Coders.Offered().ByName(c.Coder); err != nil {
		return s.InForce(), err
	}
	if _, ok := formats.ByName(c.Format); !ok && strategy.Explicit(c.Format) != "" {
		return s.InForce(), strategy.UnknownFormat(c.Format)
	}
	if err := new(settings.Settings).Assign("model.reasoningEffort", cmp.Or(c.Effort, model.Auto)); err != nil {
		return s.InForce(), err
	}
	s.Chosen.Set(c)
	return s.InForce(), nil
}

// InForce returns what holds for the next turn.
func (s *Session) InForce() chosen.InForce {
	v, c, catalog := s.Settings(), s.Chosen.Get(), s.Engine.o.Catalog()
	p := v.Profile(catalog, v.Model)
	size := mapper.Size(v.RepoMap, p.ContextWindow)
	effort, thinking := v.ReasoningEffort, v.ThinkingTokens
	if p.Unsent == "" { // else what was set is told, and with the next request that it does not suit
		effort, thinking = cmp.Or(p.ReasoningEffort, model.Auto), p.ThinkingTokens
	}
	return chosen.InForce{Trusted: v.Trusted, Choice: chosen.Choice{
		Coder: v.Coder, Format: v.EditFormat, Model: v.Model, MapTokens: &size,
		WeakModel:   strategy.ModelFor(llm.RoleWeak, v, catalog, v.Model),
		EditorModel: strategy.ModelFor(llm.RoleEditor, v, catalog, v.Model),
		Effort:      effort, Thinking: &thinking,
		Files: c.Files, ReadOnly: c.ReadOnly, Pages: c.Pages,
	}}
}

// Settings are those of the root with what was chosen for the session.
func (s *Session) Settings() settings.Settings {
	return s.Chosen.Get().Over(s.Engine.o.Settings(s.Workspace.Root()))
}

// emit tells of a turn, or of one of its rounds, to who started it.
func (q *Queue) emit(turn string, e event.Event) { q.emitters.Of(proposal.TurnOf(turn)).Emit(e) }
