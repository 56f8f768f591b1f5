package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/prompt"
	"coauthor/agent/settings"
)

// How long a conversation may get, and what becomes of its beginning then: it is summed up beside the user, after a
// turn, and the next prompt waits for that.

// The size of the history, in tokens, by what the model can take.
const leastHistory, mostHistory = 1024, 8192

// mostUnsummed is how many times as long as it should be a conversation may get where no summary comes about.
const mostUnsummed = 8

// summaryWait is how long a turn waits for the summary of what was said before. It then goes on with all of it.
const summaryWait = 30 * time.Second

// summing is the summary that is being made.
type summing struct {
	mu     sync.Mutex
	done   chan struct{}      // guarded by mu; closed when it is made or has failed; nil for none
	cancel context.CancelFunc // guarded by mu
	again  bool               // guarded by mu; a turn ended meanwhile
	failed int                // guarded by mu; tokens of what could not be summed up, 0 for nothing
}

// mainModel is the model that is in force now; one that nothing is known of where none is configured.
func (s *Session) mainModel(set settings.Settings) Model {
	by, err := choose(s.e.o.Catalog(), set, Request{}, coder.Coder{}, coder.HandOver{})
	if err != nil {
		return newModel(model.Profile{}, llm.RoleMain)
	}
	return by.Model
}

// longHistory is from how many tokens on a conversation is too long for a model.
func longHistory(set settings.Settings, m Model) int {
	if n := set.History.Tokens; n > 0 {
		return min(n, m.Room/2)
	}
	return min(max(m.Profile.ContextWindow/16, leastHistory), mostHistory)
}

// bound forgets the beginning of a conversation that is too long, where the settings want no summary of it. It
// returns what the user must know of that.
func (s *Session) bound() []event.Note {
	set := s.settings()
	if set.History.Summarize {
		return nil
	}
	m := s.mainModel(set)
	return s.trim(longHistory(set, m), m, " Turn on history.summarize to send a summary of them.")
}

// trim forgets the beginning of a conversation that is longer than limit, and returns what the user must know of it.
func (s *Session) trim(limit int, m Model, more string) []event.Note {
	switch n := s.history.Trim(limit, m.Counter.Count); n {
	case 0:
		return nil
	case 1:
		return []event.Note{event.Info("To save tokens, Coauthor no longer sends the oldest request of this conversation." + strings.Replace(more, "them", "it", 1))}
	default:
		return []event.Note{event.Info(fmt.Sprintf("To save tokens, Coauthor no longer sends the %d oldest requests of this conversation.", n) + more)}
	}
}

