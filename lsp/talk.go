package lsp

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent/proposal"
	"coauthor/agent/vcs"
	"coauthor/edits"
	"coauthor/lsp/deliver"
	"coauthor/lsp/review"
)

// The conversation of a session stands in one prompt document: package review has its form, and this file has it written.
// Where the client has the document open it is changed by edits that leave alone what the user is writing, else on disk. So
// nothing is ever written behind the back of an editor that has it open, which would then refuse to save it.

// talk is the conversation of a root. The zero value is ready.
type talk struct {
	writing sync.Mutex // held while a document of it is written
	filing  sync.Mutex // held while a file of it is read and written; never while the client is waited for

	mu   sync.Mutex
	path string // guarded by mu; of its document; "" where none was used yet
	turn string // guarded by mu; that was run in the document last, which the next instruction there goes on with

	later []func(doc string) string // guarded by mu; what was not written into path yet, since nothing unsaved stood there

	alien map[string]bool // guarded by mu; whether a document that was there before us is the repository's
}

// use makes a document that of the conversation. turn is that which the next instruction there goes on with, "" for none.
func (t *talk) use(path, turn string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.path != path {
		t.later = nil
	}
	t.path, t.turn = path, turn
}

// postpone has something written into a document with what is written there next.
func (t *talk) postpone(path string, change func(doc string) string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.path != path {
		t.path, t.later = path, nil
	}
	t.later = append(t.later, change)
}

// postponed is what is still to be written into a document, and how many things that are.
func (t *talk) postponed(path string) (change func(doc string) string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []func(string) string
	if t.path == path {
		list = slices.Clone(t.later)
	}
	return func(doc string) string {
		for _, one := range list {
			doc = one(doc)
		}
		return doc
	}, len(list)
}

// caughtUp says that so many of the postponed things are written.
func (t *talk) caughtUp(path string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.path == path {
		t.later = t.later[min(n, len(t.later)):]
	}
}

func (t *talk) now() (path, turn string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.path, t.turn
}

// mostTalk is how long a document may be that a conversation goes on in.
const mostTalk = 1 << 20

// talkDocument is the document of a root's conversation: that which was used last, else the newest that there is, as after a
// restart; "" where there is none, or the newest is one that the repository brought. writable is false where it is open in a client that cannot be asked to change it.
func (s *server) talkDocument(ctx context.Context, r *rootState) (path string, writable bool) {
	if r.dir == "" {
		return "", false
	}
	path, _ = r.talk.now()
	if path == "" || !s.docs.hasPrompt(r, path) {
		path = s.prompts(r).Last()
		if path != "" && s.alienTalk(ctx, r, path) {
			path = ""
		}
	}
	if path == "" {
		return "", true
	}
	doc, open := s.docs.document(r, path)
	if open && len(doc.Text) > mostTalk {
		return "", true
	}
	return path, !open || s.editsTalk()
}

// alienTalk says whether git tracks a prompt document that this server has not used yet, or may: then it is of the
// repository, which could put words into the user's mouth there, and to write into it would be seen by everybody.
func (s *server) alienTalk(ctx context.Context, r *rootState, path string) bool {
	r.talk.mu.Lock()
	alien, known := r.talk.alien[path]
	r.talk.mu.Unlock()
	if known {
		return alien
	}
	alien, err := vcs.Tracks(ctx, r.dir, path)
	if err != nil {
		s.log.Info("not touching an existing prompt document", "path", path, "err", err)
		return true
	}
	r.talk.mu.Lock()
	defer r.talk.mu.Unlock()
	if r.talk.alien == nil {
		r.talk.alien = map[string]bool{}
	}
	r.talk.alien[path] = alien
	return alien
}

// hasPrompt says whether a prompt document is there, open or on disk.
func (d *documents) hasPrompt(r *rootState, path string) bool {
	_, open := d.document(r, path)
	return open || r.ws.Door().OnDisk(path)
}

// editsTalk says whether a document of a conversation can be changed while it is open: not where the user would be asked
// about each step.
func (s *server) editsTalk() bool { return s.client.Caps.ApplyEdit && !s.client.Quirks.AsksItself }

// leavesClean says whether a document of a conversation is to be left alone: it has nothing unsaved, and its user would be
// asked about what was written into it when they leave their editor.
func (s *server) leavesClean(ctx context.Context, r *rootState, name string) bool {
	doc, open := s.docs.document(r, name)
	if !open || !s.client.Quirks.ModifiedStays || s.tasks.Ending() {
		return false
	}
	disk, err := r.ws.Door().DiskText(ctx, name)
	return err == nil && disk == doc.Text
}

// catchUp writes what was postponed, once the user has changed the document or closed it.
func (s *server) catchUp(r *rootState, name string) {
	if _, n := r.talk.postponed(name); n == 0 {
		return
	}
	s.tasks.Background(func(ctx context.Context) {
		s.awaitCalm(ctx, r, name)
		if !s.leavesClean(ctx, r, name) {
			s.writeTalk(ctx, r, name, func(text string) string { return text })
		}
	})
}

// talkTries is how often an edit is made again, of what the user has typed meanwhile.
const talkTries = 20

// talkPause is how long is waited before it is.
const talkPause = 100 * time.Millisecond

// How long a document is left alone before it is written, and how long that is waited for: Neovim tells its user of every
// edit that comes too late for what they have typed.
const talkCalm, talkCalmLimit = 400 * time.Millisecond, 2 * time.Second

