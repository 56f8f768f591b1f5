package edits_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
)

// tracked shows a track: each hunk with its state and what it stands for now.
func tracked(t *edits.Track) string {
	var list []string
	for _, h := range t.Hunks() {
		list = append(list, fmt.Sprintf("%d %s %q", h.Number, h.State, t.Text()[h.Start:h.End]))
	}
	return strings.Join(list, "; ")
}

func TestTrackFollows(t *testing.T) {
	const before = "a\nb\nc\nd\ne\nf\ng\n"
	const after = "a\nB1\nB2\nc\nd\nf\nnew\ng\n" // b became two lines, e is gone, a line is new
	for _, c := range []struct {
		name, now, want string
	}{
		{"nothing", after, `1 intact "B1\nB2\n"; 2 intact ""; 3 intact "new\n"`},
		{"a line before", "x\n" + after, `1 intact "B1\nB2\n"; 2 intact ""; 3 intact "new\n"`},
		{"a line that begins as the hunk does", "a\nBut\nB1\nB2\nc\nd\nf\nnew\ng\n", `1 intact "B1\nB2\n"; 2 intact ""; 3 intact "new\n"`},
		{"a copy of its last line behind it", "a\nB1\nB2\nB2\nc\nd\nf\nnew\ng\n", `1 intact "B1\nB2\n"; 2 intact ""; 3 intact "new\n"`},
		{"a copy of it", "a\nB1\nB2\nB1\nB2\nc\nd\nf\nnew\ng\n", `1 intact "B1\nB2\n"; 2 intact ""; 3 intact "new\n"`},
		{"its neighbours change", "A\nB1\nB2\nC\nD\nF\nnew\nG\n", `1 intact "B1\nB2\n"; 2 intact ""; 3 intact "new\n"`},
		{"a letter inside", "a\nB1x\nB2\nc\nd\nf\nnew\ng\n", `1 touched "B1x\nB2\n"; 2 intact ""; 3 intact "new\n"`},
		{"a line inside", "a\nB1\nx\nB2\nc\nd\nf\nnew\ng\n", `1 touched "B1\nx\nB2\n"; 2 intact ""; 3 intact "new\n"`},
		{"it is indented", "a\n\tB1\n\tB2\nc\nd\nf\nnew\ng\n", `1 touched "\tB1\n\tB2\n"; 2 intact ""; 3 intact "new\n"`},
		{"a part goes with its neighbour", "a\nB1\nd\nf\nnew\ng\n", `1 touched "B1\n"; 2 intact ""; 3 intact "new\n"`},
		{"all of it goes", "a\nc\nd\nf\nnew\ng\n", `1 gone ""; 2 intact ""; 3 intact "new\n"`},
		{"the old text comes back", "a\nb\nc\nd\nf\nnew\ng\n", `1 gone "b\n"; 2 intact ""; 3 intact "new\n"`},
		{"the deleted line comes back", "a\nB1\nB2\nc\nd\ne\nf\nnew\ng\n", `1 intact "B1\nB2\n"; 2 gone "e\n"; 3 intact "new\n"`},
		{"the new line goes", "a\nB1\nB2\nc\nd\nf\ng\n", `1 intact "B1\nB2\n"; 2 intact ""; 3 gone ""`},
		{"two hunks at once", "a\nB1\nB2!\nc\nd\nf\nnews\ng\n", `1 touched "B1\nB2!\n"; 2 intact ""; 3 touched "news\n"`},
		{"all as it was", before, `1 gone "b\n"; 2 gone "e\n"; 3 gone ""`},
		{"nothing is left", "", `1 gone ""; 2 touched ""; 3 gone ""`},
	} {
		track := edits.NewTrack(after, edits.Diff(before, after))
		track.Follow(c.now)
		if got := tracked(track); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if track.Follow(after); strings.Contains(tracked(track), "touched \"B") {
			t.Errorf("%s, and back: %s", c.name, tracked(track))
		}
	}
}

