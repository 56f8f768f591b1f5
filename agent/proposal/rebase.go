package proposal

import (
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/workspace"
	"coauthor/edits"
)

// planner has what the user has now, with the changes carried out on it so far. It plans; it writes
// nothing.
type planner struct {
	base *workspace.Snapshot
	was  map[string]*string // what was read of a path; nil is no file
	text map[string]*string // what changes made of a path; nil is gone
	// from maps a path to where its file lies in base, for the files that changes moved.
	from map[string]string
	// fresh are the paths of new files that an editor has as empty buffers without a file. Making one
	// is a create all the same, so that taking it back is a delete.
	fresh map[string]bool
	take  Take
}

// Take says what is done where the user has changed what a proposal changes, too.
type Take string

// The ways. TakeMarkers writes both sides, between markers, for the user to choose in the text.
const (
	TakeNeither Take = "" // refuse, and change nothing
	TakeTheirs  Take = "theirs"
	TakeMarkers Take = "markers"
)

// settle returns what is written in the place of a conflict; nil refuses it.
func (t Take) settle() func(edits.Conflict) string {
	switch t {
	case TakeTheirs:
		return func(c edits.Conflict) string { return c.Theirs }
	case TakeMarkers:
		return func(c edits.Conflict) string {
			end := "\n"
			if strings.Contains(c.Base+c.Ours, "\r\n") {
				end = "\r\n"
			}
			return "<<<<<<< yours" + end + ended(c.Ours, end) + "||||||| before" + end + ended(c.Base, end) +
				"=======" + end + ended(c.Theirs, end) + ">>>>>>> the model's" + end
		}
	case TakeNeither:
	}
	return nil
}

// ended is a text whose last line ends.
func ended(text, end string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + end
}

func newPlanner(base *workspace.Snapshot, take Take) *planner {
	return &planner{base: base, take: take, was: map[string]*string{}, text: map[string]*string{}, from: map[string]string{}, fresh: map[string]bool{}}
}

// read returns the text of a path, nil when there is no such file.
func (s *planner) read(path string) (*string, error) {
	if t, ok := s.text[path]; ok {
		return t, nil
	}
	t, err := s.base.Text(path)
	s.was[path] = t
	return t, err
}

// apply carries out a change, merged with what the user has typed since. The returned sentence is
// empty when that worked; else it says what is in the way and nothing was changed.
func (s *planner) apply(w edits.Change) (conflict string, err error) {
	now, err := s.read(w.Path)
	if err != nil {
		return "", err
	}
	switch w.Op {
	case edits.OpCreate:
		switch {
		case now == nil, workspace.Blank(*now), *now == w.After, s.take == TakeTheirs:
			s.fresh[w.Path] = s.base.Vacant(w.Path)
			s.put(w.Path, &w.After)
			return "", nil
		}
		return fmt.Sprintf("%s already exists with different content", w.Path), nil
	case edits.OpDelete:
		switch {
		case now == nil:
			return "", nil
		case *now == w.Before, s.base.Vacant(w.Path) && workspace.Blank(*now), s.take == TakeTheirs:
			s.put(w.Path, nil)
			return "", nil
		}
		return fmt.Sprintf("%s has new edits, so it was not deleted", w.Path), nil
	case edits.OpRename:
		return s.rename(w, now)
	case edits.OpUpdate:
		if now == nil && s.take == TakeTheirs {
			s.put(w.Path, &w.After)
			return "", nil
		}
		if now == nil {
			return fmt.Sprintf("%s no longer exists", w.Path), nil
		}
		merged, conflict := s.merge(w.Path, w.Before, *now, w.After)
		if conflict == "" {
			s.put(w.Path, &merged)
		}
		return conflict, nil
	}
	return "", fmt.Errorf("unknown operation %q", w.Op)
}

func (s *planner) rename(w edits.Change, now *string) (conflict string, err error) {
	there, err := s.read(w.To)
	if err != nil {
		return "", err
	}
	if there != nil && (now == nil || s.movedOnDisk(w.Path, w.To)) {
		switch {
		case contains(w.Before, *there, w.After):
			return "", nil // the user has done it
		case *there == w.Before: // it was moved, and the edit of it is missing
			s.put(w.To, &w.After)
			return "", nil
		}
	}
	if now == nil {
		return fmt.Sprintf("%s no longer exists", w.Path), nil
	}
	merged, conflict := s.merge(w.Path, w.Before, *now, w.After)
	switch {
	case there == nil, workspace.Blank(*there): // an empty one holds nothing that could be lost
	case s.base.Unsaved(w.To) && (*there == merged || *there == *now):
		s.fresh[w.To] = true // the document of a file that was moved away on disk holds nothing more
	default:
		return fmt.Sprintf("%s already exists, so %s was not moved there", w.To, w.Path), nil
	}
	if conflict != "" {
		return conflict, nil
	}
	origin := w.Path
	if o, ok := s.from[w.Path]; ok {
		origin = o
	}
	s.put(w.Path, nil)
	s.put(w.To, &merged)
	s.from[w.To] = origin
	return "", nil
}

// movedOnDisk says whether from is only the document of a file that has been moved to another path on
// disk: some editors leave it open.
func (s *planner) movedOnDisk(from, to string) bool {
	_, planned := s.text[from]
	return !planned && s.base.Unsaved(from) && !s.base.Unsaved(to)
}

func (s *planner) put(path string, text *string) {
	if text == nil {
		delete(s.from, path)
	}
	s.text[path] = text
}

