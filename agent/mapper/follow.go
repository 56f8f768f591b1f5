package mapper

import (
	"context"
	"path"
	"strings"
	"time"

	"coauthor/agent/vcs"
)

// Follower is a Drawer that wants to hear what happens to the files between two maps. It must
// find out by itself what nobody tells it. Its methods return at once.
type Follower interface {
	Drawer
	// Edited says that the user types: work in the background should leave the processor alone.
	Edited()
	// Changed says that a file may have changed on disk; "" is any of them.
	Changed(path string)
}

// Prepare has the map of the root made ready in the background, so that the first request finds
// one. A root that is in no git work tree is left alone until a request asks for it: it may be
// somebody's whole home, opened for a note. It returns at once.
func (k *Mapper) Prepare() {
	if k.o.Open == nil || k.ws.Root() == "" || k.prepared.Swap(true) {
		return
	}
	release, err := k.o.Hold()
	if err != nil {
		return
	}
	go func() {
		defer release()
		if !k.o.Wanted() {
			return
		}
		if k.InGit(k.o.Context) {
			k.drawer()
		}
	}()
}

// patience is how long Await waits at most.
const patience = 30 * time.Second

// Await waits until what draws the map has read all of the folder, as far as that can be told and as long as it takes no more
// than patience: for a request that has nothing to begin with but the map.
func (k *Mapper) Await(ctx context.Context) {
	w, ok := k.drawer().(interface {
		Wait(ctx context.Context) error
	})
	if !ok {
		return
	}
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	_ = w.Wait(ctx) // a map of a part is drawn, and it is told that it is one
}

// InGit says whether the root is in a git work tree. It is looked up once.
func (k *Mapper) InGit(ctx context.Context) bool {
	if known := k.inGit.Load(); known != nil || k.ws.Root() == "" {
		return known != nil && *known
	}
	_, in := vcs.Root(ctx, k.ws.Root())
	if ctx.Err() != nil {
		return false
	}
	k.inGit.Store(&in)
	return in
}

// Close closes what draws the map, and waits for who is opening it. Nothing may be open any more when it is called, and
// Closed is true.
func (k *Mapper) Close() {
	// It is asked for once more: whoever is opening it is waited for, and nobody opens it from now on.
	if c, ok := k.drawer().(interface{ Close() }); ok {
		c.Close()
	}
}

// Edited says that the user types in a document of the root. It returns at once.
func (k *Mapper) Edited() {
	k.typed.Store(true) // before the look, so that a map that is being opened learns of it
	if f := k.following(); f != nil {
		f.Edited()
	}
}

// Changed says that a file of the root may have changed on disk; "" is any of them. It returns at once.
func (k *Mapper) Changed(path string) {
	if f := k.following(); f != nil {
		f.Changed(path)
	}
}

// manyChanged are so many files that it is cheaper to look at all than to be told each.
const manyChanged = 100

// FilesChanged is Changed for what a watcher of the disk reports: most of that is of no
// interest, such as what a build writes. It asks git, so it takes a moment.
func (k *Mapper) FilesChanged(ctx context.Context, paths []string) {
	f := k.following()
	if f == nil {
		return
	}
	ignored, err := vcs.CheckIgnore(ctx, k.ws.Root(), paths)
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
func (k *Mapper) following() Follower {
	if f := k.follower.Load(); f != nil {
		return *f
	}
	return nil
}

// open makes the drawer of the root; nil for none.
func (k *Mapper) open() Drawer {
	if k.o.Open == nil || k.ws.Root() == "" || k.o.Closed() {
		return nil
	}
	m := k.o.Open(k.ws)
	if f, ok := m.(Follower); ok && f != nil {
		k.follower.Store(&f)
		if k.typed.Load() {
			f.Edited()
		}
	}
	return m
}
