package vcs

import (
	"bytes"
	"context"
)

// Add stages files as they are on disk by now, relative to root: also that they are gone. Those that git ignores are left
// out, and those of other repositories are and are told in a *Refused, after the others were staged. ErrNotGit says that
// root is in no work tree.
func Add(ctx context.Context, root string, paths []string) error {
	place, err := Where(ctx, root)
	if err != nil {
		return err
	}
	if err := place.Writable(); err != nil {
		return err
	}
	var in bytes.Buffer
	var mine []string
	var others error
	for _, path := range paths {
		switch other, err := elsewhere(ctx, root, path); {
		case err != nil:
			return err
		case other != "":
			others = refuse("%s belongs to %s; stage it in that folder", path, other)
		default:
			mine = append(mine, path)
		}
	}
	ignored, err := CheckIgnore(ctx, root, mine)
	if err != nil {
		return err
	}
	for _, path := range mine {
		if !ignored[path] {
			in.WriteString(path)
			in.WriteByte(0)
		}
	}
	if in.Len() == 0 {
		return others
	}
	if err := retryLocked(ctx, func() error {
		_, err := runWriting(ctx, root, false, nil, in.Bytes(), "update-index", "--add", "--remove", "-z", "--stdin")
		return err
	}); err != nil {
		return err
	}
	return others
}
