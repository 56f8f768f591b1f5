package lsp

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent/event"
	"coauthor/agent/id"
	"coauthor/lsp/client"
	"coauthor/lsp/review"
)

// askTime is how long a question waits for its answer.
const askTime = 2 * time.Minute

// asker asks the user of this client in one root. All fields but root are required.
type asker struct {
	client    *client.Client
	questions *questions
	root      *rootState // nil for none
	prompts   *review.Prompts
	random    io.Reader       // makes the names of questions
	limit     time.Duration   // how long a question waits for its answer
	over      <-chan struct{} // closed when the connection ends
	// waiting shows that a turn waits for the answer to a question, until the result is called.
	waiting func(q event.Question) (answered func())
	log     *slog.Logger
}

// Ask implements event.Asker: by the client's dialog or input box, and beside it by code actions and
// the command coauthor.answer. A dialog that is closed, or that nobody answers in time, gives the
// default; so does at once a client that shows neither dialogs nor code actions.
func (a *asker) Ask(ctx context.Context, q event.Question) (event.Answer, error) {
	if err := ctx.Err(); err != nil {
		return event.Answer{}, err
	}
	if q.ID == "" {
		var err error
		if q.ID, err = id.New(a.random, "q"); err != nil {
			return event.Answer{}, err
		}
	}
	o := a.questions.put(a.root, q)
	defer a.questions.drop(o)
	defer a.waiting(q)()
	var wait sync.WaitGroup
	defer wait.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	timeout := time.NewTimer(a.limit)
	defer timeout.Stop()

	over := make(chan string, 1) // why nobody will answer any more; "" where the user knows
	wait.Go(func() {
		switch a.put(ctx, o) {
		case askClosed:
			over <- ""
		case askImpossible:
			over <- "Your editor cannot show a question"
		case askOpen:
		}
	})
	why := ""
	select {
	case answer := <-o.answered:
		return answer, nil
	case why = <-over:
	case <-timeout.C:
		why = "Nobody answered in time"
	case <-a.over:
	case <-ctx.Done():
		return event.Answer{}, ctx.Err()
	}
	select {
	case answer := <-o.answered:
		return answer, nil
	default:
	}
	if why != "" {
		a.client.ShowMessage(protocol.MessageTypeInfo,
			fmt.Sprintf("Coauthor: %s, so the default was taken: %s. (%s)", why, q.Title(q.Default), q.Text))
	}
	return q.DefaultAnswer(), nil
}

// asking says what became of a question on its way to the user.
type asking int

const (
	askOpen       asking = iota // it is answered, or the user can still answer it
	askClosed                   // the user has closed it
	askImpossible               // the user cannot see it
)

// put puts the question on the screen: in a dialog or an input box, else in a message that says how to
// answer, by code actions or in a prompt document.
func (a *asker) put(ctx context.Context, o *openQuestion) asking {
	taken := func(err error) asking {
		if err == nil {
			return askOpen
		}
		return askClosed
	}
	if len(o.Choices) == 0 && a.client.Caps.InputRequest {
		text, ok, err := a.client.InputBox(ctx, client.InputBoxParams{Prompt: o.Text, Value: o.Default})
		switch {
		case err == nil && ok:
			return taken(o.answer("", text))
		case err == nil:
			return askClosed
		}
		a.log.Debug("no input box", "err", err)
	}
	if len(o.Choices) > 0 {
		choices := o.Choices
		if a.client.Quirks.FirstChoiceOnly { // to close the question is the default
			choices = slices.DeleteFunc(slices.Clone(choices), func(c string) bool { return c == o.Default })
		}
		choice, err := a.client.ShowMessageRequest(ctx, protocol.MessageTypeInfo, "Coauthor: "+o.Text, choices)
		switch {
		case err == nil && choice == "":
			return askClosed
		case err == nil:
			return taken(o.answer(choice, ""))
		case ctx.Err() != nil:
			return askOpen
		}
		a.log.Debug("no dialog", "err", err)
	}
	if len(o.Choices) == 0 {
		doc, err := a.prompts.ForAnswer(&o.Question)
		if err != nil {
			a.log.Info("question not shown", "question", o.Text, "err", err)
			return askImpossible
		}
		a.prompts.Show(ctx, doc)
		return askOpen
	}
	if !a.client.Caps.CodeActions {
		return askImpossible
	}
	if menu := a.client.Quirks.Menu; menu != "" { // before the question: a status line cuts its end off
		a.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor asks, answer with "+menu+": "+o.Text)
		return askOpen
	}
	var titles []string
	for _, choice := range o.Choices {
		titles = append(titles, `"`+answerTitle(&o.Question, choice)+`"`)
	}
	a.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+o.Text+" Answer with the code action "+strings.Join(titles, " or ")+", or with coauthor.answer.")
	return askOpen
}
