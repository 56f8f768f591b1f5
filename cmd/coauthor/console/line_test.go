package console

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"coauthor/agent/display/displaytest"
	"coauthor/agent/event"
)

// The line moves with the clock, gives way to text, and leaves nothing behind.
func TestLine(t *testing.T) {
	var screen bytes.Buffer
	now := time.Unix(0, 0)
	l := NewLine(&screen)
	l.clock = func() time.Time { return now }
	out := l.Beside(&screen)
	sink := l.Sink(func(e event.Event) {
		if e.Kind == event.KindDelta {
			fmt.Fprint(out, e.Text)
		}
	})
	want := func(what string) {
		t.Helper()
		if got := displaytest.Screen(screen.String()); got != what {
			t.Errorf("the screen shows %q, want %q", got, what)
		}
	}
	sink(event.Event{Kind: event.KindState, State: event.TurnRequesting, Model: "gpt-5"})
	want("Waiting for gpt-5")
	now = now.Add(12 * time.Second)
	l.draw()
	want("Waiting for gpt-5 · 12 s")
	sink(event.Event{Kind: event.KindState, State: event.TurnStreaming})
	sink(event.Event{Kind: event.KindDelta, Channel: event.ChannelAnswer, Text: "I make"})
	now = now.Add(time.Second)
	l.draw()
	want("I make") // a begun line is not written over
	sink(event.Event{Kind: event.KindDelta, Channel: event.ChannelAnswer, Text: " it two.\n"})
	l.draw()
	want("I make it two.\nWriting · 3 tokens · 13 s")
	sink(event.Event{Kind: event.KindEdit, Path: strings.Repeat("long/", 40)})
	if got := displaytest.Screen(screen.String()); !strings.HasSuffix(got, "…") || len([]rune(strings.SplitN(got, "\n", 2)[1])) != lineWidth {
		t.Errorf("a long line: %q", got)
	}
	fmt.Fprint(out, "Apply? ")
	now = now.Add(time.Second)
	l.draw()
	want("I make it two.\nApply? ")
	fmt.Fprint(out, "\n")
	stop := l.Run()
	l.draw()
	stop()
	want("I make it two.\nApply? \n")
}

// lockedBuffer is a screen that is looked at while it is written to.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// hung is longer than anything here takes on the busiest machine.
const hung = 2 * time.Minute

// By itself the line moves with the clock, until it is taken away.
func TestLineRuns(t *testing.T) {
	screen := &lockedBuffer{}
	var seconds atomic.Int64
	l := NewLine(screen)
	l.clock = func() time.Time { return time.Unix(seconds.Load(), 0) }
	l.every = time.Millisecond
	sink := l.Sink(func(event.Event) {})
	sink(event.Event{Kind: event.KindState, State: event.TurnRequesting, Model: "m"})
	stop := l.Run()
	for s := int64(5); s < 8; s++ {
		seconds.Store(s)
		line := fmt.Sprintf("Waiting for m · %d s", s)
		for end := time.Now().Add(hung); !strings.HasSuffix(displaytest.Screen(screen.String()), line); runtime.Gosched() {
			if time.Now().After(end) {
				t.Fatalf("hung: %q is not shown, but %q", line, displaytest.Screen(screen.String()))
			}
		}
	}
	stop()
	if got := displaytest.Screen(screen.String()); got != "" {
		t.Errorf("at the end the screen shows %q", got)
	}
	seconds.Store(100)
	before := screen.String()
	l.every = time.Hour
	l.Run()()
	if screen.String() != before {
		t.Errorf("it goes on: %q", screen.String()[len(before):])
	}
}
