package tool

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"coauthor/repomap/syntax"
)

// Sizes of what symbol shows.
const (
	mostDefinitions = 5
	mostBody        = 40 // lines of a definition
	mostUses        = 20
)

// symbol shows the definitions or the uses of a name.
func (l *looking) symbol(a Args) error {
	name := strings.TrimSuffix(strings.TrimSpace(a.text("name")), "()")
	if i := strings.LastIndexAny(name, ".:#"); i >= 0 && i+1 < len(name) {
		name = name[i+1:] // the last part of Type.method
	}
	files, err := l.scope.listing()
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !syntax.Code(f) })
	re, err := regexp.Compile(`(?m)(^|[^\pL\pN_])` + regexp.QuoteMeta(name) + `([^\pL\pN_]|$)`)
	if err != nil {
		return refuse("%q is no name.", shorten(name, 60))
	}
	end := time.Now().Add(l.o.Patience)
	hits, read, err := l.scope.scan(files, re, end)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithDeadline(l.ctx, end.Add(l.o.Patience))
	defer cancel()
	uses := a.text("kind") == "uses"
	shown, total := 0, 0
	for _, h := range hits {
		tags, err := l.o.Tags(ctx, h.path, []byte(h.text))
		if l.ctx.Err() != nil {
			return l.ctx.Err()
		}
		if ctx.Err() != nil {
			l.r.Limited = true
			break
		}
		if err != nil {
			continue
		}
		lines := splitLines(h.text)
		seen := map[int]bool{}
		for _, t := range tags {
			if t.Name != name || t.Def == uses || seen[t.Line] || t.Line >= len(lines) {
				continue
			}
			seen[t.Line] = true
			total++
			text := l.definition(h.path, lines, t.First, t.Last)
			most := l.o.half(mostDefinitions)
			if uses {
				text, _ = numberedLine(t.Line+1, lines[t.Line])
				text, most = h.path+":"+text+"\n", l.o.half(mostUses)
			}
			if shown < most && !l.page.full(text) {
				l.page.say("%s", text)
				shown++
			}
		}
	}
	what := "definition"
	if uses {
		what = "use"
	}
	switch {
	case total == 0:
		l.page.finish("No %s of %s found. Next: %s.", what, name, next(Search, "pattern", name))
	case shown < total:
		l.page.finish("%d of %s of %s. Next: %s.", shown, count(total, what), name, next(Search, "pattern", name))
	default:
		l.page.finish("%s of %s.", count(total, what), name)
	}
	if read < len(files) {
		l.r.Limited = true
		l.page.end += fmt.Sprintf(" Only %d of %d files were looked at, since time ran out.", read, len(files))
	}
	return nil
}

// definition is the text of a definition, or its beginning.
func (l *looking) definition(path string, lines []string, first, last int) string {
	var b strings.Builder
	last = min(last, len(lines)-1)
	fmt.Fprintf(&b, "%s:%d-%d\n", path, first+1, last+1)
	end := min(last, first+l.o.half(mostBody)-1)
	for i := first; i <= end; i++ {
		line, _ := numberedLine(i+1, lines[i])
		b.WriteString(line + "\n")
	}
	if end < last {
		fmt.Fprintf(&b, "(%s more; next: %s)\n", count(last-end, "line"), next(Read, "path", path, "start", end+2, "lines", last-end))
	}
	return b.String()
}
