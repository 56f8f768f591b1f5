package lsp

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"

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
	paths map[*rootState]map[string]bool // guarded by mu; nil: nobody waits to take them
}

// watchFiles asks to be told of changes on disk, where that costs the user nothing.
func (s *server) watchFiles(ctx context.Context) {
	if !s.client.Caps.WatchFiles || !s.client.Quirks.WatchTree {
		return
	}
	type watcher struct {
		Glob string `json:"globPattern"`
	}
	err := s.client.Register(ctx, "coauthor-files", protocol.MethodWorkspaceDidChangeWatchedFiles,
		map[string][]watcher{"watchers": {{Glob: "**/*"}}})
	if err != nil {
		s.log.Info("not watching files for changes", "err", err)
	}
}

// didChangeFiles notes what changed below the roots that are open; it opens none.
func (t *roots) didChangeFiles(_ context.Context, p *fileEvents) error {
	h := &t.hints
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range t.states() {
		if r.dir == "" {
			continue
		}
		for _, c := range p.Changes {
			abs, ok := document.PathOfURI(c.URI)
			if !ok {
				continue
			}
			rel, err := filepath.Rel(r.dir, abs)
			if err != nil || !filepath.IsLocal(rel) {
				continue
			}
			if h.paths == nil {
				h.paths = map[*rootState]map[string]bool{}
				t.s.tasks.Background(t.passHints)
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
func (t *roots) passHints(ctx context.Context) {
	select {
	case <-time.After(t.s.landings.Scaled(gatherTime)):
	case <-ctx.Done():
		return
	}
	t.hints.mu.Lock()
	gathered := t.hints.paths
	t.hints.paths = nil
	t.hints.mu.Unlock()
	for r, paths := range gathered {
		r.session.FilesChanged(ctx, slices.Sorted(maps.Keys(paths)))
	}
}

// offerChecks asks the user of a folder about the linters and tests that it shows to use, after a change has landed there:
// before that there is nothing to check, and a question would stand in the way.
func (s *server) offerChecks(ctx context.Context, r *rootState) {
	o := r.session.Consent.Suggest(ctx)
	if len(o.Tools) == 0 {
		return
	}
	if _, err := r.session.Consent.Offer(ctx, o, s.asker(r)); err != nil && ctx.Err() == nil {
		s.log.Warn("answer about linters and tests not saved", "err", err)
	}
}
