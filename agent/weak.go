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
	"coauthor/agent/settings"
)

// weakModel writes short texts for a session.
type weakModel struct {
	settings func() settings.Settings // in force now: the user may switch models at any time
	catalog  func() *model.Catalog
	client   func(s settings.Settings) llm.Client
	spent    func(u event.Usage) // is told what each call cost
}

// newWeak is the weak model of a session. spent is who pays for it.
func newWeak(o Options, set func() settings.Settings, spent func(u event.Usage)) weakModel {
	return weakModel{settings: set, catalog: o.Catalog, client: o.ClientFor, spent: spent}
}

// ask has the weak model write a short text, and the main one where that fails or answers nothing. say makes the
// messages for a model; an error passes it over, such as one that what must be said does not fit it.
func (w weakModel) ask(ctx context.Context, say func(m Model) ([]llm.Message, error)) (string, error) {
	set, catalog := w.settings(), w.catalog()
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
		messages, err := say(by.Model)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		r, err := w.client(set).Stream(ctx, llm.Request{
			Model: by.Model.Profile, Role: role, Messages: messages, Temperature: by.Model.Temperature,
		}, func(llm.Delta) {})
		if u := costs(by.Model, messages, r, err); u != (event.Usage{}) {
			w.spent(u)
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
func (w weakModel) commitMessage(ctx context.Context, in prompt.Commit, columns int) (string, error) {
	answer, err := w.ask(ctx, func(m Model) ([]llm.Message, error) {
		return prompt.CommitMessages(m.Profile, in, columns, m.Room, m.Counter.Count)
	})
	if err != nil {
		text, _ := words(err)
		return answer, errors.New(text)
	}
	return answer, nil
}
