package edits

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"coauthor/edits/match"
	"coauthor/edits/name"
)

// Place says how absolute names in a reply are read.
type Place struct {
	// Root is the absolute path of the root, "" where nobody knows it: a name below it is relative to it.
	Root string
	// Rooted says that a leading slash stands for the root, as in the projects that models make up.
	Rooted bool
}

// Path is a name in a reply as a path relative to the root. It is false for one that is no file below it.
func (p Place) Path(written string, known name.Known) (string, bool) {
	if written == "" {
		return "", false
	}
	return name.Below(name.Argument(written, known), p.Root, p.Rooted)
}

// target is what a name in a reply stands for.
type target struct {
	path   string
	exists bool
	below  bool // it is a path below the root; anything else is never touched
}

// names finds the files that a reply means.
type names struct {
	o     *Options
	list  []Edit // of the reply
	tree  *tree
	named map[string]bool // files that edits of the reply name; nil until asked for
}

// resolve is the one table of names. Names are compared exactly.
func (s *names) resolve(written string) target {
	at, below := s.o.Path(written, s.tree.exists)
	return target{path: at, exists: below && s.tree.exists(at), below: below}
}

// standsFor is the one shown file that an edit means whose name is no file: the one in which its old text stands
// exactly and once, or several times and one of them at the line number that its hunk gives, if no other one holds it. One line is enough where the name is the end of the path of that
// file and of no other. An edit without old text, a hunk with a name that takes nothing away, and one of the whole file stand for none.
func (s *names) standsFor(e *Edit, at string, p *match.Pattern) (string, bool) {
	if p == nil || p.Blank() || e.Path != "" && e.Kind == KindHunk && !removes(p.Lines) {
		return "", false
	}
	line := 0
	if len(e.Chunks) > 0 {
		line = e.Chunks[0].Line
	}
	found, once, numbered := "", false, false
	for _, shown := range s.shown() {
		b := s.tree.get(shown).body
		if b == nil {
			continue
		}
		n, there := b.Times(p, line)
		if n > 0 && found != "" {
			return "", false
		}
		if n > 0 {
			found, once, numbered = shown, n == 1, there
		}
	}
	if !once && !numbered {
		return "", false
	}
	filled := 0
	for _, text := range p.Old() {
		if !match.IsBlank(text) {
			filled++
		}
	}
	return found, filled >= 2 || once && s.onlyEnd(at) == found
}

// shown are the files that the model was shown, as far as they are there.
func (s *names) shown() []string {
	var list []string
	for _, file := range s.o.Chat {
		if s.tree.exists(file) && !slices.Contains(list, file) {
			list = append(list, file)
		}
	}
	return list
}

// onlyEnd is the one shown file whose path ends in a name; no name is the end of any.
func (s *names) onlyEnd(at string) string {
	found := ""
	for _, shown := range s.shown() {
		if at == "" || strings.HasSuffix(shown, "/"+at) {
			if found != "" {
				return ""
			}
			found = shown
		}
	}
	return found
}

// doubt says why a new file is asked about first: a shown file has its name in another directory, or its text is that
// of a shown file for a good part. Asked once, the model may insist, but not on a name that is only the end of a
// shown file's path, and on the text of a shown file only where the format has a way to say that a file is new.
func (r *run) doubt(e *Edit, at, text string) *objection {
	if slices.Contains(r.o.Chat, at) {
		return nil // the user named it
	}
	list := r.names.shown()
	why := "%s has the same name"
	if i := slices.IndexFunc(list, func(shown string) bool { return strings.HasSuffix(shown, "/"+at) }); i >= 0 {
		return &objection{ReasonWrongName, fmt.Sprintf("there is no file %s, and "+why+"; write its whole path", at, list[i])}
	}
	insist := slices.Contains(r.o.Asked, at)
	i := slices.IndexFunc(list, func(shown string) bool { return !r.names.edited()[shown] && halfIn(r.tree.get(shown).body, text) })
	if i >= 0 {
		why = "its text has half of the lines of %s"
		insist = insist && e.Op == OpCreate // a listing that comes again says nothing new
	} else if i = slices.IndexFunc(list, func(shown string) bool { return path.Base(shown) == path.Base(at) && !r.names.edited()[shown] }); i < 0 {
		return nil
	}
	if insist {
		r.report.say(e, "%s is a new file, though "+why, at, list[i])
		return nil
	}
	return &objection{ReasonWrongName, fmt.Sprintf("there is no file %s, and "+why+"; if %[2]s is meant, write its whole path, and if %[1]s is to be a new file, send it once more", at, list[i])}
}

