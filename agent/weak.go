package agent

import (
	"context"
	"errors"
	"strings"

	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/prompt"
)

// askWeak has the weak model write a short text, and the main one where that fails or answers nothing. ask makes the
// messages for a model; an error passes it over, such as one that what must be said does not fit it. What the calls
// cost counts to the session. Which models these are is looked up again each time: the user may have switched.
func (s *Session) askWeak(ctx context.Context, ask func(m Model) ([]llm.Message, error)) (string, error) {
	return s.askWeakFor(ctx, ask, s.queue.spend)
}

// askWeakFor is askWeak for who counts what it costs.
func (s *Session) askWeakFor(ctx context.Context, ask func(m Model) ([]llm.Message, error), spent func(event.Usage)) (string, error) {
	set, catalog := s.settings(), s.e.o.Catalog()
	var errs []error
	asked := map[string]bool{}
	for _, role := range []llm.ModelRole{llm.RoleWeak, llm.RoleMain} {
		by, err := choose(catalog, set, Request{}, coder.Coder{Role: role}, coder.HandOver{})
		if err != nil {
			return "", err
		}
		if asked[by.Model.Profile.Name] {
			continue
		}
		asked[by.Model.Profile.Name] = true
		messages, err := ask(by.Model)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		r, err := s.e.o.ClientFor(set).Stream(ctx, llm.Request{
			Model: by.Model.Profile, Role: role, Messages: messages, Temperature: by.Model.Temperature,
		}, func(llm.Delta) {})
		if u := costs(by.Model, messages, r, err); u != (event.Usage{}) {
			spent(u)
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		text := strings.TrimSpace(r.Text)
		switch {
		case err != nil:
			errs = append(errs, err)
		case text == "" || r.Finish == llm.FinishRefused:
			errs = append(errs, errors.New(by.Model.Profile.Name+" returned an empty answer"))
		case r.Finish == llm.FinishLength || r.Finish == llm.FinishCut:
			errs = append(errs, errors.New("the answer from "+by.Model.Profile.Name+" was cut off"))
		default:
			return text, nil
		}
	}
	return "", errors.Join(errs...)
}

// costs is what a call cost, as we count it where the server does not.
func costs(m Model, messages []llm.Message, r llm.Reply, err error) event.Usage {
	u := r.Usage
	if u.Prompt == 0 && u.Completion == 0 {
		if err != nil && r.Text == "" {
			return event.Usage{}
		}
		u = event.Usage{Completion: m.Counter.Count(r.Text) + m.Counter.Count(r.Reasoning), Estimated: true}
		for _, message := range messages {
			u.Prompt += m.Counter.Count(message.String())
		}
	}
	if u.Cost == 0 {
		u.Cost = model.Cost(m.Profile.Price, u)
	}
	return u
}

// commitMessage has the weak model write the message of a commit. The error says in words why none did.
func (s *Session) commitMessage(ctx context.Context, in prompt.Commit, columns int) (string, error) {
	answer, err := s.askWeak(ctx, func(m Model) ([]llm.Message, error) {
		return prompt.CommitMessages(m.Profile, in, columns, m.Room, m.Counter.Count)
	})
	if err != nil {
		text, _ := words(err)
		return answer, errors.New(text)
	}
	return answer, nil
}
