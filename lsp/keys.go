package lsp

import (
	"context"
	"sync"
	"time"

	"coauthor/lsp/document"
)

// What takes the keyboard away while the user types gets keys that were meant for the text: they answer
// a question that nobody has read. So nothing of it goes out within keyTime of a key. What the user
// asked for by a command or in a dialog comes at once, as long as no key came since.

// keyTime is how long after a key the user counts as typing.
const keyTime = time.Second

// keys are the user's, as far as the client tells of them: by changes of documents.
type keys struct {
	clock func() time.Time
	sleep func(ctx context.Context, d time.Duration) error

	mu       sync.Mutex
	pressed  int               // guarded by mu; how many changes the user made
	last     time.Time         // guarded by mu; of the last one
	expected map[string]string // guarded by mu; what edits of ours that are on their way make of documents, by key
}

// press notes a change of a document, unless it is what an edit of ours makes of it; then it returns false.
func (k *keys) press(uri, text string, now time.Time) (users bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if want, ours := k.expected[document.KeyOfURI(uri)]; ours && want == text {
		return false
	}
	k.pressed++
	k.last = now
	return true
}

// expect names the texts that an edit which is sent now makes of documents, by URI, until the result is called.
func (k *keys) expect(texts map[string]string) (over func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.expected == nil {
		k.expected = map[string]string{}
	}
	for uri, text := range texts {
		k.expected[document.KeyOfURI(uri)] = text
	}
	return func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		for uri := range texts {
			delete(k.expected, document.KeyOfURI(uri))
		}
	}
}

// state returns how many keys there were and when the last one came.
func (k *keys) state() (pressed int, last time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.pressed, k.last
}

// askedKey holds how many keys there had been when the user asked for what runs under the context.
type askedKey struct{}

// askedAt marks what the user has just asked for, when there had been so many keys.
func askedAt(ctx context.Context, pressed int) context.Context {
	return context.WithValue(ctx, askedKey{}, pressed)
}

// askedNow marks what the user asks for at this moment.
func (d *documents) askedNow(ctx context.Context) context.Context {
	pressed, _ := d.keys.state()
	return askedAt(ctx, pressed)
}

// keepAsked passes the mark of one context on to another, such as that of work in the background.
func keepAsked(from, to context.Context) context.Context {
	if pressed, ok := from.Value(askedKey{}).(int); ok {
		return askedAt(to, pressed)
	}
	return to
}

// quiet waits until the keyboard may be taken: see keyTime. The error is that of ctx.
func (k *keys) quiet(ctx context.Context) error {
	for {
		pressed, last := k.state()
		if pressed == 0 {
			return ctx.Err()
		}
		if at, ok := ctx.Value(askedKey{}).(int); ok && at == pressed {
			return ctx.Err()
		}
		left := keyTime - k.clock().Sub(last)
		if left <= 0 {
			return ctx.Err()
		}
		if err := k.sleep(ctx, left); err != nil {
			return err
		}
	}
}

// sleep is the wait of the wall clock.
func sleep(ctx context.Context, d time.Duration) error {
	over, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-over.Done()
	return ctx.Err()
}
