package agent

import (
	"context"
	"path"
	"strings"

	"coauthor/agent/vcs"
)

// Follower is a Mapper that wants to hear what happens to the files between two maps. It must
// find out by itself what nobody tells it. Its methods return at once.
type Follower interface {
	Mapper
	// Edited says that the user types: work in the background should leave the processor alone.
	Edited()
	// Changed says that a file may have changed on disk; "" is any of them.
	Changed(path string)
}

// PrepareMap has the map of the root made ready in the background, so that the first request finds
// one. A root that is in no git work tree is left alone until a request asks for it: it may be
// somebody's whole home, opened for a note. It returns at once.
func (s *Session) PrepareMap() {
	if s.e.o.Map == nil || s.ws.Root() == "" || s.prepared.Swap(true) || s.enter() != nil {
		return
	}
	go func() {
		defer s.leave()
		if r := s.settings().RepoMap; !r.Enabled || r.Tokens < 0 {
			return
		}
		if _, ok := vcs.Root(s.ctx, s.ws.Root()); ok && s.ctx.Err() == nil {
			s.mapper()
		}
	}()
}

// Edited says that the user types in a document of the root. It returns at once.
func (s *Session) Edited() {
	s.typed.Store(true) // before the look, so that a map that is being opened learns of it
	if f := s.following(); f != nil {
		f.Edited()
	}
}

// FileChanged says that a file of the root may have changed on disk; "" is any of them. It returns
// at once.
func (s *Session) FileChanged(path string) {
	if s.saved.wrote(path) {
		s.lookSaved()
	}
	if f := s.following(); f != nil {
		f.Changed(path)
	}
}

// manyChanged are so many files that it is cheaper to look at all than to be told each.
const manyChanged = 100

// FilesChanged is FileChanged for what a watcher of the disk reports: most of that is of no
// interest, such as what a build writes. It asks git, so it takes a moment.
func (s *Session) FilesChanged(ctx context.Context, paths []string) {
	waited := false
	for _, p := range paths {
		waited = s.saved.wrote(p) || waited
	}
	if waited {
		s.lookSaved()
	}
	f := s.following()
	if f == nil {
		return
	}
	ignored, err := vcs.CheckIgnore(ctx, s.ws.Root(), paths)
	if err != nil {
		ignored = nil // without git nothing is
	}
	var told []string
	for _, p := range paths {
		if ignored[p] || internal(p) {
			continue
		}
		told = append(told, p)
	}
	if len(told) >= manyChanged {
		told = []string{""}
	}
	for _, p := range told {
		f.Changed(p)
	}
}

// internal says whether a path is git's own bookkeeping, but for the file that says what is checked out.
func internal(p string) bool {
	dir, base := path.Split(p)
	in := strings.HasPrefix(p, ".git/") || strings.Contains(p, "/.git/")
	return in && (base != "HEAD" || !strings.HasSuffix(dir, ".git/"))
}

// following returns the follower when there is one already; a map that nobody asked for hears nothing.
func (s *Session) following() Follower {
	if f := s.follower.Load(); f != nil {
		return *f
	}
	return nil
}

// openMapper makes the map drawer of the root; nil for none.
func (s *Session) openMapper() Mapper {
	if s.e.o.Map == nil || s.ws.Root() == "" || s.left.Load() {
		return nil
	}
	m := s.e.o.Map(s.ws)
	if f, ok := m.(Follower); ok && f != nil {
		s.follower.Store(&f)
		if s.typed.Load() {
			f.Edited()
		}
	}
	return m
}
