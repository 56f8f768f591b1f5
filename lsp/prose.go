package lsp

import (
	"context"
	"strings"

	"coauthor/agent/mention"
)

// proseAt is what a selection says, where it is one of prose: a text for people, comments, or a prompt document. "" is for
// everything else. In a file of the folder it is no command, whatever it begins with: those are what the user writes.
func (s *server) proseAt(ctx context.Context, place actionPlace, prompt bool) string {
	if !place.selection || place.doc.Path == "" {
		return ""
	}
	t := s.targetIn(place.doc, &place.rng)
	said, err := mention.Prose(ctx, place.doc.Path, place.doc.Text, t.start, t.end)
	if err != nil || !prompt && strings.HasPrefix(said, "/") {
		return ""
	}
	return said
}
