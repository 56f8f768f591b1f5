package commit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"coauthor/agent/display"
	"coauthor/agent/id"
	"coauthor/agent/proposal"
	"coauthor/agent/vcs"
	"coauthor/edits"
)

// Undone is a commit that was taken back, or was to be.
type Undone struct {
	Hash, Subject string
	// Kept says that the files stay as they are: the commit held the user's own changes.
	Kept bool
	// Files are what was to be brought back, with what became of each; nil where no file had to change.
	Files *proposal.Outcome
	// Done says that the commit is taken back. Without it the files are not all as they were before it.
	Done bool
}

// String tells in a sentence what became of it.
func (u Undone) String() string {
	what := fmt.Sprintf("the commit %s (%s)", Short(u.Hash), u.Subject)
	switch {
	case !u.Done && u.Files != nil && u.Files.Status == proposal.StatusUnverified:
		return display.Upper(what) + " was not undone, because the editor did not confirm that the files were restored. Check the files and try again."
	case !u.Done:
		return display.Upper(what) + " was not undone, because some of its files could not be restored."
	case u.Kept:
		return "Undid " + what + ". Its changes remain in the files and are staged."
	}
	return "Undid " + what + ". Its files were restored. Save the open ones."
}

// Undo takes back the last commit, where it is one of ours: the changes of a turn in the files too, through d,
// and only the commit where it held the user's own. What git refuses, and what would lose something, is an error that
// says what to do.
func (k *Committer) Undo(ctx context.Context, d proposal.Delivery) (Undone, error) {
	release, err := k.o.Hold()
	if err != nil {
		return Undone{}, err
	}
	defer release()
	end, err := k.committer.begin(ctx)
	if err != nil {
		return Undone{}, err
	}
	defer end()
	root := k.ws.Root()
	if root == "" {
		return Undone{}, errors.New("there is no commit to undo because no folder is open; open a file in a git repository")
	}
	last, err := vcs.LastCommit(ctx, root)
	switch {
	case errors.Is(err, vcs.ErrNotGit):
		return Undone{}, NotGit(root)
	case errors.Is(err, vcs.ErrNothing):
		return Undone{}, errors.New("there is no commit to undo yet")
	case err != nil:
		return Undone{}, err
	}
	u := Undone{Hash: last.Head, Subject: last.Subject}
	kind, err := k.undoable(ctx, last)
	if err != nil {
		return u, err
	}
	if u.Kept = kind == commitOfUser; u.Kept {
		err = last.TakeBack(ctx, root, true, mergeTexts)
		u.Done = err == nil
		return u, err
	}
	back, err := k.filesBack(ctx, last)
	if err != nil {
		return u, err
	}
	if len(back) > 0 {
		turn, err := id.New(k.o.Random, "t")
		if err != nil {
			return u, err
		}
		out, err := k.proposals.Do(ctx, turn, "Undo the commit "+Short(last.Head)+": "+last.Subject, back, d.Current(), d, k.saved.exempt)
		u.Files = &out
		if err != nil || out.Status != proposal.StatusApplied {
			return u, err
		}
	}
	err = last.TakeBack(context.WithoutCancel(ctx), root, false, mergeTexts)
	u.Done = err == nil
	return u, err
}

// undoable says what the last commit was made of, where it may be undone.
func (k *Committer) undoable(ctx context.Context, last vcs.Last) (commitKind, error) {
	if err := last.Writable(); err != nil {
		return "", err
	}
	name := fmt.Sprintf("The last commit, %s (%s),", Short(last.Head), last.Subject)
	kind, ok := k.committer.own.kind(last.Head)
	switch {
	case !ok:
		return "", &vcs.Refused{Text: name + " was not made by Coauthor. Undo it with git reset or git revert."}
	case len(last.Parents) == 0:
		return "", &vcs.Refused{Text: name + " is the first commit on this branch and cannot be undone. Change it with git commit --amend."}
	case len(last.Parents) > 1:
		return "", &vcs.Refused{Text: name + " is a merge commit. Undo it with git."}
	}
	shared, err := vcs.Shared(ctx, k.ws.Root(), last.Head)
	if err == nil && shared {
		err = &vcs.Refused{Text: name + " has been pushed. Revert it with git revert."}
	}
	return kind, err
}

// filesBack are the changes that bring the files of the last commit to what they were before it. A file that is
// neither as the commit has it nor as its parent has it is refused: something would be lost.
func (k *Committer) filesBack(ctx context.Context, last vcs.Last) ([]edits.Change, error) {
	var list []edits.Change
	snap := k.ws.Snapshot()
	for _, c := range last.Changes {
		c, err := last.Texts(ctx, k.ws.Root(), c)
		if err != nil {
			return nil, err
		}
		if unsaved := k.tree.unsaved(ctx, []string{c.Path}); len(unsaved) > 0 {
			return nil, &vcs.Refused{Text: c.Path + " has unsaved changes, so the commit was not undone. Save or undo them first."}
		}
		now, err := snap.Text(c.Path)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", c.Path, err)
		}
		switch {
		case now == nil && !c.Was, now != nil && c.Was && *now == c.Old: // as it was already
		case now == nil && !c.Is:
			list = append(list, edits.Change{Path: c.Path, Op: edits.OpCreate, After: c.Old})
		case now != nil && c.Is && *now == c.Now && c.Was:
			list = append(list, edits.Change{Path: c.Path, Op: edits.OpUpdate, Before: c.Now, After: c.Old})
		case now != nil && c.Is && *now == c.Now:
			list = append(list, edits.Change{Path: c.Path, Op: edits.OpDelete, Before: c.Now})
		default:
			return nil, &vcs.Refused{Text: c.Path + " was changed after the commit, so the commit was not undone. Commit or discard that change with git first."}
		}
	}
	slices.SortFunc(list, func(a, b edits.Change) int { return order(a.Op) - order(b.Op) })
	return list, nil
}

// order has files go before others come: one may stand where a folder was.
func order(op edits.Op) int {
	if op == edits.OpDelete {
		return 0
	}
	return 1
}
