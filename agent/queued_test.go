package agent

import (
	"log/slog"
	"slices"
	"testing"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/model"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// TestQueuedIsToldBeforeTheTurnGoesOn lets the turn that a follow-up waits for end in the moment in
// which the follow-up is queued and nobody was told so yet.
func TestQueuedIsToldBeforeTheTurnGoesOn(t *testing.T) {
	ws, err := workspace.Open(t.TempDir(), workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	catalog, err := model.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	e := NewEngine(Options{
		Settings: func(string) settings.Settings { return settings.Defaults() },
		Catalog:  func() *model.Catalog { return catalog },
		Log:      slog.New(slog.DiscardHandler),
	})
	defer e.Close()
	s := e.Session(ws)
	before, err := s.newTurn(resolvedIn(t, s, "first"), Ports{})
	if err != nil {
		t.Fatal(err)
	}
	s.Turns.active = append(s.Turns.active, before)

	var told []event.State
	held, free := make(chan struct{}), make(chan struct{})
	follow, err := s.newTurn(resolvedIn(t, s, "then"), Ports{Sink: func(e event.Event) {
		switch e.Kind {
		case event.KindNote: // stands for a slow sink: what comes behind it waits
			close(held)
			<-free
		case event.KindState:
			told = append(told, e.State)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	follow.resolved.before = before
	go follow.emit.Note(event.Info("held"))
	<-held
	if _, err := s.Life.Hold(); err != nil {
		t.Fatal(err)
	}
	begun := make(chan Started, 1)
	go func() { begun <- s.Turns.enqueue(follow) }()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		s.Turns.mu.Lock()
		waiting := slices.Contains(s.Turns.waiting, follow)
		s.Turns.mu.Unlock()
		if waiting {
			break
		}
		if time.Now().After(end) {
			t.Fatal("hung: the follow-up is not queued")
		}
	}
	s.Turns.mu.Lock()
	s.Turns.active = nil // the first ends
	s.Turns.mu.Unlock()
	s.Turns.startQueued()
	s.Turns.mu.Lock()
	early := slices.Contains(s.Turns.active, follow)
	s.Turns.mu.Unlock()
	if early {
		t.Error("the turn goes on before anybody was told that it was queued")
	}
	close(free)
	if got := <-begun; got.Status != StatusQueued {
		t.Errorf("begun %v", got)
	}
	select {
	case <-follow.life.done:
	case <-time.After(time.Minute):
		t.Fatal("hung: the follow-up does not go on")
	}
	if len(told) < 2 || told[0] != event.TurnQueued || told[1] != event.TurnCollecting {
		t.Errorf("told %v", told)
	}
}

// resolvedIn is a request that says no more than its words.
func resolvedIn(t *testing.T, s *Session, words string) Resolved {
	t.Helper()
	r, err := s.Resolve(Request{Instruction: words})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
