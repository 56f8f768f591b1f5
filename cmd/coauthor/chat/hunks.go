package chat

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"coauthor/agent/display"
	"coauthor/agent/proposal"
	"coauthor/edits"
)

// unit is what is decided on at once: a hunk, or a file whose change cannot be divided.
type unit struct {
	file  int
	hunks []int
}

// The decisions on a unit.
const (
	open = iota
	take
	drop
)

// picker goes through the units of a change with the keys of git add -p.
type picker struct {
	units []unit
	state []int // of each unit
	at    int
}

func newPicker(p proposal.Proposal) *picker {
	k := &picker{}
	for i := range p.Files {
		f := &p.Files[i]
		numbers := f.Undecided()
		if f.Change.Op != edits.OpUpdate && len(numbers) > 0 {
			k.units = append(k.units, unit{i, nil})
			continue
		}
		for _, n := range numbers {
			k.units = append(k.units, unit{i, []int{n}})
		}
	}
	k.state = make([]int, len(k.units))
	return k
}

// next goes to the next unit that is open, from a place on, or the other way; false where there is none.
func (k *picker) next(from, by int) bool {
	for i := from; i >= 0 && i < len(k.units); i += by {
		if k.state[i] == open {
			k.at = i
			return true
		}
	}
	return false
}

// forward goes to the next unit that is open, also one that was left; done where all are decided on.
func (k *picker) forward() (done bool) { return !k.next(k.at+1, 1) && !k.next(0, 1) }

// press takes a key: done where the user is through, known for a key that there is.
func (k *picker) press(key string) (done, known bool) {
	rest := func(state int) {
		for i := k.at; i < len(k.units) && k.units[i].file == k.units[k.at].file; i++ {
			if k.state[i] == open {
				k.state[i] = state
			}
		}
	}
	if key != "J" && key != "K" { // the only ones that git tells from small letters
		key = strings.ToLower(key)
	}
	switch key {
	case "y":
		k.state[k.at] = take
	case "n":
		k.state[k.at] = drop
	case "a":
		rest(take)
	case "d":
		rest(drop)
	case "q":
		return true, true
	case "j":
		if !k.next(k.at+1, 1) {
			return false, false
		}
		return false, true
	case "k":
		if !k.next(k.at-1, -1) {
			return false, false
		}
		return false, true
	case "J", "K":
		to := k.at + 1
		if key == "K" {
			to = k.at - 1
		}
		if to < 0 || to == len(k.units) {
			return false, false
		}
		k.at = to
		return false, true
	default:
		return false, false
	}
	return k.forward(), true
}

// keys are those that can be pressed now, in the order of git.
func (k *picker) keys() string {
	keys := "y,n,q,a,d"
	here := k.at
	if k.next(here-1, -1) {
		keys += ",k"
	}
	if here > 0 {
		keys += ",K"
	}
	if k.next(here+1, 1) {
		keys += ",j"
	}
	if here+1 < len(k.units) {
		keys += ",J"
	}
	k.at = here
	if len(k.units[here].hunks) > 0 {
		keys += ",e"
	}
	return keys + ",?"
}

// hunkHelp says what the keys are, in the words of git.
var hunkHelp = [][2]string{
	{"y", "apply this hunk"},
	{"n", "do not apply this hunk"},
	{"q", "quit; do not apply this hunk or any of the remaining ones"},
	{"a", "apply this hunk and all later hunks in the file"},
	{"d", "do not apply this hunk or any of the later hunks in the file"},
	{"j", "leave this hunk undecided, see next undecided hunk"},
	{"J", "leave this hunk undecided, see next hunk"},
	{"k", "leave this hunk undecided, see previous undecided hunk"},
	{"K", "leave this hunk undecided, see previous hunk"},
	{"e", "manually edit the current hunk"},
	{"?", "print help"},
}

// hunks asks about each hunk, and discards what is not wanted.
func (d Decider) hunks(ctx context.Context, p proposal.Proposal) (Decided, error) {
	k := newPicker(p)
	for done := len(k.units) == 0; !done; {
		u := k.units[k.at]
		f := &p.Files[u.file]
		d.Print(d.Painter.differ().diff(only(f, u.hunks)))
		for known := false; !known; {
			word, err := d.Ask(ctx, fmt.Sprintf("(%d/%d) %s [%s]?", k.at+1, len(k.units), unitQuestion(f), k.keys()), true)
			if err != nil {
				return Decided{Change: p}, err
			}
			word = strings.TrimSpace(word)
			if strings.EqualFold(word, "e") && len(u.hunks) > 0 {
				next, err := d.editHunk(ctx, p, u)
				if err != nil {
					d.say(lookRed, display.Messages(err.Error()))
					continue
				}
				k = k.over(p, next)
				p, done = next, k.forward()
				break
			}
			if done, known = k.press(word); !known {
				d.list(hunkHelp)
			}
		}
	}
	some, whole, err := keep(d.Session.Proposals, p, k)
	return Decided{Change: p, Take: some, Whole: whole}, err
}

func unitQuestion(f *proposal.File) string {
	switch f.Change.Op {
	case edits.OpCreate:
		return "Create this file"
	case edits.OpDelete:
		return "Delete this file"
	case edits.OpRename:
		return "Move this file"
	case edits.OpUpdate:
	}
	return "Apply this hunk"
}

