package model

import (
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed catalog.yaml
var embedded []byte

// NoKey is the name to give instead of an environment variable's when a server needs no key.
const NoKey = "none"

// table is the embedded catalogue.
type table struct {
	Providers map[string]provider `yaml:"providers"`
	Defaults  []struct {
		KeyEnv string `yaml:"keyEnv"`
		Model  string `yaml:"model"`
	} `yaml:"defaults"`
	Aliases map[string]string `yaml:"aliases"`
	Older   map[string]string `yaml:"older"`
	Models  []row             `yaml:"models"`
}

type provider struct {
	Base    string `yaml:"base"`
	BaseEnv string `yaml:"baseEnv"`
	KeyEnv  string `yaml:"keyEnv"`
	Whole   bool   `yaml:"whole"`
	List    string `yaml:"list"`
	Local   bool   `yaml:"local"`
	Prefill string `yaml:"prefill"`
	NoPDF   bool   `yaml:"noPDF"`
	API     string `yaml:"api"`
	Point   string `yaml:"point"`
}

type row struct {
	Match            []string `yaml:"match"`
	Provider         string   `yaml:"provider"`
	Checked          string   `yaml:"checked"`
	Window           int      `yaml:"window"`
	Output           int      `yaml:"output"`
	Format           string   `yaml:"format"`
	Weak             string   `yaml:"weak"`
	Editor           string   `yaml:"editor"`
	EditorFormat     string   `yaml:"editorFormat"`
	Tokenizer        string   `yaml:"tokenizer"`
	Temperature      heat     `yaml:"temperature"`
	SystemPrompt     *bool    `yaml:"systemPrompt"`
	SystemPrefix     string   `yaml:"systemPrefix"`
	ExamplesAsSystem bool     `yaml:"examplesAsSystem"`
	Short            bool     `yaml:"short"`
	Vision           bool     `yaml:"vision"`
	PDF              bool     `yaml:"pdf"`
	Lazy             bool     `yaml:"lazy"`
	Overeager        bool     `yaml:"overeager"`
	Reminder         string   `yaml:"reminder"`
	Tools            string   `yaml:"tools"`
	ReasoningTag     string   `yaml:"reasoningTag"`
	Effort           []string `yaml:"effort"`
	Thinking         bool     `yaml:"thinking"`
	Prefill          bool     `yaml:"prefill"`
	API              string   `yaml:"api"`
	Price            Price    `yaml:"price"`
}

// heat is what a row says of the temperature: false where the model refuses the parameter, or the number to send
// in place of 0.
type heat struct {
	refused bool
	value   *float64
}

// UnmarshalYAML reads either.
func (h *heat) UnmarshalYAML(read func(any) error) error {
	var either any
	if err := read(&either); err != nil {
		return err
	}
	if use, ok := either.(bool); ok {
		h.refused = !use
		return nil
	}
	var value float64
	if err := read(&value); err != nil {
		return err
	}
	h.value = &value
	return nil
}

// Catalog is the table of known models with the user's own over it. It does not change after Load
// and is safe for concurrent use.
type Catalog struct {
	table table
	user  map[string]UserModel
}

// Load reads the embedded table and puts the user's models over it. user must not change afterwards.
func Load(user map[string]UserModel) (*Catalog, error) {
	t, err := readTable()
	if err != nil {
		return nil, fmt.Errorf("read the embedded table of models: %w", err)
	}
	return &Catalog{table: t, user: user}, nil
}

// readTable reads the embedded table, which never changes, once: it takes milliseconds.
var readTable = sync.OnceValues(func() (t table, err error) {
	err = yaml.UnmarshalWithOptions(embedded, &t, yaml.Strict())
	return t, err
})

// With returns the table with these models of the user's over it. user must not change afterwards.
func (c *Catalog) With(user map[string]UserModel) *Catalog {
	return &Catalog{table: c.table, user: user}
}

// Default returns the name of the model to take when the user names none: of the first provider whose
// key is in the environment. ok is false when there is no key at all; the name is then still one that
// makes a clear message about its missing key.
func (c *Catalog) Default(env func(string) string) (name string, ok bool) {
	for _, d := range c.table.Defaults {
		if env(d.KeyEnv) != "" {
			return d.Model, true
		}
	}
	return "gpt-5", false
}

// BaseVariables lists the variables that hold the address of a resource of the user's own, for the
// providers that have no other.
func BaseVariables() []string {
	var names []string
	t, err := readTable()
	if err != nil {
		return nil // Load says so
	}
	for _, p := range t.Providers {
		if p.BaseEnv != "" {
			names = append(names, p.BaseEnv)
		}
	}
	slices.Sort(names)
	return names
}

// Resolve returns the profile for a name: an entry of the user's, an alias, provider/model, or a bare
// name. An unknown name gets a cautious profile without an endpoint, never an error. The maps and lists
// of the profile are shared: do not change them.
func (c *Catalog) Resolve(name string) Profile {
	name = strings.TrimSpace(name)
	u, ok := c.Entry(name)
	p := c.known(name, orElse(u.Model, name))
	if ok {
		u.over(&p)
	}
	if p.Tools == "" && (tiny(p.ID) || p.Unknown()) {
		p.Tools = "never"
	}
	return p
}

// Entry returns what the user wrote of the model that a name means: under the name itself, or, for an alias
// of the table, under the name that it stands for.
func (c *Catalog) Entry(name string) (UserModel, bool) {
	name = strings.TrimSpace(name)
	if u, ok := c.user[name]; ok {
		return u, true
	}
	target, alias := c.table.standsFor(name)
	u, ok := c.user[target]
	if !alias || !ok {
		return UserModel{}, false
	}
	u.Model = orElse(u.Model, target)
	return u, true
}

// standsFor is the model that a short name of the table stands for.
func (t *table) standsFor(name string) (target string, ok bool) {
	name = strings.ToLower(name)
	if target, ok = t.Aliases[name]; !ok {
		target, ok = t.Older[name]
	}
	return target, ok
}

// known looks a model up without the user's entries.
func (c *Catalog) known(name, full string) Profile {
	if target, ok := c.table.standsFor(full); ok {
		full = target // one level: the table's own test sees to that
	}
	p := Profile{
		Name: name, ID: full, EditFormat: "whole", Reminder: "user",
		UseTemperature: true, Streaming: true, UseSystemPrompt: true,
	}
	first, rest, slash := strings.Cut(full, "/")
	_, isProvider := c.table.Providers[strings.ToLower(first)]
	switch {
	case slash && isProvider && rest != "":
		p.ID = rest
		c.answersAt(&p, strings.ToLower(first))
	case strings.EqualFold(full, "local"):
		c.answersAt(&p, "local")
	}
	// Those who made marks up take them, and the one provider of the table that passes them on. Others cache by
	// themselves or not at all.
	p.CacheMarks = p.API == Anthropic || p.Provider == "openrouter" && strings.HasPrefix(strings.ToLower(p.ID), "anthropic/")
	if point := c.table.Providers[p.Provider].Point; point != "" {
		full = regexp.MustCompile(`(\d)`+point+`(\d)`).ReplaceAllString(strings.ToLower(full), "$1.$2")
	}
	r, found := c.row(full)
	if !found {
		return p
	}
	if p.Provider == "" && !slash && r.Provider != "" {
		c.answersAt(&p, r.Provider)
	}
	r.describe(&p)
	p.CacheMarks = p.CacheMarks || p.API == Anthropic
	p.PDF = p.PDF && !c.table.Providers[p.Provider].NoPDF
	p.Prefill = ""
	if r.Prefill {
		p.Prefill = c.table.Providers[p.Provider].Prefill
	}
	if p.Local {
		// The window is what the server was started with, which only the user knows.
		p.ContextWindow, p.MaxOutput, p.Checked = 0, 0, ""
	}
	return p
}

// answersAt puts the endpoint of a provider into a profile.
func (c *Catalog) answersAt(p *Profile, provider string) {
	at := c.table.Providers[provider]
	p.Provider, p.APIKeyEnv = provider, at.KeyEnv
	p.WholeBase, p.ListURL, p.Local, p.API = at.Whole, at.List, at.Local, at.API
	if at.BaseEnv != "" {
		p.BaseEnv, p.BasePath = at.BaseEnv, at.Base
		return
	}
	p.APIBase = at.Base
}

// describe puts what a row knows of its model into a profile.
func (r row) describe(p *Profile) {
	p.Checked, p.ContextWindow, p.MaxOutput = r.Checked, r.Window, r.Output
	p.EditFormat = orElse(r.Format, p.EditFormat)
	p.Reminder = orElse(r.Reminder, p.Reminder)
	p.Short = r.Short
	p.Tokenizer, p.ReasoningTag, p.Tools = r.Tokenizer, r.ReasoningTag, r.Tools
	p.ExamplesAsSystem, p.Vision, p.Lazy, p.Overeager = r.ExamplesAsSystem, r.Vision, r.Lazy, r.Overeager
	p.PDF = r.PDF
	p.Efforts, p.TakesThinking = r.Effort, r.Thinking
	p.UseTemperature, p.Temperature, p.SystemPrefix = !r.Temperature.refused, r.Temperature.value, r.SystemPrefix
	if r.SystemPrompt != nil {
		p.UseSystemPrompt = *r.SystemPrompt
	}
	if p.Provider == r.Provider || p.Provider == "azure" && r.Provider == "openai" {
		p.API = orElse(r.API, p.API) // others serve the same model through chat
	}
	if p.Provider == r.Provider {
		// Elsewhere the weak model has another name and the same weights another price.
		p.WeakModel, p.EditorModel, p.EditorFormat, p.Price = r.Weak, r.Editor, r.EditorFormat, r.Price
	}
}

// row finds the first row that fits the last part of a name.
func (c *Catalog) row(full string) (row, bool) {
	name := strings.ToLower(full[strings.LastIndexByte(full, '/')+1:])
	name = strings.TrimSuffix(strings.TrimSuffix(name, ":free"), ":latest")
	for _, r := range c.table.Models {
		for _, pattern := range r.Match {
			if Matches(pattern, name) {
				return r, true
			}
		}
	}
	return row{}, false
}

// Matches is a glob of * and ?, without the special meaning that path.Match gives to slashes.
func Matches(pattern, s string) bool {
	for pattern != "" {
		switch pattern[0] {
		case '*':
			rest := strings.TrimLeft(pattern, "*")
			for i := 0; i <= len(s); i++ {
				if Matches(rest, s[i:]) {
					return true
				}
			}
			return false
		case '?':
			if s == "" {
				return false
			}
		default:
			if s == "" || s[0] != pattern[0] {
				return false
			}
		}
		pattern, s = pattern[1:], s[1:]
	}
	return s == ""
}

// Names lists what can be asked for by name, sorted: the user's models, the aliases, and every model
// of the table that has one name.
func (c *Catalog) Names() []string {
	names := map[string]bool{"local": true}
	for n := range c.user {
		names[n] = true
	}
	for n, target := range c.table.Aliases {
		names[n], names[target] = true, true
	}
	for _, r := range c.table.Models {
		if r.Provider == "" {
			continue // without an endpoint the bare name cannot be used
		}
		for _, m := range r.Match {
			if !strings.ContainsAny(m, "*?") {
				names[m] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
