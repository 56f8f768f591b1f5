package history

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"coauthor/agent/event"
)

// How long a conversation may get, and what becomes of its beginning then: it is summed up beside the user, after a
// turn, and the next prompt waits for that.

// mostUnsummed is how many times as long as it should be a conversation may get where no summary comes about.
const mostUnsummed = 8

// summing is the summary that is being made.
type summing struct {
	mu     sync.Mutex
	done   chan struct{}      // guarded by mu; closed when it is made or has failed; nil for none
	cancel context.CancelFunc // guarded by mu
	again  bool               // guarded by mu; a turn ended meanwhile
	failed int                // guarded by mu; tokens of what could not be summed up, 0 for nothing
}

// bound forgets the beginning of a conversation that is too long, where the settings want no summary of it. It
// returns what the user must know of that.
func (s *Conversation) bound() []event.Note {
	set := s.o.Settings()
	if set.History.Summarize {
		return nil
	}
	limit, _, count := s.o.Limit()
	return s.trim(limit, count, " Turn on history.summarize to send a summary of them.")
}

// trim forgets the beginning of a conversation that is longer than limit, and returns what the user must know of it.
func (s *Conversation) trim(limit int, count func(string) int, more string) []event.Note {
	switch n := s.History.Trim(limit, count); n {
	case 0:
		return nil
	case 1:
		return []event.Note{event.Info("To save tokens, Coauthor no longer sends the oldest request of this conversation." + strings.Replace(more, "them", "it", 1))}
	default:
		return []event.Note{event.Info(fmt.Sprintf("To save tokens, Coauthor no longer sends the %d oldest requests of this conversation.", n) + more)}
	}
}

// Shorten has the beginning of the conversation summed up, in the background, if it is too long. The next turn
// joins it.
func (s *Conversation) Shorten() {
	if !s.o.Settings().History.Summarize {
		return
	}
	release, err := s.o.Hold()
	if err != nil {
		return
	}
	g := &s.summing
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.done != nil {
		g.again = true
		release()
		return
	}
	ctx, cancel := context.WithCancel(s.o.Context)
	g.done, g.cancel = make(chan struct{}), cancel
	go func() {
		defer release()
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

// stopSummary ends what Shorten began, because the conversation is another now.
func (s *Conversation) stopSummary() {
	s.summing.mu.Lock()
	defer s.summing.mu.Unlock()
	if s.summing.failed = 0; s.summing.cancel != nil {
		s.summing.cancel()
	}
}

// summarizeOnce sums up what is too long now. It says whether to look again.
func (s *Conversation) summarizeOnce(ctx context.Context) bool {
	limit, room, count := s.o.Limit()
	plan, long := s.History.Plan(limit, count)
	s.summing.mu.Lock()
	failed := s.summing.failed
	s.summing.mu.Unlock()
	// After a failure there is no sense in trying at each turn: not before the conversation is a good deal longer.
	if !long || ctx.Err() != nil || failed > 0 && plan.Tokens < failed+limit/4 {
		return false
	}
	text, err := s.o.Summarize(ctx, plan, limit)
	if ctx.Err() != nil {
		return false
	}
	s.summing.mu.Lock()
	if s.summing.failed = 0; err != nil {
		s.summing.failed = plan.Tokens
	}
	s.summing.mu.Unlock()
	if err != nil {
		s.TellNext(event.Warning("Could not summarize the beginning of this conversation: " + strings.TrimSuffix(strings.ReplaceAll(err.Error(), "\n", " "), ".") + ". All of it is still sent."))
		for _, n := range s.trim(max(limit, min(mostUnsummed*limit, room/2)), count, "") {
			s.TellNext(n)
		}
		return false
	}
	s.record.order.Lock()
	defer s.record.order.Unlock()
	sum, ok := s.History.Install(plan, text)
	if !ok {
		return false
	}
	s.record.write(Record{Kind: KindSummary, Exchange: Exchange{Turn: sum.Turn, Number: sum.Number}, Text: sum.Text})
	first := "the oldest request"
	if n := len(plan.Head); n > 1 {
		first = fmt.Sprintf("the %d oldest requests", n)
	}
	s.TellNext(event.Info("Summarized " + first + " of this conversation to save tokens. `history` still shows them in full."))
	return true
}

// TellNext keeps a note for the next turn.
func (s *Conversation) TellNext(n event.Note) {
	s.record.mu.Lock()
	defer s.record.mu.Unlock()
	s.record.notes = append(s.record.notes, n)
}

// Shortening is closed when what Shorten began is done; nil when nothing is.
func (s *Conversation) Shortening() <-chan struct{} {
	s.summing.mu.Lock()
	defer s.summing.mu.Unlock()
	return s.summing.done
}