// keep discards what was not taken. some says that something is left, whole that all is.
func keep(in *proposal.Store, p proposal.Proposal, k *picker) (some, whole bool, err error) {
	whole = true
	for i, u := range k.units {
		if k.state[i] == take {
			some = true
			continue
		}
		whole = false
		_, err := in.Discard(proposal.Selector{Proposal: p.ID, Revision: p.Revision, Files: []string{p.Files[u.file].Path()}, Hunks: u.hunks})
		if err != nil {
			return false, false, err
		}
	}
	return some, whole, nil
}

// only is a change of one file of which nothing but some hunks is undecided; none are all.
func only(f *proposal.File, hunks []int) proposal.Proposal {
	one := *f
	if len(hunks) > 0 {
		one.Done = map[int]proposal.Decision{}
		for _, h := range f.Hunks {
			if h.Number != hunks[0] {
				one.Done[h.Number] = proposal.HunkDiscarded
			}
		}
	}
	return proposal.Proposal{Files: []proposal.File{one}}
}

// errEdited says that a hunk that was edited cannot be used.
var errEdited = errors.New("your edited hunk does not apply: the lines that begin with - or a blank must be the old lines; the hunk is as it was")

const editHead = `# Lines that begin with + are added, lines that begin with - are removed.
# To keep a line that is removed, put a blank in the place of its -.
# To leave out a line that is added, delete it. Lines that begin with # are ignored.
`

// hunkText is a hunk to edit.
func hunkText(h edits.Hunk) string {
	var b strings.Builder
	b.WriteString(editHead)
	for line := range strings.Lines(h.Old) {
		b.WriteString("-" + strings.TrimSuffix(line, "\n") + "\n")
	}
	for line := range strings.Lines(h.New) {
		b.WriteString("+" + strings.TrimSuffix(line, "\n") + "\n")
	}
	return b.String()
}

// editedHunk reads a hunk that was edited; false where it is not one on the old lines.
func editedHunk(h edits.Hunk, text string) (edits.Hunk, bool) {
	var old, now strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case line[0] == '+':
			now.WriteString(line[1:] + "\n")
		case line[0] == '-':
			old.WriteString(line[1:] + "\n")
		case line[0] == ' ':
			old.WriteString(line[1:] + "\n")
			now.WriteString(line[1:] + "\n")
		default:
			return h, false
		}
	}
	was, is := old.String(), now.String()
	if !strings.HasSuffix(h.Old, "\n") && h.Old != "" { // the end of a file without a line end
		was = strings.TrimSuffix(was, "\n")
	}
	if !strings.HasSuffix(h.New, "\n") && (h.New != "" || !strings.HasSuffix(h.Old, "\n") && h.Old != "") {
		is = strings.TrimSuffix(is, "\n")
	}
	h.New = is
	return h, was == h.Old
}

// editHunk has the user change a hunk, which makes the next revision of the change.
func (d Decider) editHunk(ctx context.Context, p proposal.Proposal, u unit) (proposal.Proposal, error) {
	f := p.Files[u.file]
	hunks := append([]edits.Hunk{}, f.Hunks...)
	for i, h := range hunks {
		if h.Number != u.hunks[0] {
			continue
		}
		text, err := d.Edit(ctx, hunkText(h), "hunk.diff")
		if err != nil {
			return p, err
		}
		changed, ok := editedHunk(h, text)
		if !ok {
			return p, errEdited
		}
		hunks[i] = changed
	}
	after, err := edits.ApplyHunks(f.Change.Before, hunks)
	if err != nil {
		return p, err
	}
	now := d.Session.Workspace.Snapshot()
	if text, err := now.Read(f.Change.Path); err != nil || text != f.Change.Before {
		return p, fmt.Errorf("%s has changed since the answer came; the hunk is as it was", f.Change.Path)
	}
	var changes []edits.Change
	for i := range p.Files {
		c := p.Files[i].Change
		if i == u.file {
			c.After = after
		}
		if c.Op != edits.OpUpdate || c.Before != c.After {
			changes = append(changes, c)
		}
	}
	if len(changes) == 0 {
		return p, errors.New("nothing would be left of the change; answer n to leave the hunk out")
	}
	next, err := d.Session.Proposals.Supersede(p.ID, p.Turn, p.Label, changes, now, proposal.Checked{Warnings: p.Warnings})
	if err != nil {
		return p, err
	}
	d.Session.Proposals.MarkShown(next.ID, next.Revision)
	return *next, nil
}

// over is the picker on the next revision of a change, in which the hunk that it stands at was edited: that is taken, and
// every other decision is as it was.
func (k *picker) over(before, next proposal.Proposal) *picker {
	n := newPicker(next)
	for i, u := range n.units {
		f := &next.Files[u.file]
		for j, old := range k.units {
			g := &before.Files[old.file]
			if g.Change.Path != f.Change.Path || !within(hunkOf(f, u), hunkOf(g, old)) {
				continue
			}
			if n.state[i] = k.state[j]; j == k.at {
				n.state[i], n.at = take, i
			}
		}
	}
	return n
}

func hunkOf(f *proposal.File, u unit) edits.Hunk {
	for _, h := range f.Hunks {
		if len(u.hunks) > 0 && h.Number == u.hunks[0] {
			return h
		}
	}
	return edits.Hunk{}
}

// within says whether a hunk lies where another one was.
func within(h, in edits.Hunk) bool {
	return h.OldLine >= in.OldLine && h.OldLine+h.OldCount <= in.OldLine+in.OldCount
}
