package turnview

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

	"coauthor/agent"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/id"
	"coauthor/lsp/client"
	"coauthor/lsp/review"
)

// AskTime and AskSlowTime are how long a question waits for its answer in a client that may have shown it for a moment: one that is answered at a glance,
// and one that has something to read or to write. Where it stands until it is answered, in a plug-in of ours or in a document,
// it waits until then, or until the turn is stopped.
const (
	AskTime     = 2 * time.Minute
	AskSlowTime = 15 * time.Minute
)

// Asker asks the user of this client about what is done in one folder. All fields but Session and URI are required.
type Asker struct {
	Client    *client.Client
	Questions *Questions
	Session   *agent.Session // of the folder; nil for none
	URI       string         // of the folder; "" for none
	Random    io.Reader      // makes the names of questions
	// Write opens a document in which the user writes the answer to a question.
	Write func(ctx context.Context, q *event.Question) error
	// Tells has the conversation ask the question too, until over is called with the answer; stands says that it does.
	Tells func(ctx context.Context, q event.Question) (over func(event.Answer), stands bool)
	// Limit is how long a question waits for its answer where it does not stand.
	Limit func(q event.Question) time.Duration
	// Page opens a document with a text to read, and returns where that is where it could not be opened.
	Page func(ctx context.Context, name, text string) (elsewhere string)
	Over <-chan struct{} // closed when the connection ends
	// Waiting shows that a turn waits for the answer to a question, until the result is called.
	Waiting func(q event.Question) (answered func())
	Log     *slog.Logger
}