// changes returns the net effect on base, in the order that all editors can take: creates, updates,
// renames, deletes, each by path.
func (s *planner) changes() []edits.Change {
	before, after := map[string]*string{}, s.text
	for path := range s.text {
		if !s.fresh[path] {
			before[path] = s.was[path]
		}
	}
	var list []edits.Change
	taken := map[string]bool{}
	for to, from := range s.from {
		// A path that is used again on either side is no plain move: it becomes an update.
		if to != from && after[to] != nil && before[to] == nil && before[from] != nil && after[from] == nil {
			list = append(list, edits.Change{Path: from, Op: edits.OpRename, To: to, Before: *before[from], After: *after[to]})
			taken[from], taken[to] = true, true
		}
	}
	for path := range s.text {
		b, a := before[path], after[path]
		switch {
		case taken[path], b == nil && a == nil, b != nil && a != nil && *a == *b:
		case b == nil:
			list = append(list, edits.Change{Path: path, Op: edits.OpCreate, After: *a})
		case a == nil:
			list = append(list, edits.Change{Path: path, Op: edits.OpDelete, Before: *b})
		default:
			list = append(list, edits.Change{Path: path, Op: edits.OpUpdate, Before: *b, After: *a})
		}
	}
	slices.SortFunc(list, func(a, b edits.Change) int {
		if d := slices.Index(opOrder, a.Op) - slices.Index(opOrder, b.Op); d != 0 {
			return d
		}
		return strings.Compare(a.Path, b.Path)
	})
	return list
}

var opOrder = []edits.Op{edits.OpCreate, edits.OpUpdate, edits.OpRename, edits.OpDelete}

// merge brings base→goal into now.
func (s *planner) merge(path, base, now, goal string) (merged, conflict string) {
	settle := s.take.settle()
	merged, conflicts := edits.MergeBy(base, now, goal, settle)
	if len(conflicts) == 0 || settle != nil {
		return merged, ""
	}
	return "", fmt.Sprintf("you edited the same lines in %s (%s)", path, oursLines(conflicts[0]))
}

// oursLines names the lines of a conflict in what the user has now, as people count.
func oursLines(c edits.Conflict) string {
	if c.OursCount > 1 {
		return fmt.Sprintf("lines %d to %d", c.OursLine+1, c.OursLine+c.OursCount)
	}
	return fmt.Sprintf("line %d", c.OursLine+1)
}

// contains says whether now holds the whole change base→goal, whatever else was typed.
func contains(base, now, goal string) bool {
	merged, conflicts := edits.Merge(base, now, goal)
	return len(conflicts) == 0 && merged == now
}

// Check says whether a change is found in what a file reads now; nil is no file. It is for a change
// that has had its time to arrive: a file that still reads as before is Absent. The returned text is
// set when an editor wrote the change in its own way (line ends, a byte order mark, the last newline).
func Check(c edits.Change, path, to *string) (LandState, *string) {
	switch c.Op {
	case edits.OpDelete:
		switch {
		case path == nil, workspace.Blank(*path) && !workspace.Blank(c.Before):
			return LandLanded, nil
		case *path == c.Before:
			return LandAbsent, nil
		}
		return LandDiffers, nil
	case edits.OpRename:
		if to == nil {
			if path != nil {
				return LandAbsent, nil
			}
			return LandDiffers, nil
		}
		state, text := checkText(c.Before, *to, c.After)
		if state == LandAbsent || path != nil {
			return LandDiffers, nil // moved without the edit, or edited without the move
		}
		return state, text
	case edits.OpCreate:
		if path == nil || workspace.Blank(*path) && !workspace.Blank(c.After) {
			return LandAbsent, nil
		}
		return checkText("", *path, c.After)
	case edits.OpUpdate:
		if path == nil {
			return LandDiffers, nil
		}
		return checkText(c.Before, *path, c.After)
	}
	return LandUnknown, nil
}

func checkText(base, now, goal string) (LandState, *string) {
	switch {
	case now == goal:
		return LandLanded, nil
	case now == base:
		return LandAbsent, nil
	case plain(now) == plain(goal):
		return LandLanded, &now
	case contains(base, now, goal):
		return LandLanded, nil
	case contains(goal, now, base):
		return LandAbsent, nil
	}
	return LandDiffers, nil
}

// plain removes what editors are free to write otherwise.
func plain(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	return strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
}

// OnTop puts the parts of a proposal that were not discarded on what the user has now, as applying them would:
// changes to base, in the order that all editors can take. The paths where that cannot be done are stale,
// and left as they are.
func OnTop(files []File, base *workspace.Snapshot) (changes []edits.Change, stale []string) {
	planned := newPlanner(base, TakeNeither)
	for i := range files {
		f := &files[i]
		w, left, err := f.kept()
		if !left {
			continue
		}
		conflict := ""
		if err == nil {
			conflict, err = planned.apply(w)
		}
		if err != nil || conflict != "" {
			stale = append(stale, f.Change.Path)
		}
	}
	return planned.changes(), stale
}

// kept is the change without the hunks that were discarded, and whether anything is left of it.
func (f *File) kept() (w edits.Change, left bool, err error) {
	w = f.Change
	gone := f.with(HunkDiscarded)
	switch len(gone) {
	case 0:
		return w, true, nil
	case len(f.units()): // also of a move: who discards its edit discards the move
		return w, false, nil
	}
	w.After, err = edits.ApplyHunks(w.Before, slices.DeleteFunc(slices.Clone(f.Hunks), func(h edits.Hunk) bool {
		return slices.Contains(gone, h.Number)
	}))
	return w, true, err
}
