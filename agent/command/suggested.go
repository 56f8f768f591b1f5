package command

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"coauthor/agent"
	"coauthor/agent/display"
	"coauthor/agent/event"
)

// runSuggested lists the commands that the last answer suggests and lets the user choose one. It runs as one that they typed
// does: they are asked first, and its output is offered to the conversation.
func runSuggested(ctx context.Context, s *agent.Session, c Call, list []string) (Answer, error) {
	q := event.Question{Text: "Which command suggested by the last answer do you want to run?"}
	text := "Commands suggested by the last answer:"
	for i, one := range list {
		q.Choices, q.Titles = append(q.Choices, strconv.Itoa(i+1)), append(q.Titles, oneLine(one))
		text += "\n" + strings.TrimSpace(one)
	}
	q.Choices, q.Titles = append(q.Choices, "none"), append(q.Titles, "run none of them")
	a, err := put(ctx, s, c.Ports, q)
	if err != nil {
		return Answer{}, err
	}
	if n, err := strconv.Atoi(a.Choice); err == nil && n >= 1 && n <= len(list) {
		return runInShell(ctx, s, c, list[n-1], true)
	}
	return Answer{Text: text, Data: Ran{Command: strings.Join(list, "\n"), Status: RanSkipped}}, nil
}

// What the user can say to the offer of a suggested command.
const (
	offerYes  = "yes"
	offerNo   = "no"
	offerEdit = "edit"
)

// OfferSuggested asks about a command that an answer suggests. A yes is the consent of the command run: it runs as one does
// that the user typed, and its output is offered to the conversation. edit lets the user change it in its line before it
// runs; what it returns empty is not run.
func OfferSuggested(ctx context.Context, s *agent.Session, c Call, command string, edit func(context.Context, string) (string, error)) (Answer, error) {
	if err := canRun(s); err != nil {
		return Answer{}, err
	}
	a, err := put(ctx, s, c.Ports, offerQuestion(s, command))
	if err != nil {
		return Answer{}, err
	}
	switch a.Choice {
	case offerYes:
	case offerEdit:
		if command, err = edit(ctx, command); err != nil {
			return Answer{}, err
		}
		if command = strings.TrimSpace(command); command == "" {
			return notRun(command), nil
		}
	default:
		return notRun(command), nil
	}
	return runAgreed(ctx, s, c, command, true)
}

// offerQuestion asks about a suggested command. One that a line cannot have as it is stands above the question, and is not
// changed in a line either.
func offerQuestion(s *agent.Session, command string) event.Question {
	where := fmt.Sprintf(" in %s? It runs on your actual files, outside the sandbox.", s.Workspace.Root())
	if !display.Short(command) {
		return event.Question{Text: "Run this command" + where, Body: command, Choices: []string{offerYes, offerNo}, Default: offerNo}
	}
	return event.Question{Text: fmt.Sprintf("Run \"%s\"", command) + where, Choices: []string{offerYes, offerNo, offerEdit}, Default: offerNo}
}

// RunAllowed runs a suggested command that shell.allow lists. ran is false where the user would have to be asked about it.
func RunAllowed(ctx context.Context, s *agent.Session, c Call, command string) (answer Answer, ran bool, err error) {
	if err := canRun(s); err != nil || !allows(s.Settings().Shell.Allow, command) {
		return Answer{}, false, err
	}
	answer, err = runAgreed(ctx, s, c, command, true)
	return answer, true, err
}
