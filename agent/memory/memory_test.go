package memory

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/strategy"
)

// long are rounds of so many replies, each of which takes a good part of a small window.
func long(n int) (m Memory) {
	for range n {
		m.Add(history.Said{Reply: strings.Repeat("word ", 400), News: "And now?"})
	}
	return m
}

func options(t *testing.T, answer string, err error) (Options, *[]event.Note) {
	notes := &[]event.Note{}
	return Options{
		Context: t.Context(), Asked: "Do it.", Log: slog.New(slog.DiscardHandler),
		Note: func(list ...event.Note) { *notes = append(*notes, list...) },
		Ask: func(func(strategy.Model) ([]llm.Message, error)) (string, error) {
			return answer, err
		},
	}, notes
}

// A talk that fills the window is summed up but for its last part; where no model does that, its beginning is left out as
// soon as there is no room for it, and never before.
func TestCondense(t *testing.T) {
	by := strategy.NewModel(model.Profile{Name: "small", ContextWindow: 4096}, llm.RoleMain)
	for _, c := range []struct {
		what   string
		err    error
		over   int
		want   bool
		begins string
	}{
		{"summed up", nil, 0, true, "(What I did so far, in short.)\n\nIn short."},
		{"by nobody, with room", errors.New("no"), 0, false, "word"},
		{"by nobody, without room", errors.New("no"), 100, true, "(What I did so far, in short.)\n\n(It is left out here"},
	} {
		m := long(6)
		o, notes := options(t, "In short.", c.err)
		if got := m.Condense(o, by, "", c.over); got != c.want || len(*notes) > 0 != c.want {
			t.Errorf("%s: %v, told %v", c.what, got, *notes)
		}
		said := m.Said()
		if !strings.HasPrefix(said[0].Reply, c.begins) || len(said) == 6 == c.want || len(m.All) != 6 {
			t.Errorf("%s: %d of %d, beginning with %.60q", c.what, len(said), len(m.All), said[0].Reply)
		}
		if m.Full() != (c.err != nil) {
			t.Errorf("%s: full %v", c.what, m.Full())
		}
	}
}

// What is said after a hand-over has nothing of what was said before it, and nothing that stands for that.
func TestBegin(t *testing.T) {
	m := long(6)
	o, _ := options(t, "In short.", nil)
	m.Condense(o, strategy.NewModel(model.Profile{ContextWindow: 4096}, llm.RoleMain), "", 0)
	m.Begin()
	if got := m.Said(); len(got) != 0 {
		t.Errorf("%d replies of the talk before", len(got))
	}
	m.Add(history.Said{Reply: "Mine."})
	if got := m.Said(); len(got) != 1 || got[0].Reply != "Mine." || len(m.All) != 7 {
		t.Errorf("%+v of %d", got, len(m.All))
	}
}
