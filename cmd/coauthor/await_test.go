package main

import (
	"fmt"
	"io"
	"testing"
	"time"
)

// hung is a time that only something that hangs takes, also on a busy machine.
const hung = 2 * time.Minute

// await receives, or fails with what was waited for.
func await[T any](t testing.TB, from <-chan T, what string) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(hung):
		t.Fatalf("hung: %s", what)
		panic("not reached")
	}
}

// waitUntil waits for something that no channel tells.
func waitUntil(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(hung); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("hung: %s", what)
		}
	}
}

// cutWhenHung ends what is read from a pipe when nothing comes for too long.
func cutWhenHung(t testing.TB, pipe *io.PipeReader, what string) {
	t.Helper()
	clock := time.AfterFunc(hung, func() { _ = pipe.CloseWithError(fmt.Errorf("hung: %s", what)) })
	t.Cleanup(func() { clock.Stop() })
}
