package tool

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"coauthor/repomap"
	"coauthor/repomap/syntax"
	"coauthor/repomap/syntax/tag"
)

// The other language servers of the user's editor know which of several things of one name is meant, where the name alone does
// not tell. They are asked where the editor lets us, and only about a place in a text that they have too. Else, and where they
// know nothing or do not answer in time, the index answers by the name.

// What an Editor can be asked.
const (
	Definition = "definition"
	References = "references"
	Hover      = "hover"
	Problems   = "diagnostics"
)

// Editor asks the other language servers of the user's editor. It is safe for concurrent use.
type Editor func(ctx context.Context, q Question) (Told, error)

// Question is about a name in a text, or about the problems in a file.
type Question struct {
	What   string
	Path   string // "" is every file, for Problems alone
	Line   int    // from 1
	Column int    // where the name begins, in bytes from 0
	Text   string // of the line
}

// Told is what they say.
type Told struct {
	Spots    []Spot
	Hover    string
	Problems []Diagnostic // nil where they do not tell
}

// Spot is a place in a file.
type Spot struct {
	Path    string // "" for a file outside of the folder
	Outside string // the end of its name then
	Line    int    // from 1
}

// Bounds of what is taken from an editor.
const (
	mostHover    = 2000 // bytes
	mostSpots    = 2000
	mostOutside  = 10
	editorWithin = 2 * time.Second
)

// asking is a call that asks the editor about a name at a place.
type asking struct {
	l    *looking
	q    Question
	name string
}

var placeName = regexp.MustCompile(`^(.+?)[: ]+L?(\d+)(?::\d+)?$`)

// at reads the place of a call at which a name stands; nil where there is no editor to ask about it.
func (l *looking) at(a Args, name string) (*asking, error) {
	given := strings.TrimSpace(a.text("at"))
	if given == "" || l.o.Editor == nil {
		return nil, nil
	}
	m := placeName.FindStringSubmatch(given)
	if m == nil {
		return nil, refuse("%q is no place. Write it as path:line, such as src/main.go:12.", shorten(given, 60))
	}
	doc, err := l.scope.admit(m[1])
	if err != nil {
		return nil, err
	}
	lines := splitLines(doc.Text)
	line, err := strconv.Atoi(m[2])
	if err != nil || line < 1 || line > len(lines) || !has(lines[line-1], name) {
		return nil, refuse("%s does not stand in line %s of %s. Next: %s.", name, m[2], doc.Path, next(Search, "pattern", name, "path", doc.Path))
	}
	if l.scope.changed(doc.Path) {
		return nil, nil // the editor has another text
	}
	text := lines[line-1]
	return &asking{l, Question{Path: doc.Path, Line: line, Column: wordAt(text, name), Text: text}, name}, nil
}

// changed says whether the turn has changed a file.
func (s *scope) changed(path string) bool {
	for _, c := range s.snapshot.Changes() {
		if c.Path == path || c.To == path {
			return true
		}
	}
	return false
}

// ask asks the editor. What goes wrong there says nothing; the error is that of the context.
func (x asking) ask(what string) (Told, error) {
	l, q := x.l, x.q
	ctx, cancel := context.WithTimeout(l.ctx, editorWithin)
	defer cancel()
	q.What = what
	told, err := l.o.Editor(ctx, q)
	if err != nil {
		return Told{}, l.ctx.Err()
	}
	told.Spots = told.Spots[:min(len(told.Spots), mostSpots)]
	if len(told.Hover) > mostHover {
		told.Hover = strings.ToValidUTF8(told.Hover[:mostHover], "") + "…"
	}
	return told, nil
}

// sentOnly takes out what may not be sent, and what is outside: rest says in words what that was.
func (s *scope) sentOnly(spots []Spot) (inside []Spot, rest []string) {
	var paths, outside []string
	for _, one := range spots {
		if one.Path == "" {
			outside = append(outside, fmt.Sprintf("%s:%d", one.Outside, one.Line))
		} else {
			paths = append(paths, one.Path)
		}
	}
	bad, may := s.without(paths), s.box.o.Door.Lister(s.ctx)
	hidden := 0
	for _, one := range spots {
		switch {
		case one.Path == "":
		case bad[one.Path] || !may(one.Path):
			hidden++
		case !slices.Contains(inside, one):
			inside = append(inside, one)
		}
	}
	if len(outside) > 0 {
		rest = append(rest, "outside of the folder: "+someOf(outside, mostOutside))
	}
	if hidden > 0 {
		rest = append(rest, "in files that are not sent to the model: "+strconv.Itoa(hidden))
	}
	return inside, rest
}

