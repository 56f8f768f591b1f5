package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/mention"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/edits/match"
)

// mostOffered is how many files a reply may ask for: of thousands none would be looked at.
const mostOffered = 20

// offerHeld offers the files of held-back edits. An edit of a file that the user adds is taken at
// once if its text stands there exactly; else the model is shown the file and asked again.
func (s *settling) offerHeld(ctx context.Context, held []edits.Failure) error {
	var paths []string
	of := map[string][]edits.Failure{}
	pathOf := map[int]string{}
	for _, f := range held {
		if of[f.Path] == nil {
			paths = append(paths, f.Path)
		}
		of[f.Path] = append(of[f.Path], f)
		pathOf[f.Edit] = f.Path
	}
	editsOf := map[string][]edits.Edit{}
	for _, e := range s.out.Edits {
		if path, ok := pathOf[e.Index]; ok {
			editsOf[path] = append(editsOf[path], e)
		}
	}
	added, err := s.offer(ctx, paths, "The model wants to change %s, which it has not seen. Add to the chat?")
	if err != nil {
		return err
	}
	state := &s.c.edits
	left := slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return slices.Contains(added, path) })
	s.out.Feedback.Declined = slices.Concat(s.out.Feedback.Declined, left)
	state.refused = slices.Clone(state.refused)
	for i, d := range s.d.door.CheckAll(ctx, left, workspace.OpSend) {
		message := left[i] + " is not one of the files of this request" + s.whyNot(left[i], d)
		for _, f := range of[left[i]] {
			f.Message = message
			state.refused = append(state.refused, f)
		}
	}
	for _, path := range added {
		result := s.applyEdits(ctx, editsOf[path], nil)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if exactly(editsOf[path], result) {
			s.take(result)
			continue
		}
		s.out.Feedback.Added = append(s.out.Feedback.Added, path)
		state.open = slices.Concat(state.open, of[path])
	}
	return ctx.Err()
}

// exactly says whether edits that were written blind fit the file to the letter. A whole new text
// written blind never does: it would drop what the model has not seen.
func exactly(list []edits.Edit, r edits.Result) bool {
	fits := 0
	for rung, n := range r.Rungs {
		if rung != match.RungExact {
			return false
		}
		fits += n
	}
	for _, e := range list {
		switch e.Kind {
		case edits.KindReplace:
			if strings.TrimSpace(e.Search) == "" {
				return false
			}
		case edits.KindHunk, edits.KindDelete, edits.KindRename:
		case edits.KindWhole:
			return false
		}
	}
	return len(r.Failures) == 0 && len(r.Changes) > 0
}

// offer puts files to the user, by the setting context.addMentioned, and returns those that were added.
// What may not be sent is never offered.
func (s *settling) offer(ctx context.Context, paths []string, question string) ([]string, error) {
	var open []string
	for i, d := range s.d.door.CheckAll(ctx, paths, workspace.OpSend) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		path := paths[i]
		if d.Verdict != workspace.Allow || slices.Contains(s.c.offered, path) || len(open) > mostOffered || !s.readable(path) {
			continue
		}
		open = append(open, path)
	}
	if len(open) > mostOffered {
		open = open[:mostOffered]
		s.note(event.Warning(fmt.Sprintf("The model mentioned %s it has not seen; only the first %d can be added.", display.Count(len(paths), "file"), mostOffered)))
	}
	paths = open
	how := s.c.Settings.AddMentioned
	if len(paths) == 0 || how == "never" {
		return nil, nil
	}
	s.c.offered = slices.Concat(s.c.offered, paths)
	names := strings.Join(paths, ", ")
	if how != "always" {
		it := "it"
		if len(paths) > 1 {
			it = "them"
		}
		yes, err := s.d.put.first(ctx, event.Question{Text: fmt.Sprintf(question, names), Choices: []string{"add", "skip"},
			Titles: []string{"add " + names + " to the chat", "skip " + it}})
		if err != nil || !yes {
			return nil, err
		}
	}
	s.note(event.Info("Added to the chat: " + names))
	s.c.Chat = slices.Concat(s.c.Chat, paths)
	s.c.Unshown = slices.DeleteFunc(slices.Clone(s.c.Unshown), s.c.inChat)
	s.out.Joined = slices.Concat(s.out.Joined, paths)
	return paths, nil
}

// readable says whether a file could be shown: its text is there, and not too large for the model.
func (s *settling) readable(path string) bool {
	_, err := s.c.Now.Read(path)
	_, ok := s.c.fits(path)
	return err == nil && ok
}

// whyNot says why a file could not even be offered, after what the door says of it; "" when it could.
func (s *settling) whyNot(path string, d workspace.Decision) string {
	if d.Verdict != workspace.Allow {
		return ": " + strings.TrimSuffix(d.Reason, ".")
	}
	if _, err := s.c.Now.Read(path); err != nil {
		return ": " + err.Error()
	}
	if tokens, ok := s.c.fits(path); !ok {
		return fmt.Sprintf(": its size of about %d tokens exceeds the model's limit", tokens)
	}
	return ""
}

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
