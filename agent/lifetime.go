package agent

import (
	"context"
	"errors"
	"sync"
)

// How an engine and its sessions end. A session ends with its folder, or with the engine.

// ErrClosed says that the engine runs no more turns.
var ErrClosed = errors.New("the server is shutting down")

// ErrLeft says that the folder of a session is no longer worked in.
var ErrLeft = errors.New("the folder is no longer open; open one of its files and try again")

// Lifetime is how long an engine or a session may begin something, and the work that its end waits for.
type Lifetime struct {
	ctx    context.Context // the parent of all work
	cancel context.CancelFunc
	parent *Lifetime // that of the engine; nil for none
	over   error     // why nothing may begin any more, once it is closed

	work   sync.WaitGroup
	mu     sync.Mutex
	closed bool // guarded by mu
}

// newLifetime begins a lifetime that is no longer than its parent; nil for none.
func newLifetime(parent *Lifetime, over error) *Lifetime {
	l := &Lifetime{parent: parent, over: over}
	within := context.Background()
	if parent != nil {
		within = parent.ctx
	}
	l.ctx, l.cancel = context.WithCancel(within)
	return l
}

// Hold counts in a turn, or other work in the background, until release; an error says why it may not begin.
func (l *Lifetime) Hold() (release func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, l.over
	}
	if l.parent != nil {
		if _, err := l.parent.Hold(); err != nil {
			return nil, err
		}
	}
	l.work.Add(1)
	return l.release, nil
}

// release ends what was counted in.
func (l *Lifetime) release() {
	l.work.Done()
	if l.parent != nil {
		l.parent.release()
	}
}

// While returns ctx, ended by the end of the lifetime too, for a program that neither of them outlives. stop releases it.
func (l *Lifetime) While(ctx context.Context) (while context.Context, stop context.CancelFunc) {
	while, cancel := context.WithCancel(l.ctx)
	after := context.AfterFunc(ctx, cancel)
	return while, func() { after(); cancel() }
}

// isClosed says that nothing may begin any more.
func (l *Lifetime) isClosed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// close has nothing begin any more. What runs goes on.
func (l *Lifetime) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}

// end ends what runs, and returns when it has ended.
func (l *Lifetime) end() {
	l.cancel()
	l.work.Wait()
}

// end ends the session, and returns when nothing of it runs any more. What it proposed and what it
// applied stays on disk.
func (s *Session) end() {
	s.Life.close()
	s.Turns.Cancel("")
	s.Life.end()
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