// definition shows what the editor's servers say of a name at a place. It is false where they know no definition; what they
// say about it is then shown all the same.
func (x asking) definition() (bool, error) {
	l := x.l
	about, err := x.ask(Hover)
	if err != nil {
		return false, err
	}
	if said := strings.TrimSpace(about.Hover); said != "" {
		l.page.say("%s\n\n", said)
	}
	told, err := x.ask(Definition)
	if err != nil {
		return false, err
	}
	inside, rest := l.scope.sentOnly(told.Spots)
	shown := 0
	for _, s := range inside {
		d, ok := x.definedAt(s)
		if !ok {
			continue
		}
		text, seen := l.definition(d)
		if shown == l.o.half(mostDefinitions) || l.page.full(text) && shown > 0 {
			rest = append(rest, fmt.Sprintf("%s:%d", s.Path, s.Line))
			continue
		}
		l.page.say("%s", text)
		l.r.Shown = append(l.r.Shown, seen...)
		shown++
	}
	if shown+len(rest) == 0 {
		return false, nil
	}
	l.page.finish("%s of %s, as the editor's language server says.", count(shown, "definition"), x.name)
	l.page.end += otherPlaces(rest)
	return true, nil
}

// otherPlaces says what else there is, behind a sentence.
func otherPlaces(rest []string) string {
	if len(rest) == 0 {
		return ""
	}
	return " Others: " + someOf(rest, mostPlaces) + "."
}

// definedAt is the definition that a spot is in the head of, else the line alone.
func (x asking) definedAt(s Spot) (defined, bool) {
	l := x.l
	text, err := l.scope.text(s.Path)
	lines := splitLines(text)
	if err != nil || s.Line > len(lines) || len(text) > mostSearch {
		return defined{}, false
	}
	line := s.Line - 1
	d := defined{s.Path, lines, tag.Tag{First: line, Last: line, Line: line}}
	for _, t := range l.defines(naming{path: s.Path, text: &text}, lines, text) {
		if t.First <= line && line <= t.Line && has(lines[t.Line], t.Name) {
			d.tag = t
		}
	}
	return d, true
}

// uses shows where the name at a place is used, by the editor's servers. It is false where they know nothing of it.
func (x asking) uses(where string, offset int) (bool, error) {
	l := x.l
	told, err := x.ask(References)
	if err != nil {
		return false, err
	}
	inside, rest := l.scope.sentOnly(told.Spots)
	byPath := map[string][]int{}
	var files []string
	for _, s := range inside {
		if !within(s.Path, where) {
			continue
		}
		if byPath[s.Path] == nil {
			files = append(files, s.Path)
		}
		byPath[s.Path] = append(byPath[s.Path], s.Line-1)
	}
	if len(files)+len(rest) == 0 {
		return false, nil
	}
	rank := func(p string) int { return repomap.Rank(p, syntax.Code(p)) }
	slices.SortFunc(files, func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b)) })
	at, shown, with := min(max(offset, 0), len(files)), 0, 0
	for ; at < len(files) && shown < l.o.half(mostUses); at++ {
		text, err := l.scope.text(files[at])
		if err != nil || len(text) > mostSearch {
			continue
		}
		moved := l.scope.changed(files[at])
		block, n := blockOf(l, naming{path: files[at], text: &text}, text, func(i int, line string) bool {
			return slices.Contains(byPath[files[at]], i) && (!moved || has(line, x.name))
		})
		if n == 0 {
			continue
		}
		if l.page.full(block) && with > 0 {
			break
		}
		l.page.say("%s", block)
		shown, with = shown+n, with+1
		if l.ctx.Err() != nil {
			return false, l.ctx.Err()
		}
	}
	l.page.finish("%s with %s in %s, as the editor's language server says.", count(shown, "line"), x.name, count(with, "file"))
	l.page.end += otherPlaces(rest)
	if at < len(files) {
		l.page.end += fmt.Sprintf(" It is also used in %s. Next: %s.", someOf(files[at:], l.o.half(mostOthers)), next(Uses, "name", x.name, "at", fmt.Sprintf("%s:%d", x.q.Path, x.q.Line), "offset", at))
	}
	return true, nil
}

// within says whether a file is a path, or below it; "" is everything.
func within(file, where string) bool {
	return where == "" || file == where || strings.HasPrefix(file, where+"/")
}
