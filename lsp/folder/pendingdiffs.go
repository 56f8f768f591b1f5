package folder

import (
	"maps"
	"slices"
	"sync"
)

// Pending are the proposals of a folder whose documents are to be brought up to date: one at a time. The zero value is
// ready.
type Pending struct {
	mu      sync.Mutex
	running bool            // guarded by mu
	ids     map[string]bool // guarded by mu
}

// Put adds a proposal, and says whether the caller is to see to them; else somebody does so.
func (d *Pending) Put(id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ids == nil {
		d.ids = map[string]bool{}
	}
	d.ids[id] = true
	begins := !d.running
	d.running = true
	return begins
}

// Take returns the proposals that there are; none is the end.
func (d *Pending) Take() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := slices.Sorted(maps.Keys(d.ids))
	d.ids, d.running = nil, len(list) > 0
	return list
}
