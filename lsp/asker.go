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

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/id"
	"coauthor/lsp/client"
	"coauthor/lsp/review"
)

// How long a question waits for its answer in a client that may have shown it for a moment: one that is answered at a glance,
// and one that has something to read or to write. Where it stands until it is answered, in a plug-in of ours or in a document,
// it waits until then, or until the turn is stopped.
const askTime, askSlowTime = 2 * time.Minute, 15 * time.Minute

// asker asks the user of this client in one root. All fields but root are required.
type asker struct {
	client    *client.Client
	questions *questions
	root      *rootState // nil for none
	random    io.Reader  // makes the names of questions
	// write opens a document in which the user writes the answer to a question.
	write func(ctx context.Context, q *event.Question) error
	// tells has the conversation ask the question too, until over is called with the answer; stands says that it does.
	tells func(ctx context.Context, q event.Question) (over func(event.Answer), stands bool)
	// limit is how long a question waits for its answer where it does not stand.
	limit func(q event.Question) time.Duration
	// page opens a document with a text to read, and returns where that is where it could not be opened.
	page func(ctx context.Context, name, text string) (elsewhere string)
	over <-chan struct{} // closed when the connection ends
	// waiting shows that a turn waits for the answer to a question, until the result is called.
	waiting func(q event.Question) (answered func())
	log     *slog.Logger
}

// Ask implements event.Asker: by coauthor/question in a client that announced it, else by the client's dialog or input box,
// and beside it by code actions and the command coauthor.answer. A dialog that is closed, or that nobody answers in time, gives
// the default where the question stands nowhere else; so does at once a client that shows neither dialogs nor code actions.
func (a *asker) Ask(ctx context.Context, q event.Question) (answer event.Answer, err error) {
	if err := ctx.Err(); err != nil {
		return event.Answer{}, err
	}
	if q.ID == "" {
		if q.ID, err = id.New(a.random, "q"); err != nil {
			return event.Answer{}, err
		}
	}
	o := a.questions.put(a.root, q)
	defer a.questions.drop(o)
	defer a.waiting(q)()
	a.notify(&q, questionOpen, "")
	defer func() {
		switch {
		case err != nil:
			a.notify(&q, questionWithdrawn, "")
		case answer.Defaulted:
			a.notify(&q, questionDefaulted, answerText(&q, answer))
		default:
			a.notify(&q, questionAnswered, answerText(&q, answer))
		}
	}()
	over, stands := a.tells(ctx, q)
	defer func() { over(answer) }()
	var wait sync.WaitGroup
	defer wait.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	timeout := time.NewTimer(a.limit(q))
	defer timeout.Stop()
	late := timeout.C
	inDocument := len(q.Choices) == 0 && !a.client.Caps.InputRequest
	if stands || inDocument || a.client.Caps.Turn { // a plug-in says all the time that an answer is needed
		late = nil
	}

	shown := make(chan asking, 1)
	wait.Go(func() { shown <- a.put(ctx, o) })
	why := ""
wait:
	for {
		select {
		case answer := <-o.answered:
			return answer, nil
		case how := <-shown:
			switch how {
			case askOpen:
			case askStands:
				late = nil
			case askClosed:
				if !stands { // else it can still be answered where it stands
					break wait
				}
			case askImpossible:
				why = "Your editor cannot show questions"
				break wait
			}
		case <-late:
			why = "No answer in time"
			break wait
		case <-a.over:
			break wait
		case <-ctx.Done():
			return event.Answer{}, ctx.Err()
		}
	}
	select {
	case answer := <-o.answered:
		return answer, nil
	default:
	}
	if why != "" {
		a.client.ShowMessage(protocol.MessageTypeInfo,
			fmt.Sprintf("Coauthor: %s; used the default: %s. (%s)", why, q.Title(q.Default), q.Text))
	}
	return q.DefaultAnswer(), nil
}

// asking says what became of a question on its way to the user.
type asking int

const (
	askOpen       asking = iota // it is answered, or the user can still answer it
	askStands                   // the same, and it stands before the user until it is answered
	askClosed                   // the user has closed it
	askImpossible               // the user cannot see it
)

// ownWords is the choice of a dialog by which the user answers in a text.
const ownWords = "Type an answer…"