// publishedExample is the file of the examples in aider's prompts, which models trained on them repeat whatever the
// prompt says.
const publishedExample = "show_greeting.py"

// repeatsExample says whether an edit is of a file that only an example has. Beside other edits it is passed over; alone
// it is refused.
func (r *run) repeatsExample(e *Edit) bool {
	at, is := r.names.ofExample(e.Path)
	if !is {
		return false
	}
	if slices.ContainsFunc(r.list, func(x Edit) bool { _, too := r.names.ofExample(x.Path); return !too }) {
		r.report.say(e, "%s is a file of an example, which the reply only repeats; it was passed over", at)
	} else {
		r.report.refuse(e, at, ReasonExample, at+" is a file of an example and none of this project"+r.names.nearest(at))
	}
	return true
}

// ofExample says whether a name is that of a file that only an example has.
func (s *names) ofExample(written string) (string, bool) {
	if len(s.o.Examples) == 0 && len(s.o.Chat) == 0 {
		return "", false
	}
	t := s.resolve(written)
	known := slices.Contains(s.o.Examples, t.path) || t.path == publishedExample && len(s.o.Chat) > 0
	return t.path, known && !t.exists && !slices.Contains(s.o.Chat, t.path)
}

// halfIn says whether half of the lines of the file stand in a text, two at least.
func halfIn(b *match.Text, text string) bool {
	if b == nil {
		return false
	}
	n, in := heldBy(b.String(), text)
	return in >= 2 && 2*in >= n
}

func isWordRune(c rune) bool { return c >= 0x80 || match.IsName(byte(c)) }

// edited are the files that edits of the reply name.
func (s *names) edited() map[string]bool {
	if s.named == nil {
		s.named = map[string]bool{}
		for _, x := range s.list {
			for _, written := range []string{x.Path, x.From} {
				if t := s.resolve(written); t.exists {
					s.named[t.path] = true
				}
			}
		}
	}
	return s.named
}

// noFile refuses an edit whose name is no file, with the nearest names.
func (r *run) noFile(e *Edit, t target) {
	switch near := r.names.nearest(t.path); {
	case e.Path == "":
		r.report.refuse(e, "", ReasonNoName, "no file name was given; put the path on a line of its own above")
	case !t.below:
		r.report.refuse(e, t.path, ReasonNoFile, t.path+" is no file below the root of the project; give the path relative to the root"+near)
	default:
		r.report.refuse(e, t.path, ReasonNoFile, "there is no file "+t.path+near)
	}
}

// mostCompared is how many names are compared with one that is no file.
const mostCompared = 200

// mostNear is how many names a failure lists.
const mostNear = 3

// nearest lists the shown files with the names that are nearest to one, for the end of a message.
func (s *names) nearest(at string) string {
	list := s.shown()
	if len(list) == 0 {
		return ""
	}
	list = list[:min(len(list), mostCompared)]
	like := map[string]float64{}
	for _, file := range list {
		if like[file] = match.Alike(file, at); path.Base(file) == path.Base(at) {
			like[file]++
		}
	}
	slices.SortStableFunc(list, func(x, y string) int { return cmp.Compare(like[y], like[x]) })
	list = list[:min(len(list), mostNear)]
	if len(list) == 1 {
		return "; the file that you were shown is " + list[0]
	}
	return "; nearest of the files that you were shown: " + strings.Join(list, ", ")
}
