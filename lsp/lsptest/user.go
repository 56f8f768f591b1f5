package lsptest

import (
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Path gives the place of a file below the first root; an absolute path stays.
func (e *Editor) Path(name string) string {
	if filepath.IsAbs(name) || len(e.roots) == 0 {
		return filepath.Clean(name)
	}
	return filepath.Join(e.roots[0], filepath.FromSlash(name))
}

// URI gives the client's spelling of a file's URI.
func (e *Editor) URI(name string) string { return uriOf(e.Path(name)) }

// Encoding is the agreed unit of positions.
func (e *Editor) Encoding() string { return e.check.encoding }

// Profile is the client this editor plays.
func (e *Editor) Profile() Profile { return e.profile }

// Do runs f with the log, under the lock.
func (e *Editor) Do(f func(*Log)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f(&e.log)
}

// Open opens a file and brings it to the front; an open one only comes to the front.
func (e *Editor) Open(name string) {
	e.t.Helper()
	abs := e.Path(name)
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.profile.Quirks.DidChangeNever {
		e.tellAll()
	}
	b := e.buffer(abs)
	if b == nil {
		content, _ := e.read(abs)
		b = e.openBuffer(abs, uriOf(abs), content, 0, false)
	}
	e.toFront(b)
	e.check.review.show(b.text)
}

func (e *Editor) toFront(b *buffer) {
	e.focus, e.sel = b.abs, Range{}
	e.announce(b)
	if e.profile.Quirks.HiddenUntold {
		e.tell(b)
	}
	if at(e.caps, "experimental", "coauthor") != nil {
		e.notify("coauthor/didFocus", map[string]any{"uri": b.uri})
	}
}

// must gives an open buffer or fails the test. Under the lock.
func (e *Editor) must(name string) *buffer {
	e.t.Helper()
	b := e.buffer(e.Path(name))
	if b == nil {
		open := []string{}
		for abs := range e.buffers {
			open = append(open, e.relative(abs))
		}
		e.t.Fatalf("[%s] %s is not open; open are %s", e.profile.Name, name, strings.Join(open, ", "))
	}
	return b
}

// Text gives what stands in a buffer; when none is open for the file, what stands on disk.
func (e *Editor) Text(name string) (text string, exists bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.text(e.Path(name))
}

// IsOpen reports whether a buffer is open for the file.
func (e *Editor) IsOpen(name string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.buffer(e.Path(name)) != nil
}

// Version gives the version of an open buffer.
func (e *Editor) Version(name string) int32 {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.must(name).version
}

// Focused gives the path of the file in front.
func (e *Editor) Focused() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.focus
}

// Replace types: it puts replacement where old stands first, and tells the server at once.
func (e *Editor) Replace(name, old, replacement string) {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.must(name)
	if !strings.Contains(b.text, old) {
		e.t.Fatalf("[%s] %s does not hold %q:\n%s", e.profile.Name, name, old, b.text)
	}
	e.input(b, strings.Replace(b.text, old, replacement, 1))
}

// TypeBeforeNextEdit types when the next edit of the server has come and before it is applied, so that the edit is for
// a text that is no more. The server hears of the typing in the way of the client.
func (e *Editor) TypeBeforeNextEdit(name, old, replacement string) {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.must(name)
	e.between = func() {
		e.keys.press(e.options.Clock())
		e.set(b, strings.Replace(b.text, old, replacement, 1))
		e.check.review.show(b.text)
		if q := e.profile.Quirks; q.DidChangeAfterResponse == nil && q.TypedTold == 0 {
			e.tell(b)
		}
	}
}

// Key presses a key that changes no text, such as one that moves the cursor.
func (e *Editor) Key() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.hungUp || e.closed != nil {
		return
	}
	e.tellAll()
	e.touch()
}

// SayNo sets what the user says to the client's own question whether to apply an edit.
func (e *Editor) SayNo(no bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.says = no
}

