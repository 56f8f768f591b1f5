package main

import (
	"bytes"
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"coauthor/agent/event"
)

// screenOf plays what a terminal shows of a text: its lines, as they are left.
func screenOf(text string) string {
	for { // what was taken back with the lines above it
		i := takenBack.FindStringSubmatchIndex(text)
		if i == nil {
			break
		}
		rows, _ := strconv.Atoi(text[i[2]:i[3]])
		before := strings.Split(text[:i[0]], "\n")
		before = before[:max(0, len(before)-1-rows)]
		text = strings.Join(append(before, text[i[1]:]), "\n")
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if i := strings.LastIndex(line, "\r\x1b[K"); i >= 0 {
			line = line[i+len("\r\x1b[K"):]
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

var takenBack = regexp.MustCompile("\x1b\\[([0-9]+)A\r\x1b\\[J")

// The line moves with the clock, gives way to text, and leaves nothing behind.
func TestLiveLine(t *testing.T) {
	var screen bytes.Buffer
	now := time.Unix(0, 0)
	l := newLiveLine(&screen)
	l.clock = func() time.Time { return now }
	out := l.over(&screen)
	sink := l.sink(func(e event.Event) {
		if e.Kind == event.KindDelta {
			fmt.Fprint(out, e.Text)
		}
	})
	want := func(what string) {
		t.Helper()
		if got := screenOf(screen.String()); got != what {
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
	if got := screenOf(screen.String()); !strings.HasSuffix(got, "…") || len([]rune(strings.SplitN(got, "\n", 2)[1])) != liveWidth {
		t.Errorf("a long line: %q", got)
	}
	fmt.Fprint(out, "Apply? ")
	now = now.Add(time.Second)
	l.draw()
	want("I make it two.\nApply? ")
	fmt.Fprint(out, "\n")
	stop := l.run()
	l.draw()
	stop()
	want("I make it two.\nApply? \n")
}

// By itself the line moves with the clock, until it is taken away.
func TestLiveLineRuns(t *testing.T) {
	screen := &lockedBuffer{}
	var seconds atomic.Int64
	l := newLiveLine(screen)
	l.clock = func() time.Time { return time.Unix(seconds.Load(), 0) }
	l.every = time.Millisecond
	sink := l.sink(func(event.Event) {})
	sink(event.Event{Kind: event.KindState, State: event.TurnRequesting, Model: "m"})
	stop := l.run()
	for s := int64(5); s < 8; s++ {
		seconds.Store(s)
		line := fmt.Sprintf("Waiting for m · %d s", s)
		for end := time.Now().Add(hung); !strings.HasSuffix(screenOf(screen.String()), line); runtime.Gosched() {
			if time.Now().After(end) {
				t.Fatalf("hung: %q is not shown, but %q", line, screenOf(screen.String()))
			}
		}
	}
	stop()
	if got := screenOf(screen.String()); got != "" {
		t.Errorf("at the end the screen shows %q", got)
	}
	seconds.Store(100)
	before := screen.String()
	l.every = time.Hour
	l.run()()
	if screen.String() != before {
		t.Errorf("it goes on: %q", screen.String()[len(before):])
	}
}
