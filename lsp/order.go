package lsp

import "slices"

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
func (d *document) arrived(version int32, changes []contentChange, e encoding) (*document, error) {
	if version > d.version+1 && !whole(changes) {
		next := *d
		next.held = append(slices.Clone(d.held), heldChange{version, changes})
		slices.SortStableFunc(next.held, func(a, b heldChange) int { return int(a.version) - int(b.version) })
		if len(next.held) <= mostHeld {
			return &next, nil
		}
		return next.release(e, true)
	}
	next, err := d.changed(version, changes, e)
	if err != nil {
		return d, err
	}
	return next.release(e, false)
}

// release applies held changes that are no longer too early, or all of them.
func (d *document) release(e encoding, all bool) (*document, error) {
	for len(d.held) > 0 && (all || d.held[0].version <= d.version+1) {
		first := d.held[0]
		next := *d
		next.held = d.held[1:]
		d = &next
		if first.version <= d.version { // replaced by a whole text that came meanwhile
			continue
		}
		after, err := d.changed(first.version, first.changes, e)
		if err != nil {
			return d, err
		}
		d = after
	}
	return d, nil
}

// whole reports whether changes set the whole text, so that nothing before them matters.
func whole(changes []contentChange) bool {
	return slices.ContainsFunc(changes, func(c contentChange) bool { return c.Range == nil })
}
