package lifetime

import (
	"context"
	"errors"
	"testing"
)

// TestEndWaits: what was begun is waited for, its context ends, and nothing begins any more.
func TestEndWaits(t *testing.T) {
	over := errors.New("over")
	parent := New(nil, errors.New("all over"))
	l := New(parent, over)
	release, err := l.Hold()
	if err != nil {
		t.Fatal(err)
	}
	while, stop := l.While(context.Background())
	defer stop()
	l.Close()
	if _, err := l.Hold(); !errors.Is(err, over) || !l.Closed() || l.Context.Err() != nil || while.Err() != nil {
		t.Errorf("closed: %v, %v", err, l.Context.Err())
	}
	ended := make(chan struct{})
	go func() {
		l.End()
		parent.End()
		close(ended)
	}()
	<-while.Done()
	select {
	case <-ended:
		t.Error("it has ended before its work")
	default:
	}
	release()
	<-ended
}

// TestParentCloses: nothing begins in a lifetime whose parent is closed.
func TestParentCloses(t *testing.T) {
	over := errors.New("all over")
	parent := New(nil, over)
	parent.Close()
	if _, err := New(parent, errors.New("over")).Hold(); !errors.Is(err, over) {
		t.Error(err)
	}
}
