package tool

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"coauthor/agent/vcs"
	"coauthor/edits"
)

// Sizes of what git shows.
const (
	mostCommits, mostGitLines = 20, 200
	mostChanged               = 30 // files that are only named
	mostCompared              = 60 // whose texts are compared
)

// repository is what a call of git looks at.
type repository struct {
	l    *looking
	root string
}

// git shows log, diff, show, blame or the state of the branch.
func (l *looking) git(a Args) error {
	where := strings.Trim(path.Clean("/"+strings.TrimSpace(a.text("path"))), "/")
	g := &repository{l, l.scope.snapshot.Root()}
	commit, err := g.commit(a.text("rev"))
	if err == nil {
		switch a.text("what") {
		case "diff":
			err = g.diff(where, commit, strings.TrimSpace(a.text("rev")))
		case "show":
			err = g.show(where, commit)
		case "blame":
			err = g.blame(where, a.text("lines"))
		case "status":
			err = g.status()
		default:
			err = g.log(where, commit)
		}
	}
	if errors.Is(err, vcs.ErrNotGit) {
		return refuse("This folder is in no git repository.")
	}
	return err
}

// revision are the signs of a name of a commit. None begins as an option does, and none is a range, a path or words to search for.
// How many there may be is counted beside it: a class of Unicode that may come 200 times is compiled 200 times, at every start.
var revision = regexp.MustCompile(`^[\pL\pN_@][\pL\pN_./@{}~^+-]*$`)

// longestRevision is how many signs a name may have.
const longestRevision = 201

// commit is the hash of the commit that a call names; "" where it names none.
func (g *repository) commit(name string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" {
		return "", nil
	}
	if utf8.RuneCountInString(name) > longestRevision || !revision.MatchString(name) || strings.Contains(name, "..") || strings.Contains(name, "{/") {
		return "", refuse("%q is no name of a commit. Give one commit, branch or tag, such as HEAD~1.", shorten(name, 60))
	}
	hash, ok, err := vcs.CommitOf(g.l.ctx, g.root, name)
	if err == nil && !ok {
		err = refuse("There is no commit %s. Next: %s.", name, next(Git, "what", "log"))
	}
	return hash, err
}

func (g *repository) log(where, commit string) error {
	if where != "" && commit == "" { // in another commit there may be other files
		if _, err := g.l.scope.below(where); err != nil {
			return err
		}
	}
	root, most := g.root, g.l.o.half(mostCommits)
	var list []vcs.Entry
	var err error
	if commit == "" {
		list, err = vcs.Log(g.l.ctx, root, where, most)
	} else {
		list, err = vcs.LogFrom(g.l.ctx, root, commit, where, most)
	}
	if err != nil {
		return err
	}
	for _, c := range list {
		g.l.page.say("%s %s %s: %s\n", c.Hash, c.Date, c.Author, shorten(c.Subject, lineLength))
	}
	cut, err := vcs.Cut(g.l.ctx, root)
	switch {
	case err != nil:
		return err
	case len(list) == most:
		g.l.page.finish("The latest %s. Earlier ones: %s.", count(most, "commit"), next(Git, "what", "log", "rev", list[most-1].Hash+"~1"))
	case cut:
		g.l.page.finish("%s. This is a shallow clone: what was before is not in it.", upper(count(len(list), "commit")))
	case len(list) == 0:
		g.l.page.finish("There are no commits.")
	default:
		g.l.page.finish("All %s.", count(len(list), "commit"))
	}
	return nil
}

// diff shows what the text of this moment has that a commit has not, also what is not saved and what this turn has changed. "" is the
// last commit.
func (g *repository) diff(where, commit, name string) error {
	root := g.root
	var paths []string
	var err error
	if commit == "" {
		name = "the last commit"
		paths, err = vcs.Changed(g.l.ctx, root)
		commit = "HEAD"
	} else {
		paths, err = vcs.ChangedSince(g.l.ctx, root, commit)
	}
	if err != nil {
		return err
	}
	for p := range g.l.scope.held() {
		paths = append(paths, p)
	}
	c := compared{before: func(p string) (string, bool, error) { return vcs.BlobAt(g.l.ctx, root, commit, p) }, after: func(p string) (string, bool, error) {
		if !g.l.scope.snapshot.Exists(p) {
			return "", false, nil
		}
		text, err := g.l.scope.text(p)
		return text, true, err
	}}
	if err := g.compare(&c, where, paths); err != nil {
		return err
	}
	if c.files == 0 {
		g.l.page.finish("Nothing differs from %s.", name)
	} else {
		g.l.page.finish("%d of %s of the difference in %s to %s, with what is not saved.", c.shown, c.all(), count(c.files, "file"), name)
	}
	g.left(c, func(p string) string {
		if name == "the last commit" {
			return next(Git, "what", "diff", "path", p)
		}
		return next(Git, "what", "diff", "rev", name, "path", p)
	})
	return nil
}

