package coder

import (
	"fmt"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/llm"
)

// architect plans a change with the main model; editor writes the edits of the plan.
func architect() Coder {
	return Coder{Name: "architect", Title: "Plan, then change", Menu: "plan, then change…", Leads: true, Tools: true, Template: "architect.md.tmpl", Next: carryOut,
		Doc: "Plans a change with one model and writes it with another.", Said: "What to change."}
}

// editor is what a turn goes on as when a plan is made.
func editor() Coder {
	return Coder{Name: "editor", Title: "Write the edits of a plan", Inner: true, Edits: true, Role: llm.RoleEditor, Template: "editor.md.tmpl", Next: Reflect,
		Doc: "Writes the edits for a plan.", Said: "The plan."}
}

// Answers to the question between a plan and its edits.
const (
	GoOn = "continue"
	stop = "stop"
)

// mostPlans is how often a plan is made again because files were added that it asked for.
const mostPlans = 3

// carryOut has the editor model write what was planned. A plan that was cut off is none, and neither is what does not end as
// one.
func carryOut(t Turn) Step {
	r := t.Last()
	plans := 0
	for _, one := range t.Rounds {
		if one.Coder == r.Coder {
			plans++
		}
	}
	switch {
	case r.News != "" && plans < mostPlans:
		return HandOver{Message: r.News, Continues: true, Why: r.Why}
	case r.Cut || lastLine(r.Text) != PlanSign:
		return Done{}
	case !t.Confirm:
	case t.Answer == nil:
		return Ask{Question: event.Question{Text: "Write the edits of this plan?", Choices: []string{GoOn, stop}, Default: stop, FreeText: true,
			Titles: []string{"write the edits of this plan", "stop here, change nothing"}}}
	case t.Answer.Choice == GoOn:
	case strings.TrimSpace(t.Answer.Text) != "" && !t.Answer.Defaulted:
		return HandOver{Message: t.Answer.Text, About: t.Answer.Text, Continues: true, Why: "Planning again"}
	default:
		return Done{}
	}
	return HandOver{To: "editor", Message: order(t.Request, r.Text), Why: "Writing the edits of the plan"}
}

// order is what the editor is told: it sees nothing else of the rounds before.
func order(request, plan string) string {
	plan = WithoutSign(plan)
	if strings.TrimSpace(request) == "" {
		return "Make the changes of this plan, all of them and no others:\n\n" + plan
	}
	return fmt.Sprintf("I asked for this:\n\n%s\n\nThis is the plan for it. Make its changes, all of them and no others:\n\n%s", request, plan)
}
