package agent

import (
	"context"
	"slices"

	"coauthor/agent/llm"
	"coauthor/agent/mention"
)

// unshown are the files that the reply may speak of: those that the map or the reply itself names and
// that the model was not shown.
func (s *settling) unshown() []string {
	var known []string
	for _, f := range s.c.Map.Files {
		known = append(known, f.Path)
	}
	known = append(known, s.c.Unshown...)
	for _, w := range mention.Words(s.r.Text) {
		if s.c.Base.Exists(w) {
			known = append(known, w)
		}
	}
	return slices.DeleteFunc(known, func(path string) bool { return s.c.inChat(path) || slices.Contains(s.c.ReadOnly, path) })
}

const theModelMentions = "The model mentioned %s, which it has not seen. Add to the chat?"

// offerMentioned offers files that a reply without edits names: the prompts tell the model to ask for files in one. Beside
// edits, and in the answer to a question, nothing is offered: whether a model that names a file there asks for it, only
// its words tell, and those are the user's to read.
func (s *settling) offerMentioned(ctx context.Context, named []string) (err error) {
	if s.r.Finish != llm.FinishStop {
		return nil
	}
	s.out.Feedback.Added, err = s.offer(ctx, s.c.seen.Without(named), theModelMentions)
	return err
}

// mentioned are the files that the reply names and that the model was not shown.
func (s *settling) mentioned() []string {
	return mention.Files(s.r.Text, s.unshown(), slices.Concat(s.c.Chat, s.c.ReadOnly)...)
}
