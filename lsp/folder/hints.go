package folder

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"coauthor/lsp/document"
)

// What the client tells of files is a hint for the repository map and no more: few clients tell of
// every change, so the map looks at the disk by itself too.

// fileEvents are the params of workspace/didChangeWatchedFiles.
type fileEvents struct {
	Changes []struct {
		URI string `json:"uri"`
	} `json:"changes"`
}

// gatherTime is how long events are gathered: a build or a branch switch makes thousands.
const gatherTime = 500 * time.Millisecond

// fileHints are the files that the client spoke of and that nobody looked at yet.
type fileHints struct {
	mu    sync.Mutex
	paths map[*Folder]map[string]bool // guarded by mu; nil: nobody waits to take them
}

// DidChangeFiles notes what changed below the roots that are open; it opens none.
func (t *Table) DidChangeFiles(_ context.Context, p *fileEvents) error {
	h := &t.hints
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range t.Open() {
		if r.Dir == "" {
			continue
		}
		for _, c := range p.Changes {
			abs, ok := document.PathOfURI(c.URI)
			if !ok {
				continue
			}
			rel, err := filepath.Rel(r.Dir, abs)
			if err != nil || !filepath.IsLocal(rel) {
				continue
			}
			if h.paths == nil {
				h.paths = map[*Folder]map[string]bool{}
				t.o.Tasks.Background(t.passHints)
			}
			if h.paths[r] == nil {
				h.paths[r] = map[string]bool{}
			}
			h.paths[r][filepath.ToSlash(rel)] = true
		}
	}
	return nil
}

// passHints tells the sessions what was gathered.
func (t *Table) passHints(ctx context.Context) {
	select {
	case <-time.After(t.o.Landings.Scaled(gatherTime)):
	case <-ctx.Done():
		return
	}
	t.hints.mu.Lock()
	gathered := t.hints.paths
	t.hints.paths = nil
	t.hints.mu.Unlock()
	for r, paths := range gathered {
		r.Session.FilesChanged(ctx, slices.Sorted(maps.Keys(paths)))
	}
}