// show shows a commit: what it says and what it changed.
func (g *repository) show(where, commit string) error {
	root := g.root
	if commit == "" {
		var err error
		if commit, err = vcs.Head(g.l.ctx, root); err != nil {
			return err
		}
		if commit == "" {
			return refuse("There are no commits.")
		}
	}
	d, err := vcs.Describe(g.l.ctx, root, commit)
	if err != nil {
		return err
	}
	g.l.page.say("%s %s %s\n%s\n\n", d.Hash, d.Date, d.Author, d.Message)
	if d.Cut {
		g.l.page.finish("This is a shallow clone, and what was before this commit is not in it: what it changed is not known.")
		return nil
	}
	paths, err := vcs.Touched(g.l.ctx, root, d.Parent, commit)
	if err != nil {
		return err
	}
	c := compared{before: func(p string) (string, bool, error) { return "", false, nil },
		after: func(p string) (string, bool, error) { return vcs.BlobAt(g.l.ctx, root, commit, p) }}
	if d.Parent != "" {
		c.before = func(p string) (string, bool, error) { return vcs.BlobAt(g.l.ctx, root, d.Parent, p) }
	}
	if err := g.compare(&c, where, paths); err != nil {
		return err
	}
	what := "what it changed"
	if d.Merge {
		what = "the difference to its first parent, since it is a merge,"
	}
	g.l.page.finish("%d of %s of %s in %s.", c.shown, c.all(), what, count(c.files, "file"))
	g.left(c, func(p string) string { return next(Git, "what", "show", "rev", d.Hash, "path", p) })
	return nil
}

// compared is a difference of two states of files. before and after give a text, and say whether there is one.
type compared struct {
	before, after func(path string) (text string, there bool, err error)

	files        int
	shown, lines int
	rest         []string // files whose difference was not made
	cut          string   // the file of which not all is shown
	hidden       int
}

func (c *compared) all() string {
	if len(c.rest) > 0 {
		return "more than " + count(c.lines, "line")
	}
	return count(c.lines, "line")
}

// compare shows how files differ, as far as there is room.
func (g *repository) compare(c *compared, where string, paths []string) error {
	paths = slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		return where != "" && p != where && !strings.HasPrefix(p, where+"/")
	})
	slices.Sort(paths)
	paths = inOrder(slices.Compact(paths))
	bad := g.l.scope.without(paths)
	for _, p := range paths {
		if bad[p] {
			c.hidden++
			continue
		}
		if c.files == mostCompared || c.cut != "" && c.shown < c.lines && c.lines > 5*mostGitLines {
			c.rest = append(c.rest, p)
			continue
		}
		text, err := c.unified(p)
		if err != nil {
			return err
		}
		if text == "" {
			continue
		}
		c.files++
		for _, line := range splitLines(text) {
			if r := []rune(line); len(r) > lineLength {
				line = string(r[:lineLength]) + "…"
			}
			c.lines++
			if c.cut != "" || c.shown == g.l.o.half(mostGitLines) || g.l.page.full(line) {
				if c.cut == "" {
					c.cut = p
				}
				continue
			}
			g.l.page.say("%s\n", line)
			c.shown++
		}
	}
	return g.l.ctx.Err()
}

// unified is the difference of one file; "" where there is none, or it is no text.
func (c *compared) unified(p string) (string, error) {
	before, was, err := c.before(p)
	if err != nil {
		return "", err
	}
	after, is, err := c.after(p)
	if err != nil {
		return "", nil //nolint:nilerr // it is no text
	}
	before, after = strings.ReplaceAll(before, "\r\n", "\n"), strings.ReplaceAll(after, "\r\n", "\n")
	change := edits.Change{Path: p, Op: edits.OpUpdate, Before: before, After: after}
	switch {
	case was && !is:
		change.Op = edits.OpDelete
	case !was && is:
		change.Op = edits.OpCreate
	case before == after:
		return "", nil
	}
	if strings.IndexByte(before, 0) >= 0 || strings.IndexByte(after, 0) >= 0 {
		return "", nil
	}
	return edits.Unified(change, 3), nil
}

