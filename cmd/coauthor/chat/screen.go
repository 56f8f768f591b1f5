package chat

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"coauthor/agent/display"
)

// console is where a session is held: it hands over what the user writes, and shows what is printed.
type console interface {
	// Read returns the next message of the user; io.EOF when they want to leave.
	Read(ctx context.Context) (string, error)
	// Ask lets the user answer in a line behind a question.
	Ask(ctx context.Context, l line) (string, error)
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

// view is what bubbletea draws. It belongs to the goroutine of the program.
type view struct {
	s       *screen
	in      *input
	asked   *question // nil: a message is written
	kept    *input    // what was written when the question came
	chord   bool      // Ctrl+X was pressed
	armed   bool      // Ctrl+C was pressed last
	hint    string
	offer   choices
	picked  int // of the offer; -1 for none
	version int // of the text, so that late choices are dropped
	ticking bool
	ended   bool
}

// line is a question of one line.
type line struct {
	before string
	text   string // that the user may change
	must   bool   // nothing is no answer
}

type question struct {
	line
	reply chan string
}

type (
	refreshMsg struct{}
	tickMsg    struct{}
	endMsg     struct{}
	askMsg     struct{ *question }
	unaskMsg   struct{ *question }
	editMsg    struct {
		text, ending string
		reply        chan edited
	}
	pageMsg struct {
		text  string
		reply chan edited
	}
	editedMsg struct {
		edited
		reply chan edited
	}
	choicesMsg struct {
		choices
		version int
	}
)

type edited struct {
	text string
	err  error
}

// screenOptions are what a screen is made with.
type screenOptions struct {
	in       io.Reader
	out      io.Writer
	env      []string
	width    int // as it begins
	style    style
	past     []string
	status   func() string
	complete func(text string, at int) choices
}

func newScreen(ctx context.Context, o screenOptions) *screen {
	s := &screen{style: o.style, status: o.status, complete: o.complete, wake: make(chan struct{}, 1), width: o.width, height: 24}
	m := &view{s: s, in: &input{past: o.past}, picked: -1}
	s.program = tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(o.in), tea.WithOutput(o.out), tea.WithEnvironment(o.env), tea.WithoutSignalHandler())
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

func (s *screen) end() { s.program.Send(endMsg{}) }

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
	s.program.Send(askMsg{q})
	select {
	case answer := <-q.reply:
		s.Print(strings.Join(wrap(l.before+" "+display.Line(answer), s.Width(), ""), "\n"))
		return answer, nil
	case <-ctx.Done():
		s.program.Send(unaskMsg{q})
		s.Print(strings.Join(wrap(l.before, s.Width(), ""), "\n"))
		return "", ctx.Err()
	}
}

// Edit implements console.
func (s *screen) Edit(ctx context.Context, text, ending string) (string, error) {
	reply := make(chan edited, 1)
	s.program.Send(editMsg{text, ending, reply})
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
	s.program.Send(pageMsg{text, reply})
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
		s.program.Send(tea.Println(part)())
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
func (s *screen) Changed() { s.program.Send(refreshMsg{}) }

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

// Width implements console.
func (s *screen) Width() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.width
}

// Height implements console.
func (s *screen) Height() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.height
}

// tick is the clock of what moves while the model is silent.
func tick() tea.Cmd {
	return tea.Tick(250*time.Millisecond, func(time.Time) tea.Msg { return tickMsg{} })
}

// Init implements tea.Model.
func (m *view) Init() tea.Cmd { return nil }

// Update implements tea.Model.
func (m *view) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.s.mu.Lock()
		m.s.width, m.s.height = max(msg.Width, 10), max(msg.Height, 5)
		m.s.mu.Unlock()
	case tickMsg:
		if m.s.busy() {
			return m, tick()
		}
		m.ticking = false
	case refreshMsg:
		if !m.ticking && m.s.busy() {
			m.ticking = true
			return m, tick()
		}
	case endMsg:
		m.ended = true
		return m, tea.Quit
	case askMsg:
		m.kept, m.asked, m.in = m.in, msg.question, &input{}
		m.in.set(msg.text)
		m.offer, m.hint = choices{}, ""
	case unaskMsg:
		if m.asked == msg.question {
			m.unask()
		}
	case editMsg:
		return m, editor(msg.text, msg.ending, func(e edited) tea.Msg { return editedMsg{e, msg.reply} })
	case pageMsg:
		return m, tea.Exec(settled{pagerOf(msg.text)}, func(err error) tea.Msg { return editedMsg{edited{err: err}, msg.reply} })
	case editedMsg:
		if msg.reply != nil {
			msg.reply <- msg.edited
			return m, nil
		}
		if msg.err != nil {
			m.hint = msg.err.Error()
			return m, nil
		}
		m.in.set(strings.TrimRight(msg.text, "\n"))
	case choicesMsg:
		if msg.version == m.version {
			m.offer, m.picked = msg.choices, -1
			if msg.insert {
				m.take()
			}
		}
	case tea.PasteMsg:
		m.armed, m.hint = false, ""
		m.in.insert(msg.Content)
		m.version++
		m.offer = choices{}
	case tea.KeyPressMsg:
		return m, m.press(msg.String(), msg.Text)
	}
	return m, nil
}

