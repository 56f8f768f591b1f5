package folder

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"coauthor/lsp/lsptest"
)

// A disk that hangs costs the goroutine that reads one moment, not one for each document.
func TestAMomentIsWaitedOnce(t *testing.T) {
	var l lookups
	first, second, third := &lookup{answered: make(chan struct{})}, &lookup{answered: make(chan struct{})}, &lookup{answered: make(chan struct{})}
	lsptest.Within(t, "one that is late", func() {
		for range 2 {
			if l.soon(first, time.Millisecond) {
				t.Error("it has answered")
			}
		}
	})
	lsptest.Within(t, "another one beside it", func() {
		if l.soon(second, time.Hour) || l.late != 1 {
			t.Errorf("it has answered; %d are late", l.late)
		}
	})
	close(third.answered)
	if !l.soon(third, time.Hour) {
		t.Error("an answer that is there is not taken")
	}
	var fresh lookups
	go close(second.answered)
	lsptest.Within(t, "one that answers", func() {
		if !fresh.soon(second, time.Hour) || fresh.late != 0 {
			t.Errorf("it has not answered; %d are late", fresh.late)
		}
	})
	// Whoever asks for one directory joins who asks already, and it is forgotten with its answer.
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	one := fresh.start(filepath.Join(dir, "x"))
	lsptest.Receive(t, "the answer", one.answered)
	fresh.mu.Lock()
	defer fresh.mu.Unlock()
	if one.root != dir || len(fresh.byDir) != 0 || fresh.late != 0 {
		t.Errorf("%q, %v", one.root, fresh.byDir)
	}
}