// put puts the question on the screen: in a dialog or an input box, else in a message that says how to
// answer, by code actions or in a prompt document.
func (a *asker) put(ctx context.Context, o *openQuestion) asking {
	if a.client.Caps.Question {
		return askStands // it was told
	}
	if len(o.Choices) == 0 {
		return a.putWords(ctx, o)
	}
	text, body := a.shown(ctx, o)
	choices := o.Choices
	if a.client.Quirks.FirstChoiceOnly { // to close the question is the default
		choices = slices.DeleteFunc(slices.Clone(choices), func(c string) bool { return c == o.Default })
	}
	if o.FreeText {
		choices = append(slices.Clone(choices), ownWords)
	}
	choice, err := a.client.Dialog(ctx, protocol.MessageTypeInfo, "Coauthor: "+text, body, choices)
	switch {
	case err == nil && choice == "":
		return askClosed
	case err == nil && o.FreeText && choice == ownWords:
		return a.putWords(ctx, o)
	case err == nil:
		return taken(o.answer(choice, ""))
	case ctx.Err() != nil:
		return askOpen
	}
	a.log.Debug("no dialog", "err", err)
	if !a.client.Caps.CodeActions {
		return askImpossible
	}
	if body != client.Spoken(body) {
		return askImpossible // a message would cut it, and nobody agrees to what they have not seen
	}
	if body != "" {
		text += "\n\n" + body + "\n"
	}
	if menu := a.client.Quirks.Menu; menu != "" { // before the question: a status line cuts its end off
		a.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor asks; answer with "+menu+": "+text)
		return askOpen
	}
	var titles []string
	for _, choice := range o.Choices {
		titles = append(titles, `"`+answerTitle(&o.Question, choice)+`"`)
	}
	a.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+text+" Answer with the code action "+strings.Join(titles, " or ")+".")
	return askOpen
}

// taken is what became of a question that was answered in a dialog or an input box.
func taken(err error) asking {
	if err == nil {
		return askOpen
	}
	return askClosed
}

// putWords asks for a text: in an input box, else in a document.
func (a *asker) putWords(ctx context.Context, o *openQuestion) asking {
	if a.client.Caps.InputRequest {
		text, ok, err := a.client.InputBox(ctx, client.InputBoxParams{Prompt: o.Text, Value: o.Default})
		switch {
		case err == nil && ok:
			return taken(o.answer("", text))
		case err == nil:
			return askClosed
		}
		a.log.Debug("no input box", "err", err)
	}
	if err := a.write(ctx, &o.Question); err != nil {
		a.log.Info("question not shown", "question", o.Text, "err", err)
		return askImpossible
	}
	return askStands
}

// States of coauthor/question.
const (
	questionOpen      = "open"
	questionAnswered  = "answered"
	questionDefaulted = "defaulted"
	questionWithdrawn = "withdrawn"
)

// notify sends coauthor/question where the client knows it.
func (a *asker) notify(q *event.Question, state, answer string) {
	if !a.client.Caps.Question {
		return
	}
	p := &questionParams{ID: q.ID, TurnID: q.Turn, State: state, Text: client.Spoken(q.Text), Answer: client.Spoken(answer),
		FreeText: q.FreeText || len(q.Choices) == 0}
	if a.root != nil {
		p.URI = a.root.uri()
	}
	if state == questionOpen {
		p.Body = display.Text(strings.TrimSpace(q.Body))
		for _, choice := range q.Choices {
			p.Choices = append(p.Choices, questionChoice{Choice: choice, Title: display.Message(q.Title(choice)), Default: choice == q.Default})
		}
	}
	a.client.Notify(methodQuestion, p)
}

// answerText is an answer in the words of its question.
func answerText(q *event.Question, a event.Answer) string {
	if a.Choice != "" {
		return q.Title(a.Choice)
	}
	return a.Text
}

// How much of a text that is asked about a dialog shows, where it can also be opened as a document.
const dialogLines, dialogBytes = 12, 600

// shown returns the message of a question and what stands below it. What has several lines is opened as a document as
// well, because many editors show a dialog in one line, and so is what a client without dialogs would cut; where that went
// well, a dialog need not hold what is long.
func (a *asker) shown(ctx context.Context, o *openQuestion) (text, body string) {
	body = display.Text(strings.TrimSpace(o.Body))
	lines := strings.Count(body, "\n") + 1
	cut := !a.client.CanAsk() && body != client.Spoken(body)
	if lines == 1 && !cut {
		return o.Text, body
	}
	if elsewhere := a.page(ctx, review.AnswerPrefix+"to-read-"+o.ID+".md", bodyDocument(o)); elsewhere != "" {
		a.log.Debug("what is asked about was not opened", "where", elsewhere)
		return o.Text, body
	}
	switch {
	case lines > dialogLines || lines > 1 && len(body) > dialogBytes:
		return fmt.Sprintf("%s The full text (%d lines) is open in a document.", o.Text, lines), ""
	case cut:
		return o.Text + " The full text is open in a document.", ""
	}
	return o.Text, body
}

// bodyDocument is the document with what a question is about.
func bodyDocument(o *openQuestion) string {
	fence := "```"
	for strings.Contains(o.Body, fence) {
		fence += "`"
	}
	return "# " + display.Line(o.Text) + "\n\n" + fence + "\n" + strings.TrimRight(display.Text(o.Body), "\n") + "\n" + fence + "\n"
}
