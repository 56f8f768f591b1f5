package settings

import (
	"strings"

	"coauthor/agent/model"
)

// allowance is what the user's own layers let a workspace choose among.
type allowance struct {
	own     Settings
	catalog *model.Catalog // nil: unreadable, so nothing is allowed
	places  map[string]bool
}

// namesModel says whether a setting is the name of a model.
func namesModel(name string) bool {
	return name == "model.name" || name == "model.weak" || name == "model.editor"
}

// allows says whether a layer that nobody trusts may choose a model by this name: one of the user's
// models, or one that answers where a model of the user's own choice does and for the same key. While
// the user has chosen nothing, the keys in the environment say where code may go, and so may a server
// on this machine that needs none.
func (l *loader) allows(name string) bool {
	if l.models == nil {
		l.models = l.allowance()
	}
	a := l.models
	if a.catalog == nil {
		return false
	}
	name = strings.TrimSpace(name)
	if _, ok := a.own.Models[name]; ok {
		return true
	}
	p := a.own.Profile(a.catalog, name)
	if p.APIBase == "" {
		return false
	}
	if a.places != nil {
		return a.places[place(p)]
	}
	if p.APIKeyEnv == "" {
		return localURL(p.APIBase)
	}
	return l.o.Env != nil && l.o.Env(p.APIKeyEnv) != ""
}

func (l *loader) allowance() *allowance {
	o := l.o
	o.WorkspaceFile = nil
	if !o.ClientOwn {
		o.Client = nil
	}
	a := &allowance{}
	a.own, _ = Load(o)
	load := o.Catalog
	if load == nil {
		load = model.Load
	}
	var err error
	if a.catalog, err = load(a.own.Models); err != nil {
		a.catalog = nil
		return a
	}
	if a.own.Model == "" && a.own.APIBase == "" && a.own.EnvBase == "" {
		return a
	}
	a.places = map[string]bool{}
	env := o.Env
	if env == nil {
		env = func(string) string { return "" }
	}
	main := a.own.Profile(a.catalog, a.own.DefaultModel(a.catalog, env))
	for _, name := range []string{main.Name, main.WeakModel, main.EditorModel, a.own.WeakModel, a.own.EditorModel} {
		if name != "" {
			a.places[place(a.own.Profile(a.catalog, name))] = true
		}
	}
	return a
}

// place is where a model answers and with which key.
func place(p model.Profile) string {
	return strings.ToLower(strings.TrimRight(p.APIBase, "/")) + "\x00" + p.APIKeyEnv
}