// summarize has the beginning of the conversation summed up, in the background, if it is too long. The next turn
// joins it.
func (s *Session) summarize() {
	if !s.settings().History.Summarize || s.enter() != nil {
		return
	}
	g := &s.summing
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.done != nil {
		g.again = true
		s.leave()
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	g.done, g.cancel = make(chan struct{}), cancel
	go func() {
		defer s.leave()
		defer cancel()
		for more := true; more; {
			more = s.summarizeOnce(ctx)
			g.mu.Lock()
			if more = more || g.again; !more {
				close(g.done)
				g.done, g.cancel = nil, nil
			}
			g.again = false
			g.mu.Unlock()
		}
	}()
}

// stopSummary ends what summarize began, because the conversation is another now.
func (s *Session) stopSummary() {
	s.summing.mu.Lock()
	defer s.summing.mu.Unlock()
	if s.summing.failed = 0; s.summing.cancel != nil {
		s.summing.cancel()
	}
}

// summarizeOnce sums up what is too long now. It says whether to look again.
func (s *Session) summarizeOnce(ctx context.Context) bool {
	set := s.settings()
	m := s.mainModel(set)
	limit := longHistory(set, m)
	plan, long := s.history.Plan(limit, m.Counter.Count)
	s.summing.mu.Lock()
	failed := s.summing.failed
	s.summing.mu.Unlock()
	// After a failure there is no sense in trying at each turn: not before the conversation is a good deal longer.
	if !long || ctx.Err() != nil || failed > 0 && plan.Tokens < failed+limit/4 {
		return false
	}
	text, err := s.summaryOf(ctx, plan, limit)
	if ctx.Err() != nil {
		return false
	}
	s.summing.mu.Lock()
	if s.summing.failed = 0; err != nil {
		s.summing.failed = plan.Tokens
	}
	s.summing.mu.Unlock()
	if err != nil {
		why, _ := words(err)
		s.tellNext(event.Warning("Could not summarize the beginning of this conversation: " + strings.TrimSuffix(strings.ReplaceAll(why, "\n", " "), ".") + ". All of it is still sent."))
		for _, n := range s.trim(max(limit, min(mostUnsummed*limit, m.Room/2)), m, "") {
			s.tellNext(n)
		}
		return false
	}
	s.record.order.Lock()
	defer s.record.order.Unlock()
	sum, ok := s.history.Install(plan, text)
	if !ok {
		return false
	}
	s.write(history.Record{Kind: history.KindSummary, Exchange: history.Exchange{Turn: sum.Turn, Number: sum.Number}, Text: sum.Text})
	first := "the oldest request"
	if n := len(plan.Head); n > 1 {
		first = fmt.Sprintf("the %d oldest requests", n)
	}
	s.tellNext(event.Info("Summarized " + first + " of this conversation to save tokens. `history` still shows them in full."))
	return true
}

// summaryOf has the weak model sum up what a plan says, in pieces where it is too long for it.
func (s *Session) summaryOf(ctx context.Context, plan history.Plan, limit int) (string, error) {
	count := s.mainModel(s.settings()).Counter.Count
	in := prompt.Summary{Before: plan.Before.Text, Tokens: limit / 4}
	for _, x := range plan.Head {
		in.Said = append(in.Said, prompt.Spoken{User: true, Text: x.User}, prompt.Spoken{Text: x.Reply})
	}
	for shorter := false; ; shorter = true {
		text, err := inPieces(in, func(ask func(m Model) ([]llm.Message, error)) (string, error) { return s.askWeak(ctx, ask) })
		size := count(text)
		switch {
		case err != nil:
			return "", err
		case size < plan.Tokens && size <= limit/2:
			return text, nil
		case shorter:
			return "", errors.New("summarizing would not save any tokens")
		}
		in = prompt.Summary{Said: []prompt.Spoken{{Text: text}}, Tokens: limit / 8}
	}
}

// inPieces sums up a text by as many calls as the models need for it, each of which goes on with the summary of the
// one before.
func inPieces(in prompt.Summary, call func(ask func(m Model) ([]llm.Message, error)) (string, error)) (string, error) {
	for {
		var rest []prompt.Spoken
		text, err := call(func(m Model) (list []llm.Message, err error) {
			list, rest, err = prompt.SummaryMessages(m.Profile, in, m.Room, m.Counter.Count)
			return list, err
		})
		if err != nil || len(rest) == 0 {
			return text, err
		}
		in.Before, in.Said = text, rest
	}
}

// tellNext keeps a note for the next turn.
func (s *Session) tellNext(n event.Note) {
	s.record.mu.Lock()
	defer s.record.mu.Unlock()
	s.record.notes = append(s.record.notes, n)
}

// tellKept tells what was kept for this turn.
func (t *turn) tellKept() {
	r := &t.s.record
	r.mu.Lock()
	notes := r.notes
	r.notes = nil
	r.mu.Unlock()
	for _, n := range notes {
		t.note(n)
	}
}

// joinSummary waits for the summary of what was said before this turn.
func (t *turn) joinSummary() error {
	g := &t.s.summing
	g.mu.Lock()
	done := g.done
	g.mu.Unlock()
	if done == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(t.ctx)
	defer cancel()
	late := make(chan struct{})
	go func() { // ends with ctx
		_ = t.s.e.o.Sleep(ctx, summaryWait)
		close(late)
	}()
	select {
	case <-done:
	case <-late:
		if t.ctx.Err() == nil {
			t.note(event.Info("The summary of this conversation is not ready yet, so Coauthor sends all of it."))
		}
	}
	return t.ctx.Err()
}
