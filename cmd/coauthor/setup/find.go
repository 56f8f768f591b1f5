// Package setup finds the models that somebody can use, asks which of them it is to be, and writes that into their settings.
// It asks servers of this machine for their models, and a provider only once the user has chosen it; the key itself is read by
// nobody here. Nothing is written but by Write. Start at Find and Options.Choose.
package setup

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"coauthor/agent/display"
	"coauthor/agent/doctor"
	"coauthor/agent/event"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
	"coauthor/agent/settings"
)

// Options are what is needed to find models and to ask for one.
type Options struct {
	Catalog *model.Catalog
	Env     func(name string) string // where keys are, with those in the files of Have
	Have    []string                 // what the settings say of such files
	Files   []File                   // others, of which the user may want one
	Locals  []doctor.LocalServer
	// Offers asks an endpoint for its models with the keys of some settings.
	Offers func(settings.Settings) func(context.Context, model.Profile) ([]remote.ModelInfo, error)
	Ask    func(context.Context, event.Question) (event.Answer, error)
}

// File is a file of variables.
type File struct {
	Path  string
	Names []string // of the variables that it has a value for
}

// Way is a way to some models.
type Way struct {
	Title  string           // for a list
	Models []string         // as settings name them, the proposed one first; empty: the endpoint is to be asked
	Given  []settings.Given // what the settings need beside the model's name

	provider string            // where a key belongs
	with     settings.Settings // by which the endpoint is asked
}

// Find looks for models: of the providers whose keys there are, and of the servers that run on this machine. First are the
// providers with a model that is proposed, in the order of the table, then the servers, then the other providers.
func Find(ctx context.Context, o Options) []Way {
	var first, last []Way
	for _, p := range o.Catalog.Providers() {
		w, found := o.keyed(p)
		switch {
		case !found:
		case len(w.Models) > 0:
			first = append(first, w)
		default:
			last = append(last, w)
		}
	}
	var order []string
	for _, p := range o.Catalog.Defaults() {
		order = append(order, p.Provider)
	}
	slices.SortStableFunc(first, func(a, b Way) int {
		return cmp.Compare(slices.Index(order, a.provider), slices.Index(order, b.provider))
	})
	var local []Way
	for _, s := range doctor.Running(ctx, o.Locals, o.Offers(settings.Settings{})) {
		local = append(local, o.server(s))
	}
	return slices.Concat(first, local, last)
}

// keyed is the way to the models of a provider whose key there is.
func (o Options) keyed(p model.Profile) (w Way, found bool) {
	if p.APIKeyEnv == "" || p.BaseEnv != "" { // without a key, or with an address that only the user knows
		return w, false
	}
	w.provider, w.Title = p.Provider, p.Provider+", with the key in "+p.APIKeyEnv
	if o.Env(p.APIKeyEnv) == "" {
		i := slices.IndexFunc(o.Files, func(f File) bool { return slices.Contains(f.Names, p.APIKeyEnv) })
		if i < 0 {
			return w, false
		}
		files := with(o.Have, o.Files[i].Path)
		w.Title += " of " + o.Files[i].Path
		w.with.EnvFiles = files
		w.Given = []settings.Given{{Name: "env.files", Value: files}}
	}
	for _, d := range o.Catalog.Defaults() {
		if d.Provider == p.Provider {
			w.Models = []string{d.Name}
		}
	}
	return w, true
}

// with is a list with one more.
func with(list []string, one string) []string {
	if slices.Contains(list, one) {
		return list
	}
	return append(slices.Clone(list), one)
}

// server is the way to the models of a server on this machine. A server where Ollama answers is asked through its own
// interface, which is told how large a window a request needs.
func (o Options) server(s doctor.RunningServer) Way {
	w := Way{Title: s.Name + " at " + s.Base + ", " + display.Count(len(s.Models), "model")}
	own := o.Catalog.Resolve("ollama/" + s.Models[0])
	for _, id := range s.Models {
		name := "ollama/" + id
		if own.APIBase != s.Base {
			name = o.nameAt(s.Base, id)
		}
		w.Models = append(w.Models, name)
	}
	if own.APIBase != s.Base {
		w.Given = []settings.Given{{Name: "apiBase", Value: s.Base}}
	}
	return w
}

// nameAt is a name for the model of an endpoint under which exactly its own one is sent there.
func (o Options) nameAt(base, id string) string {
	for _, name := range []string{id, "local/" + id, "openai/" + id} {
		if p := (settings.Settings{APIBase: base}).Profile(o.Catalog, name); p.ID == id {
			return name
		}
	}
	return id
}

// offered asks the provider of a way for its models, by the names under which they are known here. Those of which the table
// knows more than the name come first.
func (o Options) offered(ctx context.Context, w Way) ([]string, error) {
	p := o.Catalog.Resolve(w.provider + "/any")
	list, err := o.Offers(w.with)(ctx, p)
	var known, others []string
	for _, m := range list {
		id := strings.TrimPrefix(m.ID, "models/")
		name := w.provider + "/" + id
		if bare := o.Catalog.Resolve(id); bare.Provider == w.provider && bare.ID == id {
			name = id
		}
		if o.Catalog.Resolve(name).ContextWindow > 0 {
			known = append(known, name)
		} else {
			others = append(others, name)
		}
	}
	return append(known, others...), err
}
