package chat

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// typing is a screen without a terminal on which a message is written. stopped counts how often what runs was stopped.
func typing(past ...string) (m *view, stopped *int) {
	stopped = new(int)
	s := &screen{wake: make(chan struct{}, 1), width: 80, height: 24}
	return &view{s: s, in: &input{past: past}, picked: -1}, stopped
}

func (m *view) run(stopped *int) { m.s.stop = func() { *stopped++ } }

// TestInterruptKey: Ctrl+C stops what runs, or empties the input, and only twice in a row ends the session.
func TestInterruptKey(t *testing.T) {
	for _, x := range []struct {
		runs        bool
		keys        string
		closed      bool
		stops       int
		text, hints string
	}{
		{false, "ctrl+c", false, 0, "", "Press Ctrl+C again to exit."},
		{false, "ctrl+c ctrl+c", true, 0, "", ""},
		{false, "ctrl+c a ctrl+c", false, 0, "", ""},
		{false, "ab ctrl+c", false, 0, "", ""},
		{false, "ab ctrl+c ctrl+c", true, 0, "", ""},
		{true, "ctrl+c", false, 1, "", "Stopping. Press Ctrl+C again to exit."},
		{true, "ab ctrl+c", false, 1, "ab", "Stopping. Press Ctrl+C again to exit."},
		{true, "ctrl+c ctrl+c", true, 2, "", ""},
		{true, "ctrl+c a ctrl+c", false, 2, "a", "Stopping. Press Ctrl+C again to exit."},
		{false, "ab ctrl+d", false, 0, "ab", ""},
		{false, "ctrl+d", true, 0, "", ""},
	} {
		m, stopped := typing()
		if x.runs {
			m.run(stopped)
		}
		m.keys(strings.Fields(x.keys)...)
		if m.s.closed != x.closed || *stopped != x.stops || m.in.String() != x.text || !strings.Contains(m.View().Content, x.hints) {
			t.Errorf("runs %v, %s: closed %v, stopped %d times, %q in the input\n%s", x.runs, x.keys, m.s.closed, *stopped, m.in.String(), m.View().Content)
		}
	}
}

// TestQueueKeys: what is sent while something runs waits and is shown, Up takes the last of it back, and nothing is lost.
func TestQueueKeys(t *testing.T) {
	m, stopped := typing("earlier")
	m.run(stopped)
	m.keys("one", "enter", "two", "enter")
	if got := m.View().Content; !strings.Contains(got, "Queued (2): two · Up: take back") {
		t.Errorf("queued:\n%s", got)
	}
	m.keys("up")
	if got := m.in.String(); got != "two" || len(m.s.queue) != 1 {
		t.Errorf("Up: %q, and %q waits", got, m.s.queue)
	}
	m.keys("x", "ctrl+c") // what waits comes back before what is written
	if got := m.in.String(); got != "one\ntwox" || len(m.s.queue) != 0 || *stopped != 1 {
		t.Errorf("Ctrl+C: %q, and %q waits", got, m.s.queue)
	}
	m.keys("enter")
	if text, err := m.s.Read(t.Context()); text != "one\ntwox" || err != nil {
		t.Errorf("sent %q, %v", text, err)
	}
	m.keys("up", "up", "up", "up", "up")
	if got := m.in.String(); got != "earlier" {
		t.Errorf("with nothing that waits, Up is the past: %q", got)
	}
	m.s.close()
	if _, err := m.s.Read(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("after the end: %v", err)
	}
}

// TestPasteIsNotSent: a pasted block keeps its lines and waits for Enter; keys of a chord that is none do nothing.
func TestPasteIsNotSent(t *testing.T) {
	m, _ := typing()
	m.keys("say: ")
	m.Update(tea.PasteMsg{Content: "one\r\ntwo\r\n/exit\r"})
	if got := m.in.String(); got != "say: one\ntwo\n/exit\n" || len(m.s.queue) != 0 {
		t.Errorf("%q, and %q was sent", got, m.s.queue)
	}
	m.keys("ctrl+x", "z", "enter")
	if text, err := m.s.Read(t.Context()); text != "say: one\ntwo\n/exit\n" || err != nil {
		t.Errorf("sent %q, %v", text, err)
	}
}

// TestLines: without a cursor that moves, a backslash at the end of a line goes on with the next, and the end of the input is
// the end, but for what was begun.
func TestLines(t *testing.T) {
	var out bytes.Buffer
	c := newLineConsole(strings.NewReader("one\\\ntwo\\\n three\r\n\nlast"), &out, 0)
	for _, want := range []string{"one\ntwo\n three", "", "last"} {
		if got, err := c.Read(t.Context()); got != want || err != nil {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	if _, err := c.Read(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
	if got, want := out.String(), ">     > > > \n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPastOfFolders: what was sent in one folder is not offered in another, and a line that is broken loses no other.
func TestPastOfFolders(t *testing.T) {
	dir := t.TempDir()
	one, other := past(filepath.Join(dir, "one.jsonl")), past(filepath.Join(dir, "other.jsonl"))
	one.add("first")
	other.add("elsewhere")
	file, err := os.OpenFile(string(one), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString("\"broken\n")
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	one.add("second\nwith lines")
	m, _ := typing(one.read()...)
	m.keys("draft", "up")
	if got := m.in.String(); got != "second\nwith lines" {
		t.Errorf("Up: %q", got)
	}
	m.keys("up", "up")
	if got := m.in.String(); got != "first" {
		t.Errorf("Up again: %q", got)
	}
	m.keys("down", "down", "down", "down", "ctrl+r", "lines", "enter")
	if got := m.in.String(); got != "second\nwith lines" || len(m.s.queue) != 0 {
		t.Errorf("Ctrl+R: %q, %q sent", got, m.s.queue)
	}
}
