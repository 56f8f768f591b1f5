package event

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Progress makes one line of a turn's events: what it does, on what, and how far it is. The line is
// for a user who waits, so it moves with the clock also while the model is silent. The zero value is
// a turn that has not begun. A Progress is for one goroutine at a time.
type Progress struct {
	state    State
	since    time.Time // when this state was entered; for a reply: when its call began
	model    string    // the one that is asked
	files    int       // that are checked
	command  string    // that checks them
	said     string    // the last line that it wrote
	received int       // bytes of the reply in this round
	thinking bool      // nothing but reasoning has come in this round
	path     string    // the file that is written
	looking  string    // what the model looks at
	retry    string    // why the model is asked again; "" in the first round
	note     string    // why nothing comes yet
	again    time.Time // when the model is asked again; before then nothing can come
	question string    // what the user is asked
	asked    time.Time
}

// Take takes in an event that came at a time.
func (p *Progress) Take(e *Event, at time.Time) {
	switch e.Kind {
	case KindState:
		if e.State != TurnStreaming { // what is written was waited for in the same call
			p.since = at
		}
		p.state, p.note, p.said, p.again = e.State, "", "", time.Time{}
		switch e.State {
		case TurnRequesting:
			p.model, p.received, p.thinking, p.path, p.looking = e.Model, 0, true, "", ""
		case TurnVerifying:
			if e.Text == "" {
				p.files = e.Files
			}
			p.command = oneLine(e.Text)
		case TurnQueued, TurnCollecting, TurnStreaming, TurnReflecting,
			TurnAnswered, TurnProposed, TurnFailed, TurnCancelled:
		}
	case KindDelta:
		p.received += len(e.Text)
		p.thinking = p.thinking && e.Channel == ChannelReasoning
	case KindEdit:
		p.path = e.Path
	case KindTool:
		p.looking, p.since = oneLine(e.Text), at
	case KindOutput:
		if line := oneLine(e.Text); line != "" {
			p.said = line
		}
	case KindRound:
		if e.Of == 0 { // the turn goes on with something else
			p.retry = e.Text
			break
		}
		p.retry = fmt.Sprintf("Retrying %d of %d", e.Round, e.Of)
		if e.Text != "" {
			p.retry += ": " + e.Text
		}
	case KindNote:
		if e.Note != nil && p.state == TurnRequesting {
			p.note = oneLine(e.Note.Text)
			if w := e.Note.Wait; w != nil {
				p.note, p.again = oneLine(w.Why), at.Add(time.Duration(w.Seconds*float64(time.Second)))
			}
		}
	case KindUsage, KindProposal, KindLanded, KindCommit, KindEnded:
	}
}

// Ask says that the turn waits for the user's answer, from that time on; "" that it does no longer.
func (p *Progress) Ask(question string, at time.Time) {
	if question = oneLine(question); question != p.question {
		p.question, p.asked = question, at
	}
}

// Line returns the line as it is at a time; "" before the beginning and after the end.
func (p *Progress) Line(now time.Time) string {
	if p.question != "" {
		return "Your answer is needed: " + p.question + p.waited(p.asked, now)
	}
	switch p.state {
	case TurnQueued:
		return "Waiting for the previous request" + p.waited(p.since, now)
	case TurnCollecting:
		return "Collecting context" + p.waited(p.since, now)
	case TurnRequesting:
		if p.looking != "" { // its model has said nothing beside that
			return "Looking · " + p.looking + p.waited(p.since, now)
		}
		if left := p.again.Sub(now); left > 0 {
			return fmt.Sprintf("Retrying in %d s · %s", int((left+time.Second-1)/time.Second), p.note)
		}
		what := "Waiting for " + p.model
		if p.model == "" {
			what += "the model"
		}
		if p.retry != "" {
			what = p.retry
		}
		what += p.waited(p.since, now)
		if p.note != "" {
			what += " · " + p.note
		}
		return what
	case TurnStreaming:
		if p.looking != "" {
			return "Looking · " + p.looking + p.waited(p.since, now)
		}
		what := "Writing"
		if p.thinking {
			what = "Thinking"
		}
		if n := p.received / bytesPerToken; n > 1 {
			what += " · " + Thousands(n) + " tokens"
		}
		what += p.waited(p.since, now)
		if p.path != "" {
			what += " · " + p.path
		}
		return what
	case TurnVerifying:
		what := "Checking the reply"
		switch {
		case p.command != "":
			what = "Running " + p.command
		case p.files == 1:
			what = "Checking 1 file"
		case p.files > 1:
			what = fmt.Sprintf("Checking %d files", p.files)
		}
		what += p.waited(p.since, now)
		if p.said != "" {
			what += " · " + p.said
		}
		return what
	case TurnReflecting:
		if p.retry == "" { // the event that says why comes next
			return "Retrying"
		}
		return p.retry + p.waited(p.since, now)
	case TurnAnswered, TurnProposed, TurnFailed, TurnCancelled:
	}
	return ""
}

// bytesPerToken is about how long a token is, which is enough to see that something comes.
const bytesPerToken = 4

// waited is the time since then, in whole seconds; "" for less than one.
func (p *Progress) waited(since, now time.Time) string {
	if d := now.Sub(since); d >= time.Second {
		return fmt.Sprintf(" · %d s", int(d.Seconds()))
	}
	return ""
}

// Thousands writes a number the short way.
func Thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%.1fk", float64(n)/1000)
}

// longestNote is how much of a note stands in the line, in runes.
const longestNote = 120

// oneLine puts a text on one line and cuts it.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= longestNote {
		return text
	}
	return string([]rune(text)[:longestNote-1]) + "…"
}
