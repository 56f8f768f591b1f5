package vcs

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
)

// Commit is one commit of the past: the files it touched, relative to the folder asked about.
type Commit struct{ Paths []string }

// Head names the commit that is checked out; "" before the first one.
func Head(ctx context.Context, root string) (string, error) {
	out, err := output(ctx, root, nil, "rev-parse", "--verify", "--quiet", "HEAD")
	if none := (*failure)(nil); errors.As(err, &none) {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

// Branch names the branch that is checked out; "" where there is none.
func Branch(ctx context.Context, root string) string {
	out, err := output(ctx, root, nil, "symbolic-ref", "--quiet", "--short", "HEAD")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// Refs names the branches and tags, the newest first, at most so many.
func Refs(ctx context.Context, root string, most int) ([]string, error) {
	out, err := output(ctx, root, nil, "for-each-ref", "--sort=-creatordate", "--count="+strconv.Itoa(most), "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags")
	return strings.Fields(string(out)), err
}

// Shallow tells whether the history was cut off when it was cloned, or lacks objects that git would
// have to fetch.
func Shallow(ctx context.Context, root string) (bool, error) {
	out, err := output(ctx, root, nil, "rev-parse", "--is-shallow-repository")
	if err != nil {
		return false, err
	}
	if strings.TrimSpace(string(out)) == "true" {
		return true, nil
	}
	partial, err := output(ctx, root, nil, "config", "--get-regexp", `^remote\..*\.promisor$`)
	return err == nil && bytes.Contains(partial, []byte("true")), nil
}

// History gives the newest commits without merges, newest first, as far as the context lets it read:
// what was read before the context ended is returned together with the error.
func History(ctx context.Context, root string, limit int) ([]Commit, error) {
	return stream(ctx, root, parseNames, "log", "-z", "--no-merges", "--no-renames", "--no-show-signature",
		"--relative", "--name-only", "--format=%x01", "-n", strconv.Itoa(limit), "--", ".")
}

// stream runs git and parses while it writes, so that a cut history is still worth something.
func stream(ctx context.Context, root string, parse func(*bufio.Reader) []Commit, args ...string) ([]Commit, error) {
	if head, err := Head(ctx, root); err != nil || head == "" {
		return nil, err
	}
	cmd := command(ctx, root, args...)
	errs := &capped{room: 64 << 10}
	cmd.Stderr = errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, explain(err, args, "")
	}
	commits := parse(bufio.NewReaderSize(out, 1<<16))
	_, _ = io.Copy(io.Discard, out) // whatever the parser did not want, so that git can end
	err = cmd.Wait()
	if ctx.Err() != nil {
		return commits, ctx.Err()
	}
	return commits, explain(err, args, errs.buf.String())
}

func parseNames(r *bufio.Reader) []Commit {
	var all []Commit
	for {
		field, err := r.ReadString(0)
		field = strings.TrimPrefix(strings.TrimSuffix(field, "\x00"), "\n")
		switch {
		case strings.HasPrefix(field, "\x01"):
			all = append(all, Commit{})
		case field != "" && len(all) > 0:
			last := &all[len(all)-1]
			last.Paths = append(last.Paths, field)
		}
		if err != nil {
			return all
		}
	}
}
