package proposal

import (
	"cmp"
	"slices"

	"coauthor/agent/workspace"
	"coauthor/edits"
)

// A change that was applied with How.Review stands under review: the user sees it in their files, and keeps or takes
// back each of its hunks there. The hunks are followed through what the user types. A created, deleted or renamed file is
// a hunk of its own, with the number 0. What stands under review is in the journal, with what was kept and taken back, so
// that who opens the root next goes on with it.

// Reviews tells what of the applied changes of a root stands under review, and takes what the user keeps of it.
type Reviews struct{ book *ledger }

// Review is what of the applied changes of a root the user has still to look at, by path and place.
type Review struct {
	Files []ReviewedFile
}

// ReviewedFile is one file of a change under review. A file that several changes touched stands there once for each.
type ReviewedFile struct {
	Path     string   // where it lies now; of a deleted file, where it lay
	Op       edits.Op // what the change did with it
	From     string   // where a renamed file lay before
	Turn     string
	Proposal string
	Label    string
	Text     string // in which the hunks have their places; "" for a deleted file
	Hunks    []ReviewedHunk
}

// ReviewedHunk is a hunk under review.
type ReviewedHunk struct {
	HunkRef
	Start, End int    // byte offsets in the file's text: whole lines
	Old, New   string // what the change put New in the place of; of a created or deleted file, all of it
	// Touched: the user has changed its lines since, so that it can be kept and not taken back.
	Touched bool
}

// HunkRef names a hunk under review.
type HunkRef struct {
	Proposal, Path string
	Number         int // among those of the file in the proposal; 0 is the file itself, which was created, deleted or renamed
}

// Hunks returns all hunks, in their order.
func (r *Review) Hunks() (list []ReviewedHunk) {
	for i := range r.Files {
		list = append(list, r.Files[i].Hunks...)
	}
	return list
}

// Of returns what of a review is about one file.
func (r *Review) Of(path string) (list []ReviewedFile) {
	for _, f := range r.Files {
		if f.Path == path {
			list = append(list, f)
		}
	}
	return list
}

// followed is a file under review as it was seen last.
type followed struct {
	track      *edits.Track // of the text; with hunks where there was a file before
	there      bool         // the file is where the change has put it
	generation uint64       // of the snapshot that it was seen in
}

// Watch has f told, in the background, when what is under review has changed, and once at the beginning.
func (rs *Reviews) Watch(f func()) {
	rs.book.mu.Lock()
	rs.book.reviewed = f
	rs.book.mu.Unlock()
	if rs.book.reviewing.Load() {
		f()
	}
}

// Any says whether something may be under review. It costs nothing.
func (rs *Reviews) Any() bool { return rs.book.reviewing.Load() }

// tellReview tells that what is under review may have changed. It is called without locks.
func (l *ledger) tellReview() {
	l.mu.Lock()
	f := l.reviewed
	l.mu.Unlock()
	if f != nil {
		f()
	}
}

// underReview calls f for each file under review, oldest first, until it returns false. The caller holds mu.
func (ds *deliveries) underReview(f func(d *delivery, i int) bool) {
	for _, d := range ds.list {
		if !d.review || d.op == opUndo {
			continue
		}
		for i := range d.files {
			if d.files[i].underReview() && !f(d, i) {
				return
			}
		}
	}
}

// underReview says whether something of a file of a delivery that is for review is still to be looked at.
func (f *delivered) underReview() bool {
	return f.state == LandLanded && !f.reversed && slices.ContainsFunc(f.units(), func(n int) bool { return !f.kept[n] })
}

// place is where the file of a change lies when it is done; of a deleted one, where it lay.
func place(c *edits.Change) string {
	if c.Op == edits.OpRename {
		return c.To
	}
	return c.Path
}

// cut returns the hunks of a file that are followed.
func (f *delivered) cut() []edits.Hunk {
	switch f.change.Op {
	case edits.OpUpdate, edits.OpRename:
		return edits.Diff(f.change.Before, f.change.After)
	case edits.OpCreate, edits.OpDelete:
	}
	return nil
}

// seen is the file under review as it was seen last.
func (f *delivered) seen() *followed {
	if f.under == nil {
		f.under = &followed{track: edits.NewTrack(f.change.After, f.cut()), there: true}
	}
	return f.under
}

// units are the numbers of what can be kept or taken back by itself.
func (f *delivered) units() (list []int) {
	if f.change.Op != edits.OpUpdate {
		list = append(list, 0)
	}
	for _, h := range f.seen().track.Hunks() {
		list = append(list, h.Number)
	}
	return list
}

