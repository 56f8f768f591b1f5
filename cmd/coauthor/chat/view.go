package chat

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"coauthor/agent/display"
)

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
	shown   func() // is called when it is drawn
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
	list  *menu // of what can be chosen; nil: the answer is written
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

// tick is the clock of what moves while the model is silent.
func tick() tea.Cmd {
	return tea.Tick(250*time.Millisecond, func(time.Time) tea.Msg { return tickMsg{} })
}

// Init implements tea.Model.
func (m *view) Init() tea.Cmd {
	return func() tea.Msg {
		m.shown()
		return nil
	}
}

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
		if m.asked != nil && m.asked.list != nil {
			m.asked.list.narrow(m.in.String())
		}
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
	if m.asked != nil && m.asked.list != nil && key != "ctrl+c" {
		return m.pick(m.asked.list, key, text)
	}
	switch key {
	case "ctrl+x":
		m.chord = true
		return nil
	case "ctrl+c":
		return m.interrupt(armed)
	case "ctrl+l":
		return tea.ClearScreen
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
		all = append(all, st.paint(lookDim, fit("Working · "+stopKey, width)))
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
	if m.asked != nil && m.asked.list != nil {
		return m.asked.list.rows(width, most, m.s.style)
	}
	return m.offer.rows(m.picked, width, most, m.s.style)
}
