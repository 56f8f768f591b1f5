package vcs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// CommitOptions are how a commit is made.
type CommitOptions struct {
	Message string // whole
	Hooks   bool   // the repository's hooks are run
	// Author and Committer stand behind the name of the user as the commit's author and committer, in brackets; ""
	// leaves the name as it is.
	Author, Committer string
}

// Commit makes the commit, and brings the user's index to it: what was staged otherwise stays staged. ErrNothing
// where it would change nothing.
func (s *Staged) Commit(ctx context.Context, o CommitOptions) (hash string, err error) {
	changes, err := s.staged(ctx)
	if err != nil {
		return "", err
	}
	if len(changes) == 0 {
		return "", ErrNothing
	}
	now, err := Where(ctx, s.root)
	if err == nil {
		err = now.Writable()
	}
	if err != nil {
		return "", err
	}
	if now.Head != s.place.Head || now.Branch != s.place.Branch {
		return "", refuse("Nothing was committed, because the branch changed or another commit was made. Try again.")
	}
	env, err := s.identity(ctx, o)
	if err != nil {
		return "", err
	}
	args := []string{"commit", "--quiet", "--cleanup=whitespace", "--no-status", "--file=-"}
	if s.amends {
		args = append(args, "--amend")
	}
	if _, err := runWriting(ctx, s.root, o.Hooks, append(env, envOf(s.dir)...), []byte(o.Message), args...); err != nil {
		return "", s.whyNot(err, o)
	}
	if hash, err = Head(ctx, s.root); err != nil || hash == s.place.Head && !s.amends { // an amended one may be the same to the second
		return "", errors.Join(err, fmt.Errorf("git commit: no commit was made"))
	}
	return hash, userIndex{s.root, s.place, s.merge}.follow(context.WithoutCancel(ctx), s.place.Head, hash)
}

// whyNot puts git's refusal to commit into words.
func (s *Staged) whyNot(err error, o CommitOptions) error {
	said := Said(err)
	switch {
	case said == "" && !errors.As(err, new(*failure)):
		return err
	case strings.Contains(said, "user.email") || strings.Contains(said, "user.name") || strings.Contains(said, "empty ident"):
		return refuse("git does not know who you are, so nothing was committed. Set user.name and user.email with git config.")
	case strings.Contains(said, "gpg") || strings.Contains(said, "failed to sign"):
		return refuse("git could not sign the commit. Nothing was committed. Git output: %s", said)
	case o.Hooks && anyHook(s.place.GitDir):
		return refuse("git rejected the commit, probably because of a hook. Nothing was committed. Git output: %s", orNothing(said))
	}
	return refuse("git rejected the commit. Git output: %s", orNothing(said))
}

func orNothing(said string) string {
	if said == "" {
		return "(nothing)"
	}
	return said
}

// anyHook says whether one of the hooks that can refuse a commit is there, as far as the usual folder tells.
func anyHook(gitDir string) bool {
	for _, name := range []string{"pre-commit", "prepare-commit-msg", "commit-msg"} {
		if _, err := os.Stat(filepath.Join(gitDir, "hooks", name)); err == nil {
			return true
		}
	}
	return false
}

// Known says whether git knows who commits here, before anything is made for the commit; the error is Refused.
func (s *Staged) Known(ctx context.Context) error {
	for _, variable := range []string{"GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"} {
		if _, err := runWriting(ctx, s.root, false, nil, nil, "var", variable); err != nil {
			return s.whyNot(err, CommitOptions{})
		}
	}
	return nil
}