// left says what a comparison did not show, and how to see it.
func (g *repository) left(c compared, see func(path string) string) {
	if c.cut != "" {
		g.l.page.end += " Name a path to see more of it. Next: " + see(c.cut) + "."
	}
	if len(c.rest) > 0 {
		g.l.page.end += " Also changed: " + someOf(c.rest, mostChanged) + "."
	}
	if c.hidden > 0 {
		g.l.page.end += fmt.Sprintf(" %s may not be sent to the model and %s left out.", upper(count(c.hidden, "file")), are(c.hidden))
	}
}

// status shows on which branch the work tree stands, and what is not committed.
func (g *repository) status() error {
	root := g.root
	place, err := vcs.Where(g.l.ctx, root)
	if err != nil {
		return err
	}
	switch place.Branch {
	case "":
		g.l.page.say("No branch is checked out; the last commit is %s.\n", place.Head[:min(len(place.Head), 10)])
	default:
		g.l.page.say("Branch %s\n", place.Branch)
	}
	if place.Busy != "" {
		g.l.page.say("In the middle of %s\n", place.Busy)
	}
	cut, err := vcs.Cut(g.l.ctx, root)
	if err != nil {
		return err
	}
	if cut {
		g.l.page.say("A shallow clone: its history is cut off\n")
	}
	if place.Head == "" {
		g.l.page.say("No commits yet\n")
	} else {
		if err := g.follows(root, cut); err != nil {
			return err
		}
		last, err := vcs.Log(g.l.ctx, root, "", 1)
		if err != nil {
			return err
		}
		for _, c := range last {
			g.l.page.say("Last commit: %s %s %s: %s\n", c.Hash, c.Date, c.Author, shorten(c.Subject, lineLength))
		}
	}
	paths, err := vcs.Uncommitted(g.l.ctx, root)
	if err != nil {
		return err
	}
	bad := g.l.scope.without(paths)
	paths = slices.DeleteFunc(paths, func(p string) bool { return bad[p] })
	slices.Sort(paths)
	paths = slices.Compact(paths)
	if len(paths) == 0 {
		g.l.page.finish("Nothing on disk differs from the last commit.")
		return nil
	}
	g.l.page.finish("%s on disk not committed: %s. Next: %s.", upper(count(len(paths), "file")), someOf(paths, mostChanged), next(Git, "what", "diff"))
	return nil
}

// follows tells how far the branch is from the one that it follows.
func (g *repository) follows(root string, cut bool) error {
	u, err := vcs.Follows(g.l.ctx, root)
	switch {
	case err != nil:
		return err
	case u.Name == "":
	case cut:
		g.l.page.say("Follows %s\n", u.Name)
	default:
		g.l.page.say("Follows %s: %s ahead, %d behind\n", u.Name, count(u.Ahead, "commit"), u.Behind)
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
func (g *repository) blame(where, lines string) error {
	if where == "" {
		return refuse("blame needs a path. Next: %s.", next(Git, "what", "blame", "path", "…"))
	}
	doc, err := g.l.scope.admit(where)
	if err != nil {
		return err
	}
	root := g.root
	text := strings.ReplaceAll(doc.Text, "\r\n", "\n")
	now := splitLines(text)
	before, tracked, err := vcs.Blob(g.l.ctx, root, doc.Path)
	if err != nil {
		return err
	}
	cut, err := vcs.Cut(g.l.ctx, root)
	if err != nil {
		return err
	}
	var old []vcs.Line
	if tracked {
		if old, err = vcs.Blame(g.l.ctx, root, doc.Path); err != nil {
			return err
		}
	}
	from := origins(strings.ReplaceAll(before, "\r\n", "\n"), text, len(now))
	first, last := 1, len(now)
	if a, b, ok := lineRange(lines); ok {
		first, last = min(a, len(now)), min(b, len(now))
	}
	shown := first - 1
	for i := first - 1; i < min(last, first-1+g.l.o.half(mostGitLines)); i++ {
		who := "not committed"
		if n := from[i]; n >= 0 && n < len(old) {
			who = old[n].Hash + " " + old[n].Date + " " + old[n].Author
			if cut && old[n].First {
				who = "before " + old[n].Date
			}
		}
		line, _ := numberedLine(i+1, now[i])
		line = who + " " + line
		if g.l.page.full(line) {
			break
		}
		g.l.page.say("%s\n", line)
		shown = i + 1
	}
	g.l.page.finish("Lines %d-%d of %d of %s.", first, shown, len(now), doc.Path)
	if cut {
		g.l.page.end += " This is a shallow clone: who wrote the oldest lines is not in it."
	}
	if shown < last {
		g.l.page.end += " Next: " + next(Git, "what", "blame", "path", doc.Path, "lines", fmt.Sprintf("%d-%d", shown+1, last)) + "."
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
