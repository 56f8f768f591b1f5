package strategy

import (
	"errors"
	"fmt"
	"strings"

	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/settings"
)

// Model is the model of a round, in one of its three roles.
type Model struct {
	Role        llm.ModelRole
	Profile     model.Profile
	Counter     model.Counter
	Room        int // tokens of a prompt
	Temperature *float64
	Fallback    *model.Profile // answers when Profile cannot be had; nil has none
}

// NewModel is a model in a role, with the room that it has for a prompt.
func NewModel(p model.Profile, role llm.ModelRole) Model {
	return Model{Role: role, Profile: p, Counter: model.NewCounter(p.Tokenizer), Room: InputRoom(p)}
}

// InputRoom is how much of the context window is for the prompt, in tokens: what the answer may take is
// kept free, at least a quarter. A window that nobody knows counts as model.AssumedWindow, so that no
// file of megabytes goes out in the hope that it fits. The line that switches the model is no part of what is counted later.
func InputRoom(p model.Profile) int {
	window := p.ContextWindow
	if window <= 0 {
		window = model.AssumedWindow
	}
	answer := window / 4
	if p.MaxOutput > 0 && p.MaxOutput < window/2 {
		answer = p.MaxOutput
	}
	return max(window-answer-model.Estimate{}.Count(p.SystemPrefix), 1)
}

// NoRoom is the end of a turn whose prompt is too large. what says how large; less is how to make it
// smaller.
func (m Model) NoRoom(what, less string) error {
	if m.Profile.ContextWindow > 0 {
		return &event.Problem{
			Message: fmt.Sprintf("%s; the limit of %s is %d.", what, m.Profile.Name, m.Room),
			Advice:  less + ", or choose a model with a larger context window."}
	}
	return &event.Problem{
		Message: fmt.Sprintf("%s; the context window of %s is unknown, so the limit is %d.", what, m.Profile.Name, m.Room),
		Advice:  fmt.Sprintf("%s, or set models.%s.contextWindow to its size in tokens.", less, m.Profile.Name)}
}

// SuggestModel adds to the error of a model that is not known which known ones its name may mean. At an address of
// the user's own the names are those of its server.
func SuggestModel(err error, name string, set settings.Settings, catalog *model.Catalog) error {
	var failed *llm.Error
	if !errors.As(err, &failed) || set.APIBase != "" || set.EnvBase != "" {
		return err
	}
	if set.Models != nil {
		catalog = catalog.With(set.Models)
	}
	if failed.Kind != llm.NotFound && catalog.Resolve(name).APIBase != "" {
		return err
	}
	near := settings.NearModels(catalog, name)
	if len(near) == 0 {
		return err
	}
	told, last := *failed, len(near)-1
	list := near[last]
	if last > 0 {
		list = strings.Join(near[:last], ", ") + " or " + list
	}
	told.Advice = fmt.Sprintf("Did you mean %s? %s", list, failed.Advice)
	return &told
}

// MissingSetup is what is missing in the set-up, so that a turn came to nothing.
type MissingSetup struct {
	Text string // one sentence, without what to do about it; "" for nothing that is known
	Key  bool   // it is the model's key; else the model or its endpoint
}

// errNoModel says that nobody has chosen a model.
var errNoModel = errors.New("no model")

// Missing says what of the set-up an error is about.
func Missing(err error) MissingSetup {
	var e *llm.Error
	var p *event.Problem
	switch {
	case errors.As(err, &e) && (e.Kind == llm.NoKey || e.Kind == llm.Auth || e.Kind == llm.NotFound):
		return MissingSetup{e.Message, e.Kind != llm.NotFound}
	case errors.As(err, &p) && errors.Is(err, errNoModel):
		return MissingSetup{Text: p.Message}
	}
	return MissingSetup{}
}

// Costs is what a call cost, as we count it where the server does not.
func (m Model) Costs(messages []llm.Message, r llm.Reply, err error) event.Usage {
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

// Main is the model that is in force now; one that nothing is known of where none is configured.
func Main(catalog *model.Catalog, set settings.Settings) Model {
	by, err := Choose(catalog, set, Wanted{}, coder.Coder{}, coder.HandOver{})
	if err != nil {
		return NewModel(model.Profile{}, llm.RoleMain)
	}
	return by.Model
}
