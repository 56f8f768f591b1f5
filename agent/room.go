package agent

import (
	"fmt"

	"coauthor/agent/model"
)

// What of a model's context window is for the prompt, and what a file that does not fit means.

// inputRoom is how much of the context window is for the prompt, in tokens: what the answer may take is
// kept free, at least a quarter. A window that nobody knows counts as model.AssumedWindow, so that no
// file of megabytes goes out in the hope that it fits.
func inputRoom(p model.Profile) int {
	window := p.ContextWindow
	if window <= 0 {
		window = model.AssumedWindow
	}
	answer := window / 4
	if p.MaxOutput > 0 && p.MaxOutput < window/2 {
		answer = p.MaxOutput
	}
	return window - answer
}

// fits counts a file's text, and says whether it alone leaves the prompt within the room.
func (t *turn) fits(path string) (tokens int, ok bool) {
	text, err := t.now.Read(path)
	if err != nil {
		return 0, true // whoever shows it finds out
	}
	if len(text) <= t.room { // no token is shorter than a byte
		return 0, true
	}
	tokens = t.counter.Count(text)
	return tokens, tokens <= t.room
}

// mustFit refuses a file that the user named and that cannot be sent even alone.
func (t *turn) mustFit(path string) error {
	tokens, ok := t.fits(path)
	if ok {
		return nil
	}
	return t.noRoom(fmt.Sprintf("%s alone is about %d tokens", path, tokens), "Leave the file out")
}

// noRoom is the end of a turn whose prompt is too large. what says how large; less is how to make it
// smaller.
func (t *turn) noRoom(what, less string) error {
	if t.profile.ContextWindow > 0 {
		return &Problem{
			Message: fmt.Sprintf("%s; %s takes %d.", what, t.profile.Name, t.room),
			Advice:  less + ", or choose a model with a larger context window."}
	}
	return &Problem{
		Message: fmt.Sprintf("%s; the context window of %s is not known, and a request to such a model is at most %d tokens.", what, t.profile.Name, t.room),
		Advice:  fmt.Sprintf("%s, or set models.%s.contextWindow to the size of the model's context window in tokens.", less, t.profile.Name)}
}
