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

// lifetime is how long an engine or a session may begin something, and the work that its end waits for.
type lifetime struct {
	ctx    context.Context // the parent of all work
	cancel context.CancelFunc
	parent *lifetime // that of the engine; nil for none
	over   error     // why nothing may begin any more, once it is closed

	work   sync.WaitGroup
	mu     sync.Mutex
	closed bool // guarded by mu
}

// newLifetime begins a lifetime that is no longer than its parent; nil for none.
func newLifetime(parent *lifetime, over error) *lifetime {
	l := &lifetime{parent: parent, over: over}
	within := context.Background()
	if parent != nil {
		within = parent.ctx
	}
	l.ctx, l.cancel = context.WithCancel(within)
	return l
}

// hold counts in a turn, or other work in the background, until release; an error says why it may not begin.
func (l *lifetime) hold() (release func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, l.over
	}
	if l.parent != nil {
		if _, err := l.parent.hold(); err != nil {
			return nil, err
		}
	}
	l.work.Add(1)
	return l.release, nil
}

// release ends what was counted in.
func (l *lifetime) release() {
	l.work.Done()
	if l.parent != nil {
		l.parent.release()
	}
}

// isClosed says that nothing may begin any more.
func (l *lifetime) isClosed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// close has nothing begin any more. What runs goes on.
func (l *lifetime) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}

// end ends what runs, and returns when it has ended.
func (l *lifetime) end() {
	l.cancel()
	l.work.Wait()
}

// end ends the session, and returns when nothing of it runs any more. What it proposed and what it
// applied stays on disk.
func (s *Session) end() {
	s.life.close()
	s.queue.cancel("")
	s.life.end()
	s.Mapper.Close()
	s.closeFiles()
}

// closeFiles closes what the session keeps on disk.
func (s *Session) closeFiles() {
	if err := s.proposals.Close(); err != nil {
		s.e.o.Log.Warn("could not close the journal", "root", s.ws.Root(), "error", err)
	}
	s.Conversation.Close()
}