// awaitCalm waits for a pause in what the user types into a document.
func (s *server) awaitCalm(ctx context.Context, r *rootState, name string) {
	ctx, release := s.tasks.WhileAnswered(ctx)
	defer release()
	calm, limit := s.delivery.landings.Scaled(talkCalm), s.delivery.landings.Scaled(talkCalmLimit)
	for waited := time.Duration(0); waited < limit; {
		doc, open := s.docs.document(r, name)
		if !open || s.tasks.Ending() {
			return
		}
		left := calm - s.opts.Clock().Sub(doc.Document.Changed)
		if left <= 0 || s.opts.Sleep(ctx, left) != nil {
			return
		}
		waited += left
	}
}

// writeTalk has a prompt document read as change makes it. It says whether that is so now.
func (s *server) writeTalk(ctx context.Context, r *rootState, name string, change func(text string) string) bool {
	r.talk.writing.Lock()
	defer r.talk.writing.Unlock()
	before, postponed := r.talk.postponed(name)
	if s.leavesClean(ctx, r, name) {
		before, postponed = func(text string) string { return text }, 0 // they go with what the user writes there
	}
	last := change
	change = func(text string) string { return withBecame(r, last(before(text))) }
	done := s.writesTalk(ctx, r, name, change)
	if done {
		r.talk.caughtUp(name, postponed)
	}
	return done
}

// writesTalk is writeTalk without what was postponed.
func (s *server) writesTalk(ctx context.Context, r *rootState, name string, change func(text string) string) bool {
	for try := 0; try < talkTries && ctx.Err() == nil; try++ {
		open, is := s.docs.document(r, name)
		if is && s.tasks.Ending() { // it takes no edits any more, and saves nothing
			s.keepText(ctx, open)
		}
		if !is || s.tasks.Ending() {
			return s.writeClosedTalk(ctx, r, name, change)
		}
		if !s.editsTalk() {
			return false
		}
		doc, err := r.ws.Snapshot().Document(name)
		if err != nil || doc.Lost {
			return false
		}
		after := change(doc.Text)
		if after == doc.Text {
			return true
		}
		step := proposal.Step{Change: edits.Change{Op: edits.OpUpdate, Path: name, Before: doc.Text, After: after},
			Hunks: edits.Diff(doc.Text, after), Open: true, Version: doc.Version}
		landed, err := s.deliverTalk(ctx, r, step)
		if s.tasks.Ending() && (err != nil || len(landed) == 0 || landed[0].State != proposal.LandLanded) {
			continue // the file takes it
		}
		if err != nil || len(landed) == 0 {
			return false
		}
		switch one := landed[0]; one.State {
		case proposal.LandLanded:
			return true
		case proposal.LandUnknown:
			s.log.Info("unknown whether a conversation was written", "path", name, "why", one.Reason)
			return one.Awaited
		default:
			s.log.Debug("writing a conversation again", "path", name, "why", one.Reason)
		}
		if s.pauseTalk(ctx) != nil && !s.tasks.Ending() {
			return false
		}
	}
	return false
}

// deliverTalk delivers a step of a conversation, as long as the client answers.
func (s *server) deliverTalk(ctx context.Context, r *rootState, step proposal.Step) ([]proposal.Landed, error) {
	ctx, release := s.tasks.WhileAnswered(ctx)
	defer release()
	return s.applier(r, deliver.Options{Own: true}).Deliver(ctx, "", []proposal.Step{step})
}

// pauseTalk waits before an edit is made again.
func (s *server) pauseTalk(ctx context.Context) error {
	ctx, release := s.tasks.WhileAnswered(ctx)
	defer release()
	return s.opts.Sleep(ctx, talkPause)
}

// writeClosedTalk is writeTalk for a document that is not open, or whose client ends, which is made where there is none.
func (s *server) writeClosedTalk(ctx context.Context, r *rootState, name string, change func(text string) string) bool {
	r.talk.filing.Lock()
	defer r.talk.filing.Unlock()
	text, err := r.ws.Door().DiskText(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		text, _, err = review.PromptHead{}.Document(review.PromptHint(s.opts.Coders.Names(), r.session.Chosen.Get().String()))
	}
	if err == nil {
		_, err = r.ws.StateDocument(path.Base(name), change(text))
	}
	if err != nil {
		s.log.Info("conversation not written", "path", name, "err", err)
	}
	return err == nil
}

// showTalk opens a document of the conversation at a section, where the client does not show it already. It returns what to
// tell the user where it could not be opened.
func (s *server) showTalk(ctx context.Context, r *rootState, name string, at review.Section) string {
	ctx, release := s.tasks.WhileAnswered(ctx)
	defer release()
	doc := s.prompts(r).At(name)
	if open, is := s.docs.document(r, name); is { // to move the cursor there would be in the way of whoever writes
		doc.URI = open.URI
		if shown, err := s.client.ShowDocument(ctx, doc.URI, false, nil); !shown {
			s.log.Info("conversation not shown by the client", "uri", doc.URI, "err", err)
			return "open " + doc.Abs
		}
		return ""
	}
	var place *protocol.Range
	if text, err := r.ws.Door().DiskText(ctx, name); err == nil {
		if line, ok := review.LineOf(text, at); ok {
			there := protocol.Position{Line: uint32(line)}
			place = &protocol.Range{Start: there, End: there}
		}
	}
	shown, err := s.client.ShowDocument(ctx, doc.URI, false, place)
	if shown {
		return ""
	}
	s.log.Info("conversation not opened by the client", "uri", doc.URI, "err", err)
	return "open " + doc.Abs
}
