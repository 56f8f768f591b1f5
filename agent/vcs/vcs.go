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
	if err := EachFiles(ctx, root, func(paths []string) { all = append(all, paths...) }); err != nil {
		return nil, err
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// EachFiles is Files for whoever begins with what is known: git walks long over a large tree for what it does not track.
// It calls f, one call at a time, with parts of the list in no order, each of which is sorted. After an error they are worth nothing.
func EachFiles(ctx context.Context, root string, f func(paths []string)) error {
	return list(ctx, root, "", 0, f)
}

// maxNesting ends the descent into repositories that contain each other through links.
const maxNesting = 8

func list(ctx context.Context, root, below string, depth int, f func(paths []string)) error {
	dir := filepath.Join(root, filepath.FromSlash(below))
	var group sync.WaitGroup
	defer group.Wait()
	ask := func(args ...string) func() ([]byte, error) { // beside the others
		var out []byte
		var err error
		done := make(chan struct{})
		group.Go(func() {
			defer close(done)
			out, err = output(ctx, dir, nil, args...)
		})
		return func() ([]byte, error) {
			<-done
			return out, err
		}
	}
	// -t marks files left out by a sparse checkout with S; they are not on the disk.
	tracked := ask("ls-files", "-z", "-t", "--cached", "--full-name", "--stage", "--", ".")
	others := ask("ls-files", "-z", "--others", "--exclude-standard", "--", ".")
	places := ask("rev-parse", "--path-format=absolute", "--git-common-dir", "--show-prefix")
	entries, err := tracked()
	if err != nil {
		return err
	}
	where, err := places()
	if err != nil {
		return err
	}
	common, inside, _ := strings.Cut(strings.TrimSuffix(string(where), "\n"), "\n")
	give := func(paths []string) {
		if !slices.IsSorted(paths) {
			slices.Sort(paths)
		}
		f(slices.Compact(paths)) // one that is being merged is there three times
	}
	paths, nested := splitTracked(entries, below, inside)
	give(paths)
	names, err := others()
	if err != nil {
		return err
	}
	paths, folders := splitOthers(names, below)
	give(paths)
	nested = append(nested, folders...)
	if depth >= maxNesting {
		return nil
	}
	for _, folder := range nested {
		sub := below + folder + "/"
		dotGit := filepath.Join(root, filepath.FromSlash(sub), ".git")
		if _, err := os.Lstat(dotGit); err != nil || anotherTree(dotGit, common) {
			continue // a submodule that was never checked out, or the same files once more
		}
		// A broken nested repository hides its own files only.
		var inner []string
		err := list(ctx, root, sub, depth+1, func(paths []string) { inner = append(inner, paths...) })
		if err != nil && ctx.Err() != nil {
			return err
		}
		give(inner)
	}
	return nil
}

// splitTracked reads what git ls-files -t --stage says: the files on the disk, and submodules, which are named without below.
func splitTracked(entries []byte, below, inside string) (paths, nested []string) {
	paths = make([]string, 0, bytes.Count(entries, []byte{0}))
	for _, entry := range fields(entries) {
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
			paths = append(paths, below+name)
		}
	}
	return paths, nested
}

// splitOthers reads what git ls-files --others says: untracked files, and untracked repositories, which git names by their
// folder with a slash at the end.
func splitOthers(names []byte, below string) (paths, nested []string) {
	for _, name := range fields(names) {
		if folder, ok := strings.CutSuffix(name, "/"); ok {
			nested = append(nested, folder)
			continue
		}
		paths = append(paths, below+name)
	}
	return paths, nested
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

// Version is what git says of itself, such as "git version 2.43.0".
func Version(ctx context.Context) (string, error) {
	out, err := output(ctx, "", nil, "version")
	return strings.TrimSpace(string(out)), err
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