// TypeAfterNextCommand types right after the next command was sent, so that its edit may already be on its way. The
// server hears of the typing when this client tells it.
func (e *Editor) TypeAfterNextCommand(name, old, replacement string) {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.must(name)
	e.after = func() {
		e.keys.press(e.options.Clock())
		e.set(b, strings.Replace(b.text, old, replacement, 1))
		e.check.review.show(b.text)
		e.typed(b)
		e.touch()
	}
}

// SetText types a whole new text.
func (e *Editor) SetText(name, content string) {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.input(e.must(name), content)
}

func (e *Editor) input(b *buffer, content string) {
	e.announce(b)
	late := e.profile.Quirks.DidChangeNever
	if !late {
		e.tell(b) // an edit of the server that was not told yet is its own change
	}
	e.set(b, content)
	e.keys.press(e.options.Clock())
	if late {
		e.tellAll() // each key lets it tell what it has not told, in one change of each document
	}
	e.typed(b)
	e.check.review.show(b.text)
	e.touch()
}

// typed tells what the user typed, when this client does.
func (e *Editor) typed(b *buffer) {
	late := time.Duration(e.profile.Quirks.TypedTold)
	if late == 0 {
		e.tell(b)
		return
	}
	e.afterwards(late, func() { e.tellThese([]*buffer{b}) })
}

// Undo takes the last step of one buffer back, as the user's own undo key does.
func (e *Editor) Undo(name string) {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.must(name)
	if len(b.undo) == 0 {
		return
	}
	e.tell(b)
	last := b.undo[len(b.undo)-1]
	b.undo = b.undo[:len(b.undo)-1]
	b.redo = append(b.redo, b.text)
	e.step(b, last)
	e.tell(b)
	e.touch()
}

// Save writes a buffer to disk and says so. A missing folder fails, as the editors' plain save does.
func (e *Editor) Save(name string) {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.must(name)
	e.tell(b)
	if err := e.write(b); err != nil {
		e.t.Fatalf("[%s] save %s: %v", e.profile.Name, name, err)
	}
	e.touch()
}

// SaveAll writes every buffer that has changes, as ":wall" does.
func (e *Editor) SaveAll() {
	e.t.Helper()
	e.mu.Lock()
	var names []string
	for abs, b := range e.buffers {
		if b.dirty {
			names = append(names, abs)
		}
	}
	e.mu.Unlock()
	slices.Sort(names)
	for _, name := range names {
		e.Save(name)
	}
}

// Close closes a buffer and throws away what was not saved.
func (e *Editor) Close(name string) {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.drop(e.must(name))
	e.touch()
}

// Select marks whole lines of a buffer, first to last, from 1.
func (e *Editor) Select(name string, first, last int) {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.must(name)
	e.focus = b.abs
	starts := lineStarts(b.text, e.check.counting())
	end := len(b.text)
	if last < len(starts) {
		end = starts[last]
	}
	e.sel = Range{
		Start: positionAt(b.text, starts[min(first-1, len(starts)-1)], e.check.counting()),
		End:   positionAt(b.text, end, e.check.counting()),
	}
}

// SelectText marks the first place where a text stands.
func (e *Editor) SelectText(name, marked string) {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.must(name)
	i := strings.Index(b.text, marked)
	if i < 0 {
		e.t.Fatalf("[%s] %s does not hold %q", e.profile.Name, name, marked)
	}
	e.focus = b.abs
	e.sel = Range{
		Start: positionAt(b.text, i, e.check.counting()),
		End:   positionAt(b.text, i+len(marked), e.check.counting()),
	}
}

// Selection gives the selection of the buffer in front.
func (e *Editor) Selection() Range {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.sel
}

// Notify sends any notification, for tests of what odd clients send.
func (e *Editor) Notify(method string, params any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.notify(method, params)
}

// Raw sends bytes that need not be a message.
func (e *Editor) Raw(b []byte) { e.out.raw(b) }

// RawBody sends a body in a right frame.
func (e *Editor) RawBody(body string) {
	e.Raw([]byte(frameHeader(len(body)) + body))
}
