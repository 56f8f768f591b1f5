package chat

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"coauthor/agent/display"
)

// console is where a session is held: it hands over what the user writes, and shows what is printed.
type console interface {
	// Read returns the next message of the user; io.EOF when they want to leave.
	Read(ctx context.Context) (string, error)
	// Ask lets the user answer in a line behind a question.
	Ask(ctx context.Context, l line) (string, error)
	// Pick lets the user choose from a list, of which at is the choice so far; "" is none.
	Pick(ctx context.Context, before string, list []choice, at int) (string, error)
	// Edit has the user change a text in their own editor.
	Edit(ctx context.Context, text, ending string) (string, error)
	// Page shows a text in the user's own pager.
	Page(ctx context.Context, text string) error
	// Print writes whole lines that are fit to be shown.
	Print(text string)
	// Moving says what moves below what is printed, for as long as work lasts; nil for nothing.
	Moving(rows func(width, most int) []string)
	// Changed has what moves drawn again.
	Changed()
	// Working says how what runs is stopped; nil when nothing does any more.
	Working(stop func())
	Width() int
	Height() int
}

// screen is a terminal that can move its cursor. What is printed scrolls up as in any shell, and below it stand what moves,
// the status and the input.
type screen struct {
	program *tea.Program
	send    func(tea.Msg) // to the program
	style   style
	status  func() string

	mu            sync.Mutex
	queue         []string                          // guarded by mu; messages that wait
	closed        bool                              // guarded by mu
	stop          func()                            // guarded by mu
	moving        func(width, most int) []string    // guarded by mu
	width, height int                               // guarded by mu
	wake          chan struct{}                     // has one when the queue has changed
	complete      func(text string, at int) choices // may take a moment
}

// screenOptions are what a screen is made with.
type screenOptions struct {
	in       io.Reader
	out      io.Writer
	env      []string
	width    int // as it begins
	style    style
	past     []string
	shown    func()
	status   func() string
	complete func(text string, at int) choices
}

func newScreen(ctx context.Context, o screenOptions) *screen {
	s := &screen{style: o.style, status: o.status, complete: o.complete, wake: make(chan struct{}, 1), width: o.width, height: 24}
	m := &view{s: s, in: &input{past: o.past}, picked: -1, shown: o.shown}
	s.program = tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(o.in), tea.WithOutput(o.out), tea.WithEnvironment(o.env), tea.WithoutSignalHandler())
	s.send = s.program.Send
	return s
}

// run draws until end is called, or the terminal is gone.
func (s *screen) run() error {
	_, err := s.program.Run()
	s.close()
	if errors.Is(err, tea.ErrProgramKilled) {
		return nil // the context has ended
	}
	return err
}

func (s *screen) end() { s.send(endMsg{}) }

// close ends the reading, and what runs.
func (s *screen) close() {
	s.mu.Lock()
	s.closed = true
	stop := s.stop
	s.mu.Unlock()
	s.poke()
	if stop != nil {
		stop()
	}
}

func (s *screen) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Read implements console.
func (s *screen) Read(ctx context.Context) (string, error) {
	for {
		s.mu.Lock()
		closed := s.closed
		if len(s.queue) > 0 && !closed {
			text := s.queue[0]
			s.queue = s.queue[1:]
			s.mu.Unlock()
			return text, nil
		}
		s.mu.Unlock()
		if closed {
			return "", io.EOF
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// Ask implements console.
func (s *screen) Ask(ctx context.Context, l line) (string, error) {
	q := &question{line: l, reply: make(chan string, 1)}
	s.send(askMsg{q})
	select {
	case answer := <-q.reply:
		s.Print(strings.Join(wrap(l.before+" "+display.Line(answer), s.Width(), ""), "\n"))
		return answer, nil
	case <-ctx.Done():
		s.send(unaskMsg{q})
		s.Print(strings.Join(wrap(l.before, s.Width(), ""), "\n"))
		return "", ctx.Err()
	}
}

// Edit implements console.
func (s *screen) Edit(ctx context.Context, text, ending string) (string, error) {
	reply := make(chan edited, 1)
	s.send(editMsg{text, ending, reply})
	select {
	case e := <-reply:
		return e.text, e.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Page implements console.
func (s *screen) Page(ctx context.Context, text string) error {
	reply := make(chan edited, 1)
	s.send(pageMsg{text, reply})
	select {
	case e := <-reply:
		return e.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Print implements console. It goes out in pieces that are not higher than the screen.
func (s *screen) Print(text string) {
	const piece = 8
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for len(lines) > 0 {
		n := min(piece, len(lines))
		part := strings.Join(lines[:n], "\n")
		if part == "" {
			part = " " // nothing is printed for nothing
		}
		s.send(tea.Println(part)())
		lines = lines[n:]
	}
}

// Moving implements console.
func (s *screen) Moving(rows func(width, most int) []string) {
	s.mu.Lock()
	s.moving = rows
	s.mu.Unlock()
	s.Changed()
}

// Changed implements console.
func (s *screen) Changed() { s.send(refreshMsg{}) }

// Working implements console.
func (s *screen) Working(stop func()) {
	s.mu.Lock()
	s.stop = stop
	closed := s.closed
	s.mu.Unlock()
	if closed && stop != nil { // the user left between two messages
		stop()
	}
	s.Changed()
}

// busy says that something runs.
func (s *screen) busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stop != nil
}

// Width implements console. What is printed leaves the last column free: bubbletea erases the rest of each line behind it, and
// where there is no rest a terminal erases the last sign.
func (s *screen) Width() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.width - 1
}

// Height implements console.
func (s *screen) Height() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.height
}
