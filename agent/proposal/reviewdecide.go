package proposal

import (
	"context"
	"maps"
	"slices"
	"time"
)

// RecordKept is the record of what the user keeps of a delivery under review: it is looked at no more.
const RecordKept RecordKind = "kept"

// Keep ends the review of hunks: they stay as they are. It returns how many there were.
func (rs *Reviews) Keep(ctx context.Context, refs ...HunkRef) (int, error) {
	if err := rs.book.adopted(ctx); err != nil {
		return 0, err
	}
	n := 0
	rs.book.mu.Lock()
	listed := rs.listed()
	var touched []*delivery
	rs.book.sent.numbered(func(d *delivery, i, offset int) {
		f := &d.files[i]
		left := false // something of the file is still to be looked at
		for _, unit := range f.units() {
			ref := d.refOf(i, unit, offset)
			if listed[ref] && !slices.Contains(refs, ref) {
				left = true
				continue
			}
			if !listed[ref] || f.kept[unit] {
				continue
			}
			f.keep(unit)
			n++
			if !slices.Contains(touched, d) {
				touched = append(touched, d)
			}
		}
		if !left && slices.Contains(touched, d) {
			for _, unit := range f.units() {
				f.keep(unit) // what is not there any more is not waited for
			}
		}
	})
	for _, d := range touched {
		if rs.book.o.Journal != nil {
			rs.book.o.Journal.appendLazily(rs.book.records.keptRecord(d, rs.book.o.Clock()))
		}
	}
	rs.book.mu.Unlock()
	if n == 0 {
		return 0, refuse(ErrNone, "this change is no longer under review; you already kept or undid it")
	}
	rs.book.tellReview()
	return n, nil
}

// listed are the hunks that are to be looked at. The caller holds mu.
func (rs *Reviews) listed() map[HunkRef]bool {
	list := map[HunkRef]bool{}
	r := rs.summary()
	for _, h := range r.Hunks() {
		list[h.HunkRef] = true
	}
	return list
}

func (f *delivered) keep(unit int) {
	if f.kept == nil {
		f.kept = map[int]bool{}
	}
	f.kept[unit] = true
}

// keptRecord is the record of what is kept of a delivery. The caller holds mu.
func (k *records) keptRecord(d *delivery, at time.Time) Record {
	r := Record{Kind: RecordKept, Delivery: d.id, Time: at}
	for i := range d.files {
		r.Files = append(r.Files, RecordFile{Path: d.files[i].change.Path, Kept: slices.Sorted(maps.Keys(d.files[i].kept))})
	}
	return r
}

// keepAgain takes over what a record says of what is kept.
func (d *delivery) keepAgain(r Record) {
	if len(r.Files) != len(d.files) {
		return
	}
	for i := range r.Files {
		for _, n := range r.Files[i].Kept {
			d.files[i].keep(n)
		}
	}
}

// UndoHunks takes hunks under review back, each where it stands now, and nothing else; what the user typed beside them
// stays. A hunk that they have changed themselves is refused with a reason, and the others are taken back. Each change
// is a delivery of its own, which Redo takes back in its turn.
func (s *Store) UndoHunks(ctx context.Context, port Delivery, refs ...HunkRef) (Outcome, error) {
	var sum Outcome
	for n := 0; len(refs) > 0; n++ {
		var left []HunkRef
		out, err := s.takeBack(ctx, port, opUndo, func() (r *run, err error) {
			r, left, err = s.Reviews.pieces(refs)
			return r, err
		})
		if err != nil {
			return sum, err
		}
		if sum = sumUp(sum, out, n == 0); len(left) == len(refs) {
			break
		}
		refs = left
	}
	return sum, nil
}

// sumUp sums up the outcomes of several changes that were taken back one after the other.
func sumUp(sum, out Outcome, first bool) Outcome {
	if first {
		return out
	}
	sum.Files = append(sum.Files, out.Files...)
	for _, pair := range []struct{ into, from *string }{{&sum.Reason, &out.Reason}, {&sum.Remark, &out.Remark}} {
		if *pair.into == "" {
			*pair.into = *pair.from
		} else if *pair.from != "" {
			*pair.into += "; " + *pair.from
		}
	}
	switch {
	case sum.Status == out.Status:
	case sum.Status == StatusUnverified, out.Status == StatusUnverified:
		sum.Status, sum.Awaited = StatusUnverified, false
	default:
		sum.Status = StatusPartial
	}
	return sum
}

// pieces finds what takes the hunks of the change back that was delivered last, and which are those of others. The caller
// holds mu.
func (rs *Reviews) pieces(refs []HunkRef) (r *run, left []HunkRef, err error) {
	listed := rs.listed()
	proposal := ""
	type piece struct {
		of    *delivery
		file  int
		units []int
	}
	var list []piece
	rs.book.sent.numbered(func(d *delivery, i, offset int) {
		one := piece{of: d, file: i}
		f := &d.files[i]
		for _, unit := range f.units() {
			ref := d.refOf(i, unit, offset)
			if listed[ref] && slices.Contains(refs, ref) {
				one.units = append(one.units, unit)
			}
		}
		if len(one.units) > 0 {
			proposal = d.proposal
			list = append(list, one)
		}
	})
	if len(list) == 0 {
		return nil, nil, refuse(ErrNone, "this change is no longer under review; you already kept or undid it")
	}
	r = &run{proposal: proposal, piece: true}
	now := map[string]string{} // what the jobs before make of texts
	for _, p := range slices.Backward(list) {
		if p.of.proposal != proposal {
			continue
		}
		r.turn, r.revision, r.label = p.of.turn, p.of.revision, title(opUndo)+p.of.bare()
		r.jobs = append(r.jobs, p.of.takeUnits(p.file, p.units, now)...)
	}
	for _, ref := range refs {
		if ref.Proposal != proposal {
			left = append(left, ref)
		}
	}
	return r, left, nil
}
