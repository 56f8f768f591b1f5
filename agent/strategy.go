package agent

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/settings"
	"coauthor/edits"
	"coauthor/edits/formats"
)

// Strategy is who answers and how: a coder, a model and an edit format.
type Strategy struct {
	Coder  coder.Coder
	Model  Model
	Format *edits.Format // nil for a coder without edits
}

// Model is the model of a round, in one of its three roles.
type Model struct {
	Role        llm.ModelRole
	Profile     model.Profile
	Counter     model.Counter
	Room        int // tokens of a prompt
	Temperature *float64
	Fallback    *model.Profile // answers when Profile cannot be had; nil has none
}

// choose decides model, format and temperature for a coder. What a hand-over says stands before the
// request, the request before the settings, the settings before the model's own profile.
func choose(catalog *model.Catalog, set settings.Settings, r Request, c coder.Coder, hand coder.HandOver) (Strategy, error) {
	s := Strategy{Coder: c}
	role := llm.ModelRole(cmp.Or(string(hand.Role), string(c.Role), string(llm.RoleMain)))
	profile := func(name string) model.Profile { return set.Profile(catalog, name) }
	name := cmp.Or(r.Model, set.Model)
	if name == "" && hand.Model == "" {
		return s, &event.Problem{Message: "No model is configured.", Err: errNoModel,
			Advice: "Set \"model\" to a known model or an entry in \"models\", and set its environment variable to your API key."}
	}
	name = cmp.Or(hand.Model, modelFor(role, set, catalog, name))
	s.Model = newModel(profile(name), role)
	s.Model.Temperature = set.Temperature
	if set.FallbackModel != "" && set.FallbackModel != name {
		p := profile(set.FallbackModel)
		s.Model.Fallback = &p
	}
	if !c.Edits {
		return s, nil
	}
	format := cmp.Or(auto(hand.Format), c.Format)
	own := s.Model.Profile
	if role == llm.RoleEditor {
		with := own.EditorFormat
		if main := profile(cmp.Or(r.Model, set.Model)); cmp.Or(main.EditorModel, main.Name) == name {
			with = cmp.Or(main.EditorFormat, with) // the two are a pair
		}
		format = cmp.Or(format, forEditor(r.Format), with, forEditor(set.EditFormat), forEditor(own.EditFormat), "editor-whole")
	}
	format = cmp.Or(format, auto(r.Format), auto(set.EditFormat), auto(own.EditFormat), "whole")
	f, ok := formats.ByName(format)
	if !ok {
		return s, unknownFormat(format)
	}
	s.Format = &f
	return s, nil
}

// forEditor is an edit format in the form for who carries out a plan, where there is one.
func forEditor(name string) string {
	if _, ok := formats.ByName("editor-" + name); ok {
		return "editor-" + name
	}
	return auto(name)
}

// modelFor is the name of the model that has a role beside the main one.
func modelFor(role llm.ModelRole, set settings.Settings, catalog *model.Catalog, main string) string {
	switch role {
	case llm.RoleWeak:
		return cmp.Or(set.WeakModel, set.Profile(catalog, main).WeakModel, main)
	case llm.RoleEditor:
		return cmp.Or(set.EditorModel, set.Profile(catalog, main).EditorModel, main)
	case llm.RoleMain:
	}
	return main
}

func newModel(p model.Profile, role llm.ModelRole) Model {
	return Model{Role: role, Profile: p, Counter: model.NewCounter(p.Tokenizer), Room: inputRoom(p)}
}

func auto(s string) string {
	if s == "auto" {
		return ""
	}
	return s
}

// inputRoom is how much of the context window is for the prompt, in tokens: what the answer may take is
// kept free, at least a quarter. A window that nobody knows counts as model.AssumedWindow, so that no
// file of megabytes goes out in the hope that it fits. The line that switches the model is no part of what is counted later.
func inputRoom(p model.Profile) int {
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

// fits counts a file's text, and says whether it alone leaves the prompt within the room.
func (c Context) fits(path string) (tokens int, ok bool) {
	text, err := c.Now.Read(path)
	if err != nil {
		return 0, true // whoever shows it finds out
	}
	if len(text) <= c.Model.Room { // no token is shorter than a byte
		return 0, true
	}
	tokens = c.Model.Counter.Count(text)
	return tokens, tokens <= c.Model.Room
}

// noRoom is the end of a turn whose prompt is too large. what says how large; less is how to make it
// smaller.
func (m Model) noRoom(what, less string) error {
	if m.Profile.ContextWindow > 0 {
		return &event.Problem{
			Message: fmt.Sprintf("%s; the limit of %s is %d.", what, m.Profile.Name, m.Room),
			Advice:  less + ", or choose a model with a larger context window."}
	}
	return &event.Problem{
		Message: fmt.Sprintf("%s; the context window of %s is unknown, so the limit is %d.", what, m.Profile.Name, m.Room),
		Advice:  fmt.Sprintf("%s, or set models.%s.contextWindow to its size in tokens.", less, m.Profile.Name)}
}

// suggestModel adds to the error of a model that is not known which known ones its name may mean. At an address of
// the user's own the names are those of its server.
func suggestModel(err error, name string, set settings.Settings, catalog *model.Catalog) error {
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
