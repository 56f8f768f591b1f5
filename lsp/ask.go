package lsp

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent/event"
)

// askTime is how long a question waits for its answer.
const askTime = 2 * time.Minute

// questions are those that wait for an answer. The zero value is ready.
type questions struct {
	mu   sync.Mutex
	open map[string]*openQuestion // guarded by mu; by id
}

type openQuestion struct {
	event.Question
	answered chan event.Answer // room for one: the first answer counts
}

func (q *questions) put(one event.Question) *openQuestion {
	o := &openQuestion{Question: one, answered: make(chan event.Answer, 1)}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open == nil {
		q.open = map[string]*openQuestion{}
	}
	q.open[one.ID] = o
	return o
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
			lines = append(lines, o.ID+": "+o.Text)
		}
		slices.Sort(lines)
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%d questions are open, name one by its questionId:\n%s", len(lines), strings.Join(lines, "\n"))
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

// Ask implements event.Asker: by the client's dialog or input box, and beside it by the command
// coauthor.answer. A dialog that is closed, or that nobody answers in time, gives the default.
func (a *asker) Ask(ctx context.Context, q event.Question) (event.Answer, error) {
	if err := ctx.Err(); err != nil {
		return event.Answer{}, err
	}
	s := a.s
	if q.ID == "" {
		id, err := s.newID()
		if err != nil {
			return event.Answer{}, err
		}
		q.ID = id
	}
	o := s.questions.put(q)
	defer s.questions.drop(o)
	if v := s.turns.view(q.Turn); q.Turn != "" && v != nil {
		defer v.asks(q)()
	}
	var wait sync.WaitGroup
	defer wait.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	timeout := time.NewTimer(s.landings.scaled(askTime))
	defer timeout.Stop()

	closed := make(chan struct{})
	wait.Go(func() {
		if !a.dialog(ctx, o) {
			close(closed)
		}
	})
	select {
	case answer := <-o.answered:
		return answer, nil
	case <-closed:
	case <-timeout.C:
	case <-s.ctx.Done():
	case <-ctx.Done():
		return event.Answer{}, ctx.Err()
	}
	select {
	case answer := <-o.answered:
		return answer, nil
	default:
		return q.DefaultAnswer(), nil
	}
}

// dialog puts the question on the screen. It is false when the user closed it; a client without
// dialogs is told how to answer, and the question stays open.
func (a *asker) dialog(ctx context.Context, o *openQuestion) bool {
	s := a.s
	if len(o.Choices) == 0 && s.caps.InputRequest {
		text, ok, err := s.client.inputBox(ctx, inputBoxParams{Prompt: o.Text, Value: o.Default})
		if err == nil {
			return ok && o.answer("", text) == nil
		}
		s.log.Debug("no input box", "err", err)
	}
	choice, err := "", errUnsupported
	if len(o.Choices) > 0 {
		choice, err = s.client.showMessageRequest(ctx, protocol.MessageTypeInfo, "Coauthor: "+o.Text, o.Choices)
	}
	switch {
	case err == nil && choice == "":
		return false
	case err == nil:
		return o.answer(choice, "") == nil
	case ctx.Err() != nil:
		return true
	}
	how := fmt.Sprintf("Coauthor asks: %s Answer with the command coauthor.answer", o.Text)
	if len(o.Choices) > 0 {
		how += fmt.Sprintf(" and one of: %s (no answer is: %s)", strings.Join(o.Choices, ", "), o.Default)
	}
	s.client.showMessage(protocol.MessageTypeInfo, how+".")
	return true
}

// answer takes an answer that fits the question; later ones are dropped.
func (o *openQuestion) answer(choice, text string) error {
	if choice == "" && len(o.Choices) > 0 && !o.FreeText {
		choice, text = text, "" // who types the choice as text means it
	}
	if choice != "" {
		i := slices.IndexFunc(o.Choices, func(c string) bool { return strings.EqualFold(c, choice) })
		switch {
		case i >= 0:
			choice = o.Choices[i]
		case o.FreeText || len(o.Choices) == 0:
			choice, text = "", choice
		default:
			return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%q is none of the choices: %s", choice, strings.Join(o.Choices, ", "))
		}
	}
	if choice == "" && text == "" && len(o.Choices) > 0 {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "choose one of: %s", strings.Join(o.Choices, ", "))
	}
	select {
	case o.answered <- event.Answer{Choice: choice, Text: text}:
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

func (s *server) newID() (string, error) {
	s.turns.random.Lock()
	defer s.turns.random.Unlock()
	raw := make([]byte, 8)
	if _, err := io.ReadFull(s.opts.Random, raw); err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return hex.EncodeToString(raw), nil
}
