// Package vcs asks git, by running it, and changes nothing that it was not asked to change.
//
// It knows neither documents nor models. Packages agent/index, agent/workspace and the session call
// it. Every call runs one git process with a scrubbed environment (see run.go).
package vcs

import (
	"context"
	"errors"
)

// ErrNotGit means that the folder is in no git work tree, or that there is no git.
var ErrNotGit = errors.New("not a git work tree")

// Files lists what git tracks below root and what it would add: slash-separated, relative to root, sorted.
func Files(ctx context.Context, root string) ([]string, error) { return nil, ErrNotGit }

// CheckIgnore says which of paths git ignores.
func CheckIgnore(ctx context.Context, root string, paths []string) (map[string]bool, error) {
	return nil, ErrNotGit
}

// Root gives the top of the work tree around dir.
func Root(ctx context.Context, dir string) (string, bool) { return "", false }
