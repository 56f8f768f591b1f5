package edits

import (
	"strings"

	"coauthor/edits/match"
)

// Track follows hunks that landed in a text through later edits of it: where each of them stands now, and whether its
// lines still read as they landed. An edit before a hunk moves it, one inside touches it. A Track is not safe for
// concurrent use.
type Track struct {
	text  string
	hunks []Tracked // in their order in the text that they landed in
}

// Tracked is a hunk and what became of it.
type Tracked struct {
	Hunk           // as it landed; its places are those of that moment
	Start, End int // byte offsets in the text now; of a hunk that was touched, with all that the edits put in its place
	State      TrackState

	lost bool // of a deletion: what stood before and behind it went in one edit
}

// TrackState says what became of a hunk that landed.
type TrackState string

// The states. Text that reads as it landed again makes its hunk intact again.
const (
	TrackIntact  TrackState = "intact"  // its lines are there as they landed
	TrackTouched TrackState = "touched" // an edit went into its lines
	TrackGone    TrackState = "gone"    // its lines are not there any more, or the old ones are there again
)

// trackedDiff bounds the work of comparing lines when a text is followed, as maxDiffProduct bounds that of a diff: it is
// done while somebody types. trackedSlide bounds how far a place is looked for where an edit touches no hunk, and
// trackedCopy how many bytes are copied for that.
const (
	trackedDiff  = 1 << 18
	trackedSlide = 1 << 12
	trackedCopy  = 1 << 22
)

// NewTrack begins to follow hunks, as Diff gives them, in the text that they made.
func NewTrack(after string, hunks []Hunk) *Track {
	t := &Track{text: after}
	for _, h := range sortedHunks(hunks) {
		t.hunks = append(t.hunks, Tracked{Hunk: h, Start: h.NewStart, End: h.NewEnd, State: TrackIntact})
	}
	return t
}

// Text is the text now.
func (t *Track) Text() string { return t.text }

// Hunks returns the hunks that are followed, in the order in which they landed. It is the caller's own.
func (t *Track) Hunks() []Tracked { return append([]Tracked(nil), t.hunks...) }

// Clone returns a track of its own that stands where this one does.
func (t *Track) Clone() *Track { return &Track{text: t.text, hunks: t.Hunks()} }

// Drop ends the following of a hunk.
func (t *Track) Drop(number int) {
	kept := t.hunks[:0]
	for _, h := range t.hunks {
		if h.Number != number {
			kept = append(kept, h)
		}
	}
	t.hunks = kept
}

// Without returns the text in which the intact ones of these hunks are taken back. The others stay as they are.
func (t *Track) Without(numbers ...int) string {
	var list []Hunk
	for _, h := range t.hunks {
		for _, n := range numbers {
			if h.Number == n && h.State == TrackIntact {
				list = append(list, Hunk{Number: n, OldStart: h.Start, OldEnd: h.End, Old: h.New, New: h.Old})
				break
			}
		}
	}
	text, err := ApplyHunks(t.text, list)
	if err != nil {
		return t.text // hunks that are intact stand there, beside each other
	}
	return text
}

// Edit follows one edit: the bytes from start to end become with.
func (t *Track) Edit(start, end int, with string) {
	t.follow([]splice{{start, end, with}}, t.text[:start]+with+t.text[end:])
}

// Follow follows the text to what it reads now. Where several edits could have made that of it, those are taken that
// touch no hunk.
func (t *Track) Follow(now string) {
	if now != t.text {
		t.follow(t.splices(now), now)
	}
}

// splice is an edit: the bytes from start to end become with.
type splice struct {
	start, end int
	with       string
}

