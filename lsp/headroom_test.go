package lsp

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"coauthor/lsp/lsptest"
)

// garbagePercent is how much garbage the collector waits for now, in per cent of what is alive.
func garbagePercent() int {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	return int(s[0].Value.Uint64())
}

// eventually waits for what a collection brings about.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(lsptest.Hung); !is(); runtime.GC() {
		if time.Now().After(end) {
			t.Fatalf("hung: %s; the collector waits for %d per cent", what, garbagePercent())
		}
	}
}

func largeText() string { return strings.Repeat("a line of a large document\n", 2*largeDocument/27) }

func closeDocument(r *modelHarness, path string) {
	r.note("textDocument/didClose", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, r.uri(path)))
	r.command("status", "")
}

// The collector leaves room for garbage while a large document is open, and no memory is touched for that.
func TestHeadroomCostsNoMemory(t *testing.T) {
	r := newModelHarness(t, nil, func(o *Options) { o.GCPercent = debug.SetGCPercent })
	r.initialize(plainCaps, "null")
	usual := garbagePercent()
	r.open("small.txt", "small\n")
	r.command("status", "")
	if got := garbagePercent(); got != usual {
		t.Errorf("%d per cent with a small document, %d before", got, usual)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 3 {
		r.open("large.txt", largeText())
		r.open("other.txt", largeText())
		r.command("status", "")
		if got := garbagePercent(); got <= usual {
			t.Errorf("%d per cent with a large document, %d before", got, usual)
		}
		closeDocument(r, "large.txt")
		if got := garbagePercent(); got <= usual {
			t.Errorf("%d per cent with a large document left, %d before", got, usual)
		}
		closeDocument(r, "other.txt")
		if got := garbagePercent(); got != usual {
			t.Errorf("%d per cent when the large documents are closed, %d before", got, usual)
		}
	}
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; made > roomForGarbage {
		t.Errorf("to open and close large documents took %d MB", made>>20)
	}
}

// The room is the same however much is alive: a share of a large heap would be many times as much.
func TestHeadroomFollowsTheHeap(t *testing.T) {
	usual := garbagePercent()
	defer debug.SetGCPercent(usual)
	h := &headroom{set: debug.SetGCPercent}
	runtime.GC()
	h.want(true)
	alive := make([][]byte, 64)
	for i := range alive {
		alive[i] = make([]byte, 2<<20)
	}
	most := usual + 100*roomForGarbage/(len(alive)*2<<20)
	eventually(t, "the share shrinks", func() bool { return garbagePercent() <= most })
	runtime.KeepAlive(alive) // until here
	eventually(t, "the share grows again", func() bool { return garbagePercent() > most })
	h.want(false)
	for range 3 {
		runtime.GC()
		if got := garbagePercent(); got != usual {
			t.Errorf("%d per cent when nobody wants room, %d before", got, usual)
		}
	}
	h.want(true)
	eventually(t, "the share is watched again", func() bool { return garbagePercent() > usual })
	h.want(false)
}

// Changes of a large document make a lot of garbage; the collector does not run after every few.
func TestHeadroomSparesCollections(t *testing.T) {
	r := newModelHarness(t, nil, func(o *Options) { o.GCPercent = debug.SetGCPercent })
	r.initialize(plainCaps, "null")
	r.open("large.txt", strings.Repeat(largeText(), 2))
	r.command("status", "")
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for version := range 200 {
		r.note("textDocument/didChange", fmt.Sprintf(
			`{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"range":{"start":{"line":%d,"character":2},"end":{"line":%d,"character":6}},"text":"edit"}]}`,
			r.uri("large.txt"), version+2, 97*version, 97*version))
	}
	r.command("status", "")
	runtime.ReadMemStats(&after)
	made := after.TotalAlloc - before.TotalAlloc
	if most := 2 + uint32(2*made/roomForGarbage); after.NumGC-before.NumGC > most {
		t.Errorf("%d collections for %d MB of garbage", after.NumGC-before.NumGC, made>>20)
	}
}

// Who has turned the collector off keeps it off.
func TestHeadroomLeavesACollectorThatIsOff(t *testing.T) {
	percent := -1
	h := &headroom{set: func(p int) int { old := percent; percent = p; return old }}
	for _, large := range []bool{true, true, false} {
		if h.want(large); percent != -1 {
			t.Errorf("large %v: the collector is on, at %d per cent", large, percent)
		}
	}
	(&headroom{}).want(true) // nothing to set
}

// However often a large document comes and goes, a collection has the room set once.
func TestHeadroomIsSetOnceACollection(t *testing.T) {
	var calls atomic.Int64
	h := &headroom{set: func(int) int { calls.Add(1); return 100 }}
	for range 100 {
		h.want(true)
		h.want(false)
	}
	h.want(true)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	at := calls.Load()
	eventually(t, "the room is set after a collection", func() bool { return calls.Load() > at })
	runtime.ReadMemStats(&after)
	if n := calls.Load() - at; n > int64(after.NumGC-before.NumGC)+1 {
		t.Errorf("set %d times in %d collections", n, after.NumGC-before.NumGC)
	}
	h.want(false)
}