// identity are the variables for the names of author and committer.
func (s *Staged) identity(ctx context.Context, o CommitOptions) ([]string, error) {
	var env []string
	for _, who := range []struct{ variable, mark, name string }{
		{"GIT_AUTHOR_IDENT", o.Author, "GIT_AUTHOR_NAME"}, {"GIT_COMMITTER_IDENT", o.Committer, "GIT_COMMITTER_NAME"},
	} {
		if who.mark == "" {
			continue
		}
		out, err := runWriting(ctx, s.root, false, nil, nil, "var", who.variable)
		if err != nil {
			return nil, s.whyNot(err, CommitOptions{})
		}
		if name, _, ok := strings.Cut(string(out), " <"); ok {
			env = append(env, who.name+"="+name+" ("+who.mark+")")
		}
	}
	return env, nil
}

// userIndex is the index that the user stages in.
type userIndex struct {
	root  string
	place Place
	merge Merge // nil leaves a file alone that was changed on both sides
}

// follow brings the index from one commit to another one: an entry that was as in from is as in to
// afterwards, and a change that was staged on top of from is one on top of to.
func (u userIndex) follow(ctx context.Context, from, to string) error {
	changes, err := between(ctx, u.root, from, to)
	if err != nil || len(changes) == 0 {
		return err
	}
	mine, err := indexEntries(ctx, u.root, changes)
	if err != nil {
		return err
	}
	var in bytes.Buffer
	for _, c := range changes {
		switch have := mine[c.path]; have {
		case c.now:
		case c.old:
			in.WriteString(c.now.line(c.path, u.place.hashSize()))
		default:
			if e, ok := u.onTop(ctx, c, have); ok {
				in.WriteString(e.line(c.path, u.place.hashSize()))
			}
		}
	}
	if in.Len() == 0 {
		return nil
	}
	return retryLocked(ctx, func() error {
		_, err := runWriting(ctx, u.root, false, nil, in.Bytes(), "update-index", "-z", "--index-info")
		return err
	})
}

// onTop is a staged file with the change between two commits brought in.
func (u userIndex) onTop(ctx context.Context, c entryChange, staged entry) (entry, bool) {
	if u.merge == nil || c.old.mode == "" || c.now.mode == "" || staged.mode == "" {
		return entry{}, false
	}
	var texts [3]string
	for i, e := range []entry{c.old, staged, c.now} {
		out, err := output(ctx, u.root, nil, "cat-file", "blob", e.hash)
		if err != nil {
			return entry{}, false
		}
		texts[i] = string(out)
	}
	merged, ok := u.merge(texts[0], texts[1], texts[2])
	if !ok {
		return entry{}, false // what was staged stays, whatever it is worth now
	}
	out, err := runWriting(ctx, u.root, false, nil, []byte(merged), "hash-object", "-w", "--stdin", "--no-filters")
	return entry{staged.mode, strings.TrimSpace(string(out))}, err == nil
}

// retryLocked tries again while another git process holds the index.
func retryLocked(ctx context.Context, do func() error) error {
	for try := 0; ; try++ {
		err := do()
		if err == nil || try == 20 || !strings.Contains(Said(err), "index.lock") {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// between lists what two commits have different; from "" is the empty tree.
func between(ctx context.Context, root, from, to string) ([]entryChange, error) {
	if from == "" {
		out, err := output(ctx, root, nil, "ls-tree", "-r", "-z", "--full-tree", to)
		if err != nil {
			return nil, err
		}
		return parseTree(out), nil
	}
	out, err := output(ctx, root, nil, "diff-tree", "-r", "--raw", "--no-renames", "--no-abbrev", "-z", from, to)
	return parseRaw(out), err
}

// indexEntries gives the entries of the user's index for these paths.
func indexEntries(ctx context.Context, root string, changes []entryChange) (map[string]entry, error) {
	args := []string{"ls-files", "--stage", "--full-name", "-z", "--"}
	for _, c := range changes {
		args = append(args, ":(top,literal)"+c.path)
	}
	out, err := output(ctx, root, nil, args...)
	if err != nil {
		return nil, err
	}
	have := map[string]entry{}
	for _, c := range parseStage(out) {
		have[c.path] = c.now
	}
	return have, nil
}
