package llmtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// delivery is one reply on its way to one client.
type delivery struct {
	*Handler
	w      http.ResponseWriter
	r      *http.Request
	req    chatRequest
	reply  Reply
	number int
}

// run delivers the reply and notes when the client left before its end.
func (d *delivery) run() {
	finished := d.deliver()
	if !finished && d.r.Context().Err() != nil {
		select {
		case <-d.done: // the server is being closed, which is not the client's doing
		default:
			d.record(Recorded{Number: d.number, Closed: true})
		}
	}
}

// deliver reports whether all was sent that the script wanted to be sent.
func (d *delivery) deliver() bool {
	if !d.pause(time.Duration(d.reply.FirstDelay)) || d.reply.HoldFirst && !d.hold() {
		return false
	}
	switch {
	case d.reply.Redirect != "":
		d.w.Header().Set("Location", d.reply.Redirect)
		d.w.WriteHeader(cmp.Or(d.reply.Status, http.StatusTemporaryRedirect))
		return true
	case d.reply.Raw:
		d.w.Header().Set("Content-Type", orElse(d.reply.Type, "text/event-stream"))
		if d.reply.Status != 0 {
			d.w.WriteHeader(d.reply.Status)
		}
		return d.write(d.reply.Text)
	case d.reply.Status != 0:
		if d.reply.RetryAfter != "" {
			d.w.Header().Set("Retry-After", d.reply.RetryAfter)
		}
		message := orElse(strings.TrimSpace(d.reply.Text), http.StatusText(d.reply.Status))
		writeError(d.w, d.reply.Status, d.reply.ErrorCode, d.reply.ErrorType, message)
		return true
	case !d.req.Stream || d.reply.Stream != nil && !*d.reply.Stream:
		return d.whole()
	}
	return d.stream()
}

func (d *delivery) whole() bool {
	if d.reply.Hold && !d.hold() {
		return false
	}
	message := map[string]any{"role": "assistant", "content": d.reply.Text}
	if d.reply.Thinking != "" {
		message[orElse(d.reply.Reasoning, "reasoning_content")] = d.reply.Thinking
	}
	switch {
	case d.req.forced():
		message["content"] = nil
		message["tool_calls"] = d.toolCalls(d.reply.Text)
	case len(d.reply.Calls) > 0:
		message["tool_calls"] = d.calls()
	}
	choice := map[string]any{"index": 0, "message": message, "finish_reason": d.finish()}
	out := map[string]any{
		"id": d.id(), "object": "chat.completion", "created": created, "model": d.req.Model,
		"choices": []any{choice},
	}
	if d.reply.Usage == nil || *d.reply.Usage {
		out["usage"] = d.usage()
	}
	writeJSON(d.w, http.StatusOK, out)
	return true
}

func (d *delivery) stream() bool {
	d.w.Header().Set("Content-Type", orElse(d.reply.Type, "text/event-stream"))
	d.w.Header().Set("Cache-Control", "no-cache")
	// Real servers begin with a chunk that only names the role, some with a null content.
	if !d.delta(map[string]any{"role": "assistant", "content": nil}) {
		return false
	}
	for _, piece := range pieces(d.reply.Thinking, d.reply.Chunk) {
		if !d.delta(map[string]any{orElse(d.reply.Reasoning, "reasoning_content"): piece}) {
			return false
		}
	}
	text := d.reply.Text
	cut := d.reply.Cut != nil && *d.reply.Cut < len(text)
	if cut {
		text = text[:*d.reply.Cut]
	}
	chunks := pieces(text, d.reply.Chunk)
	for i, piece := range chunks {
		if i == len(chunks)/2 && !d.middle() {
			return false
		}
		if !d.delta(d.piece(piece)) {
			return false
		}
	}
	if len(chunks) == 0 && !d.middle() {
		return false
	}
	if !cut && !d.streamCalls() {
		return false
	}
	if cut {
		// Leaving a chunked answer without its last chunk is what a broken connection looks like.
		panic(http.ErrAbortHandler)
	}
	return d.ending()
}

// middle does what the script wants half-way.
func (d *delivery) middle() bool {
	if d.reply.Hold && !d.hold() {
		return false
	}
	if d.reply.Error != "" {
		d.event(map[string]any{"error": map[string]any{
			"message": d.reply.Error, "code": d.reply.ErrorCode, "type": d.reply.ErrorType,
		}})
		return false
	}
	return true
}

