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
	staged, err := s.stageNothing(ctx)
	if err != nil {
		return Committed{}, err
	}
	defer s.unstage(staged)
	var contents []vcs.Content
	var others []string
	for _, c := range u.changes {
		if skip, other, err := s.notInGit(ctx, staged, c); err != nil {
			return Committed{}, err
		} else if skip {
			if other != "" {
				others = append(others, fmt.Sprintf("%s belongs to %s; commit it in that folder.", newName(c), other))
			}
			continue
		}
		more, err := s.contents(ctx, staged, c)
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

// notInGit says whether a changed file is none of the repository's: git ignores it, or another repository has it.
func (s *Committer) notInGit(ctx context.Context, staged *vcs.Staged, c edits.Change) (skip bool, other string, err error) {
	name := newName(c)
	if other, err = staged.Elsewhere(ctx, s.realPath(ctx, name)); err != nil || other != "" {
		return true, other, err // of which git says not even whether it is ignored
	}
	ignored, err := vcs.CheckIgnore(ctx, s.ws.Root(), []string{name})
	return ignored[name] && c.Op != edits.OpRename, "", err
}

// newName is the name that a file has after a change.
func newName(c edits.Change) string {
	if c.Op == edits.OpRename {
		return c.To
	}
	return c.Path
}

// contents are the files of a commit that hold one change and nothing else.
func (s *Committer) contents(ctx context.Context, staged *vcs.Staged, c edits.Change) ([]vcs.Content, error) {
	from, to := s.realPath(ctx, c.Path), s.realPath(ctx, c.Path)
	var list []vcs.Content
	switch c.Op {
	case edits.OpDelete:
		return []vcs.Content{{Path: from, Gone: true}}, nil
	case edits.OpRename:
		to = s.realPath(ctx, c.To)
		list = append(list, vcs.Content{Path: from, Gone: true})
	case edits.OpCreate, edits.OpUpdate:
	}
	raw, err := s.ws.Door().Bytes(ctx, to)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", to, err)
	}
	if c.Op == edits.OpCreate {
		return append(list, vcs.Content{Path: to, Text: string(raw)}), nil
	}
	text, ok, err := savedText(c, raw)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, &vcs.Refused{Text: to + " is not UTF-8, so its change cannot be separated from yours. Commit it with git."}
	}
	same, err := staged.Unchanged(ctx, from, c.Before)
	if err != nil {
		return nil, err
	}
	if same {
		if lineForm(text) == lineForm(string(raw)) {
			text = string(raw) // what else the editor did when it saved is no change of anybody's
		}
		return append(list, vcs.Content{Path: to, Text: text}), nil
	}
	head, tracked, err := staged.Committed(ctx, from)
	switch {
	case err != nil:
		return nil, err
	case !tracked:
		return nil, &vcs.Refused{Text: from + " was not in git before the change, so the change cannot be committed separately. Commit the file with git, or turn on git.dirtyCommits."}
	}
	before, now := lineForm(c.Before), lineForm(string(raw))
	if text, err = edits.ApplyHunks(before, ofChange(before, lineForm(c.After), now)); err != nil {
		return nil, err
	}
	merged, clean := mergeTexts(before, lineForm(head), text)
	switch {
	case !clean:
		return nil, &vcs.Refused{Text: "The change to " + from + " builds on your uncommitted changes, so nothing was committed. Commit your changes with git, or turn on git.dirtyCommits."}
	case merged == now:
		return append(list, vcs.Content{Path: to, Text: string(raw)}), nil // all that differs is the turn's
	}
	return append(list, vcs.Content{Path: to, Text: inFormOf(head, merged)}), nil
}

// realPath is where a file lies that a symbolic link names.
func (s *Committer) realPath(ctx context.Context, path string) string {
	if d := s.ws.Door().Check(ctx, path, "read"); d.Target != "" {
		return d.Target
	}
	return path
}

// commitBefore commits what the user had changed in the files of a turn before it. ErrNothing where that is nothing.
func (s *Committer) commitBefore(ctx context.Context, u *unsaved, set settings.Settings) (Committed, error) {
	staged, err := s.stageNothing(ctx)
	if err != nil {
		return Committed{}, err
	}
	defer s.unstage(staged)
	var contents []vcs.Content
	for _, c := range u.changes {
		if c.Op == edits.OpCreate {
			continue
		}
		if skip, _, err := s.notInGit(ctx, staged, c); err != nil {
			return Committed{}, err
		} else if skip {
			continue
		}
		from := s.realPath(ctx, c.Path)
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
