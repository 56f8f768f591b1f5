package vcs

import (
	"context"
	"strings"
)

// Last is the commit that is checked out.
type Last struct {
	Place
	Parents []string
	Subject string
	Changes []LastChange
}

// LastChange is a file that the last commit changed.
type LastChange struct {
	Path     string // relative to the root; one outside begins with "../"
	Was, Is  bool   // its parent has it, and it has it
	Old, Now string // their texts, in the form of the work tree
	full     string
	was, is  entry
}

// LastCommit tells of the commit that is checked out. ErrNothing before the first one. Texts are read where there is
// one parent.
func LastCommit(ctx context.Context, root string) (Last, error) {
	place, err := Where(ctx, root)
	l := Last{Place: place}
	if err != nil {
		return l, err
	}
	if place.Head == "" {
		return l, ErrNothing
	}
	out, err := output(ctx, root, nil, "show", "--no-patch", "--no-show-signature", "--format=%P%x01%s", place.Head)
	if err != nil {
		return l, err
	}
	parents, subject, _ := strings.Cut(strings.TrimSuffix(string(out), "\n"), "\x01")
	l.Parents, l.Subject = strings.Fields(parents), subject
	if len(l.Parents) != 1 {
		return l, nil
	}
	changes, err := between(ctx, root, l.Parents[0], place.Head)
	for _, c := range changes {
		l.Changes = append(l.Changes, LastChange{Path: belowPrefix(place.Prefix, c.path), Was: c.old.mode != "", Is: c.now.mode != "", full: c.path, was: c.old, is: c.now})
	}
	return l, err
}

// Texts reads what a file was before the last commit and what it is in it.
func (l Last) Texts(ctx context.Context, root string, c LastChange) (LastChange, error) {
	for _, e := range []entry{c.was, c.is} {
		if e.mode != "" && !strings.HasPrefix(e.mode, "100") {
			return c, refuse("Cannot undo the last commit, because it changes %s, which is not a regular file. Undo the commit with git.", c.Path)
		}
	}
	var err error
	if c.Was {
		if c.Old, err = worktreeForm(ctx, root, c.was.hash, c.full); err != nil {
			return c, err
		}
	}
	if c.Is {
		c.Now, err = worktreeForm(ctx, root, c.is.hash, c.full)
	}
	return c, err
}

// Shared says whether a commit is in a branch of another repository, as far as this one knows.
func Shared(ctx context.Context, root, commit string) (bool, error) {
	out, err := output(ctx, root, nil, "for-each-ref", "--count=1", "--contains="+commit, "refs/remotes")
	return len(out) > 0, err
}

// TakeBack moves the branch from the last commit to its parent, unless it has moved meanwhile. No file on disk is
// touched. With keep what the commit held is staged afterwards; without, the index follows.
func (l Last) TakeBack(ctx context.Context, root string, keep bool, merge Merge) error {
	if _, err := runWriting(ctx, root, false, nil, nil, "update-ref", "-m", "coauthor: undo a commit", "HEAD", l.Parents[0], l.Head); err != nil {
		return err
	}
	if keep {
		return nil
	}
	return userIndex{root, l.Place, merge}.follow(context.WithoutCancel(ctx), l.Head, l.Parents[0])
}
