// Package vcs asks git, by running it, and changes nothing that it was not asked to change.
//
// It knows neither documents nor models. Packages agent/index, agent/workspace and the session call
// it. Every call runs one git process with a scrubbed environment (see run.go), ends when its
// context does, and prompts for nothing. Start at Files.
package vcs

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// ErrNotGit means that the folder is in no git work tree, or that there is no git.
var ErrNotGit = errors.New("not a git work tree")

// Files lists what git tracks below root and what it would add: slash-separated, relative to root,
// sorted, each once. Tracked files that were deleted from the disk are still named. The files of
// submodules and of repositories nested in the tree are listed as their own git sees them; further
// work trees of the same repository are left out.
func Files(ctx context.Context, root string) ([]string, error) {
	var all []string
	if err := list(ctx, root, "", 0, &all); err != nil {
		return nil, err
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// maxNesting ends the descent into repositories that contain each other through links.
const maxNesting = 8

func list(ctx context.Context, root, below string, depth int, all *[]string) error {
	dir := filepath.Join(root, filepath.FromSlash(below))
	// -t marks files left out by a sparse checkout with S; they are not on the disk.
	questions := [][]string{
		{"ls-files", "-z", "-t", "--cached", "--full-name", "--stage", "--", "."},
		{"ls-files", "-z", "--others", "--exclude-standard", "--", "."},
		{"rev-parse", "--path-format=absolute", "--git-common-dir", "--show-prefix"},
	}
	var answers [3][]byte
	var errs [3]error
	var group sync.WaitGroup
	for i, args := range questions { // beside each other: git walks long over a large tree
		group.Go(func() { answers[i], errs[i] = output(ctx, dir, nil, args...) })
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	tracked, others, places := answers[0], answers[1], answers[2]
	common, inside, _ := strings.Cut(strings.TrimSuffix(string(places), "\n"), "\n")
	var nested []string
	for _, entry := range fields(tracked) {
		meta, name, ok := strings.Cut(entry, "\t")
		if !ok {
			continue
		}
		name = strings.TrimPrefix(name, inside)
		state, mode, _ := strings.Cut(meta, " ")
		switch {
		case state == "S":
		case strings.HasPrefix(mode, "160000"):
			nested = append(nested, name)
		default:
			*all = append(*all, below+name)
		}
	}
	for _, name := range fields(others) {
		// git names an untracked repository by its folder, with a slash at the end.
		if folder, ok := strings.CutSuffix(name, "/"); ok {
			nested = append(nested, folder)
			continue
		}
		*all = append(*all, below+name)
	}
	if depth >= maxNesting {
		return nil
	}
	for _, folder := range nested {
		sub := below + folder + "/"
		dotGit := filepath.Join(root, filepath.FromSlash(sub), ".git")
		if _, err := os.Lstat(dotGit); err != nil || anotherTree(dotGit, common) {
			continue // a submodule that was never checked out, or the same files once more
		}
		if err := list(ctx, root, sub, depth+1, all); err != nil && ctx.Err() != nil {
			return err
		} // a broken nested repository hides its own files only
	}
	return nil
}

// anotherTree says whether a folder is a further work tree of the repository whose data lies in common.
func anotherTree(dotGit, common string) bool {
	if info, err := os.Lstat(dotGit); err != nil || !info.Mode().IsRegular() || info.Size() > 1<<16 {
		return false
	}
	text, err := os.ReadFile(dotGit)
	if err != nil {
		return false
	}
	to, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if !ok || filepath.Base(filepath.Dir(to)) != "worktrees" { // a submodule's data lies in modules
		return false
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(dotGit), to)
	}
	mine, err := filepath.EvalSymlinks(filepath.Dir(filepath.Dir(to)))
	if err != nil {
		return false
	}
	common, err = filepath.EvalSymlinks(common)
	return err == nil && mine == common
}

// CheckIgnore says which of paths (relative to root) git ignores. Tracked paths are never ignored.
//
// What git tracks stands in its index, which takes as long to read as all else that git does here, and longer in a
// large tree. Rules name few of the files that anybody asks for, so it is read only for those that they name.
func CheckIgnore(ctx context.Context, root string, paths []string) (map[string]bool, error) {
	ignored := make(map[string]bool, len(paths))
	for _, args := range [][]string{{"--no-index"}, nil} {
		if len(paths) == 0 {
			return ignored, nil
		}
		var err error
		if paths, err = checkIgnore(ctx, root, paths, args...); err != nil {
			return nil, err
		}
	}
	for _, path := range paths {
		ignored[path] = true
	}
	return ignored, nil
}

func checkIgnore(ctx context.Context, root string, paths []string, args ...string) ([]string, error) {
	var in bytes.Buffer
	for _, path := range paths {
		in.WriteString(path)
		in.WriteByte(0)
	}
	out, err := output(ctx, root, &in, append([]string{"check-ignore", "-z", "--stdin"}, args...)...)
	var fail *failure
	if errors.As(err, &fail) && fail.code == 1 {
		return nil, nil // none is
	}
	if err != nil {
		return nil, err
	}
	return fields(out), nil
}

// Init makes dir a repository.
func Init(ctx context.Context, dir string) error {
	_, err := output(ctx, dir, nil, "init", "-q")
	return err
}

// Root gives the top of the work tree around dir.
func Root(ctx context.Context, dir string) (string, bool) {
	out, err := output(ctx, dir, nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", false
	}
	top := strings.TrimSuffix(string(out), "\n")
	return filepath.FromSlash(top), top != ""
}
