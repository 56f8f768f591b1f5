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
	l := &listing{policy: policy, readers: newIgnoreReaders(d, policy, ignoreFiles[1:]), folders: map[string]listed{}} // all but .gitignore
	return func(p string) bool { return l.allows(ctx, p) }
}

// listing judges the paths of a listing. A tree has many files for each folder, so what all files of one have in common
// is found out once.
type listing struct {
	policy  *policy
	readers ignoreReaders
	folders map[string]listed
}

// listed is what is known of all files in a folder.
type listed int

const (
	withheld listed = iota // none may stand there
	ruled                  // an ignore file speaks of them, or the folder's path is not written as it should be
	free                   // it depends on their names alone
)

func (l *listing) allows(ctx context.Context, p string) bool {
	dir := folderOf(p)
	in, known := l.folders[dir]
	if !known {
		in = l.folder(ctx, dir)
		l.folders[dir] = in
	}
	base := p[len(dir):]
	if dir != "" {
		base = base[1:]
	}
	switch clean, err := cleanPath(base); {
	case ctx.Err() != nil:
		return false
	case err != nil || clean != base || len(p) > maxPathBytes || p == stateDir || in == ruled:
		return l.judge(ctx, p)
	case in == withheld:
		return false
	}
	p = folded(p)
	return l.policy.rules.deny.matchFile(p) == ""
}

// judge looks at a path as if it were the only one.
func (l *listing) judge(ctx context.Context, p string) bool {
	clean, err := cleanPath(p)
	if err != nil || clean == stateDir || strings.HasPrefix(clean, stateDir+"/") || l.policy.rules.denies(clean) != "" {
		return false
	}
	return l.policy.allowIgnored || l.readers.reasonWithin(ctx, clean) == ""
}

// folder finds out what all files in a folder have in common.
func (l *listing) folder(ctx context.Context, dir string) listed {
	if dir != "" {
		if clean, err := cleanPath(dir); err != nil || clean != dir {
			return ruled
		}
	}
	name := folded(dir)
	switch {
	case dir == stateDir, strings.HasPrefix(dir, stateDir+"/"), l.policy.rules.deny.matchFolder(name) != "":
		return withheld
	case l.policy.allowIgnored:
		return free
	}
	return l.readers.folder(ctx, dir)
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