// take notes that units were taken back, or with false that they are there again.
func (f *delivered) take(units []int, back bool) {
	if f.taken == nil {
		f.taken = map[int]bool{}
	}
	for _, n := range units {
		f.taken[n] = back
	}
	f.emptied = !slices.ContainsFunc(f.units(), func(n int) bool { return !f.taken[n] })
}

// tookBack notes that a file of a delivery was taken back, or some units of it. The caller holds mu.
func (ds *deliveries) tookBack(of *delivery, b *back) {
	f := &of.files[b.File]
	if len(b.Units) > 0 {
		f.take(b.Units, true)
		return
	}
	f.reversed = true
	for _, t := range of.took { // what it took away is there again
		if t.back == nil || len(t.back.Units) == 0 || !slices.Contains(t.steps, b.File) {
			continue
		}
		if first := ds.byID(t.back.Delivery); first != nil && t.back.File < len(first.files) {
			first.files[t.back.File].take(t.back.Units, false)
		}
	}
}

// reversedAt says whether one of these steps was taken back itself.
func (d *delivery) reversedAt(steps []int) bool {
	return slices.ContainsFunc(steps, func(i int) bool { return d.files[i].reversed })
}

// Follow tells what a file reads in a snapshot, for the hunks in it that are under review. It costs nothing where nothing
// is, and reads no disk for a document that is open, so that it may be called for every change of one.
func (rs *Reviews) Follow(path string, now *workspace.Snapshot) {
	if !rs.book.reviewing.Load() || !rs.reviewsAt(path) {
		return
	}
	text, err := now.Text(path)
	if err != nil {
		return
	}
	rs.book.mu.Lock()
	moved := rs.book.sent.follow(path, text, now.Generation())
	rs.book.mu.Unlock()
	if moved {
		rs.book.tellReview()
	}
}

func (rs *Reviews) reviewsAt(path string) (found bool) {
	rs.book.mu.Lock()
	defer rs.book.mu.Unlock()
	rs.book.sent.underReview(func(d *delivery, i int) bool {
		found = found || place(&d.files[i].change) == path
		return !found
	})
	return found
}

// follow takes in what a path reads; nil is no file. The caller holds mu.
func (ds *deliveries) follow(path string, text *string, generation uint64) (moved bool) {
	ds.underReview(func(d *delivery, i int) bool {
		f := &d.files[i]
		if place(&f.change) != path {
			return true
		}
		u := f.seen()
		if generation < u.generation {
			return true // somebody has looked later
		}
		if text != nil && f.sent != nil && *text == *f.sent {
			f.asSent()
			u, moved = f.seen(), true
		}
		u.generation = generation
		before, was := u.track.Hunks(), u.there
		differs := text != nil && *text != u.track.Text()
		if differs {
			u.track.Follow(*text)
		}
		if u.there = f.thereAs(text); u.there != was {
			moved = true
		}
		if f.change.Op == edits.OpCreate {
			moved = moved || differs
		}
		moved = moved || !slices.EqualFunc(before, u.track.Hunks(), func(a, b edits.Tracked) bool {
			return a.Start == b.Start && a.End == b.End && a.State == b.State
		})
		return true
	})
	return moved
}

// thereAs says whether a file that reads so, nil for none, is what the change has made of it. Some editors keep an empty
// document of what was deleted.
func (f *delivered) thereAs(text *string) bool {
	empty := text == nil || workspace.Blank(*text)
	switch f.change.Op {
	case edits.OpDelete:
		return text == nil || empty && !workspace.Blank(f.change.Before)
	case edits.OpCreate:
		return !empty || text != nil && workspace.Blank(f.change.After)
	case edits.OpUpdate, edits.OpRename:
	}
	return text != nil
}

// At returns what is under review, with the places that it has in a snapshot. It may read the disk.
func (rs *Reviews) At(now *workspace.Snapshot) Review {
	if !rs.book.reviewing.Load() {
		return Review{}
	}
	texts := map[string]*string{}
	rs.book.mu.Lock()
	rs.book.sent.underReview(func(d *delivery, i int) bool {
		texts[place(&d.files[i].change)] = nil
		return true
	})
	rs.book.mu.Unlock()
	for path := range texts {
		text, err := now.Text(path)
		if err != nil {
			delete(texts, path)
			continue
		}
		texts[path] = text
	}
	moved := false
	rs.book.mu.Lock()
	for path, text := range texts {
		moved = rs.book.sent.follow(path, text, now.Generation()) || moved
	}
	r := rs.summary()
	rs.book.mu.Unlock()
	if moved {
		rs.book.tellReview()
	}
	return r
}

