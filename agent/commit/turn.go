package commit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/vcs"
	"coauthor/edits"
)

// commitTime is how long a commit that nobody waits for may take, with the message and the hooks.
const commitTime = 10 * time.Minute

// stageTime is how long a change waits at most for what is staged before it.
const stageTime = 10 * time.Second

// turnOnDisk stages a turn whose changes are on disk, or makes a commit of it, as the settings want.
func (k *Committer) turnOnDisk(ctx context.Context, u *unsaved, set settings.Settings) {
	switch {
	case set.Git.Mode == settings.GitStage:
		k.stageTurn(ctx, u)
	case set.Git.Commits():
		k.commitTurn(ctx, u, set)
	}
}

// commitTurn makes a commit of a turn whose changes are on disk, and tells what became of it.
func (k *Committer) commitTurn(ctx context.Context, u *unsaved, set settings.Settings) {
	ctx, cancel := context.WithTimeout(ctx, commitTime)
	defer cancel()
	c, err := k.committed(ctx, u, set)
	e := &event.Commit{Hash: c.Hash, Subject: c.Subject, Files: c.Files, Notes: c.Notes}
	switch {
	case k.o.Context.Err() != nil:
		return
	case errors.Is(err, vcs.ErrNotGit), errors.Is(err, vcs.ErrNothing):
		k.o.Log.Info("a turn was not committed", "turn", u.turn, "reason", err)
		return
	case errors.Is(err, context.DeadlineExceeded):
		e.Reason = fmt.Sprintf("it took longer than %s", commitTime)
	case err != nil:
		e.Reason = err.Error()
	}
	k.o.Emit(u.turn, event.Event{Kind: event.KindCommit, Commit: e})
}

// committed makes the commit of a turn, after one of what the user had changed in its files where the settings want
// that.
func (k *Committer) committed(ctx context.Context, u *unsaved, set settings.Settings) (Committed, error) {
	end, err := k.committer.begin(ctx)
	if err != nil {
		return Committed{}, err
	}
	defer end()
	var notes []string
	if set.Git.Mode == settings.GitCommitAll {
		before, err := k.commitBefore(ctx, u, set)
		if err != nil && !errors.Is(err, vcs.ErrNothing) {
			return Committed{}, err
		}
		if err == nil {
			notes = append(before.Notes, "Your own changes are in a separate commit: "+before.String()+".")
		}
	}
	staged, err := k.tree.stageNothing(ctx)
	if err != nil {
		return Committed{}, err
	}
	defer k.tree.unstage(staged)
	var contents []vcs.Content
	var others []string
	for _, c := range u.changes {
		if skip, other, err := k.tree.notInGit(ctx, staged, c); err != nil {
			return Committed{}, err
		} else if skip {
			if other != "" {
				others = append(others, fmt.Sprintf("%s belongs to %s; commit it in that folder.", newName(c), other))
			}
			continue
		}
		more, err := k.tree.contents(ctx, staged, c)
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
	c, err := k.finish(ctx, staged, commitOfTurn, set, func(files []vcs.StagedFile) (string, []string, error) {
		message, notes, err := k.commitMessage(ctx, staged, set, k.saidIn(u), pathsIn(files))
		if set.Git.Attribution == settings.AttributionTrailer {
			message = strings.TrimRight(message, "\n") + "\n\nCo-authored-by: " + coAuthor(k.saved.model(u.turn)) + "\n"
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
func (k *Committer) saidIn(u *unsaved) said {
	about := said{label: u.label, asked: u.label}
	if asked, answer, ok := k.o.Said(proposal.TurnOf(u.turn)); ok {
		about.asked, about.answer = asked, answer
	}
	return about
}

// commitBefore commits what the user had changed in the files of a turn before it. ErrNothing where that is nothing.
func (k *Committer) commitBefore(ctx context.Context, u *unsaved, set settings.Settings) (Committed, error) {
	staged, err := k.tree.stageNothing(ctx)
	if err != nil {
		return Committed{}, err
	}
	defer k.tree.unstage(staged)
	var contents []vcs.Content
	for _, c := range u.changes {
		if c.Op == edits.OpCreate {
			continue
		}
		if skip, _, err := k.tree.notInGit(ctx, staged, c); err != nil {
			return Committed{}, err
		} else if skip {
			continue
		}
		from := k.tree.realPath(ctx, c.Path)
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
	return k.finish(ctx, staged, commitOfUser, set, func(files []vcs.StagedFile) (string, []string, error) {
		return k.commitMessage(ctx, staged, set, k.saidOf(ctx, staged, files), pathsIn(files))
	})
}

// stageTurn stages the files of a turn whose changes are on disk.
func (k *Committer) stageTurn(ctx context.Context, u *unsaved) {
	ctx, cancel := context.WithTimeout(ctx, commitTime)
	defer cancel()
	var paths []string
	for _, c := range u.changes {
		for _, path := range touchedBy(c) {
			paths = append(paths, k.tree.realPath(ctx, path))
		}
	}
	k.add(ctx, u.turn, paths, "the changed files")
}

// Before stages what the user has not committed of the files that a turn is about to change, where the settings want that:
// it is found again there, whatever becomes of the files.
func (k *Committer) Before(ctx context.Context, turn string, changes []edits.Change) {
	if k.o.Settings().Git.Mode != settings.GitStageYours {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, stageTime)
	defer cancel()
	var paths []string
	for _, c := range changes {
		if c.Op != edits.OpCreate {
			paths = append(paths, k.tree.realPath(ctx, c.Path))
		}
	}
	if len(paths) > 0 {
		k.add(ctx, turn, paths, "your changes before applying new ones")
	}
}

// add stages files for a turn, and tells where that fails. what are these files.
func (k *Committer) add(ctx context.Context, turn string, paths []string, what string) {
	err := vcs.Add(ctx, k.ws.Root(), paths)
	switch {
	case err == nil, k.o.Context.Err() != nil:
	case errors.Is(err, vcs.ErrNotGit):
		k.o.Log.Info("files were not staged", "turn", turn, "reason", err)
	default:
		n := event.Warning(fmt.Sprintf("Could not stage %s: %v.", what, err))
		k.o.Emit(turn, event.Event{Kind: event.KindNote, Note: &n})
	}
}
