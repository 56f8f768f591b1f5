package auto

import (
	"coauthor/edits"
	"coauthor/edits/name"
)

// files are the files of the project, as far as a reply names them.
type files struct {
	o edits.ParseOptions
	// What is known of them, and how many bytes of them were compared with listings.
	markup   map[markupOf]bool
	compared int
}

// markupOf is a question about a file.
type markupOf struct {
	path string
	kind edits.Markup
}

func newFiles(o edits.ParseOptions) files {
	if o.Files != nil {
		o.Files = remembered{o.Files, map[string]bool{}}
	}
	return files{o: o}
}

// remembered are files of which each name is looked for once.
type remembered struct {
	edits.Files
	there map[string]bool
}

// Exists says whether there is a file.
func (r remembered) Exists(path string) bool {
	there, known := r.there[path]
	if !known {
		there = r.Files.Exists(path)
		r.there[path] = there
	}
	return there
}

// placed gives edits their paths below the root, as far as their names are such.
func (f *files) placed(list []edits.Edit) {
	for i := range list {
		for _, written := range []*string{&list[i].Path, &list[i].From, &list[i].To} {
			if at, below := f.o.Path(*written, f.o.Known); below {
				*written = at
			}
		}
	}
}

// fenceName is the name that a fenced block has, "" for none.
func (f *files) fenceName(at position) string {
	if found, ok := name.Info(at.fence.Info, f.o.Known); ok {
		return found
	}
	found, _ := name.Line(at.name, f.o.Known)
	return found
}

// named is the file that a name stands for; false when there is none.
func (f *files) named(written string) (string, bool) {
	if f.o.Files == nil || written == "" {
		return "", false
	}
	at, below := f.o.Path(written, f.o.Known)
	return at, below && f.o.Files.Exists(at)
}

// means is the file that an edit is for, as far as its name tells.
func (f *files) means(e edits.Edit) string {
	name := f.nameOf(e)
	if file, ok := f.named(name); ok {
		return file
	}
	return name
}

// nameOf is the name of an edit; without one it is that of the one chat file.
func (f *files) nameOf(e edits.Edit) string {
	if e.Path == "" && len(f.o.Chat) == 1 {
		return f.o.Chat[0]
	}
	return e.Path
}

// hold says whether the file of a name is made of lines of a kind of markup, or has some.
func (f *files) hold(named string, kind edits.Markup) bool {
	if edits.HoldsMarkup(named, kind) {
		return true
	}
	file, ok := f.named(named)
	if !ok {
		return false
	}
	q := markupOf{file, kind}
	has, known := f.markup[q]
	if !known {
		text, err := f.o.Files.Read(file)
		has = err == nil && edits.HasMarkup(text, kind)
		if f.markup == nil {
			f.markup = map[markupOf]bool{}
		}
		f.markup[q] = has
	}
	return has
}

// maxCompared is how many bytes of files are compared with the listings of one reply.
const maxCompared = 4 * edits.MaxReply

// read returns the text of a file that a listing is compared with. There is an end to that: a reply
// can hold any number of listings of a large file.
func (f *files) read(file string) (string, bool) {
	if f.compared > maxCompared {
		return "", false
	}
	text, err := f.o.Files.Read(file)
	f.compared += len(text)
	return text, err == nil
}
