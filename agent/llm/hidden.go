package llm

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"coauthor/agent/secret"
)

// Hidden knows the keys that models are not shown, and the names that stand for them. The same key has the same name in
// every request, so that providers' caches hold. It is safe for concurrent use.
type Hidden struct {
	salt string

	mu    sync.Mutex
	names map[string]string // guarded by mu: by key
	keys  map[string]string // guarded by mu: by name
}

// NewHidden returns a Hidden that knows none yet.
func NewHidden() *Hidden {
	return &Hidden{salt: strings.ToLower(rand.Text()[:6]), names: map[string]string{}, keys: map[string]string{}}
}

// Client asks through a client without showing it keys: names stand for them in the request, and what is answered has the
// keys again, so that edits of their lines fit.
func (h *Hidden) Client(c Client) Client { return hiding{h, c} }

// replaced says how many keys the model was not shown.
func replaced(n int) string {
	what := "1 possible API key was replaced by a placeholder"
	if n != 1 {
		what = fmt.Sprintf("%d possible API keys were replaced by placeholders", n)
	}
	return what + " before sending and restored in the answer. Set files.redactSecrets to false to turn this off."
}

type hiding struct {
	h *Hidden
	c Client
}

// Stream implements Client.
func (c hiding) Stream(ctx context.Context, r Request, on func(Delta)) (Reply, error) {
	var fresh int
	r.Messages, fresh = c.h.Hide(r.Messages)
	back := &restoring{h: c.h, on: on}
	reply, err := c.c.Stream(ctx, r, back.hear)
	back.flush()
	var failed *Error
	if errors.As(err, &failed) {
		again := *failed
		again.Partial = c.h.restored(again.Partial)
		return c.h.restored(reply), &again
	}
	reply = c.h.restored(reply)
	if fresh > 0 && err == nil {
		reply.Notes = append(slices.Clone(reply.Notes), replaced(fresh))
	}
	return reply, err
}

// Hide returns messages with names in the place of keys, and how many keys it had not seen before.
func (h *Hidden) Hide(messages []Message) (hidden []Message, fresh int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	known := len(h.names)
	out := slices.Clone(messages)
	for i, m := range out {
		parts := slices.Clone(m.Parts)
		for k, p := range parts {
			parts[k].Text = h.hide(p.Text)
			if p.Call != nil {
				call := *p.Call
				call.Arguments = h.hide(call.Arguments)
				parts[k].Call = &call
			}
		}
		out[i].Parts = parts
	}
	return out, len(h.names) - known
}

// hide puts names into a text. The caller holds mu.
func (h *Hidden) hide(text string) string { return secret.Replace(text, h.name) }

// name is what stands for a key. The caller holds mu.
func (h *Hidden) name(key string) string {
	name := h.names[key]
	if name == "" {
		name = nameBegins + strconv.Itoa(len(h.names)+1) + "_" + h.salt
		h.names[key], h.keys[name] = name, key
	}
	return name
}

const nameBegins = "REDACTED_"

// show puts the keys into a text again.
func (h *Hidden) show(text string) string {
	if !strings.Contains(text, nameBegins) {
		return text
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for at := 0; ; {
		i := strings.Index(text[at:], nameBegins)
		if i < 0 {
			return text
		}
		at += i
		n, whole := h.begins(text[at:])
		key, ok := h.keys[text[at:at+n]]
		if !whole || !ok {
			at += len(nameBegins)
			continue
		}
		text = text[:at] + key + text[at+n:]
		at += len(key)
	}
}

// begins says how much of a text is the beginning of a name, and whether that is a whole one.
func (h *Hidden) begins(text string) (n int, whole bool) {
	for n < len(text) && n < len(nameBegins) {
		if text[n] != nameBegins[n] {
			return 0, false
		}
		n++
	}
	digits := n
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	if n == len(text) {
		return n, false
	}
	if n == digits {
		return 0, false
	}
	for end := "_" + h.salt; n < len(text) && end != ""; end = end[1:] {
		if text[n] != end[0] {
			return 0, false
		}
		if n++; len(end) == 1 {
			return n, true
		}
	}
	return n, false
}

func (h *Hidden) restored(r Reply) Reply {
	r.Text, r.Reasoning = h.show(r.Text), h.show(r.Reasoning)
	r.Calls = slices.Clone(r.Calls)
	for i := range r.Calls {
		r.Calls[i].Arguments = h.show(r.Calls[i].Arguments)
	}
	return r
}

// restoring passes the pieces of an answer on with the keys in them. The beginning of a name waits for its end.
type restoring struct {
	h    *Hidden
	on   func(Delta)
	wait Delta
}

func (r *restoring) hear(d Delta) {
	if d.Channel != r.wait.Channel {
		r.flush()
	}
	text := r.h.show(r.wait.Text + d.Text)
	r.wait = Delta{Channel: d.Channel}
	for at := strings.LastIndexByte(text, nameBegins[0]); at >= 0; at = strings.LastIndexByte(text[:at], nameBegins[0]) {
		if n, _ := r.h.begins(text[at:]); n == len(text)-at {
			text, r.wait.Text = text[:at], text[at:]
			break
		}
	}
	if text != "" {
		r.tell(Delta{Channel: d.Channel, Text: text})
	}
}

// flush passes on what waited for an end that did not come.
func (r *restoring) flush() {
	if r.wait.Text != "" {
		r.tell(r.wait)
	}
	r.wait = Delta{}
}

func (r *restoring) tell(d Delta) {
	if r.on != nil {
		r.on(d)
	}
}
