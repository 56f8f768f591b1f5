package command

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/agent/chosen"
	"coauthor/agent/model"
	"coauthor/agent/settings"
	"coauthor/edits/formats"
)

// The commands that choose who answers and how.

// setting makes the work of a command that chooses one thing, or says what it is.
func setting[T interface{ value() string }](what string, set func(*chosen.Choice, string), get func(chosen.InForce) string) Run {
	return With(func(_ context.Context, s *agent.Session, _ Call, args T) (Answer, error) {
		if args.value() == "" {
			now := s.InForce()
			return Answer{Text: fmt.Sprintf("The %s is %s.", what, cmp.Or(get(now), "not set")), Data: now.Report()}, nil
		}
		choice := s.Chosen.Get()
		set(&choice, args.value())
		return chose(s, choice)
	})
}

// chose makes a choice the session's, and says all that is in force.
func chose(s *agent.Session, choice chosen.Choice) (Answer, error) {
	now, err := s.Choose(choice)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Text: "Now using: " + now.String() + ".", Data: now.Report()}, nil
}

// modelArgs name a model.
type modelArgs struct {
	Model string `arg:"model" also:"instruction" bare:"yes" doc:"The model name, as in the {model} setting."`
	Folder
}

type effortArgs struct {
	Effort string `arg:"effort" also:"instruction" bare:"yes" setting:"model.reasoningEffort" doc:"The reasoning effort."`
	Folder
}

func (a modelArgs) value() string  { return a.Model }
func (a effortArgs) value() string { return a.Effort }

type modeArgs struct {
	Coder string `arg:"coder" also:"instruction" bare:"yes" doc:"A coder or an edit format."`
	Folder
}

// runChatMode chooses a coder or an edit format.
func runChatMode(_ context.Context, s *agent.Session, _ Call, args modeArgs) (Answer, error) {
	names := s.Engine.Options().Coders.Names()
	choice := s.Chosen.Get()
	if _, known := formats.ByName(args.Coder); known && !slices.Contains(names, args.Coder) {
		choice.Format = args.Coder
		return chose(s, choice)
	}
	if args.Coder == "" {
		now := s.InForce()
		return Answer{Text: fmt.Sprintf("Current coder: %s. Current edit format: %s. Available coders: %s. Available edit formats: %s.",
			now.Coder, now.Format, strings.Join(names, ", "), strings.Join(formats.Choices(), ", ")), Data: now.Report()}, nil
	}
	if !slices.Contains(names, args.Coder) {
		return Answer{}, fmt.Errorf("unknown coder or edit format %q; coders: %s; edit formats: %s",
			args.Coder, strings.Join(names, ", "), strings.Join(formats.Choices(), ", "))
	}
	choice.Coder = args.Coder
	return chose(s, choice)
}

type thinkArgs struct {
	Amount string `arg:"amount" also:"instruction" bare:"yes" doc:"A number, as in the {model.thinkingTokens} setting."`
	Folder
}

// runThink chooses how many tokens the model may think with.
func runThink(_ context.Context, s *agent.Session, _ Call, args thinkArgs) (Answer, error) {
	if args.Amount == "" {
		now := s.InForce()
		text := "The model decides how many thinking tokens it uses."
		if *now.Thinking > 0 {
			text = fmt.Sprintf("The model may use up to %d thinking tokens.", *now.Thinking)
		}
		return Answer{Text: text, Data: now.Report()}, nil
	}
	var v settings.Settings
	if err := v.Assign("model.thinkingTokens", args.Amount); err != nil {
		return Answer{}, err
	}
	choice := s.Chosen.Get()
	choice.Thinking = &v.ThinkingTokens
	return chose(s, choice)
}

type searchArgs struct {
	Search string `arg:"search" also:"instruction" bare:"yes" doc:"Part of a model name. Default: all models."`
	Quiet  bool   `arg:"quiet"`
	Folder
}

// runModels lists the models whose names hold a text.
func runModels(_ context.Context, s *agent.Session, _ Call, args searchArgs) (Answer, error) {
	catalog := s.Engine.Options().Catalog()
	aliases := map[string][]string{}
	for alias, name := range catalog.Aliases() {
		aliases[name] = append(aliases[name], alias)
	}
	list := []string{}
	t := Table{Head: []string{"model", "window", "price", "edits", "also"}, Right: []int{1}}
	has := func(name string) bool { return strings.Contains(strings.ToLower(name), strings.ToLower(args.Search)) }
	used := s.Settings().Profile(catalog, s.InForce().Model)
	for _, name := range catalog.Names() {
		slices.Sort(aliases[name])
		if !has(name) && !slices.ContainsFunc(aliases[name], has) {
			continue
		}
		list = append(list, name)
		p := catalog.Resolve(name)
		also := strings.Join(aliases[name], ", ")
		if p.Name == used.Name {
			also = strings.TrimPrefix(also+", in use", ", ")
		}
		t.Rows = append(t.Rows, []string{name, model.Short(p.ContextWindow), p.Price.Text(), p.EditFormat, also})
	}
	if len(list) == 0 {
		return Answer{Text: fmt.Sprintf("No known model matches %q. You can use any other model by its ID on the server.", args.Search), Data: map[string]any{"models": list}}, nil
	}
	if args.Quiet {
		return Answer{Data: map[string]any{"models": list}}, nil
	}
	return listing("models.md", "", Listing{Title: "Coauthor: models", Sections: []Section{
		{Table: t}, {Text: model.Legend},
	}}, map[string]any{"models": list}), nil
}
