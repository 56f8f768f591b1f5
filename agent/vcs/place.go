package vcs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Place is where a repository stands, for who is about to write into it.
type Place struct {
	Head   string // the commit that is checked out; "" before the first one
	Branch string // "" when none is checked out
	Busy   string // what is going on that the user has to end first: "a rebase"; "" for nothing
	GitDir string // absolute
	Prefix string // of root below the top of the work tree, with a slash at its end; "" for the top
}

// busyFiles are what git keeps while something goes on that makes commits of its own.
var busyFiles = []struct{ file, what string }{
	{"rebase-merge", "a rebase"}, {"rebase-apply", "a rebase or git am"},
	{"MERGE_HEAD", "a merge"}, {"CHERRY_PICK_HEAD", "a cherry-pick"}, {"REVERT_HEAD", "a revert"}, {"BISECT_LOG", "a bisection"},
}

// Where tells where the repository around root stands.
func Where(ctx context.Context, root string) (Place, error) {
	out, err := output(ctx, root, nil, "rev-parse", "--path-format=absolute", "--git-dir", "--is-inside-work-tree", "--show-prefix")
	if err != nil {
		return Place{}, err
	}
	dir, rest, _ := strings.Cut(string(out), "\n")
	inside, prefix, _ := strings.Cut(rest, "\n")
	if inside != "true" {
		return Place{}, ErrNotGit
	}
	p := Place{GitDir: filepath.FromSlash(dir), Prefix: strings.TrimSuffix(prefix, "\n")}
	for _, b := range busyFiles {
		if _, err := os.Lstat(filepath.Join(p.GitDir, b.file)); err == nil {
			p.Busy = b.what
			break
		}
	}
	branch, err := output(ctx, root, nil, "symbolic-ref", "--quiet", "--short", "HEAD")
	if none := (*failure)(nil); err != nil && !errors.As(err, &none) {
		return Place{}, err
	}
	p.Branch = strings.TrimSpace(string(branch))
	p.Head, err = Head(ctx, root)
	return p, err
}

// hashSize is how long the names of objects are.
func (p Place) hashSize() int { return max(40, len(p.Head)) }

// Refused is a reason for which nothing was written. It is whole sentences for a user: what is in the way, and
// what to do.
type Refused struct{ Text string }

func (r *Refused) Error() string { return r.Text }

func refuse(format string, args ...any) error { return &Refused{fmt.Sprintf(format, args...)} }

// Writable says whether a commit may be made or taken back now; else the error is a Refused.
func (p Place) Writable() error {
	switch {
	case p.Busy != "":
		return refuse("%s is in progress in this repository. Finish or abort it with git first.", upperFirst(p.Busy))
	case p.Branch == "":
		return refuse("No branch is checked out (detached HEAD). Switch to a branch or create one with git first.")
	}
	if _, err := os.Lstat(filepath.Join(p.GitDir, "index.lock")); err == nil {
		return refuse("Another git process is using this repository or has crashed: %s exists. Try again when that process ends. If no git process is running, delete the file.", filepath.Join(p.GitDir, "index.lock"))
	}
	return nil
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
