package vcs

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"
)

// Detail is one commit with all that it says.
type Detail struct {
	Entry
	Message string // whole
	Parent  string // the first one; "" where there is none, or it is not in this repository
	Merge   bool   // it has several
	Cut     bool   // its parents are not in this repository, since its history was cut off when it was cloned
}

// Describe tells of a commit, by its hash.
func Describe(ctx context.Context, root, hash string) (Detail, error) {
	out, err := output(ctx, root, nil, "cat-file", "commit", hash)
	if err != nil {
		return Detail{}, err
	}
	head, message, _ := strings.Cut(string(out), "\n\n")
	d := Detail{Message: strings.TrimSpace(message)}
	d.Hash = hash[:min(len(hash), 10)]
	d.Subject, _, _ = strings.Cut(d.Message, "\n")
	for line := range strings.Lines(head) {
		word, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		switch word {
		case "parent":
			if d.Merge = d.Parent != ""; !d.Merge {
				d.Parent = rest
			}
		case "author":
			name, at, _ := strings.Cut(rest, " <")
			d.Author = name
			if f := strings.Fields(at[strings.IndexByte(at, '>')+1:]); len(f) > 0 {
				if n, err := strconv.ParseInt(f[0], 10, 64); err == nil {
					d.Date = time.Unix(n, 0).UTC().Format(time.DateOnly)
				}
			}
		}
	}
	if d.Parent != "" {
		_, there, err := CommitOf(ctx, root, d.Parent)
		if err != nil {
			return d, err
		}
		if !there {
			d.Parent, d.Cut = "", true
		}
	}
	return d, nil
}

// Touched lists the files below root that differ between two commits; "" as the first one is the empty tree.
func Touched(ctx context.Context, root, from, to string) ([]string, error) {
	args := []string{"diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-commit-id", "--relative"}
	if from == "" {
		args = append(args, "--root", to)
	} else {
		args = append(args, from, to)
	}
	out, err := output(ctx, root, nil, args...)
	return fields(out), err
}

// Cut says whether the history was cut off when the repository was cloned.
func Cut(ctx context.Context, root string) (bool, error) {
	out, err := output(ctx, root, nil, "rev-parse", "--is-shallow-repository")
	return strings.TrimSpace(string(out)) == "true", err
}

// Upstream is the branch that the one that is checked out follows, and how many commits they are apart; "" for none. Where the history
// was cut off the numbers are not known, and zero.
type Upstream struct {
	Name          string
	Ahead, Behind int
}

// Follows tells what the branch that is checked out follows.
func Follows(ctx context.Context, root string) (u Upstream, err error) {
	out, err := output(ctx, root, nil, "rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}")
	if none := (*failure)(nil); errors.As(err, &none) {
		return u, nil
	}
	if err != nil {
		return u, err
	}
	u.Name = strings.TrimSpace(string(out))
	if cut, err := Cut(ctx, root); cut || err != nil {
		return u, err
	}
	out, err = output(ctx, root, nil, "rev-list", "--left-right", "--count", "HEAD...@{upstream}")
	if ahead, behind, ok := strings.Cut(strings.TrimSpace(string(out)), "\t"); ok {
		u.Ahead, _ = strconv.Atoi(ahead) // they are git's own
		u.Behind, _ = strconv.Atoi(behind)
	}
	return u, err
}
