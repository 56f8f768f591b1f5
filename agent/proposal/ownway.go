package proposal

import "coauthor/edits"

// An editor may write a text in its own way: with other line ends, a byte order mark, or another end. What such a change is
// taken back from is what the editor wrote. But a text may also read so for a moment only: Neovim tells of one edit in
// several changes, of which the last may bring the end of the file, and on a busy machine it comes when nobody waits for
// it any more. So what was sent is kept, and the file decides which of the two it reads.

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

// asSent notes that a file under review reads as it was sent after all. Hunks of which the user has decided one are followed
// on as they are: the others might get other numbers.
func (f *delivered) asSent() {
	f.change.After, f.sent = *f.sent, nil
	if len(f.kept)+len(f.taken) == 0 {
		f.under = nil
	}
}

// takenBack is the job that takes all of a delivered file back.
func (d *delivery) takenBack(i int) job {
	f := &d.files[i]
	return job{change: edits.Inverse(f.change), sent: f.sent, back: &back{Delivery: d.id, File: i}}
}

// asSent is the change of a job where the file reads as it was sent.
func (j job) asSent() edits.Change {
	c := j.change
	c.Before = *j.sent
	return c
}