// Known is At as far as is known: it reads nothing.
func (rs *Reviews) Known() Review {
	if !rs.book.reviewing.Load() {
		return Review{}
	}
	rs.book.mu.Lock()
	defer rs.book.mu.Unlock()
	return rs.summary()
}

// summary is what is under review. The caller holds mu.
func (rs *Reviews) summary() Review {
	var r Review
	rs.book.sent.numbered(func(d *delivery, i, offset int) {
		f := &d.files[i]
		one := ReviewedFile{Path: place(&f.change), Op: f.change.Op, Turn: d.turn, Proposal: d.proposal, Label: d.bare(), Text: f.seen().track.Text()}
		if f.change.Op == edits.OpRename {
			one.From = f.change.Path
		}
		if h, ok := f.itself(); ok && !f.kept[0] {
			h.HunkRef = d.refOf(i, 0, offset)
			one.Hunks = append(one.Hunks, h)
		}
		for _, h := range f.seen().track.Hunks() {
			if f.kept[h.Number] || h.State == edits.TrackGone || !f.seen().there {
				continue
			}
			start, end := lines(one.Text, h.Start, h.End)
			one.Hunks = append(one.Hunks, ReviewedHunk{HunkRef: d.refOf(i, h.Number, offset), Start: start, End: end, Old: h.Old, New: h.New, Touched: h.State == edits.TrackTouched})
		}
		if len(one.Hunks) > 0 {
			r.Files = append(r.Files, one)
		}
	})
	rs.book.reviewing.Store(rs.book.sent.mayReview())
	slices.SortStableFunc(r.Files, func(a, b ReviewedFile) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Hunks[0].Start, b.Hunks[0].Start))
	})
	return r
}

// mayReview says whether something is under review, or will be when the editor tells of it. The caller holds mu.
func (ds *deliveries) mayReview() bool {
	return slices.ContainsFunc(ds.list, func(d *delivery) bool {
		return d.review && d.op != opUndo && slices.ContainsFunc(d.files, func(f delivered) bool {
			return !f.reversed && (f.state == LandUnknown || f.state == LandDiffers ||
				f.state == LandLanded && slices.ContainsFunc(f.units(), func(n int) bool { return !f.kept[n] }))
		})
	})
}

// numbered is underReview with what the numbers of the hunks begin behind: several deliveries of one proposal may have
// changed a file. Those that are kept count, so that a hunk keeps its number while an editor shows it. The caller holds mu.
func (ds *deliveries) numbered(f func(d *delivery, i, offset int)) {
	type key struct{ proposal, path string }
	most := map[key]int{}
	for _, d := range ds.list {
		if !d.review || d.op == opUndo {
			continue
		}
		for i := range d.files {
			one := &d.files[i]
			at := key{d.proposal, place(&one.change)}
			if one.underReview() {
				f(d, i, most[at])
			}
			if one.state == LandLanded && !one.reversed {
				most[at] += len(one.seen().track.Hunks())
			}
		}
	}
}

// refOf names a unit of a file whose hunks are numbered behind offset.
func (d *delivery) refOf(i, unit, offset int) HunkRef {
	ref := HunkRef{Proposal: d.proposal, Path: place(&d.files[i].change)}
	if unit > 0 {
		ref.Number = unit + offset
	}
	return ref
}

// itself is the hunk that a created, deleted or renamed file is; ok is false for another change, and for what is taken back.
func (f *delivered) itself() (h ReviewedHunk, ok bool) {
	u := f.seen()
	switch f.change.Op {
	case edits.OpCreate:
		text := u.track.Text()
		return ReviewedHunk{End: len(text), New: f.change.After, Touched: text != f.change.After}, u.there
	case edits.OpDelete:
		return ReviewedHunk{Old: f.change.Before}, u.there
	case edits.OpRename:
		return ReviewedHunk{}, u.there
	case edits.OpUpdate:
	}
	return h, false
}

// lines widens a place in a text to whole lines.
func lines(text string, start, end int) (from, to int) {
	start = lineStart(text, start)
	if end > start && text[end-1] != '\n' {
		end = lineEnd(text, end)
	}
	return start, end
}
