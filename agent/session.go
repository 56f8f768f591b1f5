package agent

import (
	"context"

	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
)

// Session is the conversation of one workspace root: its history, its turns and its proposals. It
// is safe for concurrent use.
type Session struct {
	e  *Engine
	ws *workspace.Workspace
}

func newSession(e *Engine, ws *workspace.Workspace) *Session {
	return &Session{e: e, ws: ws}
}

// Workspace returns the root's files.
func (s *Session) Workspace() *workspace.Workspace { return s.ws }

// Proposals returns what the session's turns proposed.
func (s *Session) Proposals() *proposal.Store { return nil }

// History returns what was said.
func (s *Session) History() *history.History { return nil }

// Usage returns the tokens of all turns of this session.
func (s *Session) Usage() event.Usage { return event.Usage{} }

// Status tells what the session is doing.
func (s *Session) Status() Status { return Status{} }

// Forget drops the history; files and proposals stay.
func (s *Session) Forget() {}

func (s *Session) start(r Request, p Ports) (Started, error) { return Started{}, nil }
func (s *Session) stop(turn string) []string                 { return nil }
func (s *Session) wait(ctx context.Context, turn string) (Result, error) {
	return Result{}, ctx.Err()
}