// follow takes over edits of the text, in order and apart from each other, that make it read so.
func (t *Track) follow(list []splice, now string) {
	for n := len(list) - 1; n >= 0; n-- { // from the end, so that the places of the others stay
		for i := range t.hunks {
			t.hunks[i].move(list[n])
		}
	}
	t.text = now
	taken := 0 // up to where intact hunks have the text for themselves
	for i := range t.hunks {
		h := &t.hunks[i]
		if h.judge(now); h.State != TrackIntact {
			continue
		}
		if h.Start < taken {
			h.State = TrackTouched // two that read the same, and the place of one of them
			continue
		}
		taken = h.End
	}
}

// move follows one edit.
func (h *Tracked) move(s splice) {
	shift := len(s.with) - (s.end - s.start)
	switch {
	case h.returns(s):
		h.Start, h.End, h.lost = s.start, s.start+len(s.with), false
	case h.Start == h.End && s.start == h.Start && s.end == h.End && s.with != "" && s.with[len(s.with)-1] != '\n':
		// It begins the line behind the place; before it, it would have ended one.
	case s.end <= h.Start:
		h.Start, h.End = h.Start+shift, h.End+shift
	case s.start >= h.End:
	case h.Start == h.End:
		h.Start, h.End, h.lost = s.start, s.start, true
	default:
		h.Start, h.End = min(h.Start, s.start), max(h.End, s.end)+shift
	}
}

// returns says whether an edit brings back what is not there: the lines of a hunk that is gone, or those that a deletion
// took.
func (h *Tracked) returns(s splice) bool {
	if h.Start != h.End || s.start > h.Start || s.end < h.Start || s.with == "" {
		return false
	}
	if h.New == "" {
		return s.start == s.end && s.with == h.Old
	}
	return strings.Count(s.with, h.New) == 1
}

// judge finds out what became of a hunk in a text.
func (h *Tracked) judge(now string) {
	if h.State != TrackIntact || now[h.Start:h.End] != h.New {
		h.find(now)
	}
	switch text := now[h.Start:h.End]; {
	case text == h.New && !h.lost && h.whole(now, h.Start):
		h.State = TrackIntact
	case h.State == TrackGone, text == "" && h.New != "", text == h.Old && h.Old != "" && wholeLines(now, h.Start, h.End):
		h.State = TrackGone // until its lines come back
	default:
		h.State = TrackTouched
	}
}

// find looks for the lines of a hunk around what is left of it: an edit that was taken back put them there again.
func (h *Tracked) find(now string) {
	if h.Start == h.End || h.New == "" {
		return
	}
	from := max(0, h.Start-len(h.New)+1) // so that something of what is left is in it
	within := now[from:min(len(now), h.End+len(h.New)-1)]
	found := -1
	for at := 0; ; at++ {
		n := strings.Index(within[at:], h.New)
		if n < 0 {
			break
		}
		if at += n; !h.whole(now, from+at) {
			continue
		}
		if found >= 0 {
			return // nobody knows which
		}
		found = from + at
	}
	if found >= 0 {
		h.Start, h.End = found, found+len(h.New)
	}
}

// whole says whether the lines of a hunk would be whole lines at a place.
func (h *Tracked) whole(now string, at int) bool { return wholeLines(now, at, at+len(h.New)) }

// wholeLines says whether the bytes from start to end are whole lines of a text.
func wholeLines(text string, start, end int) bool {
	begins := func(at int) bool { return at == 0 || text[at-1] == '\n' }
	return begins(start) && (begins(end) || end == len(text))
}

// splices are edits that make the text read so.
func (t *Track) splices(now string) []splice {
	start := match.SharedStart(t.text, now)
	tail := match.SharedEnd(t.text[start:], now[start:])
	one := t.outside(splice{start, len(t.text) - tail, now[start : len(now)-tail]}, 0, len(t.text))
	if !t.hits(one) {
		return []splice{one}
	}
	start = strings.LastIndexByte(t.text[:start], '\n') + 1
	if n := strings.IndexByte(t.text[len(t.text)-tail:], '\n'); n >= 0 {
		tail -= n + 1
	} else {
		tail = 0
	}
	before, after := splitLines(t.text[start:len(t.text)-tail]), splitLines(now[start:len(now)-tail])
	spare := trackedDiff
	var list []splice
	for _, h := range makeHunks(before, after, diffWithin(before, after, &spare)) {
		list = append(list, h.splices(start, before, after)...)
	}
	if len(list) < 2 {
		return []splice{one} // it tells the place within the line
	}
	for i := range list {
		from, to := 0, len(t.text)
		if i > 0 {
			from = list[i-1].end
		}
		if i+1 < len(list) {
			to = list[i+1].start
		}
		list[i] = t.outside(list[i], from, to)
	}
	return list
}

