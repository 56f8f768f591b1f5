package sandbox

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// headTail keeps the beginning and the end of what is written to it. It takes everything, so that nobody
// who writes has to wait. It is for one goroutine at a time.
type headTail struct {
	most  int // of each end, in bytes
	head  []byte
	tail  []byte // a ring once it is full
	at    int    // where the ring begins
	total int64
}

// Write implements io.Writer.
func (h *headTail) Write(p []byte) (int, error) {
	n := len(p)
	h.total += int64(n)
	if room := h.most - len(h.head); room > 0 {
		k := min(room, len(p))
		h.head, p = append(h.head, p[:k]...), p[k:]
	}
	if len(p) > h.most {
		p = p[len(p)-h.most:]
	}
	if room := h.most - len(h.tail); room > 0 {
		k := min(room, len(p))
		h.tail, p = append(h.tail, p[:k]...), p[k:]
	}
	for len(p) > 0 {
		k := copy(h.tail[h.at:], p)
		h.at, p = (h.at+k)%len(h.tail), p[k:]
	}
	return n, nil
}

// String is what was kept, as text: a gap is named, and bytes that are none are replaced.
func (h *headTail) String() string {
	text := string(h.head)
	if gap := h.total - int64(len(h.head)) - int64(len(h.tail)); gap > 0 {
		text += fmt.Sprintf("\n[%d bytes left out]\n", gap)
	}
	text += string(h.tail[h.at:]) + string(h.tail[:h.at])
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	return strings.ReplaceAll(text, "\x00", "\uFFFD")
}
