// Package history keeps what was said in a session: finished exchanges, and the one that a turn is
// having.
//
// It holds text in memory, of a bounded size, and on disk, and knows neither prompts nor models. Package agent
// writes it at the end of a turn, package prompt gets its messages. Start at Conversation; the other main types are
// History, Said and Transcript.
package history

import (
	"slices"
	"strings"
	"sync"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/llm"
)

// Exchange is what came of one turn: what the user said and what the model answered.
// Invariant: in a History neither User nor Reply is empty.
type Exchange struct {
	Turn     string
	User     string // the request, without the files that went with it
	Reply    string // all replies of the turn, as they were
	Prose    string // the same without its edits
	Format   string // the edit format of Reply; "" when it was asked for prose
	Proposal string // id of what was proposed; "" for nothing

	Number   int // counts from 1 within the conversation; Add gives it
	At       time.Time
	Coder    string
	Model    string   // that answered first
	Files    []string // of the chat, relative to the root
	ReadOnly []string // the same, to look at

	Usage event.Usage // of all calls of the model for it
}

// Heard says that the exchange is something that the user showed the model, to which none has answered.
func (x Exchange) Heard() bool { return x.Coder == "" && x.Model == "" }

// History is the conversation of one session. It is safe for concurrent use.
type History struct {
	mu      sync.Mutex
	summary Summary    // guarded by mu; stands for what was said before done
	done    []Exchange // guarded by mu
	from    int        // guarded by mu; an exchange before it is not sent any more
	last    int        // guarded by mu; number of the newest exchange there ever was
}

// Add appends an exchange and returns it with its number. One without an answer is dropped, and added is
// false: a model that sees an unanswered message answers that one as well.
func (h *History) Add(x Exchange) (numbered Exchange, added bool) {
	if strings.TrimSpace(x.Reply) == "" || strings.TrimSpace(x.User) == "" {
		return x, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	x.Number = h.last
	h.done = append(h.done, x)
	return x, true
}

// Restore has a conversation of a transcript take the place of what was said here.
func (h *History) Restore(t Told) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.summary, h.done, h.from, h.last = t.Summary, slices.Clone(t.Rest().Exchanges), 0, t.Last
}

// Messages returns exchanges as messages that begin with the user and end with the model.
// Replies written in another edit format than format are reduced to their prose, because a model
// repeats the format that it sees.
func Messages(list []Exchange, format string) []llm.Message {
	var messages []llm.Message
	for _, x := range list {
		messages = append(messages, llm.Text(llm.RoleUser, x.User), llm.Text(llm.RoleAssistant, x.seen(format)))
	}
	return messages
}

// Trim forgets the oldest exchanges when all of them together count more than limit. It then
// goes down to half of the limit at once, so that the front of the prompt stays the same, and
// cached, for many turns. The newest one it keeps in any case, for Last. It returns how many are not sent any more
// by this call.
func (h *History) Trim(limit int, count func(string) int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	sizes := make([]int, len(h.done))
	total := 0
	for i := h.from; i < len(h.done); i++ {
		sizes[i] = h.done[i].size(count)
		total += sizes[i]
	}
	if total <= limit {
		return 0
	}
	before := h.from
	defer func() {
		gone := min(h.from, len(h.done)-1)
		h.done, h.from = slices.Clone(h.done[gone:]), h.from-gone
	}()
	for h.from < len(h.done) && total > limit/2 {
		total -= sizes[h.from]
		h.from++
	}
	return h.from - before
}

// Find returns the exchange of a turn.
func (h *History) Find(turn string) (Exchange, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, x := range h.done {
		if x.Turn == turn {
			return x, true
		}
	}
	return Exchange{}, false
}

// Last returns the newest exchange.
func (h *History) Last() (Exchange, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.done) == 0 {
		return Exchange{}, false
	}
	return h.done[len(h.done)-1], true
}

// Done returns a copy of the exchanges that are kept, oldest first.
func (h *History) Done() []Exchange {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Exchange(nil), h.done...)
}

// Rewind drops the exchange of a turn and those after it. It is false, and nothing is dropped, where that one
// is not among those that are sent to models: then the transcript knows more.
func (h *History) Rewind(turn string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := len(h.done) - 1; i >= h.from; i-- {
		if h.done[i].Turn == turn {
			h.last = h.done[i].Number - 1
			h.done = slices.Clone(h.done[:i])
			return true
		}
	}
	return false
}

// Forget drops everything.
func (h *History) Forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.summary, h.done, h.from, h.last = Summary{}, nil, 0, 0
}

func (x Exchange) seen(format string) string {
	if x.Format == "" || x.Format == format {
		return x.Reply
	}
	return orEdits(x.Prose)
}
