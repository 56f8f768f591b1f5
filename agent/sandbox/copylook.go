package sandbox

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"sync"

	"coauthor/agent/workspace"
)

// lookers is how many folders are looked at at one time: on a cold disk most of it is waiting.
const lookers = 8

// place is a folder that is looked at on both sides.
type place struct {
	path  string
	here  fs.FileInfo // as it is in the user's folder; nil where only laid files have it
	there bool        // the copy has it
	whole bool        // everything in it is taken
}

// compared is what the user's folder and its copy are to each other.
type compared struct {
	size  int64                       // of all that belongs into the copy, in bytes
	todo  []entry                     // what is not in the copy as it is in the folder, but for what is laid over it
	extra []string                    // what is in the copy and does not belong there
	kept  []string                    // what does not belong there either and stays: the results of cargo
	same  map[string]map[string]stamp // the files that are in the copy, as state has them
	files int                         // how many these are
}

// laidAs is what a folder comes to hold by laid files.
type laidAs int

const (
	laidFile laidAs = iota
	laidGone        // there is no such file
	laidDir         // something is laid into it, or below
)

// spread says for each folder what laid files make of what lies directly in it.
func spread(laid map[string]workspace.Laid) map[string]map[string]laidAs {
	over := map[string]map[string]laidAs{}
	put := func(name string, as laidAs) {
		dir := path.Dir(name)
		if over[dir] == nil {
			over[dir] = map[string]laidAs{}
		}
		over[dir][path.Base(name)] = max(over[dir][path.Base(name)], as)
	}
	for name, l := range laid {
		if l.Gone {
			put(name, laidGone)
			continue
		}
		put(name, laidFile)
		for d := path.Dir(name); d != "."; d = path.Dir(d) {
			put(d, laidDir)
		}
	}
	return over
}

// look compares the folder with its copy, and changes neither. It goes by what the names are now, and so into nothing that a
// command has put in the place of a folder. Each file is looked at once on each side, in the handle of its folder.
func (s *syncing) look(ctx context.Context, list fileNames) (compared, error) {
	got := compared{same: map[string]map[string]stamp{}}
	over := spread(s.laid)
	var mu sync.Mutex // guards got and failed
	var failed error
	var group sync.WaitGroup
	free := make(chan struct{}, lookers)
	var visit func(p place)
	visit = func(p place) {
		if ctx.Err() != nil {
			return
		}
		f := folderLook{s: s, list: list, place: p, over: over[p.path]}
		err := f.look()
		mu.Lock()
		if failed == nil {
			failed = err
		}
		got.size += f.size
		got.todo, got.extra, got.kept = append(got.todo, f.todo...), append(got.extra, f.extra...), append(got.kept, f.kept...)
		if len(f.same) > 0 {
			got.same[p.path] = f.same
			got.files += len(f.same)
		}
		mu.Unlock()
		for _, next := range f.folders {
			select {
			case free <- struct{}{}:
				group.Go(func() {
					visit(next)
					<-free
				})
			default:
				visit(next)
			}
		}
	}
	top, err := s.c.from.Lstat(".")
	if err != nil {
		return got, err
	}
	visit(place{path: ".", here: top, there: true})
	group.Wait()
	if ctx.Err() != nil {
		return got, ctx.Err()
	}
	return got, failed
}

// folderLook compares what lies in one folder.
type folderLook struct {
	s    *syncing
	list fileNames
	place
	over map[string]laidAs

	// What is found: as in compared.
	size    int64
	todo    []entry
	extra   []string
	kept    []string
	same    map[string]stamp
	folders []place // that are to be looked at next
}

// listing are the entries of a folder as they are, but for those that are gone by the time they are looked at.
func listing(root *os.Root, dir string) ([]fs.FileInfo, error) {
	f, err := root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdir(-1)
}

func (f *folderLook) look() error {
	var mine []fs.FileInfo
	if f.here != nil {
		var err error
		if mine, err = listing(f.s.c.from, f.path); err != nil && f.path == "." {
			return err // of one below, nothing can be read, or it is gone by now
		}
	}
	now := map[string]fs.FileInfo{}
	if f.there {
		list, err := listing(f.s.c.tree, f.path)
		if err != nil { // a command has made it unreadable
			if f.path == "." {
				return fmt.Errorf("check the copy: %w", err)
			}
			f.extra = append(f.extra, f.path)
			if f.here != nil {
				f.todo = append(f.todo, entryOf(f.path, f.here))
			}
			list = nil
		}
		for _, info := range list {
			now[info.Name()] = info
		}
	}
	f.compare(mine, now)
	return nil
}

// compare goes through what is in the folder, and what the copy has instead.
func (f *folderLook) compare(mine []fs.FileInfo, now map[string]fs.FileInfo) {
	known := f.s.known.Folders[f.path]
	f.same = make(map[string]stamp, len(known))
	cargo := false
	for _, info := range mine {
		yes, whole := f.s.c.belongs(f.list, f.path, info, f.whole)
		if !yes {
			continue
		}
		base := info.Name()
		f.size += info.Size()
		cargo = cargo || base == "Cargo.toml"
		if as, laid := f.over[base]; laid && (as != laidDir || !info.IsDir()) {
			continue
		}
		was := now[base]
		if was != nil && was.Mode().Type() == info.Mode().Type() {
			delete(now, base)
		} else {
			was = nil
		}
		if info.IsDir() {
			name := inside(f.path, base)
			f.folders = append(f.folders, place{path: name, here: info, there: was != nil, whole: whole})
			if was == nil || was.Mode() != info.Mode()|0o700 {
				f.todo = append(f.todo, entryOf(name, info))
			}
			continue
		}
		st, ok := known[base]
		ok = ok && st.From == markOf(info)
		if ok && was != nil && st.To == markOf(was) {
			f.same[base] = st
			continue
		}
		e := entryOf(inside(f.path, base), info)
		e.meddled, e.loose = ok, !f.list.has(e.path)
		f.todo = append(f.todo, e)
	}
	for base, as := range f.over {
		was := now[base]
		switch {
		case was == nil, as == laidGone: // lay takes it from here
		case as == laidFile && was.Mode().IsRegular():
			delete(now, base)
		case as == laidDir && was.IsDir():
			delete(now, base)
			f.folders = append(f.folders, place{path: inside(f.path, base), there: true})
		}
	}
	for base, was := range now {
		switch {
		case f.path == "." && base == ".git":
			continue // it is made for each command
		case cargo && base == "target" && was.IsDir():
			f.kept = append(f.kept, inside(f.path, base))
			continue
		}
		f.extra = append(f.extra, inside(f.path, base))
	}
}
