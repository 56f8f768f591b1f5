package deliver

import (
	"sync"

	"coauthor/lsp/document"
)

// Echoes are the files that were sent an edit while they were closed, to a client that then changes them
// on disk and tells of them as opened (see client.Quirks.EditsFilesOnDisk). Nothing is open: no change and no close
// of such a document is ever told. The zero value is ready.
type Echoes struct {
	mu      sync.Mutex
	awaited map[string]int // guarded by mu; by document.KeyOfURI, how many are under way
}

// expect notes the closed files of a request that is about to be sent, until the returned function is
// called.
func (e *Echoes) expect(steps []clientStep) (over func()) {
	var keys []string
	for _, one := range steps {
		if one.version == nil && one.part != partFile {
			keys = append(keys, document.KeyOfURI(one.uri))
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.awaited == nil {
		e.awaited = map[string]int{}
	}
	for _, key := range keys {
		e.awaited[key]++
	}
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		for _, key := range keys {
			delete(e.awaited, key)
		}
	}
}

// Take says whether a document that is told as opened is the echo of an edit.
func (e *Echoes) Take(key string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.awaited[key] == 0 {
		return false
	}
	e.awaited[key]--
	return true
}

// Idle reports whether nothing is under way.
func (e *Echoes) Idle() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.awaited) == 0
}
