package workspace

import (
	"context"
	"strings"
)

// Lister returns a judge for a listing that git has filtered already: whether a path may stand in a
// map of the repository. It knows the deny list, what the settings keep out of maps, and the ignore files that are not git's, opens no
// file of the user, and asks no program, so it suits tens of thousands of paths. What it has read of
// the ignore files it does not read again: make a new one for each listing. It is for one goroutine. Once
// ctx has ended nothing may stand there.
func (d *Door) Lister(ctx context.Context) func(path string) bool {
	policy, err := d.w.policy(ctx)
	if err != nil {
		return func(string) bool { return false }
	}
	m := newIgnoreReaders(d, policy, ignoreFiles[1:]) // all but .gitignore
	return func(p string) bool {
		clean, err := cleanPath(p)
		if err != nil || clean == stateDir || strings.HasPrefix(clean, stateDir+"/") || policy.rules.denies(clean) != "" || policy.rules.unmapped.match(clean) != "" {
			return false
		}
		return policy.allowIgnored || m.reasonWithin(ctx, clean) == ""
	}
}

// Unmapped returns a judge for what may be sent: whether the settings keep a path out of maps, by what they say now.
func (d *Door) Unmapped(ctx context.Context) func(path string) bool {
	policy, err := d.w.policy(ctx)
	if err != nil {
		return func(string) bool { return true }
	}
	return func(p string) bool { return policy.rules.unmapped.match(p) != "" }
}

// MapFiles is how many files a map is made of at most; 0 is all of them.
func (d *Door) MapFiles(ctx context.Context) int {
	policy, err := d.w.policy(ctx)
	if err != nil {
		return 0 // and then no file may stand there
	}
	return policy.mapFiles
}

// Named returns a judge for the whole of a listing: whether the deny list or an ignore file, one of git's
// included, names a path. Unlike Check it asks no program, so it also holds what git tracks in spite of
// its rules. Once ctx has ended it names everything.
func (d *Door) Named(ctx context.Context) func(path string) bool {
	policy, err := d.w.policy(ctx)
	if err != nil {
		return func(string) bool { return true }
	}
	readers := newIgnoreReaders(d, policy, ignoreFiles)
	return func(p string) bool {
		clean, err := cleanPath(p)
		if err != nil || policy.rules.denies(clean) != "" {
			return true
		}
		return !policy.allowIgnored && readers.reasonWithin(ctx, clean) != ""
	}
}
