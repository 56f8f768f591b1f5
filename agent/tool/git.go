package tool

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"coauthor/agent/vcs"
	"coauthor/edits"
)

// Sizes of what git shows.
const mostCommits, mostGitLines = 20, 200

// git shows log, diff or blame.
func (l *looking) git(a Args) error {
	where := strings.Trim(path.Clean("/"+strings.TrimSpace(a.text("path"))), "/")
	var err error
	switch a.text("what") {
	case "diff":
		err = l.diff(where)
	case "blame":
		err = l.blame(where, a.text("lines"))
	default:
		err = l.log(where)
	}
	if errors.Is(err, vcs.ErrNotGit) {
		return refuse("This folder is in no git repository.")
	}
	return err
}

func (l *looking) log(where string) error {
	if where != "" {
		if _, err := l.scope.below(where); err != nil {
			return err
		}
	}
	most := l.o.half(mostCommits)
	list, err := vcs.Log(l.ctx, l.scope.snapshot.Root(), where, most)
	if err != nil {
		return err
	}
	for _, c := range list {
		l.page.say("%s %s %s: %s\n", c.Hash, c.Date, c.Author, shorten(c.Subject, lineLength))
	}
	switch {
	case len(list) == 0:
		l.page.finish("There are no commits.")
	case len(list) == most:
		l.page.finish("The latest %s.", count(most, "commit"))
	default:
		l.page.finish("All %s.", count(len(list), "commit"))
	}
	return nil
}

// diff shows what the text of this moment has that the last commit has not, also what is not saved and what
// this turn has changed.
func (l *looking) diff(where string) error {
	root := l.scope.snapshot.Root()
	paths, err := vcs.Changed(l.ctx, root)
	if err != nil {
		return err
	}
	for p := range l.scope.held() {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	paths = slices.DeleteFunc(slices.Compact(paths), func(p string) bool {
		return where != "" && p != where && !strings.HasPrefix(p, where+"/")
	})
	bad := l.scope.without(paths)
	var lines []string
	files, hidden := 0, 0
	for _, p := range paths {
		if bad[p] {
			hidden++
			continue
		}
		before, tracked, err := vcs.Blob(l.ctx, root, p)
		if err != nil {
			return err
		}
		after, there := "", l.scope.snapshot.Exists(p)
		if there {
			if after, err = l.scope.text(p); err != nil {
				continue // it is no text
			}
		}
		before, after = strings.ReplaceAll(before, "\r\n", "\n"), strings.ReplaceAll(after, "\r\n", "\n")
		c := edits.Change{Path: p, Op: edits.OpUpdate, Before: before, After: after}
		switch {
		case tracked && !there:
			c.Op = edits.OpDelete
		case !tracked && there:
			c.Op = edits.OpCreate
		case before == after:
			continue
		}
		if strings.IndexByte(before, 0) >= 0 {
			continue
		}
		files++
		lines = append(lines, splitLines(edits.Unified(c, 3))...)
	}
	shown := 0
	for _, line := range lines {
		if r := []rune(line); len(r) > lineLength {
			line = string(r[:lineLength]) + "…"
		}
		if shown == l.o.half(mostGitLines) || l.page.full(line) {
			break
		}
		l.page.say("%s\n", line)
		shown++
	}
	if files == 0 {
		l.page.finish("Nothing differs from the last commit.")
	} else {
		l.page.finish("%d of %s of the difference in %s to the last commit, with what is not saved.", shown, count(len(lines), "line"), count(files, "file"))
	}
	if shown < len(lines) {
		l.page.end += " Name a path to see more of it."
	}
	if hidden > 0 {
		l.page.end += fmt.Sprintf(" %s may not be sent to the model and %s left out.", upper(count(hidden, "file")), are(hidden))
	}
	return nil
}

func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// blame shows who last changed each line, as the lines are now.
func (l *looking) blame(where, lines string) error {
	if where == "" {
		return refuse("blame needs a path. Next: %s.", next(Git, "what", "blame", "path", "…"))
	}
	doc, err := l.scope.admit(where)
	if err != nil {
		return err
	}
	root := l.scope.snapshot.Root()
	text := strings.ReplaceAll(doc.Text, "\r\n", "\n")
	now := splitLines(text)
	before, tracked, err := vcs.Blob(l.ctx, root, doc.Path)
	if err != nil {
		return err
	}
	var old []vcs.Line
	if tracked {
		if old, err = vcs.Blame(l.ctx, root, doc.Path); err != nil {
			return err
		}
	}
	from := origins(strings.ReplaceAll(before, "\r\n", "\n"), text, len(now))
	first, last := 1, len(now)
	if a, b, ok := lineRange(lines); ok {
		first, last = min(a, len(now)), min(b, len(now))
	}
	shown := first - 1
	for i := first - 1; i < min(last, first-1+l.o.half(mostGitLines)); i++ {
		who := "not committed"
		if n := from[i]; n >= 0 && n < len(old) {
			who = old[n].Hash + " " + old[n].Date + " " + old[n].Author
		}
		line, _ := numberedLine(i+1, now[i])
		line = who + " " + line
		if l.page.full(line) {
			break
		}
		l.page.say("%s\n", line)
		shown = i + 1
	}
	l.page.finish("Lines %d-%d of %d of %s.", first, shown, len(now), doc.Path)
	if shown < last {
		l.page.end += " Next: " + next(Git, "what", "blame", "path", doc.Path, "lines", fmt.Sprintf("%d-%d", shown+1, last)) + "."
	}
	return nil
}

// origins says for each line of a text which line of the earlier one it is, -1 for a new one.
func origins(before, after string, n int) []int {
	list := make([]int, n)
	shift, at := 0, 0
	fill := func(to int) {
		for ; at < to && at < n; at++ {
			list[at] = at + shift
		}
	}
	for _, h := range edits.Diff(before, after) {
		fill(h.NewLine)
		for ; at < h.NewLine+h.NewCount && at < n; at++ {
			list[at] = -1
		}
		shift = h.OldLine + h.OldCount - at
	}
	fill(n)
	return list
}
