package console

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
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
	out := l.Wrap(&screen)
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

// By itself the line moves with the clock, until it is taken away.
func TestLineRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screen bytes.Buffer
		l := NewLine(&screen)
		l.Sink(func(event.Event) {})(event.Event{Kind: event.KindState, State: event.TurnRequesting, Model: "m"})
		text := func() string {
			l.mu.Lock()
			defer l.mu.Unlock()
			return screen.String()
		}
		stop := l.Run()
		began := time.Now()
		for _, seconds := range []int{5, 6, 8} {
			time.Sleep(time.Until(began.Add(time.Duration(seconds)*time.Second + lineEvery/2))) // between two looks at the clock
			synctest.Wait()
			if got, want := displaytest.Screen(text()), fmt.Sprintf("Waiting for m · %d s", seconds); got != want {
				t.Errorf("after %d s the screen shows %q", seconds, got)
			}
		}
		stop()
		if got := displaytest.Screen(text()); got != "" {
			t.Errorf("at the end the screen shows %q", got)
		}
		before := text()
		time.Sleep(time.Minute)
		synctest.Wait()
		if text() != before {
			t.Errorf("it goes on: %q", text()[len(before):])
		}
	})
}
