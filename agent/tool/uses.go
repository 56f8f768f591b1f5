package tool

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Sizes of what uses shows.
const (
	mostUses       = 40
	mostUsesOfFile = 10
	mostOthers     = 20 // files that are only named
)

// uses shows the lines that call or mention a name, with the definitions around them.
func (l *looking) uses(a Args) error {
	_, name := qualified(a.text("name"))
	where := strings.Trim(path.Clean("/"+strings.TrimSpace(a.text("path"))), "/")
	if x, err := l.at(a, name); err != nil {
		return err
	} else if x != nil {
		if done, err := x.uses(where, a.number("offset", 0)); done || err != nil {
			return err
		}
	}
	found, err := l.named(name)
	if err != nil {
		return err
	}
	files := slices.DeleteFunc(found.files, func(f naming) bool { return !within(f.path, where) })
	offset := min(max(a.number("offset", 0), 0), len(files))
	shown, with, at := 0, 0, offset
	may := map[string]bool{}
	for ; at < len(files) && shown < l.o.half(mostUses); at++ {
		if (at-offset)%mostUses == 0 {
			for _, f := range found.allowed(files[at:min(len(files), at+mostUses+mostOthers)]) {
				may[f.path] = true
			}
		}
		text, ok := found.open(files[at])
		if !ok || !may[files[at].path] {
			continue
		}
		block, n := found.usesOf(files[at], text)
		if n == 0 {
			continue // it is only defined there, or not there any more
		}
		if l.page.full(block) && with > 0 {
			break
		}
		l.page.say("%s", block)
		shown, with = shown+n, with+1
		if l.ctx.Err() != nil {
			return l.ctx.Err()
		}
	}
	switch {
	case shown == 0 && offset > 0:
		l.page.finish("No more uses of %s.", name)
	case shown == 0:
		l.page.finish("No use of %s found. Next: %s.", name, next(Search, "pattern", name))
	default:
		l.page.finish("%s %s in %s.", count(shown, "line"), "with "+name, count(with, "file"))
	}
	if at < len(files) {
		var rest []string
		for _, f := range files[at:] {
			if may[f.path] || len(rest) >= l.o.half(mostOthers) {
				rest = append(rest, fmt.Sprintf("%s (%d)", f.path, f.times))
			}
		}
		l.page.end += fmt.Sprintf(" It also stands in %s. Next: %s.", someOf(rest, l.o.half(mostOthers)), next(Uses, "name", name, "offset", at))
	}
	found.missing()
	return nil
}

// usesOf are the lines of a file with a name, but for those that define it.
func (n *namings) usesOf(f naming, text string) (block string, shown int) {
	if !strings.Contains(text, n.name) {
		return "", 0
	}
	defines := map[int]bool{}
	for _, t := range n.l.defines(f, splitLines(text), text) {
		if t.Name == n.name {
			defines[t.Line] = true
		}
	}
	return blockOf(n.l, f, text, func(i int, line string) bool { return !defines[i] && has(line, n.name) })
}

// blockOf shows lines of a file, with the definitions that they are in.
func blockOf(l *looking, f naming, text string, wanted func(i int, line string) bool) (block string, shown int) {
	lines := splitLines(text)
	tags := l.defines(f, lines, text)
	var b strings.Builder
	scope, more, first := "", 0, 0
	for i, line := range lines {
		if !wanted(i, line) {
			continue
		}
		if shown == mostUsesOfFile {
			if more++; more == 1 {
				first = i + 1
			}
			continue
		}
		if t, ok := enclosing(tags, i); ok {
			if at := fmt.Sprintf("%s › L%d-%d", t.Name, t.First+1, t.Last+1); at != scope {
				scope = at
				b.WriteString("  " + at + "\n")
			}
		}
		said, _ := numberedLine(i+1, line)
		b.WriteString(said + "\n")
		shown++
	}
	if shown == 0 {
		return "", 0
	}
	if more > 0 {
		fmt.Fprintf(&b, "(%s more, from line %d on)\n", count(more, "line"), first)
	}
	return f.path + "\n" + b.String(), shown
}
