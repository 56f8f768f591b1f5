package wire

import (
	"context"
	"testing"
	"time"

	"coauthor/lsp/lsptest"
)

// A group counts what runs, and those who wait go on when nothing does, or when they give up.
func TestGroup(t *testing.T) {
	var g Group
	g.Wait(t.Context()) // nothing runs
	for range 2 {
		if !g.Add() {
			t.Fatal("nothing may begin")
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	g.Wait(gone)
	free := make(chan struct{}, 2)
	for range 2 {
		go func() { g.Wait(context.Background()); free <- struct{}{} }()
	}
	g.Done()
	select {
	case <-free:
		t.Error("one still runs")
	case <-time.After(10 * time.Millisecond): // in which one that does not wait would be here
	}
	g.Close()
	if g.Add() {
		t.Error("more began after the close")
	}
	g.Done()
	lsptest.Receive(t, "the first", free)
	lsptest.Receive(t, "the second", free)
	g.Wait(t.Context())
}
