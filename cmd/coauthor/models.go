package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"coauthor/agent/command"
	"coauthor/agent/display"
	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
	"coauthor/agent/settings"
)

// ModelsCmd lists the models that can be asked for: those in force, the user's own, those of the table, and
// what the endpoint offers.
type ModelsCmd struct {
	Pattern string `arg:"" optional:"" help:"List only models whose name contains this text; * matches any text."`
	Root    string `placeholder:"DIR" help:"The project folder. Default: this repository."`
	Model   string `placeholder:"NAME" help:"List models from this model's endpoint."`
	APIBase string `name:"api-base" placeholder:"URL" help:"The OpenAI-compatible endpoint."`
	Offline bool   `help:"Do not contact the endpoint."`
	JSON    bool   `name:"json" help:"Print one JSON object."`
}

// listedModel is one line of the list. What is not known is left out.
type listedModel struct {
	Role     string       `json:"role,omitempty"` // main, weak or editor
	Name     string       `json:"name"`
	ID       string       `json:"id,omitempty"` // on the wire, where it differs
	Provider string       `json:"provider,omitempty"`
	Endpoint string       `json:"endpoint,omitempty"` // of the user's own models
	Window   int          `json:"contextWindow,omitempty"`
	Output   int          `json:"maxOutputTokens,omitempty"`
	Format   string       `json:"editFormat,omitempty"`
	Price    *model.Price `json:"price,omitempty"`
	Checked  string       `json:"checked,omitempty"` // the day from which window and price are
}

// modelLists is all that the command prints.
type modelLists struct {
	InForce  []listedModel `json:"inForce"`
	Yours    []listedModel `json:"yours"`
	Known    []listedModel `json:"known"`
	Endpoint string        `json:"endpoint,omitempty"` // that was asked
	Offered  []listedModel `json:"offered,omitempty"`
	Error    string        `json:"error,omitempty"` // why it did not answer
}

// Run prints the lists. Exit status 1: the endpoint did not say what it offers, or nothing fits the pattern.
func (c *ModelsCmd) Run(ctx context.Context, s Streams) (int, error) {
	flags := map[string]string{}
	if c.Model != "" {
		flags["model.name"] = c.Model
	}
	if c.APIBase != "" {
		flags["apiBase"] = c.APIBase
	}
	root, err := (&DoctorCmd{Root: c.Root}).folder(ctx)
	if err != nil {
		return 2, err
	}
	w := newWiring(s, flags, nil)
	v, warnings := w.settings(root, settings.Editor{})
	warn(s, warnings)
	lists := modelsOf(w, v)
	var failed error
	if !c.Offline {
		failed = lists.askEndpoint(ctx, w, v)
		if err := ctx.Err(); err != nil {
			return 1, err
		}
	}
	found := lists.keep(c.Pattern)
	if c.JSON {
		enc := json.NewEncoder(s.Out)
		enc.SetIndent("", "  ")
		err = enc.Encode(lists)
	} else {
		err = s.list(lists.listing())
	}
	switch {
	case err != nil:
		return 1, err
	case failed != nil:
		return 1, failed
	case !found:
		return 1, fmt.Errorf("no model name contains %q; run coauthor models to list all models", c.Pattern)
	}
	return 0, nil
}

// modelsOf lists what needs no network.
func modelsOf(w *wiring, v settings.Settings) modelLists {
	c := w.models(v.Models)
	of := func(name string) listedModel { return lineOf(v.Profile(c, name)) }
	main := v.Profile(c, v.Model)
	lists := modelLists{Yours: []listedModel{}, Known: []listedModel{}}
	for _, r := range []struct {
		role llm.ModelRole
		name string
	}{
		{llm.RoleMain, v.Model},
		{llm.RoleWeak, cmp.Or(v.WeakModel, main.WeakModel, v.Model)},
		{llm.RoleEditor, cmp.Or(v.EditorModel, main.EditorModel, v.Model)},
	} {
		line := of(r.name)
		line.Role = string(r.role)
		lists.InForce = append(lists.InForce, line)
	}
	for _, name := range slices.Sorted(maps.Keys(v.Models)) {
		line := of(name)
		if v.Models[name].APIBase != "" {
			line.Endpoint, _ = remote.Endpoint(v.Profile(c, name)) // "" for one that cannot be used
		}
		lists.Yours = append(lists.Yours, line)
	}
	for _, name := range c.Names() {
		if _, own := v.Models[name]; !own {
			lists.Known = append(lists.Known, lineOf(c.Resolve(name)))
		}
	}
	return lists
}

func lineOf(p model.Profile) listedModel {
	line := listedModel{Name: p.Name, Provider: p.Provider, Window: p.ContextWindow, Output: p.MaxOutput, Format: p.EditFormat, Checked: p.Checked}
	if p.ID != p.Name && p.Provider+"/"+p.ID != p.Name {
		line.ID = p.ID
	}
	if p.Price != (model.Price{}) {
		line.Price = &p.Price
	}
	return line
}

