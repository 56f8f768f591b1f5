package history

import "slices"

// Summary stands for what was said in a conversation up to one of its exchanges. The zero Summary stands for nothing.
type Summary struct {
	Text   string
	Turn   string // of the last exchange that it stands for
	Number int    // of that exchange
}

// Plan says what of a conversation is to become one summary: the one that there is, and the oldest exchanges. It is
// a copy: the conversation may go on beside.
type Plan struct {
	Before Summary
	Head   []Exchange // oldest first, never empty in a Plan that is to be carried out
	Tokens int        // that both take now
}

// Plan returns what is to be summarised of a conversation that counts more than limit: all but the newest exchanges,
// as many of them as stay below half of the limit, and one in any case. It is false where nothing is.
func (h *History) Plan(limit int, count func(string) int) (Plan, bool) {
	h.mu.Lock()
	p := Plan{Before: h.summary}
	sent := slices.Clone(h.done[h.from:])
	h.mu.Unlock()
	sizes := make([]int, len(sent))
	p.Tokens = count(p.Before.Text)
	for i, x := range sent {
		sizes[i] = x.size(count)
		p.Tokens += sizes[i]
	}
	if p.Tokens <= limit || len(sent) < 2 {
		return Plan{}, false
	}
	tail, split := 0, len(sent)
	for split > 0 && (split == len(sent) || tail+sizes[split-1] < limit/2) {
		split--
		tail += sizes[split]
	}
	p.Head, p.Tokens = sent[:split], p.Tokens-tail
	return p, split > 0
}

// Install has a text take the place of what a plan says, and returns the summary that it now is. It is false, and
// nothing changes, where what the plan says is not the beginning of the conversation any more: something was taken
// back, forgotten or summarised meanwhile.
func (h *History) Install(p Plan, text string) (Summary, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	sent := h.done[h.from:]
	if len(p.Head) == 0 || len(sent) <= len(p.Head) || h.summary != p.Before {
		return Summary{}, false
	}
	for i, x := range p.Head {
		if sent[i].Turn != x.Turn || sent[i].Number != x.Number {
			return Summary{}, false
		}
	}
	last := p.Head[len(p.Head)-1]
	h.summary = Summary{Text: text, Turn: last.Turn, Number: last.Number}
	h.done, h.from = slices.Clone(sent[len(p.Head):]), 0
	return h.summary, true
}

// Sent returns what a model is told of the conversation: the summary of its beginning, nothing for none, and the
// exchanges behind that.
func (h *History) Sent() (Summary, []Exchange) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.summary, slices.Clone(h.done[h.from:])
}

func (x Exchange) size(count func(string) int) int { return count(x.User) + count(x.Reply) }
