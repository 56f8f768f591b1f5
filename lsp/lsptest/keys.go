package lsptest

import "time"

// keyTime is how long after a key of the user nothing may take the keyboard.
const keyTime = time.Second

// keys are what the user typed, as far as the server can know of it. Guarded by the editor's lock.
type keys struct {
	pressed int
	last    time.Time
	known   int // how many of them the server has surely read
	asked   int // how many there had been when the user asked for something to be shown
}

func (k *keys) press(now time.Time) {
	k.pressed++
	k.last = now
}

// answered notes the answer to a request that was sent after so many keys: the server reads in order.
func (k *keys) answered(pressed int) { k.known = max(k.known, pressed) }

// askedFor notes that the user asked for something to be shown.
func (k *keys) askedFor() { k.asked = k.pressed }

// takesKeyboard judges a message that the user's next key would go to.
func (e *Editor) takesKeyboard(what string) {
	k := &e.keys
	if k.known == 0 || k.known < k.pressed || k.asked == k.pressed {
		return // the server cannot know that the user types, or the user has asked for it
	}
	if since := e.options.Clock().Sub(k.last); since < keyTime {
		e.violation("%s came %v after a key of the user", what, since)
	}
}

// asksFor says whether a command makes the server show something at once.
func asksFor(command string, arguments []any) bool {
	switch command {
	case "openPrompt", "showPending", "showRepoMap", "showContext", "apply", "undoTurn", "redoTurn", "answer", "commit", "diff", "review", "undoCommit":
		return true
	case "edit", "ask", "followUp":
		for _, a := range arguments {
			if text, _ := at(a, "instruction").(string); text != "" {
				return false
			}
		}
		return true
	}
	return false
}
