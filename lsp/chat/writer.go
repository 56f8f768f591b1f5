package chat

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"sync"
	"time"

	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/deliver"
	"coauthor/lsp/review"
)

// writer writes the prompt documents of a folder: through the client where one is open, else to its file.
type writer struct {
	o       Options
	used    *used
	writing sync.Mutex // held while a document is written
	filing  sync.Mutex // held while a file is read and written; never while the client is waited for
}

// edits says whether a document of a conversation can be changed while it is open: not where the user would be asked
// about each step.
func (w *writer) edits() bool { return w.o.Client.Caps.ApplyEdit && !w.o.Client.Quirks.AsksItself }

// leavesClean says whether a document of a conversation is to be left alone: it has nothing unsaved, and its user would be
// asked about what was written into it when they leave their editor.
func (w *writer) leavesClean(ctx context.Context, name string) bool {
	doc, open := w.o.Open(name)
	if !open || !w.o.Client.Quirks.ModifiedStays || w.o.Tasks.Ending() {
		return false
	}
	disk, err := w.o.Workspace.Door().DiskText(ctx, name)
	return err == nil && disk == doc.Text
}

// catchUp writes what was postponed.
func (w *writer) catchUp(name string) {
	if _, n := w.used.postponed(name); n == 0 {
		return
	}
	w.o.Tasks.Background(func(ctx context.Context) {
		w.awaitCalm(ctx, name)
		if !w.leavesClean(ctx, name) {
			w.write(ctx, name, func(text string) string { return text })
		}
	})
}

// writeTries is how often an edit is made again, of what the user has typed meanwhile.
const writeTries = 20

// writePause is how long is waited before it is.
const writePause = 100 * time.Millisecond

// How long a document is left alone before it is written, and how long that is waited for: Neovim tells its user of every
// edit that comes too late for what they have typed.
const calmTime, calmLimit = 400 * time.Millisecond, 2 * time.Second

// awaitCalm waits for a pause in what the user types into a document.
func (w *writer) awaitCalm(ctx context.Context, name string) {
	ctx, release := w.o.Tasks.WhileAnswered(ctx)
	defer release()
	calm, limit := w.o.Landings.Scaled(calmTime), w.o.Landings.Scaled(calmLimit)
	for waited := time.Duration(0); waited < limit; {
		doc, open := w.o.Open(name)
		if !open || w.o.Tasks.Ending() {
			return
		}
		left := calm - w.o.Clock().Sub(doc.Changed)
		if left <= 0 || w.o.Sleep(ctx, left) != nil {
			return
		}
		waited += left
	}
}

// write has a prompt document read as change makes it, what was postponed, and what became of changes. It says whether that
// is so now.
func (w *writer) write(ctx context.Context, name string, change func(text string) string) bool {
	w.writing.Lock()
	defer w.writing.Unlock()
	before, postponed := w.used.postponed(name)
	if w.leavesClean(ctx, name) {
		before, postponed = func(text string) string { return text }, 0 // they go with what the user writes there
	}
	done := w.writes(ctx, name, func(text string) string { return w.withBecame(change(before(text))) })
	if done {
		w.used.caughtUp(name, postponed)
	}
	return done
}

// writes is write for one change.
func (w *writer) writes(ctx context.Context, name string, change func(text string) string) bool {
	for try := 0; try < writeTries && ctx.Err() == nil; try++ {
		open, is := w.o.Open(name)
		if is && w.o.Tasks.Ending() { // it takes no edits any more, and saves nothing
			w.keep(ctx, open)
		}
		if !is || w.o.Tasks.Ending() {
			return w.writeClosed(ctx, name, change)
		}
		if !w.edits() {
			return false
		}
		doc, err := w.o.Workspace.Snapshot().Document(name)
		if err != nil || doc.Lost {
			return false
		}
		after := change(doc.Text)
		if after == doc.Text {
			return true
		}
		step := proposal.Step{Change: edits.Change{Op: edits.OpUpdate, Path: name, Before: doc.Text, After: after},
			Hunks: edits.Diff(doc.Text, after), Open: true, Version: doc.Version}
		landed, err := w.deliver(ctx, step)
		if w.o.Tasks.Ending() && (err != nil || len(landed) == 0 || landed[0].State != proposal.LandLanded) {
			continue // the file takes it
		}
		if err != nil || len(landed) == 0 {
			return false
		}
		switch one := landed[0]; one.State {
		case proposal.LandLanded:
			return true
		case proposal.LandUnknown:
			w.o.Log.Info("unknown whether a conversation was written", "path", name, "why", one.Reason)
			return one.Awaited
		default:
			w.o.Log.Debug("writing a conversation again", "path", name, "why", one.Reason)
		}
		if w.pause(ctx) != nil && !w.o.Tasks.Ending() {
			return false
		}
	}
	return false
}

// deliver delivers a step of a conversation, as long as the client answers.
func (w *writer) deliver(ctx context.Context, step proposal.Step) ([]proposal.Landed, error) {
	ctx, release := w.o.Tasks.WhileAnswered(ctx)
	defer release()
	return w.o.Deliver(ctx, step)
}

// pause waits before an edit is made again.
func (w *writer) pause(ctx context.Context) error {
	ctx, release := w.o.Tasks.WhileAnswered(ctx)
	defer release()
	return w.o.Sleep(ctx, writePause)
}

// writeClosed is writes for a document that is not open, or whose client ends, which is made where there is none.
func (w *writer) writeClosed(ctx context.Context, name string, change func(text string) string) bool {
	w.filing.Lock()
	defer w.filing.Unlock()
	text, err := w.o.Workspace.Door().DiskText(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		text, _, err = review.PromptHead{}.Document(review.PromptHint(w.o.Coders, w.o.Session.Chosen.Get().String()))
	}
	if err == nil {
		_, err = w.o.Workspace.StateDocument(path.Base(name), change(text))
	}
	if err != nil {
		w.o.Log.Info("conversation not written", "path", name, "err", err)
	}
	return err == nil
}

// keep writes an open or closed document to its file, where answers stand in it that the file lacks.
func (w *writer) keep(ctx context.Context, doc deliver.Document) {
	if !review.IsPrompt(doc.Path) || doc.Uncertain {
		return
	}
	w.filing.Lock()
	defer w.filing.Unlock()
	disk, err := w.o.Workspace.Door().DiskText(ctx, doc.Path)
	if err != nil || !review.Newer(doc.Text, disk) {
		return // also where the user deleted the file
	}
	if _, err := w.o.Workspace.StateDocument(path.Base(doc.Path), doc.Text); err != nil {
		w.o.Log.Info("conversation not saved", "path", doc.Path, "err", err)
	}
}

// withBecame is a document of a conversation that says what became of the changes in it.
func (w *writer) withBecame(doc string) string {
	for _, one := range review.Sections(doc) {
		if one.Kind != review.SectionAnswer {
			continue
		}
		if state := w.o.Session.Proposals.Sent.BecameOf(one.ID); state != "" {
			doc = review.WithBecame(doc, one.ID, state)
		}
		if rounds := w.o.Session.Proposals.Sent.BecameOfRounds(one.ID); len(rounds) > 0 {
			doc = review.WithRounds(doc, one.ID, rounds)
		}
	}
	return doc
}
