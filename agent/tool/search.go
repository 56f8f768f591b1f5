package tool

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"coauthor/repomap"
	"coauthor/repomap/syntax"
)

// Sizes of what search shows and looks at.
const (
	mostHits    = 20      // at once
	mostOfFile  = 5       // of them in one file, unless only one was searched
	around      = 2       // lines before and after a hit
	mostAround  = 10      // of those, when the model asks for more
	mostFiles   = 100     // with hits; beyond it only counts help
	mostCounted = 20      // files that are named with their counts
	mostSearch  = 1 << 20 // bytes of a file
	mostPattern = 1000
	hitsOfFile  = 1000
)

// found are the hits in one file, by line from 0.
type found struct {
	path  string
	text  string
	lines []int
	held  bool // the text is that of the turn, and not what lies on disk
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
	files = inOrder(files)
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
	l.hits(hits, about, a, len(files) == 1)
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
// alone says that one file was searched.
func (l *looking) hits(hits []found, about string, a Args, alone bool) {
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
	page, perFile := l.o.half(mostHits), mostOfFile
	if alone || len(hits) == 1 {
		perFile = total
	}
	offset := max(a.number("offset", 0), 0)
	skip, shown, at := offset, 0, 0 // at is the first file of which nothing is shown, behind those that are
	for i, h := range hits {
		wanted := h.lines[:min(len(h.lines), perFile)]
		if skip >= len(wanted) {
			skip, at = skip-len(wanted), i+1
			continue
		}
		wanted = wanted[skip:]
		wanted, skip = wanted[:min(len(wanted), page-shown)], 0
		n := l.file(h, wanted, a.number("context", around))
		if n > 0 {
			at = i + 1
		}
		if shown += n; n < len(wanted) || shown == page {
			break
		}
	}
	if shown == 0 {
		l.page.finish("There are only %s %s.", count(total, "hit"), about)
		return
	}
	l.page.finish("%d of %s in %s %s.", shown, count(total, "hit"), count(len(hits), "file"), about)
	if shown == total {
		l.page.finish("%s in %s %s.", count(total, "hit"), count(len(hits), "file"), about)
	}
	l.rest(hits[at:])
	listed := 0
	for _, h := range hits {
		listed += min(len(h.lines), perFile)
	}
	if offset+shown < listed {
		args := []any{"pattern", a.text("pattern")}
		for _, name := range []string{"path", "glob"} {
			if v := a.text(name); v != "" {
				args = append(args, name, v)
			}
		}
		if n := a.number("context", around); n != around {
			args = append(args, "context", n)
		}
		l.page.end += " Next: " + next(Search, append(args, "offset", offset+shown)...) + "."
	}
	if perFile < total && listed < total {
		l.page.end += fmt.Sprintf(" Of one file %d hits are shown; with it as the path all of them are.", perFile)
	}
}

// rest tells how many hits the files have of which nothing is shown.
func (l *looking) rest(hits []found) {
	var counts []string
	for _, h := range hits {
		counts = append(counts, fmt.Sprintf("%s (%d)", h.path, len(h.lines)))
	}
	if len(counts) > 0 {
		l.page.end += " The others: " + someOf(counts, l.o.half(mostCounted)) + "."
	}
}

// file shows hits of one file with so many lines around them, and returns how many had room.
func (l *looking) file(h found, wanted []int, around int) int {
	lines := splitLines(h.text)
	hit := map[int]bool{}
	for _, n := range wanted {
		hit[n] = true
	}
	around = min(max(around, 0), mostAround)
	in := naming{path: h.path}
	if h.held {
		in.text = &h.text
	}
	tags := l.defines(in, lines, h.text)
	heading, last, scope := fmt.Sprintf("%s (%s)\n", h.path, count(len(h.lines), "hit")), -1, ""
	for i, n := range wanted {
		var b strings.Builder
		b.WriteString(heading)
		heading = ""
		from := max(n-around, last+1)
		if last >= 0 && from > last+1 {
			b.WriteString("  …\n")
		}
		if t, ok := enclosing(tags, n); ok {
			if at := fmt.Sprintf("%s › L%d-%d", t.Name, t.First+1, t.Last+1); at != scope {
				scope = at
				fmt.Fprintf(&b, "  %s\n", at)
			}
		}
		to := min(n+around, len(lines)-1)
		if i+1 < len(wanted) {
			to = min(to, wanted[i+1]-1)
		}
		whole := true
		for k := from; k <= to; k++ {
			line, all := numberedLine(k+1, lines[k])
			whole = whole && all
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
		if whole && to >= from {
			l.r.Shown = append(l.r.Shown, Shown{Path: h.path, First: from + 1, Last: to + 1, Of: len(lines)})
		}
	}
	return len(wanted)
}

// inOrder puts files into the order in which a reader of the project looks at them: code, tests, documents, then the lists of what has
// changed, which name everything that there ever was, and what others wrote.
func inOrder(files []string) []string {
	ranks := map[string]int{}
	for _, f := range files {
		code := syntax.Code(f)
		ranks[f] = 2 * repomap.Rank(f, code)
		if base := strings.ToLower(path.Base(f)); !code && slices.ContainsFunc(changeLists, func(begin string) bool { return strings.HasPrefix(base, begin) }) {
			ranks[f]++
		}
	}
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(ranks[a], ranks[b]) })
	return files
}

// changeLists are how the names of files begin that list the changes of releases.
var changeLists = []string{"changelog", "changes", "history", "news", "release"}

// counts shows which files have most hits, and how many lie in which folder.
func (l *looking) counts(hits []found, total int, about string) {
	files, folders := map[string]int{}, map[string]int{}
	for _, h := range hits {
		files[h.path] = len(h.lines)
		folders[path.Dir(h.path)+"/"] += len(h.lines)
	}
	for _, by := range []map[string]int{folders, files} {
		names := slices.SortedFunc(maps.Keys(by), func(a, b string) int {
			return cmp.Or(cmp.Compare(by[b], by[a]), strings.Compare(a, b))
		})
		for _, name := range names[:min(len(names), l.o.half(mostCounted)/2)] {
			l.page.say("%s %s\n", name, count(by[name], "hit"))
		}
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
