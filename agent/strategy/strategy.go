// Package strategy decides who answers a round and how: which model in which role, in which edit format, and how it is
// given tools. It reads settings and the table of models, and asks nobody.
package strategy

import (
	"cmp"
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

// Wanted is what a request says of who answers; "" leaves it to the settings.
type Wanted struct {
	Model, Format string
}

// Choose decides model, format and temperature for a coder. What a hand-over says stands before the
// request, the request before the settings, the settings before the model's own profile.
func Choose(catalog *model.Catalog, set settings.Settings, r Wanted, c coder.Coder, hand coder.HandOver) (Strategy, error) {
	s := Strategy{Coder: c}
	role := llm.ModelRole(cmp.Or(string(hand.Role), string(c.Role), string(llm.RoleMain)))
	profile := func(name string) model.Profile { return set.Profile(catalog, name) }
	name := cmp.Or(r.Model, set.Model)
	if name == "" && hand.Model == "" {
		return s, &event.Problem{Message: "No model is configured.", Err: errNoModel,
			Advice: "Set \"model\" to a known model or an entry in \"models\", and set its environment variable to your API key."}
	}
	name = cmp.Or(hand.Model, ModelFor(role, set, catalog, name))
	s.Model = NewModel(profile(name), role)
	s.Model.Temperature = set.Temperature
	if spare := s.Model.Profile.FallbackModel; spare != "" && spare != name {
		p := profile(spare)
		s.Model.Fallback = &p
	}
	if !c.Edits {
		return s, nil
	}
	format := cmp.Or(Explicit(hand.Format), c.Format)
	own := s.Model.Profile
	if role == llm.RoleEditor {
		with := own.EditorFormat
		if main := profile(cmp.Or(r.Model, set.Model)); cmp.Or(main.EditorModel, main.Name) == name {
			with = cmp.Or(main.EditorFormat, with) // the two are a pair
		}
		format = cmp.Or(format, forEditor(r.Format), with, forEditor(set.EditFormat), forEditor(own.EditFormat), "editor-whole")
	}
	format = cmp.Or(format, Explicit(r.Format), Explicit(set.EditFormat), Explicit(own.EditFormat), "whole")
	f, ok := formats.ByName(format)
	if !ok {
		return s, UnknownFormat(format)
	}
	f = f.For(own.EditFormat == "whole")
	s.Format = &f
	return s, nil
}

// forEditor is an edit format in the form for who carries out a plan, where there is one.
func forEditor(name string) string {
	if _, ok := formats.ByName("editor-" + name); ok {
		return "editor-" + name
	}
	return Explicit(name)
}

// ModelFor is the name of the model that has a role beside the main one.
func ModelFor(role llm.ModelRole, set settings.Settings, catalog *model.Catalog, main string) string {
	switch role {
	case llm.RoleWeak:
		return cmp.Or(set.WeakModel, set.Profile(catalog, main).WeakModel, main)
	case llm.RoleEditor:
		return cmp.Or(set.EditorModel, set.Profile(catalog, main).EditorModel, main)
	case llm.RoleMain:
	}
	return main
}

// Explicit is the name of an edit format that somebody chose; "" for "auto".
func Explicit(s string) string {
	if s == "auto" {
		return ""
	}
	return s
}

// UnknownFormat is the error about the name of an edit format that there is not.
func UnknownFormat(name string) error {
	return fmt.Errorf("unknown edit format %q; choose one of: %s", name, strings.Join(formats.Names(), ", "))
}

// Forced is the tool whose call the reply has to be, nil for a reply of text.
func (s Strategy) Forced() *llm.Tool {
	if s.Format == nil || s.Format.Tool() == "" {
		return nil
	}
	t := s.Format.Tools[0]
	return &llm.Tool{Name: t.Name, Description: t.Description, Schema: t.Parameters}
}

// ToolForm is how a model is given tools to look around with.
type ToolForm string

// The forms.
const (
	NoTools     ToolForm = ""
	NativeTools ToolForm = "native" // as its interface has them
	TextTools   ToolForm = "text"   // as lines of its reply
)

// ToolForm says how this model is given tools for this coder. Whose reply has to be one call cannot call anything else.
func (s Strategy) ToolForm() ToolForm {
	switch {
	case !s.Coder.Tools, s.Forced() != nil, s.Model.Profile.Tools == "never":
		return NoTools
	case s.Model.Profile.Tools == "text":
		return TextTools
	}
	return NativeTools
}

// Says is how the model says that nothing of its task is left.
func (s Strategy) Says(tools ToolForm) coder.Saying {
	switch {
	case s.Forced() != nil:
		return coder.SaysByCall
	case tools == NativeTools && s.Coder.Finishes:
		return coder.SaysByFinish
	}
	return coder.SaysByLine
}
