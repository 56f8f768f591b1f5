package folder

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/aicomment"
	"coauthor/agent/mention"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
	"coauthor/lsp/wire"
)

// CommentsOptions are what Comments are made of. All are required.
type CommentsOptions struct {
	Session *agent.Session
	Dir     string // OS path of the folder; "" is none, where there are no comments
	Client  *client.Client
	Tasks   *wire.Tasks
	// Moment is how long the goroutine that reads waits for the disk.
	Moment time.Duration
	// Ready waits until the client has told its settings.
	Ready func(ctx context.Context)
	// Watch is the setting that says what marked comments do: "off", "action" or "onSave".
	Watch func() string
	// Start starts a turn for the comments of a file that was saved.
	Start func(ctx context.Context, path string) (agent.Started, error)
}

// Comments are the marked comments in the files of a folder: they are offered where they stand, and done by command or when
// their file is saved. It is safe for concurrent use.
type Comments struct {
	o       CommentsOptions
	writing writing

	mu      sync.Mutex
	of      *Document           // guarded by mu; that was looked at last: editors ask at every move of the cursor
	list    []mention.AIComment // guarded by mu; of that document
	waiting []string            // guarded by mu; paths that were saved while a turn ran, in the order in which they were
}

// NewComments returns the comments of a folder.
func NewComments(o CommentsOptions) *Comments { return &Comments{o: o} }

// in lists the marked comments of a document.
func (c *Comments) in(ctx context.Context, doc *Document) []mention.AIComment {
	c.mu.Lock()
	known, list := c.of == doc, c.list
	c.mu.Unlock()
	if known {
		return list
	}
	list, err := mention.AIComments(ctx, doc.Path, doc.Text)
	if err != nil {
		return nil // ctx is over, or the text cannot be parsed in any useful time
	}
	c.mu.Lock()
	c.of, c.list = doc, list
	c.mu.Unlock()
	return list
}

// wait notes a file whose comments wait for the end of a turn.
func (c *Comments) wait(path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.waiting, path) {
		c.waiting = append(c.waiting, path)
	}
}

// next takes out the file that waits longest; "" for none.
func (c *Comments) next() (path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) > 0 {
		path, c.waiting = c.waiting[0], c.waiting[1:]
	}
	return path
}

// linesAround is how far the mark of a comment is looked for from the place that was asked about.
const linesAround = 40

// At says what a marked comment between two offsets of a document wants; "" for none. Nearly always the lines around have no
// mark, and then nothing is parsed.
func (c *Comments) At(ctx context.Context, doc *Document, start, end int) mention.AIKind {
	if doc.Path == "" || !mention.MayHoldAI(doc.Text[linesFrom(doc.Text, start, -linesAround):linesFrom(doc.Text, end, linesAround)]) {
		return ""
	}
	first, last := LinesOf(doc.Text, start, end)
	kind := mention.AIKind("")
	for _, one := range c.in(ctx, doc) {
		if one.First <= last && first <= one.Last && one.Kind != mention.AINote && kind != mention.AIDo {
			kind = one.Kind
		}
	}
	if kind != "" && c.watched(ctx) == "off" {
		return ""
	}
	return kind
}

// watched is the setting. It is read from files, which may hang; then it is what it is by default.
func (c *Comments) watched(ctx context.Context) string {
	read := make(chan string, 1)
	go func() { read <- c.o.Watch() }() // ends when the disk answers
	select {
	case v := <-read:
		return v
	case <-time.After(c.o.Moment):
	case <-ctx.Done():
	}
	return "action"
}

// Saved starts a turn for the marked comments of a file that was saved, where the user has set that. While another turn runs
// they wait for its end. It returns at once.
func (c *Comments) Saved(doc *Document) {
	if doc.Path == "" || c.o.Dir == "" || KindOf(doc.URI, doc.Path) != document.Users || !mention.MayHoldAI(doc.Text) {
		return
	}
	c.o.Tasks.Background(func(ctx context.Context) {
		c.o.Ready(ctx)
		c.writing.settled(ctx, doc.URI)
		c.start(ctx, doc.Path)
	})
}

func (c *Comments) start(ctx context.Context, path string) {
	if c.o.Watch() != "onSave" {
		return
	}
	started, err := c.o.Start(ctx, path)
	var came *aicomment.CameWithFileError
	switch {
	case errors.Is(err, aicomment.ErrNone), ctx.Err() != nil:
	case errors.As(err, &came):
		c.o.Client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+came.Error()+". To run it, choose the code action on the comment.")
	case err != nil:
		c.o.Client.ShowMessage(protocol.MessageTypeError, "Coauthor: "+err.Error())
	case started.Status == agent.StatusBusy:
		c.wait(path)
		if len(c.o.Session.Turns.List()) == 0 { // it has ended meanwhile
			c.GoOn(ctx)
		}
	}
}

// GoOn goes on with a file that was saved while a turn ran that has ended.
func (c *Comments) GoOn(ctx context.Context) {
	if path := c.next(); path != "" {
		c.start(ctx, path)
	}
}

// Written has noted what a change of the user's does to marked comments. It runs on the goroutine that reads, and
// waits a moment for the disk, which nearly always is enough: then the file is looked at before the editor saves it.
func (c *Comments) Written(before, after *Document) {
	if after.Path == "" || c.o.Dir == "" || after.Lost || KindOf(after.URI, after.Path) != document.Users || !touchesMarks(before.Text, after.Text) {
		return
	}
	one, alone := c.writing.add(before, after)
	if !alone || !c.o.Tasks.Background(func(ctx context.Context) {
		for job := one; job != nil; job = c.writing.done(after.URI) {
			if c.o.Watch() == "onSave" {
				c.o.Session.Comments.Wrote(ctx, job.after.Path, job.before.Text, job.after.Text)
			}
		}
	}) {
		return // the changes before it are late already, or the connection ends
	}
	select {
	case <-one.noted:
	case <-time.After(c.o.Moment):
	}
}

// writing has the session of a folder note which marked comments the user writes: of each document one change after the other, and of
// one whose disk hangs nothing. The zero value is ready.
type writing struct {
	mu   sync.Mutex
	left map[string][]*written // guarded by mu; by the document's key; the first one is being noted
}

// written is a change of a document, or several that follow each other.
type written struct {
	before, after *Document
	noted         chan struct{} // closed when the session has noted it
}

// add notes a change as left to do. alone says that nothing else of the document is.
func (w *writing) add(before, after *Document) (one *written, alone bool) {
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

// linesFrom is the offset of the beginning of a line so many lines before, or of the end of one so many behind.
func linesFrom(text string, at, lines int) int {
	for ; lines < 0 && at > 0; lines++ {
		at = max(strings.LastIndexByte(text[:at], '\n'), 0)
	}
	for ; lines > 0 && at < len(text); lines-- {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return len(text)
		}
		at += n + 1
	}
	return at
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

// LinesOf are the lines of a selection, from 0. One that ends at the beginning of a line does not take it in.
func LinesOf(text string, start, end int) (first, last int) {
	if end > start && text[end-1] == '\n' {
		end--
	}
	first = strings.Count(text[:start], "\n")
	return first, first + strings.Count(text[start:end], "\n")
}
