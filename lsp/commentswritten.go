package lsp

import (
	"context"
	"strings"
	"sync"
	"time"

	"coauthor/agent/mention"
	"coauthor/lsp/document"
)

// writing has the session of a folder note which marked comments the user writes: of each document one change after the other, and of
// one whose disk hangs nothing. The zero value is ready.
type writing struct {
	mu   sync.Mutex
	left map[string][]*written // guarded by mu; by the document's key; the first one is being noted
}

// written is a change of a document, or several that follow each other.
type written struct {
	before, after *openDocument
	noted         chan struct{} // closed when the session has noted it
}

// add notes a change as left to do. alone says that nothing else of the document is.
func (w *writing) add(before, after *openDocument) (one *written, alone bool) {
	key := document.KeyOfURI(after.URI)
	w.mu.Lock()
	defer w.mu.Unlock()
	left := w.left[key]
	if n := len(left) - 1; n > 0 && left[n].after == before {
		left[n].after = after
		return left[n], false
	}
	if w.left == nil {
		w.left = map[string][]*written{}
	}
	one = &written{before, after, make(chan struct{})}
	w.left[key] = append(left, one)
	return one, len(left) == 0
}

// done says that a document's first change is noted, and gives the next one; nil for none.
func (w *writing) done(uri string) *written {
	key := document.KeyOfURI(uri)
	w.mu.Lock()
	defer w.mu.Unlock()
	left := w.left[key]
	close(left[0].noted)
	if len(left) == 1 {
		delete(w.left, key)
		return nil
	}
	w.left[key] = left[1:]
	return left[1]
}

// settled waits until the changes of a document that have come are noted.
func (w *writing) settled(ctx context.Context, uri string) {
	w.mu.Lock()
	left := w.left[document.KeyOfURI(uri)]
	w.mu.Unlock()
	if len(left) == 0 {
		return
	}
	select {
	case <-left[len(left)-1].noted:
	case <-ctx.Done():
	}
}

// commentsWritten has noted what a change of the user's does to marked comments. It runs on the goroutine that reads, and
// waits a moment for the disk, which nearly always is enough: then the file is looked at before the editor saves it.
func (s *server) commentsWritten(before, after *openDocument) {
	if after.Path == "" || after.Root.dir == "" || after.Lost || kindOf(after.URI, after.Path) != document.Users || !touchesMarks(before.Text, after.Text) {
		return
	}
	one, alone := after.Root.writing.add(before, after)
	if !alone || !s.tasks.background(func(ctx context.Context) {
		for job := one; job != nil; job = after.Root.writing.done(after.URI) {
			if s.settings(job.after.Root).WatchComments == "onSave" {
				job.after.Root.session.Comments.Wrote(ctx, job.after.Path, job.before.Text, job.after.Text)
			}
		}
	}) {
		return // the changes before it are late already, or the connection ends
	}
	select {
	case <-one.noted:
	case <-time.After(s.opts.within(placeWithin)):
	}
}

// touchesMarks says whether lines that differ between two texts may hold marks.
func touchesMarks(before, after string) bool {
	same := 0
	for most := min(len(before), len(after)); same < most && before[same] == after[same]; same++ {
	}
	from := strings.LastIndexByte(before[:same], '\n') + 1
	same = 0
	for most := min(len(before), len(after)) - from; same < most && before[len(before)-1-same] == after[len(after)-1-same]; same++ {
	}
	line := func(text string) string {
		end := max(len(text)-same, from)
		if n := strings.IndexByte(text[end:], '\n'); n >= 0 {
			return text[from : end+n]
		}
		return text[from:]
	}
	return mention.MayHoldAI(line(before)) || mention.MayHoldAI(line(after))
}
