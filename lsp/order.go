package lsp

import (
	"fmt"
	"slices"
	"time"
)

// heldChange is a change that came before one that it follows.
type heldChange struct {
	version int32
	changes []contentChange
}

// mostHeld bounds how many changes wait for one that is missing. When more come it never will: the
// client skips versions after all.
const mostHeld = 16

// arrived returns the document after a change, for clients whose versions go up by one and which,
// when keys come fast, may send a later change before an earlier one (seen in Helix 25.01). A change
// that is too early is held until those before it have come; one that was late is thereby applied in
// its place, where dropping it would leave a text that looks current and is not.
func (d *document) arrived(version int32, changes []contentChange, now time.Time, e encoding) (*document, error) {
	switch {
	case version < d.wholeAt && !whole(changes):
		return d, fmt.Errorf("version %d came after the whole text of version %d", version, d.wholeAt)
	case version > d.Version+1 && !whole(changes) && !d.Lost:
		next := *d
		next.held = append(slices.Clone(d.held), heldChange{version, changes})
		slices.SortStableFunc(next.held, func(a, b heldChange) int { return int(a.version) - int(b.version) })
		if len(next.held) <= mostHeld {
			return &next, nil
		}
		return next.release(now, e, true)
	}
	next, err := d.changed(version, changes, now, e)
	if err != nil {
		return next, err
	}
	return next.release(now, e, false)
}

// release applies held changes that are no longer too early, or all of them.
func (d *document) release(now time.Time, e encoding, all bool) (*document, error) {
	for len(d.held) > 0 && (all || d.held[0].version <= d.Version+1) {
		first := d.held[0]
		next := *d
		next.held = d.held[1:]
		d = &next
		if first.version <= d.Version { // replaced by a whole text that came meanwhile
			continue
		}
		after, err := d.changed(first.version, first.changes, now, e)
		if err != nil {
			return after, err
		}
		d = after
	}
	return d, nil
}

// earlyTime is how long a change of a document that is not open waits for it to be opened.
const earlyTime = time.Second

// earlyChange is a change that came before its document was opened (seen in Helix 25.01, when an edit
// of the server opens a new file).
type earlyChange struct {
	heldChange
	key  string // of the document; see keyOfURI
	came time.Time
}

// early keeps the changes that came before their documents. Only the goroutine that reads uses it.
type early []earlyChange

func (e *early) put(c earlyChange) {
	e.forget(c.came)
	if len(*e) < mostHeld {
		*e = append(*e, c)
	}
}

// take removes the changes of a document and returns those that follow the version that it was
// opened with, in order. Others are from an earlier life of it.
func (e *early) take(key string, version int32, now time.Time) []heldChange {
	e.forget(now)
	var own []heldChange
	*e = slices.DeleteFunc(*e, func(c earlyChange) bool {
		if c.key == key {
			own = append(own, c.heldChange)
		}
		return c.key == key
	})
	slices.SortStableFunc(own, func(a, b heldChange) int { return int(a.version) - int(b.version) })
	for i, c := range own {
		if c.version != version+1+int32(i) {
			return own[:i]
		}
	}
	return own
}

func (e *early) forget(now time.Time) {
	*e = slices.DeleteFunc(*e, func(c earlyChange) bool { return now.Sub(c.came) > earlyTime })
}

// whole reports whether changes set the whole text, so that nothing before them matters.
func whole(changes []contentChange) bool {
	return slices.ContainsFunc(changes, func(c contentChange) bool { return c.Range == nil })
}
