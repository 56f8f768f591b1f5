package proposal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// keepJournals is how long what a dead process applied can be undone.
const keepJournals = 30 * 24 * time.Hour

// What is adopted has bounds, so that a start costs the same however much was applied in that time.
const (
	// adoptedBytes bounds the texts of the deliveries that are taken over; keepDeliveries is their number.
	adoptedBytes = 8 << 20
	// claimedBytes bounds what one start reads. The newest files come first, the others wait for another start.
	claimedBytes = 32 << 20
)

// taken is a file of a dead process that is ours now.
type taken struct {
	path  string
	lines int  // in it
	ours  bool // all of it was read and understood, so that it may be written again
}

// adoptDead makes the files of processes that no longer run ours and returns all records that are
// ours then. The files of living processes, and of other machines, are left alone.
func (j *Journal) adoptDead() ([]Record, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.drain()
	problems := j.claimDead()
	records, err := j.records()
	return records, errors.Join(append(problems, err)...)
}

// claimDead renames the files of dead processes, the newest first. The caller holds mu.
func (j *Journal) claimDead() (problems []error) {
	entries, _ := os.ReadDir(j.dir) // what is wrong with the folder is said by who reads the records
	var dead []fs.FileInfo
	for _, e := range entries {
		name, ok := parseName(e.Name())
		if !ok || name == j.owner.Name() || !e.Type().IsRegular() {
			continue
		}
		owner, ok := ParseOwner(name)
		if !ok || owner.Host != j.owner.Host || j.alive(owner) {
			continue
		}
		if info, err := e.Info(); err == nil { // another process may have claimed it
			dead = append(dead, info)
		}
	}
	slices.SortFunc(dead, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	var size int64
	for _, info := range dead {
		old := time.Since(info.ModTime()) > keepJournals
		if info.Size() <= maxJournalBytes { // others are not read
			size += info.Size()
		}
		if !old && size > claimedBytes && len(j.taken) > 0 {
			continue
		}
		// Renaming is the claim: of two processes that try, one finds the file gone.
		if err := j.claim(info.Name(), old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, err)
		}
	}
	return problems
}

func (j *Journal) claim(name string, old bool) error {
	path := filepath.Join(j.dir, name)
	if old {
		return os.Remove(path)
	}
	ours := j.fresh()
	if err := os.Rename(path, ours); err != nil {
		return err
	}
	j.taken = append(j.taken, taken{path: ours})
	return nil
}

// compact has one file with the given records, and with no others, take the place of those that were
// claimed. It does nothing where there is one file of as many records already.
func (j *Journal) compact(records []Record) error {
	j.mu.Lock()
	files := slices.DeleteFunc(j.taken, func(t taken) bool { return !t.ours })
	j.taken = nil
	if len(files) == 0 || len(files) == 1 && files[0].lines == len(records) {
		j.mu.Unlock()
		return nil
	}
	var f *os.File
	var err error
	if len(records) > 0 {
		f, err = j.create()
	}
	j.mu.Unlock() // what follows may take its time: the user may apply something now
	if err == nil && f != nil {
		err = j.fill(f, records)
	}
	if err != nil {
		return fmt.Errorf("write the journal again: %w", err)
	}
	var problems []error
	for _, t := range files {
		if err := os.Remove(t.path); err != nil {
			problems = append(problems, fmt.Errorf("write the journal again: %w", err))
		}
	}
	return errors.Join(problems...)
}

