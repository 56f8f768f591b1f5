package command

import (
	"cmp"
	"context"
	"slices"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/model"
)

type regenerateArgs struct {
	Model  string `arg:"model" also:"instruction" bare:"yes" doc:"The model. Default: the model of the last request."`
	Choose bool   `arg:"choose" doc:"Ask the user to choose a model if {model} is missing."`
	Folder
}

// runRegenerate asks the last request once more.
func runRegenerate(ctx context.Context, s *agent.Session, c Call, args regenerateArgs) (Answer, error) {
	r, err := s.Again(ctx, args.Model)
	if err != nil {
		return Answer{}, err
	}
	if !args.Choose || args.Model != "" {
		return Answer{Then: &r}, nil
	}
	model, err := chooseModel(ctx, s, r.Model, c.Ports)
	if err != nil || model == "" {
		return Answer{Data: map[string]any{"status": "none"}}, err
	}
	if r, err = s.Again(ctx, model); err != nil { // the session went on meanwhile
		return Answer{}, err
	}
	return Answer{Then: &r}, nil
}

// mostModels is how many models a question offers.
const mostModels = 6

// chooseModel asks which model is to answer in the place of one; "" there is the one in force, and "" as the answer is none.
func chooseModel(ctx context.Context, s *agent.Session, instead string, p agent.Ports) (string, error) {
	const none = "none"
	names, titles := otherModels(s, instead)
	q := event.Question{Text: "Which model?", FreeText: true}
	if len(names) > 0 { // else the user writes its name
		q.Choices, q.Titles, q.Default = append(names, none), append(titles, "keep the current model"), none
	}
	a, err := p.Ask.Ask(ctx, q)
	if err != nil || a.Defaulted || a.Choice == none {
		return "", err
	}
	return cmp.Or(a.Text, a.Choice), nil
}

// otherModels lists the models that could answer in the place of one, and what each choice does: those that the user's
// settings name, and the table's short names for what the same provider has, by the same key.
func otherModels(s *agent.Session, instead string) (names, titles []string) {
	v, catalog := s.Settings(), s.Engine.Options().Catalog()
	now := v.Profile(catalog, cmp.Or(instead, v.Model))
	type place struct{ id, base string }
	at := func(p model.Profile) place { return place{p.ID, p.APIBase} }
	known := map[place]bool{at(now): true}
	add := func(name string, p model.Profile) {
		if name == "" || known[at(p)] || len(names) == mostModels {
			return
		}
		known[at(p)] = true
		title := "regenerate with " + name
		if p.ID != name {
			title += " (" + p.ID + ")"
		}
		names, titles = append(names, name), append(titles, title)
	}
	for _, name := range append(sortedNames(v.Models), v.Model, v.WeakModel, v.EditorModel) {
		add(name, v.Profile(catalog, name))
	}
	if v.APIBase != "" || v.EnvBase != "" {
		return names, titles // what that server has, the table does not know
	}
	for _, name := range sortedNames(catalog.Aliases()) {
		if p := v.Profile(catalog, name); p.APIBase == now.APIBase && p.APIKeyEnv == now.APIKeyEnv {
			add(name, p)
		}
	}
	return names, titles
}

func sortedNames[V any](of map[string]V) []string {
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
