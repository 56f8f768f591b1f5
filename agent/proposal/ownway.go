package proposal

import (
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// An editor may write a text in its own way: with other line ends, a byte order mark, or another end. What such a change is
// taken back from is what the editor wrote. But a text may also read so for a moment only: Neovim tells of one edit in
// several changes, of which the last may bring the end of the file, and on a busy machine it comes when nobody waits for
// it any more.

// accept takes over how an editor wrote the text, so that taking it back starts from there.
func (f *delivered) accept(text *string) {
	if text == nil {
		return
	}
	if f.sent == nil {
		sent := f.change.After
		f.sent = &sent
	}
	f.change.After = *text
}

// asSent notes that a file reads as it was sent, after it was taken for written in the editor's own way.
func (f *delivered) asSent() { f.change.After, f.sent, f.under = *f.sent, nil, nil }

// unread says whether it is still open in which of the two ways the file of a step was written.
func (d *delivery) unread(i int) bool { return d.files[i].sent != nil && d.live(i) }

// readSent looks in a snapshot for what reads as it was sent after all, whatever the user has typed elsewhere since.
func (s *Store) readSent(now *workspace.Snapshot) {
	texts := map[string]*string{}
	s.mu.Lock()
	s.unread(func(f *delivered) { texts[place(&f.change)] = nil })
	s.mu.Unlock()
	for path := range texts {
		texts[path], _ = now.Text(path) // of what cannot be read nothing is found out
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unread(func(f *delivered) {
		text := texts[place(&f.change)]
		if text == nil {
			return
		}
		c := f.change
		clean := func(after string) bool {
			_, conflicts := edits.Merge(after, *text, c.Before)
			return len(conflicts) == 0
		}
		if *text == *f.sent || c.Op != edits.OpCreate && !clean(c.After) && clean(*f.sent) {
			f.asSent()
		}
	})
}

// unread calls f with each file of which it is open in which way it was written. The caller holds mu.
func (s *Store) unread(f func(*delivered)) {
	for _, d := range s.deliveries {
		for i := range d.files {
			if d.unread(i) {
				f(&d.files[i])
			}
		}
	}
}
