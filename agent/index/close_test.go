package index

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"coauthor/repomap"
)

func TestCloseEndsWaiting(t *testing.T) {
	root := t.TempDir()
	x, err := Open(t.Context(), root, Options{})
	if err != nil {
		t.Fatal(err)
	}
	x.Close()
	x.Changed("") // and nobody refreshes any more
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := x.Wait(ctx); err == nil {
		t.Error("an index that was closed is up to date")
	}
	if _, err := x.Map(ctx, repomap.Request{Budget: 100}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Open(ctx, root, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("opened by one who was cancelled: %v", err)
	}
	if _, err := Open(t.Context(), filepath.Join(root, "absent"), Options{}); err == nil {
		t.Error("an absent folder was opened")
	}
}

// Closing ends a refresh that goes on, and those who wait for it.
func TestCloseEndsARefresh(t *testing.T) {
	root, pipe := t.TempDir(), filepath.Join(t.TempDir(), "pipe")
	makePipe(t, pipe)
	write(t, root, map[string]string{"a.go": "package a // linger\n"})
	n := &notes{}
	x, err := Open(t.Context(), root, Options{Worker: []string{os.Args[0], "linger", pipe}, Log: n.log()})
	if err != nil {
		t.Fatal(err)
	}
	readPipe(t, pipe)
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	if err := x.Wait(impatient); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if load := x.Load(); load != (Load{Running: 1, Most: 1}) {
		t.Errorf("%+v", load)
	}
	waited := make(chan error, 1)
	go func() { waited <- x.Wait(context.Background()) }()
	prompt(t, "Close", x.Close)
	if err := answer(t, "who waits for the refresh", waited); err == nil {
		t.Error("the refresh was closed, and it is said to be done")
	}
	if n.has("level=WARN") {
		t.Error("closing is warned of")
	}
}

// Who waits for a look that was asked for in the moment of closing, and never begins, is told.
func TestCloseBeforeARefresh(t *testing.T) {
	x := open(t, t.TempDir(), Options{})
	x.mu.Lock()
	x.round = newRound()
	x.mu.Unlock()
	waited := make(chan error, 1)
	go func() { waited <- x.Wait(context.Background()) }()
	prompt(t, "closing", x.Close)
	if err := answer(t, "who waits for the refresh", waited); err == nil {
		t.Error("nobody looked, and it is said to be done")
	}
}

// Closing waits for the work in the background, which needs what closing takes away.
func TestCloseWaitsForTheWork(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": "package a\n"})
	begun, end := make(chan struct{}, 1), make(chan struct{})
	x, err := Open(t.Context(), root, Options{Door: func(string) bool {
		begun <- struct{}{}
		<-end
		return true
	}})
	if err != nil {
		t.Fatal(err)
	}
	answer(t, "the first file", begun)
	holds(t, "sync.WaitGroup.Wait", "(*Index).Close", x.Close, func() { close(end) })
}

// Who is cancelled before it is their turn changes nothing of what is laid over the files.
func TestCancelBeforeTheTurn(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": "package a\n"})
	x := open(t, root, Options{})
	text(t, x, repomap.Request{Overlays: map[string]string{"a.go": "package one\n"}})
	x.laying <- struct{}{} // somebody else's turn
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Map(ctx, repomap.Request{Budget: 100, Overlays: map[string]string{"b.go": "package two\n"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, ok := x.overlays["a.go"]; !ok || len(x.overlays) != 1 {
		t.Errorf("laid over the files are %v", x.overlays)
	}
	<-x.laying
}
