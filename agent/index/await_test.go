package index

import (
	"os"
	"testing"
	"time"
)

// answer takes what comes from a channel, and fails when nothing does though nothing holds it up.
func answer[T any](t *testing.T, what string, from <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-from:
	case <-time.After(hung):
		t.Fatalf("hung: %s waits", what)
	}
	return got
}

// readPipe waits for what a worker writes to a pipe when it has a text.
func readPipe(t *testing.T, pipe string) (told string) {
	t.Helper()
	prompt(t, "who reads what a worker writes", func() {
		raw, err := os.ReadFile(pipe)
		if err != nil {
			t.Error(err)
		}
		told = string(raw)
	})
	return told
}
