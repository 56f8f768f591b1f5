package setup

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/settings"
)

// most is how many models a list names; others can be typed.
const most = 9

// Choose asks which way it is to be and which of its models, and returns the settings for that. now is the model that the
// settings have already, "" for none; it is returned as nothing to change.
func (o Options) Choose(ctx context.Context, ways []Way, now string) ([]settings.Given, error) {
	q := event.Question{Text: "Which one should Coauthor use?"}
	add := func(title string) {
		q.Choices = append(q.Choices, strconv.Itoa(len(q.Choices)+1))
		q.Titles = append(q.Titles, title)
	}
	for _, w := range ways {
		title := w.Title
		if len(w.Models) == 1 {
			title = w.Models[0] + ": " + title
		}
		add(title)
	}
	add("another server")
	if q.Default = "1"; now != "" {
		add("keep " + now)
		q.Default = q.Choices[len(q.Choices)-1]
	}
	a, err := o.Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	switch i := slices.Index(q.Choices, a.Choice); {
	case i < len(ways):
		return o.modelOf(ctx, ways[i])
	case i == len(ways):
		return o.other(ctx)
	}
	return nil, nil
}

// modelOf asks which of the models of a way it is to be.
func (o Options) modelOf(ctx context.Context, w Way) ([]settings.Given, error) {
	names := w.Models
	if w.provider != "" {
		offered, err := o.offered(ctx, w)
		if err != nil {
			return nil, fmt.Errorf("cannot list the models of %s, so nothing was written: %w", w.provider, err)
		}
		names = slices.Clone(w.Models)
		for _, name := range offered {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	name, err := o.pick(ctx, names)
	if err != nil {
		return nil, err
	}
	return given(name, w.Given), nil
}

// pick asks for one of some models; one alone needs no question. The name of another one can be typed.
func (o Options) pick(ctx context.Context, names []string) (string, error) {
	if len(names) == 1 {
		return names[0], nil
	}
	if len(names) > 0 {
		q := event.Question{Text: "Which model?", Default: "1"}
		for i, name := range names[:min(len(names), most)] {
			q.Choices, q.Titles = append(q.Choices, strconv.Itoa(i+1)), append(q.Titles, name)
		}
		if len(names) > most {
			q.Choices = append(q.Choices, strconv.Itoa(most+1))
			q.Titles = append(q.Titles, fmt.Sprintf("one of %d others", len(names)-most))
		}
		a, err := o.Ask(ctx, q)
		if err != nil {
			return "", err
		}
		if i := slices.Index(q.Choices, a.Choice); i < min(len(names), most) {
			return names[i], nil
		}
	}
	a, err := o.Ask(ctx, event.Question{Text: "Name of the model (Enter: none):", FreeText: true})
	if err != nil {
		return "", err
	}
	typed := strings.TrimSpace(a.Text)
	if typed == "" {
		return "", errors.New("no model was chosen, so nothing was written")
	}
	for _, name := range names {
		if _, own, _ := strings.Cut(name, "/"); name == typed || own == typed { // as the server says it
			return name, nil
		}
	}
	if len(names) > 0 {
		return "", fmt.Errorf("the server does not list the model %q, so nothing was written; run coauthor init again", typed)
	}
	return typed, nil
}

// variable is the name of a variable of the environment. A key is none: most have a dash.
var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// other asks for a server that was not found.
func (o Options) other(ctx context.Context) ([]settings.Given, error) {
	a, err := o.Ask(ctx, event.Question{Text: "URL of an OpenAI-compatible server, such as http://127.0.0.1:8080/v1 (Enter: none):", FreeText: true})
	if err != nil {
		return nil, err
	}
	base := strings.TrimSpace(a.Text)
	if base == "" {
		return nil, errors.New("no server was chosen, so nothing was written")
	}
	a, err = o.Ask(ctx, event.Question{Text: "Environment variable that contains its key (Enter: it needs no key):", FreeText: true})
	if err != nil {
		return nil, err
	}
	key := strings.TrimSpace(a.Text)
	if key == "" {
		key = model.NoKey
	}
	if !variable.MatchString(key) {
		return nil, errors.New("that is not the name of an environment variable, so nothing was written; Coauthor does not store keys. " +
			"Put the key into a variable, or set apiKeyCommand to a command that prints it")
	}
	at := settings.Settings{APIBase: base, APIKeyEnv: key}
	list, err := o.Offers(at)(ctx, at.Profile(o.Catalog, "any"))
	if failed := (*llm.Error)(nil); err != nil && (!errors.As(err, &failed) || failed.Kind != llm.NotFound) { // some list none and work
		return nil, fmt.Errorf("cannot list the models of the server, so nothing was written: %w", err)
	}
	var names []string
	for _, m := range list {
		names = append(names, o.nameAt(base, m.ID))
	}
	name, err := o.pick(ctx, names)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		name = o.nameAt(base, name)
	}
	return given(name, []settings.Given{{Name: "apiBase", Value: base}, {Name: "apiKeyEnv", Value: key}}), nil
}

// Endpoint are the settings for a model at an endpoint; "" is the one of the model's provider.
func Endpoint(name, base string) []settings.Given {
	if base == "" {
		return given(name, nil)
	}
	return given(name, []settings.Given{{Name: "apiBase", Value: base}})
}

// given are the settings for a model: what belongs to the endpoint before it goes.
func given(name string, more []settings.Given) []settings.Given {
	list := append([]settings.Given{{Name: "model.name", Value: name}}, more...)
	for _, name := range []string{"apiBase", "apiKeyEnv", "apiKeyCommand"} {
		if !slices.ContainsFunc(more, func(g settings.Given) bool { return g.Name == name }) {
			list = append(list, settings.Given{Name: name})
		}
	}
	return list
}