// listTime is how long an endpoint may take to say what it offers.
const listTime = 15 * time.Second

// askEndpoint asks the endpoint of the model in force what it offers, within listTime.
func (l *modelLists) askEndpoint(ctx context.Context, w *wiring, v settings.Settings) error {
	c := w.models(v.Models)
	p := v.Profile(c, v.Model)
	l.Endpoint = p.APIBase
	if at, err := remote.Endpoint(p); err == nil {
		l.Endpoint = remote.TrimCall(at)
	}
	within := min(listTime, v.RequestTimeout)
	ctx, cancel := context.WithTimeoutCause(ctx, within, &llm.Error{
		Kind: llm.Timeout, Err: context.DeadlineExceeded,
		Message: fmt.Sprintf("%s did not list its models within %s.", l.Endpoint, within),
		Advice:  "Check apiBase and your network connection.",
	})
	defer cancel()
	offered, err := w.offers(v)(ctx, p)
	if err != nil {
		var e *llm.Error
		if errors.As(err, &e) && e.Kind == llm.NotFound {
			err = fmt.Errorf("%s does not list its models but may still work; run coauthor doctor --ask-model to check", l.Endpoint)
		}
		l.Error = err.Error()
		return err
	}
	for _, m := range offered {
		name := strings.TrimPrefix(m.ID, "models/")
		if p.Provider != "" {
			name = p.Provider + "/" + name
		}
		known := c.Resolve(name)
		if !model.SameHost(known.APIBase, p.APIBase) {
			known.Price = model.Price{} // of another house
		}
		line := lineOf(known)
		line.Name, line.ID, line.Provider = m.ID, "", ""
		if m.ContextWindow > 0 || m.Price != nil {
			line.Checked = time.Now().Format(time.DateOnly) // this is what the endpoint says now
		}
		line.Window, line.Output = cmp.Or(m.ContextWindow, line.Window), cmp.Or(m.MaxOutput, line.Output)
		if m.Price != nil {
			line.Price = m.Price
		}
		l.Offered = append(l.Offered, line)
	}
	return nil
}

// keep leaves out what does not fit the pattern, and says whether anything is left.
func (l *modelLists) keep(pattern string) bool {
	if pattern == "" {
		return true
	}
	fits := func(m listedModel) bool {
		return model.Matches("*"+strings.ToLower(pattern)+"*", strings.ToLower(m.Name)) ||
			m.ID != "" && model.Matches("*"+strings.ToLower(pattern)+"*", strings.ToLower(m.ID))
	}
	left := 0
	for _, list := range []*[]listedModel{&l.Yours, &l.Known, &l.Offered} {
		*list = slices.DeleteFunc(*list, func(m listedModel) bool { return !fits(m) })
		left += len(*list)
	}
	l.InForce = slices.DeleteFunc(l.InForce, func(m listedModel) bool { return !fits(m) })
	return left+len(l.InForce) > 0
}

// listing is the lists for people: a table for each, with the day from which its figures are.
func (l modelLists) listing() command.Listing {
	var out command.Listing
	for _, one := range []struct {
		title string
		list  []listedModel
	}{{"In use", l.InForce}, {"Yours (settings)", l.Yours}, {"Built in", l.Known}} {
		out.Sections = append(out.Sections, section(one.title, one.list)...)
	}
	if l.Endpoint != "" && l.Error == "" {
		title := "Offered by " + display.Message(l.Endpoint)
		if len(l.Offered) == 0 {
			out.Sections = append(out.Sections, command.Section{Text: title + ": no match"})
		}
		out.Sections = append(out.Sections, section(title, l.Offered)...)
	}
	out.Sections = append(out.Sections, command.Section{Text: model.Legend + "\nUse the models setting to correct these values."})
	return out
}

// section is one list; none when it is empty.
func section(title string, list []listedModel) []command.Section {
	if len(list) == 0 {
		return nil
	}
	t := command.Table{Head: []string{title, "window", "price", "edits", "as of"}, Right: []int{1}}
	for _, m := range list {
		price := model.Price{}
		if m.Price != nil {
			price = *m.Price
		}
		t.Rows = append(t.Rows, []string{nameOf(m), cmp.Or(model.Short(m.Window), "-"), cmp.Or(price.Text(), "-"), m.Format, cmp.Or(m.Checked, "-")})
	}
	return []command.Section{{Table: t}}
}

// nameOf is a model's name with what it stands for. Names come from files and from servers.
func nameOf(m listedModel) string {
	text := ""
	if m.Role != "" {
		text += m.Role + ": "
	}
	text += display.Message(m.Name)
	if m.ID != "" {
		text += " = " + display.Message(m.ID)
	}
	if m.Endpoint != "" {
		text += " at " + display.Message(remote.TrimCall(m.Endpoint))
	}
	return text
}
