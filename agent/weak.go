package agent

import (
	"context"
	"errors"
	"strings"
	"time"

	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/prompt"
	"coauthor/agent/settings"
	"coauthor/agent/strategy"
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
func (w weakModel) ask(ctx context.Context, say func(m strategy.Model) ([]llm.Message, error)) (string, error) {
	set, catalog := w.settings(), w.catalog()
	var errs []error
	asked := map[string]bool{}
	for _, role := range []llm.ModelRole{llm.RoleWeak, llm.RoleMain} {
		by, err := strategy.Choose(catalog, set, strategy.Wanted{}, coder.Coder{Role: role}, coder.HandOver{})
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
func costs(m strategy.Model, messages []llm.Message, r llm.Reply, err error) event.Usage {
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
	answer, err := w.ask(ctx, func(m strategy.Model) ([]llm.Message, error) {
		return prompt.CommitMessages(m.Profile, in, columns, m.Room, m.Counter.Count)
	})
	if err != nil {
		text, _ := words(err)
		return answer, errors.New(text)
	}
	return answer, nil
}

// What the session adds to its conversation: which model bounds it, and who sums its beginning up.

// The size of the history, in tokens, by what the model can take.
const leastHistory, mostHistory = 1024, 8192

// summaryWait is how long a turn waits for the summary of what was said before. It then goes on with all of it.
const summaryWait = 30 * time.Second

// mainModel is the model that is in force now; one that nothing is known of where none is configured.
func mainModel(catalog *model.Catalog, set settings.Settings) strategy.Model {
	by, err := strategy.Choose(catalog, set, strategy.Wanted{}, coder.Coder{}, coder.HandOver{})
	if err != nil {
		return strategy.NewModel(model.Profile{}, llm.RoleMain)
	}
	return by.Model
}

// longHistory is from how many tokens on a conversation is too long for a model.
func longHistory(set settings.Settings, m strategy.Model) int {
	if n := set.History.Tokens; n > 0 {
		return min(n, m.Room/2)
	}
	return min(max(m.Profile.ContextWindow/16, leastHistory), mostHistory)
}

// historyLimit is longHistory for the model that is in force now, what that takes, and how it counts.
func (w weakModel) historyLimit() (limit, room int, count func(string) int) {
	set := w.settings()
	m := mainModel(w.catalog(), set)
	return longHistory(set, m), m.Room, m.Counter.Count
}

// summarize is summaryOf with an error in words.
func (w weakModel) summarize(ctx context.Context, plan history.Plan, limit int) (string, error) {
	text, err := w.summaryOf(ctx, plan, limit)
	if err != nil {
		why, _ := words(err)
		return "", errors.New(why)
	}
	return text, nil
}

// summaryOf has the weak model sum up what a plan says, in pieces where it is too long for it.
func (w weakModel) summaryOf(ctx context.Context, plan history.Plan, limit int) (string, error) {
	count := mainModel(w.catalog(), w.settings()).Counter.Count
	in := prompt.Summary{Before: plan.Before.Text, Tokens: limit / 4}
	for _, x := range plan.Head {
		in.Said = append(in.Said, prompt.Spoken{User: true, Text: x.User}, prompt.Spoken{Text: x.Reply})
	}
	for shorter := false; ; shorter = true {
		text, err := inPieces(in, func(ask func(m strategy.Model) ([]llm.Message, error)) (string, error) { return w.ask(ctx, ask) })
		size := count(text)
		switch {
		case err != nil:
			return "", err
		case size < plan.Tokens && size <= limit/2:
			return text, nil
		case shorter:
			return "", errors.New("summarizing would not save any tokens")
		}
		in = prompt.Summary{Said: []prompt.Spoken{{Text: text}}, Tokens: limit / 8}
	}
}

// inPieces sums up a text by as many calls as the models need for it, each of which goes on with the summary of the
// one before.
func inPieces(in prompt.Summary, call func(ask func(m strategy.Model) ([]llm.Message, error)) (string, error)) (string, error) {
	for {
		var rest []prompt.Spoken
		text, err := call(func(m strategy.Model) (list []llm.Message, err error) {
			list, rest, err = prompt.SummaryMessages(m.Profile, in, m.Room, m.Counter.Count)
			return list, err
		})
		if err != nil || len(rest) == 0 {
			return text, err
		}
		in.Before, in.Said = text, rest
	}
}

// joinSummary waits for a summary of what was said before, nil for none, and says whether that takes too long.
func joinSummary(ctx context.Context, done <-chan struct{}, sleep func(context.Context, time.Duration) error) (late bool, err error) {
	if done == nil {
		return false, nil
	}
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	over := make(chan struct{})
	go func() { // ends with within
		_ = sleep(within, summaryWait)
		close(over)
	}()
	select {
	case <-done:
		return false, ctx.Err()
	case <-over:
		return ctx.Err() == nil, ctx.Err()
	}
}
