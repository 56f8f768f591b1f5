package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"coauthor/agent/proposal"
)

// Where a client tells later than it changes, what it was sent counts until then (package deliver). What
// it tells in the end is the proof.

// sent says whether a document reads what the client was sent for it before.
func sent(doc *openDocument) bool {
	if doc.Path == "" {
		return false
	}
	text, err := doc.Root.ws.Snapshot().Read(doc.Path)
	return err == nil && text == doc.Text
}

// proved compares what the client tells of a document with what it was sent, where that was not seen
// so far. It is called before the document is stored.
func (s *server) proved(doc *openDocument) {
	change, ok := doc.Root.ws.TakeSent(doc.Path)
	if !ok || doc.Lost {
		return
	}
	if state, _ := proposal.Check(change, &doc.Text, nil); state == proposal.LandLanded {
		return
	}
	s.tasks.background(func(context.Context) {
		s.client.ShowMessage(protocol.MessageTypeWarning, fmt.Sprintf("Coauthor: %[1]s does not match the text that your editor reported: "+
			"the change is missing or in the wrong place. Check %[1]s before you save it.", doc.Path))
	})
}
