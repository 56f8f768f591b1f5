package tool

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"coauthor/repomap/syntax"
)

// Sizes of what search shows and looks at.
const (
	mostHits    = 20  // at once
	around      = 2   // lines before and after a hit
	mostFiles   = 100 // with hits; beyond it only counts help
	mostFolders = 30
	mostSearch  = 1 << 20 // bytes of a file
	mostPattern = 1000
	hitsOfFile  = 1000
)

// found are the hits in one file, by line from 0.
type found struct {
	path  string
	text  string
	lines []int
}

// search finds lines.
func (l *looking) search(a Args) error {
	pattern := a.text("pattern")
	if len(pattern) > mostPattern {
		return refuse("The pattern has %d characters; at most %d are searched for. Use a part of it.", len(pattern), mostPattern)
	}
	files, err := l.scope.below(a.text("path"))
	if err != nil {
		return err
	}
	glob := strings.TrimSpace(a.text("glob"))
	if glob != "" {
		fits := globbed(glob)
		files = slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !fits(f) })
		if len(files) == 0 {
			l.page.finish("No file fits the glob %q.", glob)
			return nil
		}
	}
	literal := "(?m)" + regexp.QuoteMeta(pattern)
	re, err := regexp.Compile("(?m)" + pattern)
	how := ""
	if err != nil {
		how, re = " as plain text, since it is no regular expression", regexp.MustCompile(literal)
	}
	end := time.Now().Add(l.o.Patience)
	hits, read, err := l.scope.scan(files, re, end)
	if err == nil && len(hits) == 0 && how == "" && read == len(files) && literal != "(?m)"+pattern {
		how = " as plain text, since nothing fits it as a regular expression"
		hits, read, err = l.scope.scan(files, regexp.MustCompile(literal), end)
	}
	if err != nil {
		return err
	}
	about := fmt.Sprintf("for %q%s", shorten(pattern, 80), how)
	if read < len(files) {
		l.r.Limited = true
		about += fmt.Sprintf(" in %d of %d files, since time ran out; name a path or a glob to search all of it", read, len(files))
	}
	l.hits(hits, max(a.number("offset", 0), 0), about, a)
	return nil
}

// matching returns the lines on which matches begin. Go's expressions take time that is linear in the text.
func matching(text string, re *regexp.Regexp) []int {
	var lines []int
	line, at := 0, 0
	for _, m := range re.FindAllStringIndex(text, hitsOfFile) {
		line += strings.Count(text[at:m[0]], "\n")
		at = m[0]
		if at == len(text) && at > 0 && text[at-1] == '\n' {
			break // behind the last line there is none
		}
		if len(lines) == 0 || lines[len(lines)-1] != line {
			lines = append(lines, line)
		}
	}
	return lines
}

// hits shows a page of hits with the lines around them, or counts where there are too many files.
func (l *looking) hits(hits []found, offset int, about string, a Args) {
	total := 0
	for _, h := range hits {
		total += len(h.lines)
	}
	if total == 0 {
		l.page.finish("Nothing found %s.", about)
		return
	}
	if len(hits) > mostFiles {
		l.counts(hits, total, about)
		return
	}
	skip, shown, page := offset, 0, l.o.half(mostHits)
	for _, h := range hits {
		if shown == page {
			break
		}
		if skip >= len(h.lines) {
			skip -= len(h.lines)
			continue
		}
		wanted := h.lines[skip:]
		skip = 0
		wanted = wanted[:min(len(wanted), page-shown)]
		n := l.file(h, wanted)
		shown += n
		if n < len(wanted) {
			break
		}
	}
	if shown == 0 {
		l.page.finish("There are only %s %s.", count(total, "hit"), about)
		return
	}
	l.page.finish("Hits %d-%d of %d in %s %s.", offset+1, offset+shown, total, count(len(hits), "file"), about)
	if at := offset + shown; at < total {
		args := []any{"pattern", a.text("pattern")}
		for _, name := range []string{"path", "glob"} {
			if v := a.text(name); v != "" {
				args = append(args, name, v)
			}
		}
		l.page.end += " Next: " + next(Search, append(args, "offset", at)...) + "."
	}
}

// file shows hits of one file, and returns how many had room.
func (l *looking) file(h found, wanted []int) int {
	lines := splitLines(h.text)
	hit := map[int]bool{}
	for _, n := range wanted {
		hit[n] = true
	}
	heading, last, scope := h.path+"\n", -1, ""
	for i, n := range wanted {
		var b strings.Builder
		b.WriteString(heading)
		heading = ""
		if first, end, name, ok := syntax.Enclosing(h.path, []byte(h.text), n); ok {
			if at := fmt.Sprintf("%s › L%d-%d", name, first+1, end+1); at != scope {
				scope = at
				fmt.Fprintf(&b, "  %s\n", at)
			}
		}
		from := max(n-around, last+1)
		if last >= 0 && from > last+1 {
			b.WriteString("  …\n")
		}
		to := min(n+around, len(lines)-1)
		if i+1 < len(wanted) {
			to = min(to, wanted[i+1]-1)
		}
		for k := from; k <= to; k++ {
			line, _ := numberedLine(k+1, lines[k])
			if hit[k] {
				line = strings.Replace(line, "|", ":", 1)
			}
			b.WriteString(line + "\n")
		}
		if l.page.full(b.String()) && l.page.out.Len() > 0 {
			return i
		}
		last = max(to, last)
		l.page.say("%s", b.String())
	}
	return len(wanted)
}

// counts shows how many hits lie in which folder.
func (l *looking) counts(hits []found, total int, about string) {
	by := map[string]int{}
	for _, h := range hits {
		by[path.Dir(h.path)] += len(h.lines)
	}
	folders := make([]string, 0, len(by))
	for f := range by {
		folders = append(folders, f)
	}
	slices.SortFunc(folders, func(a, b string) int {
		if by[a] != by[b] {
			return by[b] - by[a]
		}
		return strings.Compare(a, b)
	})
	for _, f := range folders[:min(len(folders), l.o.half(mostFolders))] {
		l.page.say("%s/ %s\n", f, count(by[f], "hit"))
	}
	l.page.finish("%s in %s %s: too many to show. Name a path or a glob, or search for more words.", count(total, "hit"), count(len(hits), "file"), about)
}

// globbed returns whether a path fits a glob: ** stands for folders, and without a slash the name counts.
func globbed(glob string) func(string) bool {
	var b strings.Builder
	b.WriteString("^")
	glob = strings.TrimPrefix(glob, "./")
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case strings.HasPrefix(glob[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(glob[i:], "**"):
			b.WriteString(".*")
			i++
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '{':
			b.WriteString("(?:")
		case c == '}':
			b.WriteString(")")
		case c == ',' && strings.Contains(glob, "{"):
			b.WriteString("|")
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	re, err := regexp.Compile(b.String() + "$")
	if err != nil {
		re = regexp.MustCompile("^" + regexp.QuoteMeta(glob) + "$")
	}
	return func(p string) bool {
		if !strings.Contains(glob, "/") {
			p = path.Base(p)
		}
		return re.MatchString(p)
	}
}