func (d *delivery) ending() bool {
	if d.reply.Finish != "none" {
		finish := map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": d.finish()}
		if !d.chunk([]any{finish}, nil) {
			return false
		}
	}
	wanted := d.req.StreamOptions != nil && d.req.StreamOptions.IncludeUsage
	if wanted && (d.reply.Usage == nil || *d.reply.Usage) {
		if !d.chunk([]any{}, d.usage()) {
			return false
		}
	}
	if d.reply.Done == nil || *d.reply.Done {
		if !d.write("data: [DONE]\n\n") {
			return false
		}
	}
	if d.reply.Stay {
		select {
		case <-d.r.Context().Done():
		case <-d.done:
		}
	}
	return true
}

// hold waits for Release; false means that the client or the server left.
func (d *delivery) hold() bool {
	var release <-chan struct{}
	d.change(func() { d.held++; release = d.release })
	defer d.change(func() { d.held-- })
	select {
	case <-release:
		return true
	case <-d.r.Context().Done():
		return false
	case <-d.done:
		return false
	}
}

func (d *delivery) delta(delta map[string]any) bool {
	if !d.pause(time.Duration(d.reply.Delay)) {
		return false
	}
	if d.reply.KeepAlive && !d.write(": still here\n\n") {
		return false
	}
	return d.chunk([]any{map[string]any{"index": 0, "delta": delta, "finish_reason": nil}}, nil)
}

func (d *delivery) piece(text string) map[string]any {
	if d.req.forced() {
		return map[string]any{"tool_calls": d.toolCalls(text)}
	}
	return map[string]any{"content": text}
}

func (d *delivery) toolCalls(arguments string) []any {
	return []any{map[string]any{
		"index": 0, "id": "call_1", "type": "function",
		"function": map[string]any{"name": d.req.Tools[0].Function.Name, "arguments": arguments},
	}}
}

// finish is why the reply ended.
func (d *delivery) finish() string {
	if len(d.reply.Calls) > 0 {
		return orElse(d.reply.Finish, "tool_calls")
	}
	return orElse(d.reply.Finish, "stop")
}

// calls are the calls of the reply, whole.
func (d *delivery) calls() []any {
	var list []any
	for i, c := range d.reply.Calls {
		list = append(list, map[string]any{
			"index": i, "id": orElse(c.ID, fmt.Sprintf("call_%d_%d", d.number, i+1)), "type": "function",
			"function": map[string]any{"name": c.Name, "arguments": c.Arguments},
		})
	}
	return list
}

// streamCalls sends the calls as OpenAI does: the head of a call first, its arguments in pieces.
func (d *delivery) streamCalls() bool {
	for i, c := range d.calls() {
		head := c.(map[string]any)
		head["function"] = map[string]any{"name": d.reply.Calls[i].Name, "arguments": ""}
		if !d.delta(map[string]any{"tool_calls": []any{head}}) {
			return false
		}
		for _, piece := range pieces(d.reply.Calls[i].Arguments, d.reply.Chunk) {
			more := map[string]any{"index": i, "function": map[string]any{"arguments": piece}}
			if !d.delta(map[string]any{"tool_calls": []any{more}}) {
				return false
			}
		}
	}
	return true
}

const created = 1750000000 // any fixed moment: replies are the same on every run

func (d *delivery) id() string { return fmt.Sprintf("chatcmpl-%d", d.number) }

func (d *delivery) chunk(choices []any, usage map[string]any) bool {
	c := map[string]any{
		"id": d.id(), "object": "chat.completion.chunk", "created": created,
		"model": d.req.Model, "choices": choices,
	}
	if usage != nil {
		c["usage"] = usage
	}
	return d.event(c)
}

func (d *delivery) event(v any) bool {
	b, err := json.Marshal(v)
	if err != nil {
		return false
	}
	return d.write("data: " + string(b) + "\n\n")
}

// write sends s at once.
func (d *delivery) write(s string) bool {
	if d.reply.CRLF {
		s = strings.ReplaceAll(s, "\n", "\r\n")
	}
	if _, err := d.w.Write([]byte(s)); err != nil {
		return false
	}
	if err := http.NewResponseController(d.w).Flush(); err != nil {
		return false
	}
	return d.r.Context().Err() == nil
}

func (d *delivery) usage() map[string]any {
	prompt, completion := d.reply.Prompt, d.reply.Completion
	if prompt == 0 {
		for _, m := range d.req.Messages {
			prompt += len(m.Content)/4 + 4
		}
	}
	if completion == 0 {
		completion = (utf8.RuneCountInString(d.reply.Text+d.reply.Thinking) + 3) / 4
	}
	return map[string]any{
		"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion,
	}
}

// pieces cuts s into runs of n runes.
func pieces(s string, n int) []string {
	if n <= 0 {
		n = 16
	}
	var out []string
	for s != "" {
		end := 0
		for i := 0; i < n && end < len(s); i++ {
			_, size := utf8.DecodeRuneInString(s[end:])
			end += size
		}
		out = append(out, s[:end])
		s = s[end:]
	}
	return out
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
