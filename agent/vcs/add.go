package vcs

import (
	"bytes"
	"context"
)

// Add stages files as they are on disk by now, relative to root: also that they are gone. Those that git ignores are left
// out. ErrNotGit says that root is in no work tree.
func Add(ctx context.Context, root string, paths []string) error {
	place, err := Where(ctx, root)
	if err != nil {
		return err
	}
	if err := place.Writable(); err != nil {
		return err
	}
	ignored, err := CheckIgnore(ctx, root, paths)
	if err != nil {
		return err
	}
	var in bytes.Buffer
	for _, path := range paths {
		if !ignored[path] {
			in.WriteString(path)
			in.WriteByte(0)
		}
	}
	if in.Len() == 0 {
		return nil
	}
	return retryLocked(ctx, func() error {
		_, err := runWriting(ctx, root, false, nil, in.Bytes(), "update-index", "--add", "--remove", "-z", "--stdin")
		return err
	})
}
