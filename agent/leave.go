package agent

import "errors"

// How a session ends: with its folder, or with the engine.

// ErrLeft says that the folder of a session is no longer worked in.
var ErrLeft = errors.New("the folder is no longer open; open one of its files and try again")

// enter counts a turn, or other work in the background, in; an error says why it may not begin.
func (s *Session) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left.Load() {
		return ErrLeft
	}
	if !s.e.enter() {
		return ErrClosed
	}
	s.turns.Add(1)
	return nil
}

// hold is enter for the parts of the session: release ends what was counted in.
func (s *Session) hold() (release func(), err error) { return s.leave, s.enter() }

func (s *Session) leave() {
	s.turns.Done()
	s.e.leave()
}

// end ends the session, and returns when nothing of it runs any more. What it proposed and what it
// applied stays on disk.
func (s *Session) end() {
	s.mu.Lock()
	s.left.Store(true)
	s.mu.Unlock()
	s.Cancel("")
	s.cancel()
	s.turns.Wait()
	s.Mapper.Close()
	s.closeJournal()
	s.Conversation.Close()
}

func (s *Session) closeJournal() {
	if s.journal == nil {
		return
	}
	if err := s.journal.Close(); err != nil {
		s.e.o.Log.Warn("could not close the journal", "root", s.ws.Root(), "error", err)
	}
}
