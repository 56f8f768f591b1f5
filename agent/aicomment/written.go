package aicomment

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"coauthor/agent/mention"
)

// writtenComments are the marked lines of comments that the user wrote in an editor. What came with a file is none: no
// sign of git tells a merge, a popped stash or a patch from a file that somebody saved, so it counts only what an editor
// had before the file had it. The zero value is ready.
type writtenComments struct {
	mu     sync.Mutex
	byPath map[string]map[string]bool // guarded by mu; by path, the lines as lineSaid gives them
}

// lineSaid is what a marked line says, without what a formatter changes about it.
func lineSaid(c mention.AIComment) string { return string(c.Kind) + " " + c.Said }

// Wrote notes which marked comments of an open document the user wrote: those that a change of it brought and
// that its file does not have at this moment. An editor that reads a file again brings what the file has already.
func (t *Tracker) Wrote(ctx context.Context, path, before, after string) {
	disk, err := t.ws.Door().DiskText(ctx, path) // first, before anybody saves
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return
	}
	had := map[string]bool{}
	for _, text := range []string{before, disk} {
		list, err := mention.AIComments(ctx, path, text)
		if err != nil {
			return
		}
		for _, c := range list {
			had[lineSaid(c)] = true
		}
	}
	list, err := mention.AIComments(ctx, path, after)
	if err != nil {
		return
	}
	k := &t.written
	k.mu.Lock()
	defer k.mu.Unlock()
	now := map[string]bool{}
	for _, c := range list {
		if one := lineSaid(c); k.byPath[path][one] || !had[one] {
			now[one] = true
		}
	}
	if k.byPath == nil {
		k.byPath = map[string]map[string]bool{}
	}
	if k.byPath[path] = now; len(now) == 0 {
		delete(k.byPath, path)
	}
}

// ForgetWritten forgets what the user wrote in a document, which is opened as something else than it was.
func (t *Tracker) ForgetWritten(path string) {
	t.written.mu.Lock()
	defer t.written.mu.Unlock()
	delete(t.written.byPath, path)
}

// of leaves the comments of files that the user wrote, and the hints.
func (k *writtenComments) of(files []Marked) []Marked {
	k.mu.Lock()
	defer k.mu.Unlock()
	list := make([]Marked, len(files))
	for i, f := range files {
		list[i] = Marked{f.Path, slices.DeleteFunc(slices.Clone(f.List), func(c mention.AIComment) bool {
			return c.Kind != mention.AINote && !k.byPath[f.Path][lineSaid(c)]
		})}
	}
	return list
}

// CameWithFileError says that a file was saved whose marked comments nobody wrote in the editor, as far as it told.
type CameWithFileError struct {
	Path  string
	Count int
}

func (e *CameWithFileError) Error() string {
	what, it := "1 comment", "it"
	if e.Count != 1 {
		what, it = fmt.Sprintf("%d comments", e.Count), "them"
	}
	return fmt.Sprintf("did not start a request for %s marked AI! or AI? in %s because the file on disk already contained %s", what, e.Path, it)
}
