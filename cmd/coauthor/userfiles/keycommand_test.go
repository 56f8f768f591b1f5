package userfiles

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestAKeyCommandThatHangs is left within moments of a cancel.
func TestAKeyCommandThatHangs(t *testing.T) {
	files := of(nil)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	if text, err := files.KeyCommand(ctx, "echo a; sleep 30"); err == nil || text != "" {
		t.Errorf("%q, %v", text, err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %s", took)
	}
}

// TestAKeyCommandIsBounded: whatever a command prints, no more than its beginning is kept, and what it leaves running ends.
func TestAKeyCommandIsBounded(t *testing.T) {
	files := of(nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	text, err := files.KeyCommand(t.Context(), "echo key; head -c 50000000 /dev/zero")
	runtime.ReadMemStats(&after)
	if err != nil || len(text) != keyCommandMax || !strings.HasPrefix(text, "key\n") {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if most := after.TotalAlloc - before.TotalAlloc; most > 16<<20 {
		t.Errorf("%d bytes were taken for %d", most, keyCommandMax)
	}
	if runtime.GOOS != "linux" {
		return // another process cannot be given the pipe below
	}
	// The child holds a pipe of its own, which ends with it.
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	text, err = files.KeyCommand(t.Context(), fmt.Sprintf("sleep 1000 >/proc/%d/fd/%d & echo key", os.Getpid(), write.Fd()))
	_ = write.Close()
	if err != nil || text != "key\n" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := io.ReadAll(read); err != nil {
		t.Error(err)
	}
}
