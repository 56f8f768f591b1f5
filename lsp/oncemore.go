package lsp

import "sync"

// onceMore is work of which one runs at a time, and once more where something changed meanwhile. The zero value is ready.
type onceMore struct {
	mu      sync.Mutex
	running bool // guarded by mu
	again   bool // guarded by mu
}

// begin says whether the caller is to do the work; else somebody who does it looks once more.
func (h *onceMore) begin() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.again = h.running
	h.running = true
	return !h.again
}

// more says whether to look once more; if not, it has ended.
func (h *onceMore) more() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	more := h.again
	h.running, h.again = more, false
	return more
}
