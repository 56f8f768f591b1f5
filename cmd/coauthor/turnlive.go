package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"coauthor/agent/display"
	"coauthor/agent/event"
)

// liveLine is the last line of a terminal, which says what a turn does and moves while the model is
// silent. It gives way to everything else that is written there.
type liveLine struct {
	screen io.Writer
	width  int
	clock  func() time.Time
	every  time.Duration // between two looks at the clock

	mu       sync.Mutex
	progress event.Progress // guarded by mu
	shown    string         // guarded by mu; what stands on the screen, which may have more lines; "" for nothing
	tail     []string       // guarded by mu; what is being written, above the line
	drawn    time.Time      // guarded by mu; when that was shown
	begun    bool           // guarded by mu; the last line of the screen has other text
}

// liveWidth is how wide the line may be: one that wraps could not be taken back.
const liveWidth = 79

// liveEvery is often enough for seconds that are counted.
const liveEvery = 500 * time.Millisecond

// newLiveLine returns a line on a terminal.
func newLiveLine(screen io.Writer) *liveLine {
	return &liveLine{screen: screen, width: liveWidth, clock: time.Now, every: liveEvery}
}

// run moves the line until the result is called, which takes it away for good.
func (l *liveLine) run() (stop func()) {
	ticker := time.NewTicker(l.every)
	ended, left := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(left)
		for {
			select {
			case <-ticker.C:
				l.draw()
			case <-ended:
				return
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(ended)
		<-left
		l.mu.Lock()
		defer l.mu.Unlock()
		l.tail = nil
		l.clear()
	}
}

// sink takes in each event after next has printed it.
func (l *liveLine) sink(next event.Sink) event.Sink {
	return func(e event.Event) {
		next(e)
		if e.Kind != event.KindOutput { // which is printed: there it would stand twice
			l.mu.Lock()
			l.progress.Take(&e, l.clock())
			l.mu.Unlock()
		}
		if e.Kind != event.KindDelta { // pieces come too fast; the clock shows them
			l.draw()
		}
	}
}

// over wraps a writer to the same terminal.
func (l *liveLine) over(w io.Writer) io.Writer { return &besideLine{line: l, to: w} }

type besideLine struct {
	line *liveLine
	to   io.Writer
}

// Write implements io.Writer.
func (b *besideLine) Write(text []byte) (int, error) {
	b.line.mu.Lock()
	defer b.line.mu.Unlock()
	b.line.clear()
	if len(text) > 0 {
		b.line.begun = text[len(text)-1] != '\n'
	}
	return b.to.Write(text)
}

// writing shows the end of what is being written above the line, as often as is seen; nil takes it away.
func (l *liveLine) writing(rows []string) {
	l.mu.Lock()
	l.tail = rows[max(0, len(rows)-tailRows):]
	now := l.clock()
	soon := now.Sub(l.drawn) < tailEvery
	if !soon {
		l.drawn = now
	}
	l.mu.Unlock()
	if !soon || rows == nil {
		l.draw()
	}
}

const (
	tailRows  = 12 // a screen that is lower would scroll
	tailEvery = 40 * time.Millisecond
)

// draw brings the line up to date. Behind a line that is not ended, such as a question, it waits.
func (l *liveLine) draw() {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := []rune(display.Line(l.progress.Line(l.clock())))
	if len(text) > l.width {
		text = append(text[:l.width-1], '…')
	}
	shown := strings.Join(append(l.tail[:len(l.tail):len(l.tail)], string(text)), "\n")
	if shown == l.shown || l.begun {
		return
	}
	l.clear()
	l.shown = shown
	fmt.Fprint(l.screen, l.shown)
}

// clear takes the line off the screen. The caller holds mu.
func (l *liveLine) clear() {
	if rows := strings.Count(l.shown, "\n"); rows > 0 {
		fmt.Fprintf(l.screen, "\x1b[%dA\r\x1b[J", rows)
	} else if l.shown != "" {
		fmt.Fprint(l.screen, "\r\x1b[K")
	}
	l.shown = ""
}

func (b *besideLine) over() io.Writer { return b.to }
