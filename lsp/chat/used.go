package chat

import (
	"slices"
	"sync"
)

// used is the document that the conversation goes on in. The zero value is ready.
type used struct {
	mu   sync.Mutex
	path string // guarded by mu; of its document; "" where none was used yet
	turn string // guarded by mu; that was run in the document last, which the next instruction there goes on with

	later []func(doc string) string // guarded by mu; what was not written into path yet, since nothing unsaved stood there

	aliens map[string]bool // guarded by mu; whether a document that was there before us is the repository's
}

// use makes a document that of the conversation. turn is that which the next instruction there goes on with, "" for none.
func (u *used) use(path, turn string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.path != path {
		u.later = nil
	}
	u.path, u.turn = path, turn
}

// now is the document of the conversation, and the turn that was run there last.
func (u *used) now() (path, turn string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.path, u.turn
}

// postpone has something written into a document with what is written there next.
func (u *used) postpone(path string, change func(doc string) string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.path != path {
		u.path, u.later = path, nil
	}
	u.later = append(u.later, change)
}

// postponed is what is still to be written into a document, and how many things that are.
func (u *used) postponed(path string) (change func(doc string) string, n int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	var list []func(string) string
	if u.path == path {
		list = slices.Clone(u.later)
	}
	return func(doc string) string {
		for _, one := range list {
			doc = one(doc)
		}
		return doc
	}, len(list)
}

// caughtUp says that so many of the postponed things are written.
func (u *used) caughtUp(path string, n int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.path == path {
		u.later = u.later[min(n, len(u.later)):]
	}
}

// alien says whether a document is the repository's, as far as that was asked.
func (u *used) alien(path string) (alien, known bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	alien, known = u.aliens[path]
	return alien, known
}

// setAlien notes whether a document is the repository's.
func (u *used) setAlien(path string, alien bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.aliens == nil {
		u.aliens = map[string]bool{}
	}
	u.aliens[path] = alien
}
