package chat

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// someModels are choices as /model offers them.
var someModels = []choice{
	{"claude-haiku", "200k window · $1 / $5"}, {"claude-sonnet", "200k window · $3 / $15"}, {"gpt-5", "in use · 400k window · $1.25 / $10"},
	{"gpt-5-mini", "400k window · $0.25 / $2"}, {"local", ""},
}

// picking is a screen without a terminal on which something is to be chosen.
func picking(width, height int, list []choice, at int) (*view, *question) {
	s := &screen{wake: make(chan struct{}, 1), width: width, height: height}
	m := &view{s: s, in: &input{}, picked: -1}
	m.in.set("a draft")
	q := &question{line: line{before: "Choose the model."}, reply: make(chan string, 1), list: newMenu(list, at)}
	m.Update(askMsg{q})
	return m, q
}

// keys presses the keys; a word of several letters that is no name of a key is typed.
func (m *view) keys(keys ...string) {
	named := map[string]rune{"up": tea.KeyUp, "down": tea.KeyDown, "enter": tea.KeyEnter, "esc": tea.KeyEscape, "backspace": tea.KeyBackspace, "tab": tea.KeyTab, "pgdown": tea.KeyPgDown}
	for _, key := range keys {
		if code, ok := named[key]; ok {
			m.Update(tea.KeyPressMsg{Code: code})
			continue
		}
		if letter, ctrl := strings.CutPrefix(key, "ctrl+"); ctrl {
			m.Update(tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl})
			continue
		}
		for _, r := range key {
			m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
}

// TestPick: the list begins at the choice in use, letters in order narrow it, Enter chooses, and Esc leaves all as it was.
func TestPick(t *testing.T) {
	for keys, want := range map[string]string{
		"enter":                        "gpt-5",
		"up enter":                     "claude-sonnet",
		"down down enter":              "local",
		"down down down enter":         "local",
		"pgdown enter":                 "local",
		"tab enter":                    "gpt-5-mini",
		"ckuh enter backspace enter":   "claude-haiku", // the first Enter says that nothing matches
		"clh enter":                    "claude-haiku",
		"CLH enter":                    "claude-haiku",
		"mini enter":                   "gpt-5-mini",
		"5 enter":                      "gpt-5",
		"oc enter":                     "local",
		"x backspace enter":            "claude-haiku",
		"esc":                          "",
		"gpt esc":                      "",
		"ctrl+g":                       "",
		"ctrl+d":                       "",
		"down ctrl+r down enter":       "local",
		"zz enter backspace ctrl+u up": "",
	} {
		m, q := picking(80, 24, someModels, 2)
		m.keys(strings.Fields(keys)...)
		select {
		case got := <-q.reply:
			if got != want {
				t.Errorf("%s: chose %q, want %q", keys, got, want)
			}
			if m.asked != nil || m.in.String() != "a draft" {
				t.Errorf("%s: then %q is in the input", keys, m.in.String())
			}
		default:
			if !strings.Contains(keys, "enter") || want != "" || m.asked == nil {
				t.Errorf("%s: nothing was chosen", keys)
			}
		}
	}
}

// TestPickIsSeen: window and price stand behind each name, the one in use is marked also where the screen is narrow, and names
// are whole.
func TestPickIsSeen(t *testing.T) {
	for _, width := range []int{40, 80, 200} {
		m, _ := picking(width, 40, someModels, 2)
		shown := strings.Split(m.View().Content, "\n")
		at := slices.IndexFunc(shown, func(row string) bool { return strings.HasPrefix(row, "* gpt-5 ") })
		if at < 0 || !strings.Contains(shown[at], "in use") {
			t.Errorf("%d columns:\n%s", width, m.View().Content)
		}
		for _, one := range someModels {
			if !slices.ContainsFunc(shown, func(row string) bool { return slices.Contains(strings.Fields(row), one.text) }) {
				t.Errorf("%d columns: no %s in\n%s", width, one.text, m.View().Content)
			}
		}
		for _, row := range shown {
			if ansi.StringWidth(row) > width {
				t.Errorf("%d columns: %q", width, row)
			}
		}
		if width == 80 && !strings.Contains(m.View().Content, "claude-haiku   200k window · $1 / $5\n") {
			t.Errorf("window and price:\n%s", m.View().Content)
		}
	}
	m, _ := picking(80, 24, someModels, 2)
	m.keys("son")
	if got := m.View().Content; !strings.Contains(got, "* claude-sonnet") || strings.Contains(got, "gpt-5") {
		t.Errorf("narrowed:\n%s", got)
	}
	m.keys("q", "enter")
	if got := m.View().Content; !strings.Contains(got, "Nothing matches.") {
		t.Errorf("nothing is left:\n%s", got)
	}
	m.Update(tea.PasteMsg{Content: ""})
	if got := m.View().Content; !strings.Contains(got, "no match") {
		t.Errorf("nothing is left:\n%s", got)
	}
	m.keys("backspace")
	m.Update(tea.PasteMsg{Content: "net"})
	if got := m.View().Content; !strings.Contains(got, "* claude-sonnet") {
		t.Errorf("pasted:\n%s", got)
	}
}

// TestPickByNumber: a terminal that cannot move its cursor has numbers, and nothing is guessed.
func TestPickByNumber(t *testing.T) {
	for typed, want := range map[string]string{"2\n": "claude-sonnet", "gpt-5\n": "gpt-5", "\n": "", "": "", "9\n0\ngpt\n5\n": "local"} {
		var out bytes.Buffer
		c := newLineConsole(strings.NewReader(typed), &out, 60)
		got, err := c.Pick(t.Context(), "Choose the model.", someModels, 2)
		if err != nil || got != want {
			t.Errorf("%q: %q, %v", typed, got, err)
		}
		if !strings.Contains(out.String(), "\n3  gpt-5              in use · 400k window · $1.25 / $10\n") || strings.Count(out.String(), "from 1 to 5") != strings.Count(typed, "\n")-1 && typed != "" {
			t.Errorf("%q:\n%s", typed, out.String())
		}
	}
	var many []choice
	for i := range 300 {
		many = append(many, choice{text: fmt.Sprintf("model-%d", i)})
	}
	m, q := picking(60, 24, many, 250)
	if got := m.View().Content; !strings.Contains(got, "* model-250") || strings.Count(got, "\n") > 12 {
		t.Errorf("a long list:\n%s", got)
	}
	m.keys("m299", "enter")
	if got := <-q.reply; got != "model-299" {
		t.Error(got)
	}
}
