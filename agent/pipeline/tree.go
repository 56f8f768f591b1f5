package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/index"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// Tree is the files of a project with those ticked that improve works on. Its memory is the selection file.
type Tree struct {
	memory Selection
	before string // the text of the selection file; "" where there is none
	files  []string
	ticked map[string]bool
}

// TreeOf makes the tree of a workspace, with the files ticked that the selection file selects. It is nil where there are none
// to choose from.
func TreeOf(ctx context.Context, ws *workspace.Workspace) (*Tree, error) {
	list, err := index.Sendable(ctx, ws)
	if err != nil {
		return nil, err
	}
	t := &Tree{files: slices.DeleteFunc(list, func(file string) bool { return !selectable(file) }), ticked: map[string]bool{}}
	if len(t.files) == 0 {
		return nil, nil
	}
	now := ws.Snapshot().Within(ctx)
	memory, found, err := selectionIn(now)
	if err != nil {
		return nil, err
	}
	t.memory = memory
	if found {
		if t.before, err = now.Read(SelectionFile); err != nil {
			return nil, err
		}
	}
	for _, file := range t.selected() {
		t.ticked[file] = true
	}
	return t, nil
}

// selected are the files that the memory selects.
func (t *Tree) selected() []string {
	files, _ := t.memory.Match(t.files)
	return files
}

// Files are those that are ticked.
func (t *Tree) Files() []string {
	return slices.DeleteFunc(slices.Clone(t.files), func(file string) bool { return !t.ticked[file] })
}

// branch is a line of the tree: a file, or a folder with all that is below it.
type branch struct {
	name   string
	depth  int
	files  []string
	folder bool
	closed bool // nothing of it stands below
}

// mostBranches is how many lines of a tree are shown, unless its first level alone has more: what lies deeper stands for
// itself in its folder.
const mostBranches = 200

// branches are the lines that are shown.
func (t *Tree) branches() []branch {
	levels := slices.Max(depths(t.files))
	list := t.upTo(levels)
	for ; len(list) > mostBranches && levels > 0; levels-- {
		list = t.upTo(levels - 1)
	}
	for i := range list {
		list[i].closed = list[i].folder && (i+1 == len(list) || list[i+1].depth <= list[i].depth)
	}
	return list
}

func depths(files []string) []int {
	list := make([]int, len(files))
	for i, file := range files {
		list[i] = strings.Count(file, "/")
	}
	return list
}

// upTo are the lines with so many levels of folders open.
func (t *Tree) upTo(levels int) []branch {
	var list []branch
	at := map[string]int{} // the lines of folders
	for _, file := range t.files {
		parts := strings.Split(file, "/")
		for i := range parts[:min(len(parts)-1, levels+1)] {
			dir := strings.Join(parts[:i+1], "/")
			n, known := at[dir]
			if !known {
				n = len(list)
				at[dir] = n
				list = append(list, branch{name: parts[i] + "/", depth: i, folder: true})
			}
			list[n].files = append(list[n].files, file)
		}
		if len(parts)-1 <= levels {
			list = append(list, branch{name: parts[len(parts)-1], depth: len(parts) - 1, files: []string{file}})
		}
	}
	return list
}

// count is how many of some files are ticked.
func (t *Tree) count(files []string) (n int) {
	for _, file := range files {
		if t.ticked[file] {
			n++
		}
	}
	return n
}

// Question shows the tree and asks which lines to tick. why is what was wrong with the last answer; "" for nothing.
func (t *Tree) Question(why string) event.Question {
	var b strings.Builder
	list := t.branches()
	for i, x := range list {
		n, mark, more := t.count(x.files), " ", ""
		switch {
		case n == len(x.files):
			mark = "x"
		case n > 0:
			mark = "-"
		}
		if x.closed {
			more = fmt.Sprintf(" (%d of %d files selected)", n, len(x.files))
		}
		fmt.Fprintf(&b, "%*d %s[%s] %s%s\n", len(strconv.Itoa(len(list))), i+1, strings.Repeat("  ", x.depth), mark, x.name, more)
	}
	text := "Which files should the model see and change? Type numbers, names or globs to select or deselect files, such as \"2 5-7\", or \"all\" or \"none\". " +
		"Type \"" + TreeDone + "\" to continue. Coauthor saves your selection in " + SelectionFile + "."
	if why != "" {
		text = why + "\n" + text
	}
	return event.Question{Text: text, Body: b.String(), FreeText: true, Explicit: true}
}

// TreeDone is the answer that goes on with what is ticked.
const TreeDone = "go on"

// Toggle ticks what an answer names, or takes the ticks away where all of it is ticked. The error says what it names that is
// not there; then nothing changes.
func (t *Tree) Toggle(answer string) error {
	list := t.branches()
	var found [][]string
	words := strings.FieldsFunc(answer, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' })
	if slices.Contains(t.files, answer) { // its name may hold blanks
		words = []string{answer}
	}
	for _, word := range words {
		files, err := t.named(word, list)
		if err != nil {
			return err
		}
		found = append(found, files)
	}
	for i, files := range found {
		tick := words[i] == "all" || words[i] != "none" && t.count(files) < len(files)
		for _, file := range files {
			t.ticked[file] = tick
		}
	}
	return nil
}

// named are the files that a word of an answer is about.
func (t *Tree) named(word string, list []branch) ([]string, error) {
	if word == "all" || word == "none" {
		return t.files, nil
	}
	from, to, ranged := strings.Cut(word, "-")
	if !ranged {
		to = from
	}
	first, err := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if err == nil && err2 == nil {
		if first < 1 || last > len(list) || first > last {
			return nil, fmt.Errorf("there is no line %s; the last one is %d", word, len(list))
		}
		var files []string
		for _, x := range list[first-1 : last] {
			if first == last || !x.folder || x.closed { // what is meant of an open folder stands below it
				files = append(files, x.files...)
			}
		}
		return files, nil
	}
	files, _ := Selection{Entries: []string{word}}.Match(t.files)
	for _, file := range t.files {
		if strings.HasPrefix(file, strings.TrimSuffix(word, "/")+"/") {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no file here matches %s", word)
	}
	return files, nil
}

// Remember is the change of the selection file that remembers what is ticked; ok is false where it says so already. Globs
// stay that select only what is ticked.
func (t *Tree) Remember() (c edits.Change, ok bool) {
	files := t.Files()
	was := t.selected()
	if slices.Sort(was); slices.Equal(was, files) {
		return c, false
	}
	next := Selection{LintOff: t.memory.LintOff}
	for _, entry := range t.memory.Entries {
		if some, _ := (Selection{Entries: []string{entry}}).Match(t.files); len(some) > 0 && isGlob(entry) && t.count(some) == len(some) {
			next.Entries = append(next.Entries, entry)
		}
	}
	by, _ := next.Match(t.files)
	for _, file := range files {
		if !slices.Contains(by, file) {
			next.Entries = append(next.Entries, file)
		}
	}
	c = edits.Change{Path: SelectionFile, Op: edits.OpUpdate, Before: t.before, After: next.Format(t.files)}
	if t.before == "" {
		c.Op = edits.OpCreate
	}
	return c, true
}