// fill writes records to a new file and closes it. After an error the file is gone.
func (j *Journal) fill(f *os.File, records []Record) (err error) {
	for i := 0; i < len(records) && err == nil; i++ {
		var line []byte
		if line, err = j.line(records[i]); err == nil {
			_, err = f.Write(line)
		}
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = syncDir(j.dir)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// AdoptLater is adopt for who starts it in the background: from now on undoing and redoing wait until the
// returned function, which must be called, has done its work.
func (s *Store) AdoptLater() (adopt func() (int, error)) {
	done := make(chan struct{})
	s.book.mu.Lock()
	s.book.adopting = done
	s.book.mu.Unlock()
	return func() (int, error) {
		defer close(done)
		return s.book.adopt()
	}
}

// adopted waits for what AdoptLater has announced.
func (l *ledger) adopted(ctx context.Context) error {
	l.mu.Lock()
	done := l.adopting
	l.mu.Unlock()
	if done == nil {
		return nil
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// adopt takes over what dead processes, and earlier sessions of this one, have delivered to this root, so
// that it can be undone here, and the proposals that they left waiting. It returns how many deliveries
// that were. What can be neither undone nor redone any more is dropped,
// and so is the oldest of what would be too much. It is meant to be called once, in the background.
func (l *ledger) adopt() (int, error) {
	if l.o.Journal == nil {
		return 0, nil
	}
	records, err := l.o.Journal.adoptDead()
	n, kept := l.inherit(replay(records, l.root))
	told, stand := l.restore(records)
	kept = append(kept, stand...)
	elsewhere := map[string]bool{} // what other roots were given, if several ever share a folder
	for _, r := range records {
		if r.Kind == RecordIntent && r.Root != l.root {
			elsewhere[r.Delivery] = true
		}
	}
	for _, r := range records {
		ofProposal := r.Kind == RecordProposal || r.Kind == RecordDecision
		if r.taken && (elsewhere[r.Delivery] || ofProposal && r.Root != l.root) {
			kept = append(kept, r)
		}
	}
	err = errors.Join(err, l.o.Journal.compact(kept))
	for _, p := range told {
		l.changed(p)
	}
	if l.reviewing.Load() {
		l.tellReview()
	}
	return n, err
}

// inherit adds deliveries from disk to those of this process. It returns how many are kept, and the records
// that are to stand for those of them that lie in claimed files.
func (l *ledger) inherit(found []*delivery) (n int, records []Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []*delivery
	for _, d := range found {
		if l.sent.byID(d.id) != nil {
			continue // our own
		}
		if d.review {
			l.reviewing.Store(true)
		}
		for i := range d.files {
			state := d.files[i].state
			d.files[i].state = LandAbsent
			l.sent.count(&d.files[i], state)
			d.files[i].told = state == LandLanded
		}
		list = append(list, d)
	}
	l.sent.list = append(list, l.sent.list...)
	for _, d := range list {
		l.resolve(d)
	}
	keep := needed(list, l.o.Clock())
	l.sent.list = slices.DeleteFunc(l.sent.list, func(d *delivery) bool {
		if !slices.Contains(list, d) {
			return false
		}
		if !keep[d] {
			l.sent.discount(d)
			return true
		}
		n++
		if d.taken {
			records = append(records, l.records.summary(d)...)
		}
		return false
	})
	return n, records
}

// needed returns which of the deliveries are worth keeping, of whole turns, so that none is undone by half:
// those that can be taken back, and the ones before them, which tell that they were taken back.
func needed(list []*delivery, now time.Time) map[*delivery]bool {
	type turn struct {
		deliveries []*delivery // the newest first
		size       int
	}
	var turns []*turn // the newest first
	byID := map[string]*turn{}
	after := map[string]*delivery{} // the delivery of the turn that came next
	for _, d := range slices.Backward(list) {
		next := after[d.turn]
		after[d.turn] = d
		if !anyLive(d) && (next == nil || !anyLive(next)) {
			continue
		}
		t := byID[d.turn]
		if t == nil {
			if !d.at.IsZero() && now.Sub(d.at) > keepJournals {
				continue
			}
			t = &turn{}
			byID[d.turn] = t
			turns = append(turns, t)
		}
		t.deliveries = append(t.deliveries, d)
		for _, f := range d.files {
			t.size += len(f.change.Before) + len(f.change.After)
			if f.sent != nil {
				t.size += len(*f.sent)
			}
		}
	}
	keep := map[*delivery]bool{}
	size := 0
	for i, t := range turns {
		size += t.size
		if i > 0 && (size > adoptedBytes || len(keep)+len(t.deliveries) > keepDeliveries) {
			break
		}
		for _, d := range t.deliveries {
			keep[d] = true
		}
	}
	return keep
}

// summary returns all that is known of a delivery as the shortest row of records. The caller holds mu.
func (k *records) summary(d *delivery) []Record {
	list := []Record{k.intent(d)}
	known := func(f delivered) bool { return f.state != LandUnknown || f.reversed || f.sent != nil }
	if slices.ContainsFunc(d.files, known) {
		list = append(list, k.result(d, d.seen))
	}
	if slices.ContainsFunc(d.files, func(f delivered) bool { return len(f.kept) > 0 }) {
		list = append(list, k.keptRecord(d, d.seen))
	}
	return list
}
