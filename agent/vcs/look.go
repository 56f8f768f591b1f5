package vcs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Entry is one commit in a log.
type Entry struct{ Hash, Date, Author, Subject string }

// Log gives the newest commits that touch a path, relative to root; "" is all of them.
func Log(ctx context.Context, root, path string, most int) ([]Entry, error) {
	head, err := Head(ctx, root)
	if err != nil || head == "" {
		return nil, err
	}
	return LogFrom(ctx, root, head, path, most)
}

// LogFrom is Log of what led to a commit, which is given by its hash.
func LogFrom(ctx context.Context, root, commit, path string, most int) ([]Entry, error) {
	out, err := output(ctx, root, nil, "log", "-z", "--no-show-signature", "--no-ext-diff", "--no-textconv",
		"-n", strconv.Itoa(most), "--format=%h%x01%as%x01%an%x01%s", commit, "--", pathspec(path))
	if err != nil {
		return nil, err
	}
	var list []Entry
	for _, f := range fields(out) {
		parts := strings.SplitN(f, "\x01", 4)
		if len(parts) == 4 {
			list = append(list, Entry{Hash: parts[0], Date: parts[1], Author: parts[2], Subject: parts[3]})
		}
	}
	return list, nil
}

// Messages are the whole messages of the newest commits after base that lead to HEAD, each behind its short hash, without merges.
func Messages(ctx context.Context, root, base string, most int) ([]string, error) {
	out, err := output(ctx, root, nil, "log", "-z", "--no-show-signature", "--no-merges", "-n", strconv.Itoa(most),
		"--format=%h %B", base+"..HEAD", "--", ".")
	var list []string
	for _, message := range fields(out) {
		list = append(list, strings.TrimSpace(message))
	}
	return list, err
}

// pathspec is a path without the signs that git understands in one.
func pathspec(path string) string {
	if path == "" {
		return "."
	}
	return ":(literal)" + path
}

// Tracks says whether git tracks a file, relative to root. Where there is no git it does not.
func Tracks(ctx context.Context, root, path string) (bool, error) {
	out, err := output(ctx, root, nil, "ls-files", "-z", "--", pathspec(path))
	if errors.Is(err, ErrNotGit) {
		return false, nil
	}
	return len(out) > 0, err
}

// Changed lists the tracked files that may differ from the last commit, relative to root. Where git has to
// look into a file it does so without the filters that the repository names.
func Changed(ctx context.Context, root string) ([]string, error) {
	head, err := Head(ctx, root)
	if err != nil || head == "" {
		return nil, err
	}
	return ChangedSince(ctx, root, head)
}

// ChangedSince is Changed with another commit in the place of the last one; it is given by its hash.
func ChangedSince(ctx context.Context, root, commit string) ([]string, error) {
	env, err := noFilters(ctx, root)
	if err != nil {
		return nil, err
	}
	out, err := outputWith(ctx, root, env, nil, "diff-index", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv",
		"--ignore-submodules=all", "--relative", commit, "--", ".")
	return fields(out), err
}

// noFilters are variables that take the programs out of all filters that are configured. Their names may
// hold any sign, which only the environment can say.
func noFilters(ctx context.Context, root string) ([]string, error) {
	out, err := output(ctx, root, nil, "config", "-z", "--name-only", "--get-regexp", `^filter\..*\.(clean|smudge|process|required)$`)
	if none := (*failure)(nil); errors.As(err, &none) {
		return nil, nil // there are none
	}
	if err != nil {
		return nil, err
	}
	names := fields(out)
	env := []string{fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(names))}
	for i, name := range names {
		value := ""
		if strings.HasSuffix(name, ".required") {
			value = "false"
		}
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, name), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, value))
	}
	return env, nil
}

// Blob gives a file as the last commit has it, byte for byte; ok is false where it has none.
func Blob(ctx context.Context, root, path string) (text string, ok bool, err error) {
	return BlobAt(ctx, root, "HEAD", path)
}

// BlobAt is Blob with another commit in the place of the last one; it is given by its hash.
func BlobAt(ctx context.Context, root, commit, path string) (text string, ok bool, err error) {
	out, err := output(ctx, root, nil, "cat-file", "blob", commit+":./"+path)
	if none := (*failure)(nil); errors.As(err, &none) {
		return "", false, nil
	}
	return string(out), err == nil, err
}

// Line is who last changed a line.
type Line struct {
	Hash, Date, Author string
	First              bool // it is of the first commit that is known, whose history may have been cut off
}

// Blame tells of each line of a file, as the last commit has it, who changed it last.
func Blame(ctx context.Context, root, path string) ([]Line, error) {
	out, err := output(ctx, root, nil, "blame", "--line-porcelain", "--no-textconv", "--no-ext-diff", "HEAD", "--", path)
	if err != nil {
		return nil, fmt.Errorf("blame %s: %w", path, err)
	}
	var list []Line
	var now Line
	for row := range bytes.Lines(out) {
		word, rest, _ := strings.Cut(strings.TrimRight(string(row), "\n"), " ")
		switch {
		case strings.HasPrefix(word, "\t"):
			list = append(list, now)
		case word == "boundary":
			now.First = true
		case word == "author":
			now.Author = rest
		case word == "author-time":
			if n, err := strconv.ParseInt(rest, 10, 64); err == nil {
				now.Date = time.Unix(n, 0).UTC().Format(time.DateOnly)
			}
		case len(word) >= 40 && strings.Trim(word, "0123456789abcdef") == "":
			now = Line{Hash: word[:8]}
		}
	}
	return list, nil
}

// Uncommitted lists the files that may differ from the last commit, and those that git would add; before the first
// commit all of them. They are relative to root.
func Uncommitted(ctx context.Context, root string) ([]string, error) {
	head, err := Head(ctx, root)
	if err != nil {
		return nil, err
	}
	if head == "" {
		return Files(ctx, root) // it says too where there is no git
	}
	changed, err := Changed(ctx, root)
	if err != nil {
		return nil, err
	}
	out, err := output(ctx, root, nil, "ls-files", "-z", "--others", "--exclude-standard", "--", ".")
	return append(changed, slices.DeleteFunc(fields(out), func(name string) bool { return strings.HasSuffix(name, "/") })...), err
}