func TestTrackTakesBack(t *testing.T) {
	const before, after = "a\nb\nc\nd\ne\nf\n", "a\nB\nc\ne\nE\nf\n"
	track := edits.NewTrack(after, edits.Diff(before, after))
	track.Follow("start\na, mine\nB\nc\ne\nE\nf\n")
	if got, want := track.Without(1), "start\na, mine\nb\nc\ne\nE\nf\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := track.Without(3, 1, 2), "start\na, mine\nb\nc\nd\ne\nf\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	track.Follow(strings.Replace(track.Text(), "B\n", "Bee\n", 1))
	if got, want := track.Without(1, 2, 3), "start\na, mine\nBee\nc\nd\ne\nf\n"; got != want {
		t.Errorf("what was touched stays: %q, want %q", got, want)
	}
	track.Drop(1)
	if got, want := tracked(track), `2 intact ""; 3 intact "E\n"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// cell is a byte of the naive model: it knows the hunk that it came with, 0 for none.
type cell struct {
	b    byte
	hunk int
}

// naive follows hunks by marking each byte with the hunk that it came with.
type naive []cell

func newNaive(after string, hunks []edits.Hunk) naive {
	m := make(naive, len(after))
	for i := range m {
		m[i].b = after[i]
	}
	for _, h := range hunks {
		for i := h.NewStart; i < h.NewEnd; i++ {
			m[i].hunk = h.Number
		}
	}
	return m
}

func (m naive) edit(start, end int, with string) naive {
	var in naive
	for i := range len(with) {
		in = append(in, cell{b: with[i]})
	}
	return slices.Concat(m[:start], in, m[end:])
}

func (m naive) text() string {
	b := make([]byte, len(m))
	for i := range m {
		b[i] = m[i].b
	}
	return string(b)
}

// of returns where the bytes of a hunk stand, and whether they are all there as whole lines with nothing between them.
func (m naive) of(h edits.Hunk) (start, end int, left, intact bool) {
	start = slices.IndexFunc(m, func(c cell) bool { return c.hunk == h.Number })
	if start < 0 {
		return 0, 0, false, false
	}
	for end = start; end < len(m) && m[end].hunk == h.Number; end++ {
	}
	line := func(at int) bool { return at == 0 || m[at-1].b == '\n' }
	return start, end, true, m[start:end].text() == h.New && line(start) && (line(end) || end == len(m))
}

// draw makes a random text of so many lines.
func draw(r *rand.Rand, lines int, unique bool) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "%c", 'a'+r.IntN(3))
		if unique {
			fmt.Fprintf(&b, "%d.%d", i, r.IntN(1000))
		}
		if i+1 < lines || r.IntN(4) > 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// change makes random changes of whole lines, as a model does.
func change(r *rand.Rand, text string, unique bool) string {
	lines := strings.SplitAfter(text, "\n")
	for range 1 + r.IntN(4) {
		at := r.IntN(len(lines))
		switch r.IntN(3) {
		case 0:
			lines[at] = "M" + draw(r, 1+r.IntN(3), unique)
		case 1:
			lines[at] += "M" + draw(r, 1, unique)
		case 2:
			lines[at] = ""
		}
	}
	return strings.Join(lines, "")
}

// random is a random edit of a text.
func random(r *rand.Rand, text string) (start, end int, with string) {
	start = r.IntN(len(text) + 1)
	if r.IntN(2) == 0 {
		start = strings.LastIndexByte(text[:start], '\n') + 1
	}
	end = start + r.IntN(min(12, len(text)-start)+1)
	if r.IntN(3) == 0 {
		end = start
	}
	if r.IntN(4) > 0 || start == end {
		with = draw(r, r.IntN(3), false)
	}
	return start, end, with
}

// Random edits on random documents: what the naive model has intact is intact, in the same place; what of it has
// something left is not gone, unless the old lines stand there again; and a place is always one of the text.
func TestTrackAgainstTheNaiveModel(t *testing.T) {
	const seed = 4711
	r := rand.New(rand.NewPCG(seed, 1))
	seen := map[edits.TrackState]int{}
	for round := range 3000 {
		before := draw(r, 1+r.IntN(12), false)
		after := change(r, before, false)
		hunks := edits.Diff(before, after)
		track, model := edits.NewTrack(after, hunks), newNaive(after, hunks)
		for range 1 + r.IntN(6) {
			text := track.Text()
			start, end, with := random(r, text)
			track.Edit(start, end, with)
			model = model.edit(start, end, with)
			if track.Text() != model.text() {
				t.Fatalf("seed %d, round %d: %q, want %q", seed, round, track.Text(), model.text())
			}
			for _, h := range track.Hunks() {
				seen[h.State]++
				now := track.Text()[h.Start:h.End]
				if h.State == edits.TrackIntact && now != h.New {
					t.Fatalf("seed %d, round %d: hunk %d is intact and reads %q, not %q", seed, round, h.Number, now, h.New)
				}
				if h.New == "" {
					continue
				}
				from, to, left, intact := model.of(h.Hunk)
				if intact && (h.State != edits.TrackIntact || h.Start != from || h.End != to) {
					t.Fatalf("seed %d, round %d: hunk %d is %s at %d to %d of %q, and intact at %d to %d", seed, round, h.Number, h.State, h.Start, h.End, track.Text(), from, to)
				}
				if !left && h.State == edits.TrackTouched && now == "" {
					t.Fatalf("seed %d, round %d: nothing of hunk %d is left, and it is %s", seed, round, h.Number, h.State)
				}
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("only %v came", seen)
	}
}

// One edit that touches no hunk leaves all of them intact, also when all that is known of it is the text that it made.
func TestTrackFollowsTheTextAlone(t *testing.T) {
	const seed = 17
	r := rand.New(rand.NewPCG(seed, 2))
	untouched := 0
	for round := range 5000 {
		before := draw(r, 1+r.IntN(12), false)
		after := change(r, before, false)
		hunks := edits.Diff(before, after)
		start, end, with := random(r, after)
		exact, track := edits.NewTrack(after, hunks), edits.NewTrack(after, hunks)
		exact.Edit(start, end, with)
		track.Follow(exact.Text())
		if slices.ContainsFunc(exact.Hunks(), func(h edits.Tracked) bool { return h.State != edits.TrackIntact }) {
			continue
		}
		untouched++
		for i, h := range exact.Hunks() {
			got := track.Hunks()[i]
			if got.State != edits.TrackIntact {
				if h.Old != "" && track.Text()[got.Start:got.End] == h.Old {
					continue // the same text comes of putting the old lines back
				}
				t.Fatalf("seed %d, round %d: %q, %d to %d become %q: hunk %d (%q) is %s\n%s\n%s", seed, round, after, start, end, with, h.Number, h.New, got.State, tracked(exact), tracked(track))
			}
		}
	}
	if untouched < 1000 {
		t.Errorf("only %d edits touched no hunk", untouched)
	}
}

// Several edits at once, as of a formatter: what lies between the hunks changes and no hunk does.
func TestTrackFollowsManyEditsAtOnce(t *testing.T) {
	const seed = 23
	r := rand.New(rand.NewPCG(seed, 3))
	for round := range 2000 {
		before := draw(r, 4+r.IntN(20), true)
		after := change(r, before, true)
		hunks := edits.Diff(before, after)
		own := map[int]bool{}
		for _, h := range hunks {
			for n := range h.NewCount {
				own[h.NewLine+n] = true
			}
		}
		lines := strings.SplitAfter(after, "\n")
		for i := range lines {
			if own[i] || r.IntN(3) > 0 || lines[i] == "" {
				continue
			}
			lines[i] = "\t" + lines[i]
		}
		track := edits.NewTrack(after, hunks)
		track.Follow(strings.Join(lines, ""))
		for _, h := range track.Hunks() {
			if h.State != edits.TrackIntact {
				t.Fatalf("seed %d, round %d: %q became %q: %s", seed, round, after, track.Text(), tracked(track))
			}
		}
	}
}

// An edit that is taken back leaves the hunks as they were.
func TestTrackOfAnEditTakenBack(t *testing.T) {
	const seed = 31
	r := rand.New(rand.NewPCG(seed, 4))
	for round := range 3000 {
		before := draw(r, 2+r.IntN(12), true)
		after := change(r, before, true)
		track := edits.NewTrack(after, edits.Diff(before, after))
		was := tracked(track)
		start, end, with := random(r, after)
		lost := slices.ContainsFunc(track.Hunks(), func(h edits.Tracked) bool { return h.New == "" && start < h.Start && h.Start < end })
		track.Edit(start, end, with)
		between := tracked(track)
		track.Edit(start, start+len(with), after[start:end])
		if got := tracked(track); got != was && !lost {
			t.Fatalf("seed %d, round %d: %q of %q, %d to %d became %q: %s, then %s, want %s", seed, round, after, before, start, end, with, between, got, was)
		}
	}
}

func FuzzTrack(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nB\nc\nd\n", "x\na\nB\nc\nd\n", "a\nb\nc\n")
	f.Add("a\n", "", "a\n", "")
	f.Add("", "a\na\na\n", "a\na\na\na\n", "a")
	f.Add("a\nb\n\nc\r\n", "a\r\nb", "\ufeffa\nb\xff", "b\nb")
	f.Fuzz(func(t *testing.T, before, after, one, two string) {
		track := edits.NewTrack(after, edits.Diff(before, after))
		if got := track.Without(numbers(track)...); got != before {
			t.Fatalf("taken back: %q, want %q", got, before)
		}
		for _, now := range []string{one, two, after, before, after} {
			track.Follow(now)
			if track.Text() != now {
				t.Fatalf("%q, want %q", track.Text(), now)
			}
			for _, h := range track.Hunks() {
				if h.State == edits.TrackIntact && now[h.Start:h.End] != h.New { // and a place outside panics
					t.Fatalf("hunk %d of %q is intact and reads %q", h.Number, now, now[h.Start:h.End])
				}
			}
			if without := track.Without(numbers(track)...); len(numbers(track)) == 0 && without != now {
				t.Fatalf("nothing was taken back, and %q became %q", now, without)
			}
		}
	})
}

// numbers are those of the hunks of a track that are intact.
func numbers(t *edits.Track) (list []int) {
	for _, h := range t.Hunks() {
		if h.State == edits.TrackIntact {
			list = append(list, h.Number)
		}
	}
	return list
}
