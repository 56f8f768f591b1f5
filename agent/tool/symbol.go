package tool

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"coauthor/repomap/syntax"
	"coauthor/repomap/syntax/tag"
)

// Sizes of what symbol shows.
const (
	mostDefinitions = 5
	mostBody        = 150 // lines of a definition
	mostPlaces      = 20  // of definitions that have no room
	mostDefiners    = 200 // files that are read for them
)

// defined is one definition of a name.
type defined struct {
	path  string
	lines []string
	tag   tag.Tag
}

// symbol shows the definitions of a name.
func (l *looking) symbol(a Args) error {
	of, name := qualified(a.text("name"))
	if x, err := l.at(a, name); err != nil {
		return err
	} else if x != nil {
		if done, err := x.definition(); done || err != nil {
			return err
		}
	}
	found, err := l.named(name)
	if err != nil {
		return err
	}
	list, unread, err := found.definitions(of)
	if err != nil {
		return err
	}
	shown := 0
	var rest []string
	for _, d := range list {
		text, seen := l.definition(d)
		if len(rest) > 0 || shown == l.o.half(mostDefinitions) || l.page.full(text) && shown > 0 {
			rest = append(rest, fmt.Sprintf("%s:%d-%d", d.path, d.tag.First+1, d.tag.Last+1))
			continue
		}
		l.page.say("%s", text)
		l.r.Shown = append(l.r.Shown, seen...)
		shown++
	}
	rest = append(rest, unread...)
	switch {
	case shown+len(rest) == 0:
		l.page.finish("No definition of %s found. Next: %s.", name, next(Uses, "name", name))
	case len(rest) > 0:
		l.page.finish("%d of %s of %s. The others: %s.", shown, count(shown+len(rest), "definition"), name, someOf(rest, mostPlaces))
	default:
		l.page.finish("%s of %s.", count(shown, "definition"), name)
	}
	found.missing()
	return nil
}

// someOf names the first of a list.
func someOf(list []string, most int) string {
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}

// definitions reads the definitions of a name, those of a type alone where it has some. Headings of documents and keys of data
// answer where no code has the name.
func (n *namings) definitions(of string) (list []defined, unread []string, err error) {
	files := slices.DeleteFunc(slices.Clone(n.files), func(f naming) bool { return !f.defines })
	files = n.allowed(files[:min(len(files), mostDefiners)])
	for _, code := range []bool{true, false} {
		found, owned, others, err := n.definedIn(slices.DeleteFunc(slices.Clone(files), func(f naming) bool { return syntax.Code(f.path) != code }), of)
		if err != nil || len(owned) > 0 {
			return owned, nil, err
		}
		if len(list) == 0 {
			list, unread = found, others
		}
		if of == "" && len(list) > 0 {
			break
		}
	}
	return list, unread, nil
}

// definedIn reads the definitions of a name in some files; owned are those of a type. Files are read as long as there may be room for
// what they define; unread are the places in the others.
func (n *namings) definedIn(files []naming, of string) (list, owned []defined, unread []string, err error) {
	for _, f := range files {
		if of == "" && len(list) >= n.l.o.half(mostDefinitions) && len(f.lines) > 0 {
			for _, line := range f.lines {
				unread = append(unread, strings.TrimSuffix(fmt.Sprintf("%s:%d", f.path, line+1), ":0"))
			}
			continue
		}
		text, ok := n.open(f)
		if !ok || !strings.Contains(text, n.name) {
			continue
		}
		lines := splitLines(text)
		tags := n.l.defines(f, lines, text)
		seen := map[int]bool{}
		for _, t := range tags {
			if t.Name != n.name || seen[t.Line] || t.Line >= len(lines) {
				continue
			}
			seen[t.Line] = true
			d := defined{f.path, lines, t}
			list = append(list, d)
			if of != "" && owns(f.path, lines[t.Line], tags, t, of) {
				owned = append(owned, d)
			}
		}
		if n.l.ctx.Err() != nil {
			return nil, nil, nil, n.l.ctx.Err()
		}
	}
	return list, owned, unread, nil
}

// has says whether a name stands in a line as a word.
func has(line, name string) bool { return wordAt(line, name) >= 0 }

// wordAt is where a name first stands in a line as a word, -1 for nowhere.
func wordAt(line, name string) int {
	for at := 0; ; at++ {
		i := strings.Index(line[at:], name)
		if i < 0 {
			return -1
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(line[:at])
		after, _ := utf8.DecodeRuneInString(line[at+len(name):])
		if !inWord(before) && !inWord(after) {
			return at
		}
	}
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// owns says whether a definition is one of the type, or of the package, of that name: it lies in it, or the name stands before its
// own, as that of a receiver does, or the folder or the file is called so.
func owns(file, line string, tags []tag.Tag, d tag.Tag, of string) bool {
	if i := strings.Index(line, d.Name); i > 0 && has(line[:i], of) {
		return true
	}
	base := path.Base(file)
	return path.Base(path.Dir(file)) == of || strings.TrimSuffix(base, path.Ext(base)) == of || slices.ContainsFunc(tags, func(t tag.Tag) bool {
		return t.Name == of && t.First <= d.First && d.Last <= t.Last && t.Line != d.Line
	})
}

// mostComment is how many lines of comment above a definition are shown.
const mostComment = 20

var aComment = regexp.MustCompile(`^\s*(//|/\*|\*|#|--|;;|%)`)

// documented is the first line of the comment that stands directly above a definition: who changes the one has to see the other.
func documented(lines []string, first int) int {
	at := first
	for at > 0 && first-at < mostComment && aComment.MatchString(lines[at-1]) {
		at--
	}
	return at
}

// definition is the text of a definition, with the comment above it, or its beginning, and what that shows of its file.
func (l *looking) definition(d defined) (text string, shown []Shown) {
	var b strings.Builder
	last := min(d.tag.Last, len(d.lines)-1)
	first := documented(d.lines, d.tag.First)
	fmt.Fprintf(&b, "%s:%d-%d\n", d.path, first+1, last+1)
	end := min(last, first+l.o.half(mostBody)-1)
	whole := true
	for i := first; i <= end; i++ {
		line, all := numberedLine(i+1, d.lines[i])
		whole = whole && all
		b.WriteString(line + "\n")
	}
	if whole {
		shown = []Shown{{Path: d.path, First: first + 1, Last: end + 1, Of: len(d.lines)}}
	}
	if end < last {
		fmt.Fprintf(&b, "(%s more; next: %s)\n", count(last-end, "line"), next(Read, "path", d.path, "start", end+2, "lines", last-end))
	}
	return b.String(), shown
}
