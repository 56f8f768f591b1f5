package lsp

import (
	"runtime"
	"runtime/metrics"
	"sync"
)

// headroom keeps the collector from running after every few changes of a large document: each change
// makes a new text, and a collection is what a slow change waits for. While such a document is open,
// roomForGarbage more bytes of garbage may gather than usual, whatever is alive.
//
// It is safe for concurrent use.
type headroom struct {
	set func(percent int) (previous int) // debug.SetGCPercent; nil leaves the collector alone

	mu      sync.Mutex
	wanted  bool // guarded by mu
	usual   int  // per cent when it is not wanted; guarded by mu
	watched bool // the next collection calls again; guarded by mu
}

const (
	roomForGarbage = 128 << 20 // bytes
	largeDocument  = 256 << 10 // bytes
	leastLive      = 4 << 20   // bytes; the collector counts on no less
)

// want says whether there is a large document now.
func (h *headroom) want(large bool) {
	if h.set == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case large && !h.wanted:
		h.usual = h.set(percentFor(0))
		if h.usual < 0 { // the user has turned the collector off
			h.set(h.usual)
			return
		}
		h.wanted = true
		h.adjust()
	case !large && h.wanted:
		h.wanted = false
		h.set(h.usual)
	}
}

// adjust makes a share of what is alive out of the room. What is alive changes with every collection,
// so each one has it called again. It is called with mu held.
func (h *headroom) adjust() {
	h.set(percentFor(h.usual))
	if h.watched {
		return
	}
	h.watched = true
	runtime.AddCleanup(new(collected), func(h *headroom) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.watched = false; h.wanted {
			h.adjust()
		}
	}, h)
}

// collected is garbage from the start. It holds a pointer, so that it has a place of its own in memory,
// and the next collection finds it.
type collected struct{ _ *byte }

// percentFor is the usual share of garbage and roomForGarbage, in per cent of what the last collection
// left alive.
func percentFor(usual int) int {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return usual + 100*roomForGarbage/int(max(leastLive, live[0].Value.Uint64()))
}
