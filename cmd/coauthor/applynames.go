package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"coauthor/agent/vcs"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// maxInPlay is how many files below the root are looked through for the text of a block whose name is
// no file. With more of them, the text says too little about the file.
const maxInPlay = 400

// maxInPlaySize is the size of the largest file that is looked through.
const maxInPlaySize = 1 << 20

// namesNoFile says whether some block has old text but no file.
func namesNoFile(snapshot *workspace.Snapshot, list []edits.Edit) bool {
	for _, e := range list {
		if e.Kind == edits.KindReplace && strings.TrimSpace(e.Search) != "" && (e.Path == "" || !snapshot.Exists(e.Path)) {
			return true
		}
	}
	return false
}

// inPlay lists the files below the root that a block without a right name may mean, when no --chat
// says which they are; none when they are too many.
func inPlay(ctx context.Context, ws *workspace.Workspace) []string {
	paths, err := vcs.Files(ctx, ws.Root())
	if errors.Is(err, vcs.ErrNotGit) {
		paths, err = walkFew(ctx, ws.Root())
	}
	if err != nil || len(paths) > maxInPlay {
		return nil
	}
	allowed := ws.Door().Lister(ctx)
	var out []string
	for _, path := range paths {
		info, err := os.Lstat(filepath.Join(ws.Root(), filepath.FromSlash(path)))
		if err == nil && info.Mode().IsRegular() && info.Size() <= maxInPlaySize && allowed(path) {
			out = append(out, path)
		}
	}
	return out
}

// walkFew lists a tree without git, but for hidden folders and those of packages. It ends as soon as
// there are too many files.
func walkFew(ctx context.Context, root string) ([]string, error) {
	var out []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return nil //nolint:nilerr // a folder that cannot be read has no file to offer
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.Type().IsRegular():
			out = append(out, name)
		}
		if len(out) > maxInPlay {
			return fs.SkipAll
		}
		return nil
	})
	return out, err
}