// unask puts back what was written when the question came.
func (m *view) unask() { m.in, m.kept, m.asked = m.kept, nil, nil }

// press takes a key.
func (m *view) press(key, text string) tea.Cmd {
	armed := m.armed
	m.armed, m.hint = false, ""
	if m.chord {
		m.chord = false
		if key == "ctrl+e" && m.asked == nil {
			return editor(m.in.String(), "message.md", func(e edited) tea.Msg { return editedMsg{e, nil} })
		}
		return nil
	}
	switch key {
	case "ctrl+x":
		m.chord = true
		return nil
	case "ctrl+c":
		return m.interrupt(armed)
	case "ctrl+d":
		if len(m.in.text) == 0 {
			return m.leave()
		}
	case "tab", "shift+tab":
		return m.next(key == "shift+tab")
	case "esc":
		if len(m.offer.list) > 0 {
			m.offer, m.picked = choices{}, -1
			return nil
		}
	case "up", "alt+up":
		if m.asked == nil && len(m.in.text) == 0 && m.unqueue() {
			return nil
		}
	}
	switch m.in.press(key, text) {
	case tookSent:
		return m.send()
	case tookEdited:
		m.version++
		m.picked = -1
		return m.lookUp(false)
	case tookMoved, tookNothing:
	}
	return nil
}

// interrupt is Ctrl+C: it stops what runs, or empties the input; twice it ends the session.
func (m *view) interrupt(again bool) tea.Cmd {
	m.s.mu.Lock()
	stop := m.s.stop
	m.s.mu.Unlock()
	m.offer = choices{}
	if again {
		m.s.close()
		return nil
	}
	m.armed = true
	switch {
	case m.in.searching:
		m.in.searching = false
	case stop != nil:
		for m.unqueue() {
		}
		m.hint = "Stopping. Press Ctrl+C again to exit."
		stop()
	case len(m.in.text) > 0:
		m.in.set("")
	default:
		m.hint = "Press Ctrl+C again to exit."
	}
	return nil
}

// leave is Ctrl+D on an empty line: the end, or no answer.
func (m *view) leave() tea.Cmd {
	if q := m.asked; q != nil {
		if q.must {
			return m.send()
		}
		m.unask()
		q.reply <- ""
		return nil
	}
	m.s.close()
	return nil
}

// send hands over what is written: as an answer, or as a message.
func (m *view) send() tea.Cmd {
	m.offer, m.picked = choices{}, -1
	m.version++
	if q := m.asked; q != nil {
		text := m.in.String()
		if q.must && strings.TrimSpace(text) == "" {
			m.hint = "Type one of the letters, or ? for help."
			return nil
		}
		m.unask()
		q.reply <- text
		return nil
	}
	if strings.TrimSpace(m.in.String()) == "" {
		return nil
	}
	text := m.in.sent(true)
	m.s.mu.Lock()
	m.s.queue = append(m.s.queue, text)
	m.s.mu.Unlock()
	m.s.poke()
	return nil
}

// unqueue takes the last message that waits back into the input.
func (m *view) unqueue() bool {
	m.s.mu.Lock()
	defer m.s.mu.Unlock()
	n := len(m.s.queue)
	if n == 0 {
		return false
	}
	text := m.s.queue[n-1]
	m.s.queue = m.s.queue[:n-1]
	to := m.in
	if m.asked != nil {
		to = m.kept
	}
	if now := to.String(); now != "" {
		text += "\n" + now
	}
	to.set(text)
	return true
}

// next is Tab: it takes the choice, or goes on to the next one.
func (m *view) next(back bool) tea.Cmd {
	n := len(m.offer.list)
	if n == 0 || m.picked < 0 {
		return m.lookUp(true)
	}
	if back {
		m.picked += n - 2
	}
	m.picked = (m.picked + 1) % n
	m.offer = m.offer.into(m.in, m.picked)
	return nil
}

// take puts into the text what all choices begin with, or the first one where that is all that is typed already.
func (m *view) take() {
	switch len(m.offer.list) {
	case 0:
	case 1:
		m.offer = m.offer.into(m.in, 0)
		m.in.insert(m.offer.after)
		m.offer = choices{}
		m.version++
	default:
		if begin := m.offer.begin(); len(begin) > len(m.offer.typed) {
			m.offer = m.offer.with(m.in, begin)
			return
		}
		m.picked = 0
		m.offer = m.offer.into(m.in, 0)
	}
}