// Ask implements event.Asker: by coauthor/question in a client that announced it, else by the client's dialog or input box,
// and beside it by code actions and the command coauthor.answer. A dialog that is closed, or that nobody answers in time, gives
// the default where the question stands nowhere else; so does at once a client that shows neither dialogs nor code actions.
func (a *Asker) Ask(ctx context.Context, q event.Question) (answer event.Answer, err error) {
	if err := ctx.Err(); err != nil {
		return event.Answer{}, err
	}
	if q.ID == "" {
		if q.ID, err = id.New(a.Random, "q"); err != nil {
			return event.Answer{}, err
		}
	}
	o := a.Questions.Put(a.Session, q)
	defer a.Questions.Drop(o)
	defer a.Waiting(q)()
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
	over, stands := a.Tells(ctx, q)
	defer func() { over(answer) }()
	var wait sync.WaitGroup
	defer wait.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	timeout := time.NewTimer(a.Limit(q))
	defer timeout.Stop()
	late := timeout.C
	inDocument := len(q.Choices) == 0 && !a.Client.Caps.InputRequest
	if stands || inDocument || a.Client.Caps.Turn { // a plug-in says all the time that an answer is needed
		late = nil
	}

	shown := make(chan asking, 1)
	wait.Go(func() { shown <- a.put(ctx, o) })
	why := ""
wait:
	for {
		select {
		case answer := <-o.Answered():
			return answer, nil
		case how := <-shown:
			switch how {
			case askOpen:
				client.Asking(ctx)
			case askStands:
				client.Asking(ctx)
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
		case <-a.Over:
			break wait
		case <-ctx.Done():
			return event.Answer{}, ctx.Err()
		}
	}
	select {
	case answer := <-o.Answered():
		return answer, nil
	default:
	}
	if why != "" {
		a.Client.ShowMessage(protocol.MessageTypeInfo,
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

// OwnWords is the choice of a dialog by which the user answers in a text.
const OwnWords = "Type an answer…"

// put puts the question on the screen: in a dialog or an input box, else in a message that says how to
// answer, by code actions or in a prompt document.
func (a *Asker) put(ctx context.Context, o *Question) asking {
	if a.Client.Caps.Question {
		return askStands // it was told
	}
	if len(o.Choices) == 0 {
		return a.putWords(ctx, o)
	}
	text, body := a.shown(ctx, o)
	choices := o.Choices
	if a.Client.Quirks.FirstChoiceOnly { // to close the question is the default
		choices = slices.DeleteFunc(slices.Clone(choices), func(c string) bool { return c == o.Default })
	}
	if o.FreeText {
		choices = append(slices.Clone(choices), OwnWords)
	}
	choice, err := a.Client.Dialog(ctx, protocol.MessageTypeInfo, "Coauthor: "+text, body, choices)
	switch {
	case err == nil && choice == "":
		return askClosed
	case err == nil && o.FreeText && choice == OwnWords:
		return a.putWords(ctx, o)
	case err == nil:
		return taken(o.answer(choice, ""))
	case ctx.Err() != nil:
		return askOpen
	}
	a.Log.Debug("no dialog", "err", err)
	if !a.Client.Caps.CodeActions {
		return askImpossible
	}
	if body != client.Spoken(body) {
		return askImpossible // a message would cut it, and nobody agrees to what they have not seen
	}
	if body != "" {
		text += "\n\n" + body + "\n"
	}
	if menu := a.Client.Quirks.Menu; menu != "" { // before the question: a status line cuts its end off
		a.Client.ShowMessage(protocol.MessageTypeInfo, "Coauthor asks; answer with "+menu+": "+text)
		return askOpen
	}
	var titles []string
	for _, choice := range o.Choices {
		titles = append(titles, `"`+AnswerTitle(&o.Question, choice)+`"`)
	}
	a.Client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+text+" Answer with the code action "+strings.Join(titles, " or ")+".")
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
func (a *Asker) putWords(ctx context.Context, o *Question) asking {
	if a.Client.Caps.InputRequest {
		text, ok, err := a.Client.InputBox(ctx, client.InputBoxParams{Prompt: o.Text, Value: o.Default})
		switch {
		case err == nil && ok:
			return taken(o.answer("", text))
		case err == nil:
			return askClosed
		}
		a.Log.Debug("no input box", "err", err)
	}
	if err := a.Write(ctx, &o.Question); err != nil {
		a.Log.Info("question not shown", "question", o.Text, "err", err)
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
func (a *Asker) notify(q *event.Question, state, answer string) {
	if !a.Client.Caps.Question {
		return
	}
	p := &questionParams{ID: q.ID, TurnID: q.Turn, URI: a.URI, State: state, Text: client.Spoken(q.Text), Answer: client.Spoken(answer),
		FreeText: q.FreeText || len(q.Choices) == 0}
	if state == questionOpen {
		p.Body = display.Text(strings.TrimSpace(q.Body))
		for _, choice := range q.Choices {
			p.Choices = append(p.Choices, questionChoice{Choice: choice, Title: display.Message(q.Title(choice)), Default: choice == q.Default})
		}
	}
	a.Client.Notify(MethodQuestion, p)
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
func (a *Asker) shown(ctx context.Context, o *Question) (text, body string) {
	said := o.Text
	for _, choice := range o.Numbered() { // a dialog may show the choices alone
		said += "\n" + choice + ": " + display.Message(o.Title(choice))
	}
	body = display.Text(strings.TrimSpace(o.Body))
	lines := strings.Count(body, "\n") + 1
	cut := !a.Client.CanAsk() && body != client.Spoken(body)
	if lines == 1 && !cut {
		return said, body
	}
	if elsewhere := a.Page(ctx, review.AnswerPrefix+"to-read-"+o.ID+".md", bodyDocument(o)); elsewhere != "" {
		a.Log.Debug("what is asked about was not opened", "where", elsewhere)
		return said, body
	}
	switch {
	case lines > dialogLines || lines > 1 && len(body) > dialogBytes:
		return fmt.Sprintf("%s The full text (%d lines) is open in a document.", said, lines), ""
	case cut:
		return said + " The full text is open in a document.", ""
	}
	return said, body
}

// bodyDocument is the document with what a question is about.
func bodyDocument(o *Question) string {
	fence := "```"
	for strings.Contains(o.Body, fence) {
		fence += "`"
	}
	return "# " + display.Line(o.Text) + "\n\n" + fence + "\n" + strings.TrimRight(display.Text(o.Body), "\n") + "\n" + fence + "\n"
}
