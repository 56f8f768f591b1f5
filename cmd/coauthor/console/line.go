package console

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"coauthor/agent/display"
	"coauthor/agent/event"
)

// Line is the last line of a terminal, which says what a turn does and moves while the model is
// silent. It gives way to everything else that is written there.
type Line struct {
	Screen io.Writer // the terminal itself, which does not know of the line
	clock  func() time.Time
	every  time.Duration // between two looks at the clock

	mu       sync.Mutex
	progress event.Progress // guarded by mu
	shown    string         // guarded by mu; what stands on the screen, which may have more lines; "" for nothing
	tail     []string       // guarded by mu; what is being written, above the line
	drawn    time.Time      // guarded by mu; when that was shown
	begun    bool           // guarded by mu; the last line of the screen has other text
}

// lineWidth is how wide the line may be: one that wraps could not be taken back.
const lineWidth = 79

// lineEvery is often enough for seconds that are counted.
const lineEvery = 500 * time.Millisecond

// NewLine returns a line on a terminal.
func NewLine(screen io.Writer) *Line {
	return &Line{Screen: screen, clock: time.Now, every: lineEvery}
}

// Run moves the line until the result is called, which takes it away for good.
func (l *Line) Run() (stop func()) {
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

// Sink takes in each event after next has printed it.
func (l *Line) Sink(next event.Sink) event.Sink {
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

// Wrap returns a writer to the same terminal, before which the line gives way.
func (l *Line) Wrap(w io.Writer) io.Writer { return &besideLine{line: l, to: w} }

type besideLine struct {
	line *Line
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

// Unwrap returns the writer that it wraps.
func (b *besideLine) Unwrap() io.Writer { return b.to }

// Writing shows the end of what is being written above the line, as often as is seen; nil takes it away.
func (l *Line) Writing(rows []string) {
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
func (l *Line) draw() {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := []rune(display.Line(l.progress.Line(l.clock())))
	if len(text) > lineWidth {
		text = append(text[:lineWidth-1], '…')
	}
	shown := strings.Join(append(l.tail[:len(l.tail):len(l.tail)], string(text)), "\n")
	if shown == l.shown || l.begun {
		return
	}
	l.clear()
	l.shown = shown
	fmt.Fprint(l.Screen, l.shown)
}

// clear takes the line off the screen. The caller holds mu.
func (l *Line) clear() {
	if rows := strings.Count(l.shown, "\n"); rows > 0 {
		fmt.Fprintf(l.Screen, "\x1b[%dA\r\x1b[J", rows)
	} else if l.shown != "" {
		fmt.Fprint(l.Screen, "\r\x1b[K")
	}
	l.shown = ""
}
