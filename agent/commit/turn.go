package commit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/settings"
	"coauthor/agent/vcs"
	"coauthor/edits"
)

// commitTime is how long a commit that nobody waits for may take, with the message and the hooks.
const commitTime = 10 * time.Minute

// commitTurn makes a commit of a turn whose changes are on disk, and tells what became of it.
func (s *Committer) commitTurn(ctx context.Context, u *unsaved, set settings.Settings) {
	ctx, cancel := context.WithTimeout(ctx, commitTime)
	defer cancel()
	c, err := s.committed(ctx, u, set)
	e := &event.Commit{Hash: c.Hash, Subject: c.Subject, Files: c.Files, Notes: c.Notes}
	switch {
	case s.o.Context.Err() != nil:
		return
	case errors.Is(err, vcs.ErrNotGit), errors.Is(err, vcs.ErrNothing):
		s.o.Log.Info("a turn was not committed", "turn", u.turn, "reason", err)
		return
	case errors.Is(err, context.DeadlineExceeded):
		e.Reason = fmt.Sprintf("it took longer than %s", commitTime)
	case err != nil:
		e.Reason = err.Error()
	}
	s.o.Emit(u.turn, event.Event{Kind: event.KindCommit, Commit: e})
}

// committed makes the commit of a turn, after one of what the user had changed in its files where the settings want
// that.
func (s *Committer) committed(ctx context.Context, u *unsaved, set settings.Settings) (Committed, error) {
	end, err := s.committer.begin(ctx)
	if err != nil {
		return Committed{}, err
	}
	defer end()
	var notes []string
	if set.Git.DirtyCommits {
		before, err := s.commitBefore(ctx, u, set)
		if err != nil && !errors.Is(err, vcs.ErrNothing) {
			return Committed{}, err
		}
		if err == nil {
			notes = append(before.Notes, "Your own changes are in a separate commit: "+before.String()+".")
		}
	}
	staged, err := s.tree.stageNothing(ctx)
	if err != nil {
		return Committed{}, err
	}
	defer s.tree.unstage(staged)
	var contents []vcs.Content
	var others []string
	for _, c := range u.changes {
		if skip, other, err := s.tree.notInGit(ctx, staged, c); err != nil {
			return Committed{}, err
		} else if skip {
			if other != "" {
				others = append(others, fmt.Sprintf("%s belongs to %s; commit it in that folder.", newName(c), other))
			}
			continue
		}
		more, err := s.tree.contents(ctx, staged, c)
		if err != nil {
			return Committed{}, err
		}
		contents = append(contents, more...)
	}
	switch {
	case len(contents) == 0 && len(others) > 0:
		return Committed{}, &vcs.Refused{Text: strings.Join(others, " ")}
	case len(contents) == 0:
		return Committed{}, vcs.ErrNothing
	}
	notes = append(notes, others...)
	if err := staged.AddTexts(ctx, contents); err != nil {
		return Committed{}, err
	}
	c, err := s.finish(ctx, staged, commitOfTurn, set, func(files []vcs.StagedFile) (string, []string, error) {
		message, notes, err := s.commitMessage(ctx, staged, set, s.saidIn(u), pathsIn(files))
		if set.Git.PrefixMessage {
			message = ours + ": " + message
		}
		if set.Git.CoAuthoredBy {
			message = strings.TrimRight(message, "\n") + "\n\nCo-authored-by: " + coAuthor(s.saved.model(u.turn)) + "\n"
		}
		return message, notes, err
	})
	c.Notes = append(notes, c.Notes...)
	return c, err
}

// coAuthor names the model that wrote a turn, as git writes people.
func coAuthor(model string) string {
	model = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune("<>()\x7f", r) {
			return -1
		}
		return r
	}, model)
	if model == "" {
		return fmt.Sprintf("%s <%s>", ours, oursAddress)
	}
	return fmt.Sprintf("%s (%s) <%s>", ours, model, oursAddress)
}

// saidIn is what was said in a turn.
func (s *Committer) saidIn(u *unsaved) said {
	about := said{label: u.label, asked: u.label}
	if asked, answer, ok := s.o.Said(u.turn); ok {
		about.asked, about.answer = asked, answer
	}
	return about
}

// commitBefore commits what the user had changed in the files of a turn before it. ErrNothing where that is nothing.
func (s *Committer) commitBefore(ctx context.Context, u *unsaved, set settings.Settings) (Committed, error) {
	staged, err := s.tree.stageNothing(ctx)
	if err != nil {
		return Committed{}, err
	}
	defer s.tree.unstage(staged)
	var contents []vcs.Content
	for _, c := range u.changes {
		if c.Op == edits.OpCreate {
			continue
		}
		if skip, _, err := s.tree.notInGit(ctx, staged, c); err != nil {
			return Committed{}, err
		} else if skip {
			continue
		}
		from := s.tree.realPath(ctx, c.Path)
		same, err := staged.Unchanged(ctx, from, c.Before)
		if err != nil {
			return Committed{}, err
		}
		if same {
			continue
		}
		head, tracked, err := staged.Committed(ctx, from)
		switch {
		case err != nil:
			return Committed{}, err
		case !tracked:
			contents = append(contents, vcs.Content{Path: from, Text: c.Before})
		case lineForm(head) != lineForm(c.Before):
			contents = append(contents, vcs.Content{Path: from, Text: inFormOf(head, lineForm(c.Before))})
		}
	}
	if len(contents) == 0 {
		return Committed{}, vcs.ErrNothing
	}
	if err := staged.AddTexts(ctx, contents); err != nil {
		return Committed{}, err
	}
	return s.finish(ctx, staged, commitOfUser, set, func(files []vcs.StagedFile) (string, []string, error) {
		return s.commitMessage(ctx, staged, set, said{}, pathsIn(files))
	})
}

// stageTurn stages the files of a turn whose changes are on disk.
func (s *Committer) stageTurn(ctx context.Context, u *unsaved) {
	ctx, cancel := context.WithTimeout(ctx, commitTime)
	defer cancel()
	var paths []string
	for _, c := range u.changes {
		for _, path := range touchedBy(c) {
			paths = append(paths, s.tree.realPath(ctx, path))
		}
	}
	err := vcs.Add(ctx, s.ws.Root(), paths)
	switch {
	case err == nil, s.o.Context.Err() != nil:
	case errors.Is(err, vcs.ErrNotGit):
		s.o.Log.Info("changed files were not staged", "turn", u.turn, "reason", err)
	default:
		n := event.Warning(fmt.Sprintf("Could not stage the changed files: %v.", err))
		s.o.Emit(u.turn, event.Event{Kind: event.KindNote, Note: &n})
	}
}
