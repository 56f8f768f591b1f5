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
	w        http.ResponseWriter
	r        *http.Request
	req      request
	messages []Message
	form     form
	reply    Reply
	number   int
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
		d.form.refuse(d.w, d.reply.Status, d.reply.ErrorCode, d.reply.ErrorType, message)
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
	writeJSON(d.w, http.StatusOK, d.form.whole())
	return true
}

func (d *delivery) stream() bool {
	kind := "text/event-stream"
	if d.lines() {
		kind = "application/x-ndjson"
	}
	d.w.Header().Set("Content-Type", orElse(d.reply.Type, kind))
	d.w.Header().Set("Cache-Control", "no-cache")
	if !d.events(d.form.begin()) {
		return false
	}
	for _, piece := range pieces(d.reply.Thinking, d.reply.Chunk) {
		if !d.events(d.form.think(piece)) {
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
		if !d.events(d.form.say(piece)) {
			return false
		}
	}
	if len(chunks) == 0 && !d.middle() {
		return false
	}
	if !cut && !d.events(d.form.calls()) {
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
		d.event(d.form.fail())
		return false
	}
	return true
}

func (d *delivery) ending() bool {
	for _, e := range d.form.end(d.reply.Finish != "none", d.reply.Usage == nil || *d.reply.Usage) {
		if !d.event(e) {
			return false
		}
	}
	if last := d.form.last(); last != "" && (d.reply.Done == nil || *d.reply.Done) {
		if !d.write(last) {
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

// events sends events of the reply, each with what the script wants before it.
func (d *delivery) events(list []any) bool {
	for _, e := range list {
		if !d.pause(time.Duration(d.reply.Delay)) {
			return false
		}
		if d.reply.KeepAlive && !d.lines() && !d.write(": still here\n\n") {
			return false
		}
		if !d.event(e) {
			return false
		}
	}
	return true
}

func (d *delivery) event(v any) bool {
	b, err := json.Marshal(v)
	if err != nil {
		return false
	}
	if d.lines() {
		return d.write(string(b) + "\n")
	}
	name := ""
	if m, ok := v.(map[string]any); ok && m["type"] != nil {
		name = fmt.Sprintf("event: %v\n", m["type"])
	}
	return d.write(name + "data: " + string(b) + "\n\n")
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

// counts are the tokens of prompt and answer.
func (d *delivery) counts() (prompt, completion int) {
	prompt, completion = d.reply.Prompt, d.reply.Completion
	if prompt == 0 {
		for _, m := range d.messages {
			prompt += len(m.Content)/4 + 4
		}
	}
	if completion == 0 {
		completion = (utf8.RuneCountInString(d.reply.Text+d.reply.Thinking) + 3) / 4
	}
	return prompt, completion
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
