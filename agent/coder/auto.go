package coder

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Auto is the name of the coder that goes on by itself.
const Auto = "auto"

// auto works in rounds until the model says that all of the task is done, or a limit is reached.
func auto() Coder {
	return Coder{Name: Auto, Title: "Work until the task is done", Menu: "work until the task is done…", Edits: true, Tools: true, Finishes: true, Template: "auto.md.tmpl", Next: keepGoing,
		Doc: "Works step by step until the task is done or a limit is reached. You see the complete change at the end.", Said: "The task."}
}

// Limits are what a turn that goes on by itself may use; 0 is no limit. They are looked at after each round, and
// all but the rounds before each call of the model; time also ends a call.
type Limits struct {
	Rounds int // that are not reflections
	Time   time.Duration
	Cost   float64 // in US dollars
}

// Used is what a turn has used so far, in the units of Limits.
type Used struct {
	Time time.Duration
	Cost float64
}

// keepGoing has the model correct what was refused, and then go on with what it says comes next.
func keepGoing(t Turn) Step {
	r := t.Last()
	if r.Stopped != "" {
		return Done{Why: r.Stopped + howFar}
	}
	if why := standsStill(t.Rounds); why != "" {
		return Done{Why: why}
	}
	said := r.Said
	over := t.over()
	switch {
	case r.News != "" && over == "":
		return Again{News: r.News + before(r), Why: r.Why}
	case said.Done && over == "" && !t.knows(r.Left):
		return HandOver{Message: onward(r, said), Continues: true, Why: step(t, said)}
	case said.Done, !said.Said && r.Edits == 0:
		return Done{}
	case over != "":
		return Done{Why: over + howFar}
	}
	return HandOver{Message: onward(r, said), About: said.Next, Continues: true, Why: step(t, said)}
}

const howFar = " The change may be incomplete: ask the model to continue, or raise the limit."

// before tells what was wrong before the turn and is so still; "" for nothing.
func before(r Round) string {
	if len(r.Left) == 0 {
		return ""
	}
	return "\n\nThis was so before your edits, too:\n\n- " + strings.Join(r.Left, "\n- ")
}

// knows says whether the model was told before the last round what is left. Who was told, and says that all is done, has been
// asked for something else.
func (t Turn) knows(left []string) bool {
	if len(left) == 0 {
		return true
	}
	return slices.ContainsFunc(t.Rounds[:len(t.Rounds)-1], func(r Round) bool { return slices.Equal(r.Left, left) })
}

// onward is what the model is told at the beginning of the next round.
func onward(r Round, said Verdict) string {
	text := "Nothing was changed in this round."
	if len(r.Changed) > 0 {
		text = "The files hold these edits now; their text above is up to date."
	}
	if r.Unread != "" {
		text += " Your call of finish could not be read: " + r.Unread + "."
	}
	if r.Checks != "" {
		text += " The checks say: " + r.Checks + "."
	}
	left := before(r)
	if r.Landed != "" {
		left += "\n\n" + r.Landed
	}
	if left != "" {
		text += left + "\n\n"
	} else {
		text += " "
	}
	if said.Next != "" {
		return text + "Go on: " + said.Next
	}
	return text + "If all of the task is done, " + r.Says.sentence() + ". If something is left, make the next edits."
}

// mostStep is how many characters of what comes next the user is shown.
const mostStep = 80

func step(t Turn, said Verdict) string {
	next := []rune(said.Next)
	switch {
	case len(next) == 0:
		return fmt.Sprintf("Step %d", t.steps()+1)
	case len(next) > mostStep:
		return fmt.Sprintf("Step %d: %s…", t.steps()+1, string(next[:mostStep]))
	}
	return fmt.Sprintf("Step %d: %s", t.steps()+1, said.Next)
}

// steps counts the rounds that were no reflections.
func (t Turn) steps() (n int) {
	for _, r := range t.Rounds {
		if !r.Reflected {
			n++
		}
	}
	return n
}

// over says which limit is reached; "" for none.
func (t Turn) over() string {
	if most := t.Limits.Rounds; most > 0 && t.steps() >= most {
		return fmt.Sprintf("Stopped after %d steps (auto.rounds).", most)
	}
	return t.Limits.Over(t.Used)
}

// Over says which limit is reached by what was used, as a sentence for the user; "" for none. Of rounds it
// knows nothing.
func (l Limits) Over(used Used) string {
	switch {
	case l.Time > 0 && used.Time >= l.Time:
		return fmt.Sprintf("Stopped after %s (auto.time).", used.Time.Round(time.Second))
	case l.Cost > 0 && used.Cost >= l.Cost:
		return fmt.Sprintf("Stopped after $%.2f (auto.cost).", used.Cost)
	}
	return ""
}

// How long a turn may stand still: rounds in a row that change nothing, and returns to the same state.
const mostIdle, mostReturns = 2, 3

// standsStill says why it is no use to go on: the last rounds changed neither files nor findings, or the
// changes go round in a circle. "" when it moves.
func standsStill(rounds []Round) string {
	idle, returns, last := 0, 0, rounds[len(rounds)-1]
	for _, r := range rounds {
		if r.After == r.Before {
			idle++
			continue
		}
		idle = 0
		if r.After == last.After {
			returns++
		}
	}
	switch {
	case idle >= mostIdle:
		return fmt.Sprintf("Stopped: the last %d steps made no changes.", idle)
	case returns >= mostReturns:
		return "Stopped: the changes repeat."
	}
	return ""
}
