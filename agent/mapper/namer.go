package mapper

import (
	"context"
	"slices"
	"strings"

	"coauthor/agent/workspace"
	"coauthor/repomap"
	"coauthor/repomap/syntax"
)

// Namer is a Drawer that knows the names of all files of its root and what they define. Its methods answer at once from
// what is known so far.
type Namer interface {
	Drawer
	// EachPath calls f with the path of every file, until it returns false. Whoever keeps a path copies it.
	EachPath(f func(path string) bool)
	// Defined lists places where a name is defined, at most so many.
	Defined(name string, most int) []repomap.Definition
	// Beginning lists names that begin so, each with one place where it is defined.
	Beginning(prefix string, most int) []repomap.Definition
}

// Namer is the map's drawer, where it knows names.
func (k *Mapper) Namer() (Namer, bool) {
	n, ok := k.drawer().(Namer)
	return n, ok
}

// Definer is the file that alone defines a name; "" for none. Session.Start is defined as Start.
func (k *Mapper) Definer(name string) string {
	n, ok := k.Namer()
	if !ok {
		return ""
	}
	if i := strings.LastIndexAny(name, ".:#"); i >= 0 {
		name = name[i+1:]
	}
	path := ""
	for _, d := range n.Defined(name, 8) {
		if path != "" && d.Path != path {
			return ""
		}
		path = d.Path
	}
	return path
}

// Names is what a Drawer may know of the names in all files of its root. Its methods answer at once.
type Names interface {
	// Naming lists the files in whose text a name stands. complete says that every file is known.
	Naming(ctx context.Context, name string) (list []repomap.Naming, complete bool)
	// Outline lists the definitions of a file, outer ones first. ok says that they are those of the file on disk as it is now.
	Outline(path string) (list []repomap.Definition, ok bool)
}

// Names is the map's drawer, where it knows them; else nil.
func (k *Mapper) Names() Names {
	n, _ := k.drawer().(Names)
	return n
}

// Using lists the files of program text in which a name stands, on disk or in an open document as it is now. ok is false, and
// nothing is listed, unless every file is known and each that is listed may be sent.
func (k *Mapper) Using(ctx context.Context, now *workspace.Snapshot, name string) (files []string, ok bool) {
	names := k.Names()
	if names == nil {
		return nil, false
	}
	list, complete := names.Naming(ctx, name)
	for _, f := range list {
		files = append(files, f.Path)
	}
	for _, d := range now.Open() { // the index may hear of it later
		if text, err := now.Read(d.Path); err == nil && strings.Contains(text, name) && !slices.Contains(files, d.Path) {
			files = append(files, d.Path)
		}
	}
	files = slices.DeleteFunc(files, func(path string) bool { return !syntax.Code(path) })
	if !complete || len(k.ws.Door().Withheld(ctx, files)) > 0 {
		return nil, false
	}
	return files, true
}
