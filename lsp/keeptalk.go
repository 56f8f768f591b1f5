package lsp

import (
	"context"
	"path"
	"time"

	"coauthor/lsp/review"
)

// What a conversation says is not lost with the buffer that it was written into: when a document of it is closed without being
// saved, or the editor is gone, the file gets it. So whoever leaves their editor need not save a document that is not theirs.

// keepTalk writes a prompt document that the client has closed to its file, where answers stand in it that the file lacks,
// and the file holds nothing that it lacks itself.
func (s *server) keepTalk(ctx context.Context, doc *openDocument) {
	r := doc.Root
	r.talk.writing.Lock()
	defer r.talk.writing.Unlock()
	if _, open := s.docs.document(r, doc.Path); !open { // else it was opened again
		s.keepText(ctx, doc)
	}
}

// keepTalks is keepTalk for all documents when the client is gone.
func (s *server) keepTalks() {
	for _, doc := range s.docs.All() {
		s.keepText(context.Background(), doc)
	}
}

// keepWithin is how long the end of a session waits for the disk.
const keepWithin = 500 * time.Millisecond

// keepTalksSoon is keepTalks for whoever cannot wait for a disk that hangs.
func (s *server) keepTalksSoon() {
	kept := make(chan struct{})
	if !s.tasks.Background(func(context.Context) {
		defer close(kept)
		s.keepTalks()
	}) {
		return
	}
	limit := time.NewTimer(keepWithin)
	defer limit.Stop()
	select {
	case <-kept:
	case <-limit.C:
	}
}

func (s *server) keepText(ctx context.Context, doc *openDocument) {
	r := doc.Root
	if !review.IsPrompt(doc.Path) || doc.Uncertain() {
		return
	}
	r.talk.filing.Lock()
	defer r.talk.filing.Unlock()
	disk, err := r.ws.Door().DiskText(ctx, doc.Path)
	if err != nil || !review.Newer(doc.Text, disk) {
		return // also where the user deleted the file
	}
	if _, err := r.ws.StateDocument(path.Base(doc.Path), doc.Text); err != nil {
		s.log.Info("conversation not saved", "path", doc.Path, "err", err)
	}
}
