package lsp

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/aicomment"
	"coauthor/agent/mention"
	"coauthor/agent/workspace"
	"coauthor/lsp/chat"
	"coauthor/lsp/document"
	"coauthor/lsp/wire"
)

// Comments that are marked for the model are offered where they stand, and done by command or when their file is saved.

// markedComments are the marked comments of the document of a folder that was looked at last: editors ask at every move of
// the cursor. And the files there that were saved while a turn ran. The zero value is ready.
type markedComments struct {
	mu      sync.Mutex
	of      *openDocument       // guarded by mu
	list    []mention.AIComment // guarded by mu; of that document
	waiting []string            // guarded by mu; paths, in the order in which they were saved
}

// in lists the marked comments of a document.
func (m *markedComments) in(ctx context.Context, doc *openDocument) []mention.AIComment {
	m.mu.Lock()
	known, list := m.of == doc, m.list
	m.mu.Unlock()
	if known {
		return list
	}
	list, err := mention.AIComments(ctx, doc.Path, doc.Text)
	if err != nil {
		return nil // ctx is over, or the text cannot be parsed in any useful time
	}
	m.mu.Lock()
	m.of, m.list = doc, list
	m.mu.Unlock()
	return list
}

// wait notes a file whose comments wait for the end of a turn.
func (m *markedComments) wait(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !slices.Contains(m.waiting, path) {
		m.waiting = append(m.waiting, path)
	}
}

// next takes out the file that waits longest; "" for none.
func (m *markedComments) next() (path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.waiting) > 0 {
		path, m.waiting = m.waiting[0], m.waiting[1:]
	}
	return path
}

// linesAround is how far the mark of a comment is looked for from the place that was asked about.
const linesAround = 40

// commentAt says what a marked comment at a place wants; "" for none. Nearly always the lines around have no mark, and
// then nothing is parsed.
func (s *server) commentAt(ctx context.Context, place actionPlace, ours bool) mention.AIKind {
	doc := place.doc
	if ours || doc.Path == "" {
		return ""
	}
	t := s.targetIn(doc, &place.rng)
	if !mention.MayHoldAI(doc.Text[linesFrom(doc.Text, t.start, -linesAround):linesFrom(doc.Text, t.end, linesAround)]) {
		return ""
	}
	first, last := linesOf(doc.Text, t.start, t.end)
	kind := mention.AIKind("")
	for _, c := range doc.Root.comments.in(ctx, doc) {
		if c.First <= last && first <= c.Last && c.Kind != mention.AINote && kind != mention.AIDo {
			kind = c.Kind
		}
	}
	if kind != "" && s.watchedComments(ctx, doc.Root) == "off" {
		return ""
	}
	return kind
}

// watchedComments is the setting. It is read from files, which may hang; then it is what it is by default.
func (s *server) watchedComments(ctx context.Context, r *rootState) string {
	read := make(chan string, 1)
	go func() { read <- s.settings(r).WatchComments }() // ends when the disk answers
	select {
	case v := <-read:
		return v
	case <-time.After(s.opts.within(placeWithin)):
	case <-ctx.Done():
	}
	return "action"
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

// linesOf are the lines of a selection, from 0. One that ends at the beginning of a line does not take it in.
func linesOf(text string, start, end int) (first, last int) {
	if end > start && text[end-1] == '\n' {
		end--
	}
	first = strings.Count(text[:start], "\n")
	return first, first + strings.Count(text[start:end], "\n")
}

// cmdDoComments starts a turn for the marked comments of a place.
func (s *server) cmdDoComments(ctx context.Context, c *commandCall) (any, error) {
	r, at := c.target.root, aicomment.Place{Last: -1}
	if c.args.URI != "" {
		if at.Path = c.target.path; at.Path == "" {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s is not in an open folder; save it there first", c.args.URI)
		}
	}
	if at.Path != "" && c.args.Range != nil {
		text, err := c.target.snapshot.Within(ctx).Read(at.Path)
		if err != nil {
			return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "read %s: %v", at.Path, err)
		}
		at.First, at.Last = linesOf(text, min(c.target.start, len(text)), min(c.target.end, len(text)))
	}
	if r.dir == "" {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "cannot look for comments: no folder is open; open a file or folder first")
	}
	started, err := s.startComments(ctx, r, at, agent.Request{Model: c.args.Model, Preview: c.args.Preview}, c)
	if errors.Is(err, aicomment.ErrNone) {
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+err.Error()+".")
		return startResult{Status: "none"}, nil
	}
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	if started.Status == agent.StatusBusy {
		return startResult{TurnID: started.Busy, Status: started.Status}, nil
	}
	return startResult{TurnID: started.Turn, Status: started.Status}, nil
}

// startComments starts the turn. c is the command that asked for it; nil for none.
func (s *server) startComments(ctx context.Context, r *rootState, at aicomment.Place, req agent.Request, c *commandCall) (agent.Started, error) {
	req.Label = "AI comments" // until the session has read them
	if at.Path != "" {
		req.Label = "AI comments in " + at.Path
	}
	var snapshot *workspace.Snapshot
	if c != nil {
		snapshot = c.target.snapshot
	}
	resolved, err := r.session.DoComments(ctx, at, req, snapshot)
	if err != nil {
		return agent.Started{}, err
	}
	return s.start(r, resolved, snapshot, chat.From{})
}

// savedComments starts a turn for the marked comments of a file that was saved, where the user has set that. While
// another turn runs they wait for its end.
func (s *server) savedComments(doc *openDocument) {
	if doc.Path == "" || doc.Root.dir == "" || kindOf(doc.URI, doc.Path) != document.Users || !mention.MayHoldAI(doc.Text) {
		return
	}
	s.tasks.Background(func(ctx context.Context) {
		s.config.wait(ctx)
		doc.Root.writing.settled(ctx, doc.URI)
		s.commentsOf(ctx, doc.Root, doc.Path)
	})
}

func (s *server) commentsOf(ctx context.Context, r *rootState, path string) {
	if s.settings(r).WatchComments != "onSave" {
		return
	}
	started, err := s.startComments(ctx, r, aicomment.Place{Path: path, Last: -1, Saved: true}, agent.Request{}, nil)
	var came *aicomment.CameWithFileError
	switch {
	case errors.Is(err, aicomment.ErrNone), ctx.Err() != nil:
	case errors.As(err, &came):
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+came.Error()+". To run it, choose the code action on the comment.")
	case err != nil:
		s.client.ShowMessage(protocol.MessageTypeError, "Coauthor: "+err.Error())
	case started.Status == agent.StatusBusy:
		r.comments.wait(path)
		if len(r.session.Turns.List()) == 0 { // it has ended meanwhile
			s.waitingComments(ctx, r)
		}
	}
}

// waitingComments goes on with a file that was saved while a turn ran that has ended.
func (s *server) waitingComments(ctx context.Context, r *rootState) {
	if path := r.comments.next(); path != "" {
		s.commentsOf(ctx, r, path)
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
	if !alone || !s.tasks.Background(func(ctx context.Context) {
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