// lookUp asks for choices: of Tab, or as something is typed that they are shown for.
func (m *view) lookUp(tab bool) tea.Cmd {
	m.offer, m.picked = choices{}, -1
	if m.asked != nil || m.s.complete == nil {
		return nil
	}
	text, at, version := m.in.String(), m.in.at, m.version
	if !tab && !wantsChoices(text, at) {
		return nil
	}
	complete := m.s.complete
	return func() tea.Msg {
		c := complete(text, at)
		c.insert = tab
		return choicesMsg{c, version}
	}
}

// editor has a text changed in the user's own editor.
func editor(text, ending string, then func(edited) tea.Msg) tea.Cmd {
	cmd, name, err := editorOf(text, ending)
	if err != nil {
		return func() tea.Msg { return then(edited{err: err}) }
	}
	return tea.Exec(settled{cmd}, func(err error) tea.Msg {
		defer func() { _ = os.Remove(name) }()
		changed, err := readEdited(err, name)
		return then(edited{changed, err})
	})
}

// settled is a command that begins a moment later: the drawing that bubbletea ends before it stops a clock when it is through,
// and one that stops it when the command has ended already has stopped the clock of the next drawing.
type settled struct{ *exec.Cmd }

// Run implements tea.ExecCommand.
func (c settled) Run() error {
	<-time.After(settling)
	return c.Cmd.Run()
}

const settling = 50 * time.Millisecond

// SetStdin implements tea.ExecCommand.
func (c settled) SetStdin(r io.Reader) {
	if c.Stdin == nil { // a pager reads what it shows
		c.Stdin = r
	}
}

// SetStdout implements tea.ExecCommand.
func (c settled) SetStdout(w io.Writer) { c.Stdout = w }

// SetStderr implements tea.ExecCommand.
func (c settled) SetStderr(w io.Writer) { c.Stderr = w }

func firstOf(list ...string) string {
	for _, one := range list {
		if strings.TrimSpace(one) != "" {
			return one
		}
	}
	return ""
}

// View implements tea.Model.
func (m *view) View() tea.View {
	if m.ended {
		return tea.NewView("")
	}
	s := m.s
	s.mu.Lock()
	width, height, moving, busy := s.width, s.height, s.moving, s.stop != nil
	waiting := len(s.queue)
	last := ""
	if waiting > 0 {
		last = s.queue[waiting-1]
	}
	s.mu.Unlock()
	st := s.style
	below := m.below(width, min(8, height/3))
	sign := "> "
	var head []string
	switch {
	case m.asked != nil:
		head = wrap(m.asked.before, width, "")
		sign = "? "
	case m.in.searching:
		sign = "> "
		head = []string{st.paint(lookDim, fit("Search: "+m.in.query, width))}
	}
	if waiting > 0 {
		head = append(head, st.paint(lookDim, fit(fmt.Sprintf("Queued (%d): %s", waiting, display.Line(last)), width-18)+" · Up: take back"))
	}
	rows, x, y := m.in.rows(width - len(sign) - 1)
	if m.in.searching {
		rows, x, y = strings.Split(display.Text(m.in.searched()), "\n"), 0, 0
	}
	if most := max(3, height/2); len(rows) > most {
		from := min(max(0, y-most+1), len(rows)-most)
		rows, y = rows[from:from+most], y-from
	}
	for i := range rows {
		lead := sign
		if i > 0 {
			lead = strings.Repeat(" ", len(sign))
		}
		rows[i] = st.paint(lookCyan, lead) + display.Text(rows[i])
	}
	var all []string
	if moving != nil {
		all = moving(width, max(1, height-len(head)-len(rows)-len(below)-3))
	}
	if busy && moving == nil && m.asked == nil {
		all = append(all, st.paint(lookDim, fit("Working · Ctrl+C: stop", width)))
	}
	if !busy && m.asked == nil && s.status != nil {
		all = append(all, st.paint(lookDim, fit(s.status(), width)))
	}
	all = append(all, head...)
	v := tea.NewView("")
	cursor := tea.NewCursor(x+len(sign), len(all)+y)
	all = append(append(all, rows...), below...)
	v.SetContent(strings.Join(all, "\n"))
	v.Cursor = cursor
	return v
}

// below are the lines below the input: choices, or a hint.
func (m *view) below(width, most int) []string {
	if m.hint != "" {
		return []string{m.s.style.paint(lookDim, fit(display.Line(m.hint), width))}
	}
	return m.offer.rows(m.picked, width, most, m.s.style)
}
