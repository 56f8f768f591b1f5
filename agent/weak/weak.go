// Package weak writes the short texts that users do not wait for: summaries of conversations, messages of commits. The weak
// model is asked, and the main one where that fails. It changes no conversation and commits nothing.
package weak

import (
	"context"
	"errors"
	"strings"

	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/prompt"
	"coauthor/agent/settings"
	"coauthor/agent/strategy"
)

// Options is what a Writer is made of.
type Options struct {
	Settings func() settings.Settings // in force now: the user may switch models at any time
	Catalog  func() *model.Catalog
	Client   func(s settings.Settings) llm.Client
	Spent    func(u event.Usage) // is told what each call cost
}

// Writer writes short texts for a session.
type Writer struct{ o Options }

// New returns what writes short texts.
func New(o Options) Writer { return Writer{o} }

// Ask has the weak model write a short text, and the main one where that fails or answers nothing. say makes the
// messages for a model; an error passes it over, such as one that what must be said does not fit it.
func (w Writer) Ask(ctx context.Context, say func(m strategy.Model) ([]llm.Message, error)) (string, error) {
	set, catalog := w.o.Settings(), w.o.Catalog()
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
		r, err := w.o.Client(set).Stream(ctx, llm.Request{
			Model: by.Model.Profile, Role: role, Messages: messages, Temperature: by.Model.Temperature,
		}, func(llm.Delta) {})
		if u := by.Model.Costs(messages, r, err); u != (event.Usage{}) {
			w.o.Spent(u)
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

// CommitMessage has the weak model write the message of a commit. The error says in words why none did.
func (w Writer) CommitMessage(ctx context.Context, in prompt.Commit) (string, error) {
	answer, err := w.Ask(ctx, func(m strategy.Model) ([]llm.Message, error) {
		return prompt.CommitMessages(m.Profile, in, m.Room, m.Counter.Count)
	})
	if err != nil {
		text, advice := llm.Words(err)
		if call := (*llm.Error)(nil); errors.As(err, &call) && call.Kind == llm.NoKey { // nothing is set up yet
			text += " " + advice
		}
		return answer, errors.New(text)
	}
	return answer, nil
}

// The size of the history, in tokens, by what the model can take.
const leastHistory, mostHistory = 1024, 8192

// longHistory is from how many tokens on a conversation is too long for a model.
func longHistory(set settings.Settings, m strategy.Model) int {
	if n := set.History.Tokens; n > 0 {
		return min(n, m.Room/2)
	}
	return min(max(m.Profile.ContextWindow/16, leastHistory), mostHistory)
}

// HistoryLimit is from how many tokens on a conversation is too long for the model that is in force now, what that takes, and how it counts.
func (w Writer) HistoryLimit() (limit, room int, count func(string) int) {
	set := w.o.Settings()
	m := strategy.Main(w.o.Catalog(), set)
	return longHistory(set, m), m.Room, m.Counter.Count
}

// Summarize has the weak model sum up what a plan says. The error says in words why none did.
func (w Writer) Summarize(ctx context.Context, plan history.Plan, limit int) (string, error) {
	text, err := w.summaryOf(ctx, plan, limit)
	if err != nil {
		why, _ := llm.Words(err)
		return "", errors.New(why)
	}
	return text, nil
}

// summaryOf has the weak model sum up what a plan says, in pieces where it is too long for it.
func (w Writer) summaryOf(ctx context.Context, plan history.Plan, limit int) (string, error) {
	count := strategy.Main(w.o.Catalog(), w.o.Settings()).Counter.Count
	in := prompt.Summary{Before: plan.Before.Text, Tokens: limit / 4}
	for _, x := range plan.Head {
		in.Said = append(in.Said, prompt.Spoken{User: true, Text: x.User}, prompt.Spoken{Text: x.Reply})
	}
	for shorter := false; ; shorter = true {
		text, err := InPieces(in, func(ask func(m strategy.Model) ([]llm.Message, error)) (string, error) { return w.Ask(ctx, ask) })
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

// InPieces sums up a text by as many calls as the models need for it, each of which goes on with the summary of the
// one before.
func InPieces(in prompt.Summary, call func(ask func(m strategy.Model) ([]llm.Message, error)) (string, error)) (string, error) {
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
