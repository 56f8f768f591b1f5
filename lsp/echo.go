package lsp

import (
	"context"
	"slices"
	"sync"
	"time"

	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/lsp/document"
)

// echoes are the files that were sent an edit while they were closed, to a client that then changes them
// on disk and tells of them as opened (see quirks.EditsFilesOnDisk). Nothing is open: no change and no close
// of such a document is ever told. The zero value is ready.
type echoes struct {
	mu      sync.Mutex
	awaited map[string]int // guarded by mu; by document.KeyOfURI, how many are under way
}

// expect notes the closed files of a request that is about to be sent, until the returned function is
// called.
func (e *echoes) expect(steps []clientStep) (over func()) {
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

// take says whether a document that is told as opened is the echo of an edit.
func (e *echoes) take(key string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.awaited[key] == 0 {
		return false
	}
	e.awaited[key]--
	return true
}

// How long the documents of a plan must be left alone before it is sent to a client that applies an edit
// whatever was typed meanwhile, and how long that is waited for. Such a client tells of what is typed when
// the user pauses (kakoune-lsp after 50 ms).
const (
	calmTime  = 250 * time.Millisecond
	calmLimit = 3 * time.Second
)

// calm waits until the documents of a plan are left alone, where the client does not check versions or is told none. What
// was told meanwhile is found by inspect, and the plan is made anew.
func (c *applier) calm(ctx context.Context, plan []proposal.Step) {
	s := c.s
	if !s.quirks.IgnoresVersions && s.caps.DocumentChanges {
		return
	}
	versions := func() (list []int32) {
		for _, step := range plan {
			if doc, open := s.document(c.root, step.Change.Path); open {
				list = append(list, doc.Version)
			}
		}
		return list
	}
	seen := versions()
	if len(seen) == 0 {
		return
	}
	changed, stop := s.landings.watch()
	defer stop()
	limit := time.NewTimer(s.landings.scaled(calmLimit))
	defer limit.Stop()
	quiet := time.NewTimer(s.landings.scaled(calmTime))
	defer quiet.Stop()
	for {
		select {
		case <-changed:
			if now := versions(); !slices.Equal(now, seen) {
				seen = now
				quiet.Reset(s.landings.scaled(calmTime))
			}
		case <-quiet.C:
			return
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// saveTime is how long a client that saves by itself is given to do so after it told of the change.
const saveTime = 500 * time.Millisecond

// awaitSave waits until an emptied document is saved, where the client may do that by itself: a file that
// is deleted before would be there again. Of one that is in front nothing is saved, so the wait has an end.
func (c *applier) awaitSave(ctx context.Context, one clientStep) {
	s := c.s
	if !s.quirks.SavesHidden || one.step.Change.Op != edits.OpDelete {
		return
	}
	limit := time.NewTimer(s.landings.scaled(saveTime))
	defer limit.Stop()
	look := time.NewTicker(s.landings.scaled(saveTime) / 50)
	defer look.Stop()
	for {
		disk, err := c.root.ws.Door().DiskText(ctx, one.step.Change.Path)
		if err != nil || workspace.Blank(disk) || disk != one.step.Change.Before {
			return
		}
		select {
		case <-look.C:
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}
