package chat

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"coauthor/agent/command"
	"coauthor/agent/display"
)

// menu is a list from which one is chosen: what is typed narrows it.
type menu struct {
	all  []choice
	left choices // those that fit what is typed
	at   int     // of those
}

func newMenu(all []choice, at int) *menu {
	return &menu{all: all, left: choices{list: all}, at: max(at, 0)}
}

// narrow leaves those that fit a text.
func (p *menu) narrow(text string) {
	p.left.list, p.at = fitting(p.all, strings.TrimSpace(text)), 0
}

// move goes so many lines down.
func (p *menu) move(by int) { p.at = max(0, min(p.at+by, len(p.left.list)-1)) }

// rows are the choices that are left.
func (p *menu) rows(width, most int, st style) []string {
	if len(p.left.list) == 0 {
		return []string{st.paint(lookDim, fit("  no match", width))}
	}
	return p.left.rows(p.at, width, max(most, 3), st)
}

// pick takes a key for the list of a question.
func (m *view) pick(p *menu, key, text string) tea.Cmd {
	const page = 8
	switch key {
	case "up", "ctrl+p", "shift+tab":
		p.move(-1)
	case "down", "ctrl+n", "tab":
		p.move(1)
	case "pgup":
		p.move(-page)
	case "pgdown":
		p.move(page)
	case "enter":
		if len(p.left.list) == 0 {
			m.hint = "Nothing matches. Delete some letters, or press Esc."
			return nil
		}
		m.picks(p.left.list[p.at].text)
	case "esc", "ctrl+g":
		m.picks("")
	case "ctrl+r", "ctrl+x": // they are for messages
	default:
		if key == "ctrl+d" && len(m.in.text) == 0 {
			m.picks("")
		} else if m.in.press(key, text) == tookEdited {
			p.narrow(m.in.String())
		}
	}
	return nil
}

// picks ends the question with a choice; "" is none.
func (m *view) picks(text string) {
	q := m.asked
	m.unask()
	q.reply <- text
}

// Pick implements console.
func (s *screen) Pick(ctx context.Context, before string, list []choice, at int) (string, error) {
	q := &question{line: line{before: before + " Type to filter. Enter: choose. Esc: cancel."}, reply: make(chan string, 1), list: newMenu(list, at)}
	s.program.Send(askMsg{q})
	select {
	case picked := <-q.reply:
		return picked, nil
	case <-ctx.Done():
		s.program.Send(unaskMsg{q})
		return "", ctx.Err()
	}
}

// Pick implements console: the list with numbers, and a line for one of them.
func (c *lineConsole) Pick(ctx context.Context, before string, list []choice, _ int) (string, error) {
	t := table{head: []string{"", before, ""}, right: []int{0}}
	for i, one := range list {
		t.rows = append(t.rows, []string{strconv.Itoa(i + 1), display.Line(one.text), display.Line(one.doc)})
	}
	c.Print(strings.Join(t.lines(c.width, style{}), "\n"))
	for {
		text, err := c.Ask(ctx, line{before: "Number or name (Enter: cancel):"})
		if text = strings.TrimSpace(text); err != nil || text == "" {
			return "", err
		}
		if slices.ContainsFunc(list, func(one choice) bool { return one.text == text }) {
			return text, nil
		}
		if n, err := strconv.Atoi(text); err == nil && n > 0 && n <= len(list) {
			return list[n-1].text, nil
		}
		c.Print(fmt.Sprintf("Type a number from 1 to %d, or a name from the list. Press Enter to cancel.", len(list)))
	}
}

// pickModel lets the user choose the model of a command; "" leaves it as it is.
func (s *session) pickModel(ctx context.Context, a command.Action) (string, error) {
	now := command.ModelOf(s.o.Session, a)
	list := chosenFrom(command.Models(s.o.Session, a))
	at := slices.IndexFunc(list, func(one choice) bool { return one.text == now })
	if at < 0 {
		at = slices.IndexFunc(list, func(one choice) bool { return strings.HasPrefix(one.doc, "in use") })
	}
	return s.on.Pick(ctx, a.Title+".", list, at)
}
