package lsp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent/event"
	"coauthor/agent/id"
	"coauthor/lsp/client"
	"coauthor/lsp/review"
)

// askTime is how long a question waits for its answer.
const askTime = 2 * time.Minute

// questions are those that wait for an answer. The zero value is ready.
type questions struct {
	mu    sync.Mutex
	open  map[string]*openQuestion // guarded by mu; by id
	asked int                      // guarded by mu; how many were put
}

type openQuestion struct {
	event.Question
	root     *rootState        // in which it was asked; nil for none
	order    int               // later ones have larger numbers
	answered chan event.Answer // room for one: the first answer counts
}

func (q *questions) put(one event.Question) *openQuestion { return q.putIn(nil, one) }

func (q *questions) putIn(r *rootState, one event.Question) *openQuestion {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.asked++
	o := &openQuestion{Question: one, root: r, order: q.asked, answered: make(chan event.Answer, 1)}
	if q.open == nil {
		q.open = map[string]*openQuestion{}
	}
	q.open[one.ID] = o
	return o
}

// in returns the questions that are open in a root, the oldest first.
func (q *questions) in(r *rootState) []event.Question {
	q.mu.Lock()
	defer q.mu.Unlock()
	var list []*openQuestion
	for _, o := range q.open {
		if o.root == r {
			list = append(list, o)
		}
	}
	slices.SortFunc(list, func(a, b *openQuestion) int { return cmp.Compare(a.order, b.order) })
	asked := make([]event.Question, len(list))
	for i, o := range list {
		asked[i] = o.Question
	}
	return asked
}

func (q *questions) drop(o *openQuestion) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open[o.ID] == o {
		delete(q.open, o.ID)
	}
}

// find returns the question with an id, or the only one without.
func (q *questions) find(id string) (*openQuestion, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if id != "" {
		return q.open[id], nil
	}
	if len(q.open) > 1 {
		var lines []string
		for _, o := range q.open {
			lines = append(lines, o.Text)
		}
		slices.Sort(lines)
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%d questions are open, so answer each by its code action:\n%s", len(lines), strings.Join(lines, "\n"))
	}
	for _, o := range q.open {
		return o, nil
	}
	return nil, nil
}

// asker returns the way to ask the user of this client.
func (s *server) asker(r *rootState) event.Asker { return &asker{s: s, root: r} }

type asker struct {
	s    *server
	root *rootState
}

// Ask implements event.Asker: by the client's dialog or input box, and beside it by code actions and
// the command coauthor.answer. A dialog that is closed, or that nobody answers in time, gives the
// default; so does at once a client that shows neither dialogs nor code actions.
func (a *asker) Ask(ctx context.Context, q event.Question) (event.Answer, error) {
	if err := ctx.Err(); err != nil {
		return event.Answer{}, err
	}
	s := a.s
	if q.ID == "" {
		var err error
		if q.ID, err = id.New(s.opts.Random, "q"); err != nil {
			return event.Answer{}, err
		}
	}
	o := s.questions.putIn(a.root, q)
	defer s.questions.drop(o)
	if v := s.turns.view(q.Turn); q.Turn != "" && v != nil {
		defer v.asks(q)()
	}
	var wait sync.WaitGroup
	defer wait.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	timeout := time.NewTimer(s.landings.Scaled(askTime))
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
	case <-s.ctx.Done():
	case <-ctx.Done():
		return event.Answer{}, ctx.Err()
	}
	select {
	case answer := <-o.answered:
		return answer, nil
	default:
	}
	if why != "" {
		s.client.ShowMessage(protocol.MessageTypeInfo,
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
	s := a.s
	taken := func(err error) asking {
		if err == nil {
			return askOpen
		}
		return askClosed
	}
	if len(o.Choices) == 0 && s.caps.InputRequest {
		text, ok, err := s.client.InputBox(ctx, client.InputBoxParams{Prompt: o.Text, Value: o.Default})
		switch {
		case err == nil && ok:
			return taken(o.answer("", text))
		case err == nil:
			return askClosed
		}
		s.log.Debug("no input box", "err", err)
	}
	if len(o.Choices) > 0 {
		choices := o.Choices
		if s.quirks.FirstChoiceOnly { // to close the question is the default
			choices = slices.DeleteFunc(slices.Clone(choices), func(c string) bool { return c == o.Default })
		}
		choice, err := s.client.ShowMessageRequest(ctx, protocol.MessageTypeInfo, "Coauthor: "+o.Text, choices)
		switch {
		case err == nil && choice == "":
			return askClosed
		case err == nil:
			return taken(o.answer(choice, ""))
		case ctx.Err() != nil:
			return askOpen
		}
		s.log.Debug("no dialog", "err", err)
	}
	if len(o.Choices) == 0 {
		doc, err := s.openAnswer(a.root, &o.Question)
		if err != nil {
			s.log.Info("question not shown", "question", o.Text, "err", err)
			return askImpossible
		}
		s.showPrompt(ctx, doc)
		return askOpen
	}
	if !s.caps.CodeActions {
		return askImpossible
	}
	how := s.quirks.Menu
	if how == "" {
		var titles []string
		for _, choice := range o.Choices {
			titles = append(titles, `"`+answerTitle(&o.Question, choice)+`"`)
		}
		how = "the code action " + strings.Join(titles, " or ") + ", or with coauthor.answer"
	}
	s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+o.Text+" Answer with "+how+".")
	return askOpen
}

// answerTitle is the code action that answers a question with one of its choices.
func answerTitle(q *event.Question, choice string) string {
	title := "Coauthor: " + q.Title(choice)
	if len(q.Titles) == 0 {
		title += " (" + review.Cut(q.Text, 80) + ")"
	}
	return title
}

// answer takes an answer that fits the question; later ones are dropped.
func (o *openQuestion) answer(choice, text string) error {
	word := strings.TrimSpace(cmp.Or(choice, text))
	given, ok := o.Choose(word)
	switch {
	case choice == "" && text != "" && o.FreeText:
		given, ok = event.Answer{Text: text}, true
	case word == "" && len(o.Choices) > 0:
		ok = false // what a terminal's Enter means, a command without words does not
	}
	for _, c := range o.Choices {
		if strings.EqualFold(word, o.Title(c)) {
			given, ok = event.Answer{Choice: c}, true
		}
	}
	if !ok {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%q is no answer to this question; choose one of: %s", word, strings.Join(o.Choices, ", "))
	}
	select {
	case o.answered <- given:
	default:
	}
	return nil
}

// answer is the command coauthor.answer.
func (s *server) answer(id, choice, text string) (status string, err error) {
	o, err := s.questions.find(id)
	if err != nil {
		return "", err
	}
	if o == nil {
		return "none", nil
	}
	if err := o.answer(choice, text); err != nil {
		return "", err
	}
	return "answered", nil
}