// splices are the edits that a hunk of these lines is, in a text in which they begin at start: line by line where it has as
// many lines as before.
func (h *Hunk) splices(start int, before, after []string) []splice {
	at := start + h.OldStart
	if h.OldCount != h.NewCount {
		return []splice{{at, start + h.OldEnd, h.New}}
	}
	list := make([]splice, h.OldCount)
	for i := range list {
		was := before[h.OldLine+i]
		list[i] = splice{at, at + len(was), after[h.NewLine+i]}
		at += len(was)
	}
	return list
}

// outside is an edit that does the same between two places of the text and touches no hunk, if there is one: where
// something is only put in or only taken out, the same text can come of other places beside that one.
func (t *Track) outside(s splice, from, to int) splice {
	if s.start != s.end && s.with != "" || t.returned(s) {
		return s
	}
	best, hits := s, t.hits(s)
	steps := min(trackedSlide, trackedCopy/max(1, len(s.with)))
	look := func(next func(splice) (splice, bool)) (found bool) {
		at := s
		for range steps {
			var ok bool
			if at, ok = next(at); !ok {
				return false
			}
			if t.returned(at) {
				best = at
				return true
			}
			if hits && !t.hits(at) {
				best, hits = at, false
			}
		}
		return false
	}
	_ = look(func(s splice) (splice, bool) { return t.earlier(s, from) }) || look(func(s splice) (splice, bool) { return t.later(s, to) })
	return best
}

// earlier is the edit that does the same one byte earlier.
func (t *Track) earlier(s splice, from int) (splice, bool) {
	switch {
	case s.start <= from:
	case s.start == s.end && t.text[s.start-1] == s.with[len(s.with)-1]:
		return splice{s.start - 1, s.end - 1, s.with[len(s.with)-1:] + s.with[:len(s.with)-1]}, true
	case s.start < s.end && t.text[s.start-1] == t.text[s.end-1]:
		return splice{s.start - 1, s.end - 1, ""}, true
	}
	return s, false
}

// later is the edit that does the same one byte later.
func (t *Track) later(s splice, to int) (splice, bool) {
	switch {
	case s.end >= to:
	case s.start == s.end && t.text[s.start] == s.with[0]:
		return splice{s.start + 1, s.end + 1, s.with[1:] + s.with[:1]}, true
	case s.start < s.end && t.text[s.start] == t.text[s.end]:
		return splice{s.start + 1, s.end + 1, ""}, true
	}
	return s, false
}

// hits says whether an edit goes into a hunk.
func (t *Track) hits(s splice) bool {
	for i := range t.hunks {
		h := &t.hunks[i]
		if s.start < h.End && s.end > h.Start || s.start < h.Start && h.Start < s.end {
			return true
		}
		// What does not end a line changes the one that begins there.
		if s.end == h.Start && s.with != "" && (h.Start < h.End || s.start < s.end) && s.with[len(s.with)-1] != '\n' {
			return true
		}
		// So does what comes behind the last line of the text.
		if s.start == h.End && s.with != "" && h.Start < h.End && t.text[h.End-1] != '\n' {
			return true
		}
	}
	return false
}

// returned says whether an edit brings a hunk back.
func (t *Track) returned(s splice) bool {
	for i := range t.hunks {
		if t.hunks[i].returns(s) {
			return true
		}
	}
	return false
}
