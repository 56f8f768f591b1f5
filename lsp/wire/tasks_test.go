package wire

import (
	"context"
	"log/slog"
	"testing"
)

func newTasks(t *testing.T) *Tasks {
	tasks := NewTasks(t.Context())
	tasks.Start(NewRouter(tasks.Context(), slog.New(slog.DiscardHandler)), slog.New(slog.DiscardHandler))
	return tasks
}

// Work that is asked for while it runs runs once more, however often it was asked for, and never beside itself.
func TestCoalesced(t *testing.T) {
	tasks := newTasks(t)
	var c Coalesced
	began, goOn := make(chan struct{}), make(chan struct{})
	work := func(context.Context) {
		began <- struct{}{}
		<-goOn
	}
	tasks.Coalesce(&c, work)
	<-began
	for range 3 {
		tasks.Coalesce(&c, func(context.Context) { t.Error("it ran beside the first") })
	}
	goOn <- struct{}{}
	<-began
	goOn <- struct{}{}
	tasks.Wait(t.Context())
	ran := make(chan struct{}, 2)
	tasks.Coalesce(&c, func(context.Context) { ran <- struct{}{} })
	tasks.Wait(t.Context())
	if len(ran) != 1 {
		t.Errorf("afterwards it ran %d times", len(ran))
	}
}

// What waits for the client ends when that has asked for the end; what runs beside it goes on until the connection ends.
func TestTheEndOfTasks(t *testing.T) {
	tasks := newTasks(t)
	waiting, release := tasks.WhileAnswered(t.Context())
	defer release()
	over := make(chan error, 1)
	tasks.Background(func(ctx context.Context) {
		<-ctx.Done()
		over <- ctx.Err()
	})
	tasks.EndWaits()
	<-waiting.Done()
	if tasks.Context().Err() != nil || len(over) > 0 {
		t.Error("the connection has ended with the waits")
	}
	tasks.Cancel()
	tasks.Close()
	if len(over) != 1 {
		t.Error("Close did not wait for what ran")
	}
	if tasks.Background(func(context.Context) { t.Error("it began after the end") }) {
		t.Error("it may begin after the end")
	}
}

// The session ends with the process that its client named.
func TestWatchParent(t *testing.T) {
	tasks := newTasks(t)
	tasks.Parent = 42
	asked := 0
	tasks.WatchParent(t.Context(), 1, func(pid int) bool {
		asked++
		return pid == 42 && asked < 3
	})
	if tasks.Context().Err() == nil || asked != 3 {
		t.Errorf("asked %d times, %v", asked, tasks.Context().Err())
	}
}
