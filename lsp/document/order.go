package document

import (
	"fmt"
	"slices"
	"time"
)

// HeldChange is a change that came before one that it follows.
type HeldChange struct {
	Version int32
	Changes []ContentChange
}

// MostHeld bounds how many changes wait for one that is missing. When more come it never will: the
// client skips versions after all.
const MostHeld = 16

// Arrived returns the document after a change, for clients whose versions go up by one and which,
// when keys come fast, may send a later change before an earlier one (seen in Helix 25.01). A change
// that is too early is held until those before it have come; one that was late is thereby applied in
// its place, where dropping it would leave a text that looks current and is not.
func (d *Document[R]) Arrived(version int32, changes []ContentChange, now time.Time, e Encoding) (*Document[R], error) {
	switch {
	case version < d.WholeAt && !whole(changes):
		return d, fmt.Errorf("version %d arrived after the full text of version %d", version, d.WholeAt)
	case version > d.Version+1 && !whole(changes) && !d.Lost:
		next := *d
		next.held = append(slices.Clone(d.held), HeldChange{version, changes})
		slices.SortStableFunc(next.held, func(a, b HeldChange) int { return int(a.Version) - int(b.Version) })
		if len(next.held) <= MostHeld {
			return &next, nil
		}
		return next.release(now, e, true)
	}
	next, err := d.Changed(version, changes, now, e)
	if err != nil {
		return next, err
	}
	return next.release(now, e, false)
}

// release applies held changes that are no longer too early, or all of them.
func (d *Document[R]) release(now time.Time, e Encoding, all bool) (*Document[R], error) {
	for len(d.held) > 0 && (all || d.held[0].Version <= d.Version+1) {
		first := d.held[0]
		next := *d
		next.held = d.held[1:]
		d = &next
		if first.Version <= d.Version { // replaced by a whole text that came meanwhile
			continue
		}
		after, err := d.Changed(first.Version, first.Changes, now, e)
		if err != nil {
			return after, err
		}
		d = after
	}
	return d, nil
}

// EarlyTime is how long a change of a document that is not open waits for it to be opened.
const EarlyTime = time.Second

// earlyChange is a change that came before its document was opened (seen in Helix 25.01, when an edit
// of the server opens a new file).
type earlyChange struct {
	HeldChange
	key  string // of the document; see KeyOfURI
	came time.Time
}

// Early keeps the changes that came before their documents. Only the goroutine that reads uses it.
type Early []earlyChange

// Put keeps the changes of a document that make it the version given. When too many wait they are dropped.
func (e *Early) Put(uri string, version int32, changes []ContentChange, now time.Time) {
	e.forget(now)
	if len(*e) < MostHeld {
		*e = append(*e, earlyChange{HeldChange{version, changes}, KeyOfURI(uri), now})
	}
}

// Take removes the changes of a document and returns those that follow the version that it was
// opened with, in order. Others are from an earlier life of it.
func (e *Early) Take(uri string, version int32, now time.Time) []HeldChange {
	e.forget(now)
	key := KeyOfURI(uri)
	var own []HeldChange
	*e = slices.DeleteFunc(*e, func(c earlyChange) bool {
		if c.key == key {
			own = append(own, c.HeldChange)
		}
		return c.key == key
	})
	slices.SortStableFunc(own, func(a, b HeldChange) int { return int(a.Version) - int(b.Version) })
	for i, c := range own {
		if c.Version != version+1+int32(i) {
			return own[:i]
		}
	}
	return own
}

func (e *Early) forget(now time.Time) {
	*e = slices.DeleteFunc(*e, func(c earlyChange) bool { return now.Sub(c.came) > EarlyTime })
}

// whole reports whether changes set the whole text, so that nothing before them matters.
func whole(changes []ContentChange) bool {
	return slices.ContainsFunc(changes, func(c ContentChange) bool { return c.Range == nil })
}
