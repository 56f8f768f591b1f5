package model

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed catalog.yaml
var embedded []byte

// NoKey is the name to give instead of an environment variable's when a server needs no key.
const NoKey = "none"

// UserModel is one entry of the setting "models". Nil and empty fields keep what the catalogue says of
// the model it names.
type UserModel struct {
	Model            string            `json:"model" yaml:"model"`
	APIBase          string            `json:"apiBase" yaml:"apiBase"`
	APIKeyEnv        string            `json:"apiKeyEnv" yaml:"apiKeyEnv"`
	Headers          map[string]string `json:"headers" yaml:"headers"`
	ContextWindow    int               `json:"contextWindow" yaml:"contextWindow"`
	MaxOutput        int               `json:"maxOutputTokens" yaml:"maxOutputTokens"`
	EditFormat       string            `json:"editFormat" yaml:"editFormat"`
	WeakModel        string            `json:"weakModel" yaml:"weakModel"`
	EditorModel      string            `json:"editorModel" yaml:"editorModel"`
	Temperature      *float64          `json:"temperature" yaml:"temperature"`
	UseTemperature   *bool             `json:"useTemperature" yaml:"useTemperature"`
	Streaming        *bool             `json:"streaming" yaml:"streaming"`
	UseSystemPrompt  *bool             `json:"useSystemPrompt" yaml:"useSystemPrompt"`
	ExamplesAsSystem *bool             `json:"examplesAsSystem" yaml:"examplesAsSystem"`
	CacheMarks       *bool             `json:"cacheMarks" yaml:"cacheMarks"`
	Lazy             *bool             `json:"lazy" yaml:"lazy"`
	Overeager        *bool             `json:"overeager" yaml:"overeager"`
	Reminder         string            `json:"reminder" yaml:"reminder"`
	ReasoningTag     string            `json:"reasoningTag" yaml:"reasoningTag"`
	Tokenizer        string            `json:"tokenizer" yaml:"tokenizer"`
	ExtraBody        map[string]any    `json:"extraBody" yaml:"extraBody"`
	Price            *Price            `json:"price" yaml:"price"`
}

// table is the embedded catalogue.
type table struct {
	Providers map[string]provider `yaml:"providers"`
	Defaults  []struct {
		KeyEnv string `yaml:"keyEnv"`
		Model  string `yaml:"model"`
	} `yaml:"defaults"`
	Aliases map[string]string `yaml:"aliases"`
	Models  []row             `yaml:"models"`
}

type provider struct {
	Base   string `yaml:"base"`
	KeyEnv string `yaml:"keyEnv"`
}

type row struct {
	Match            []string `yaml:"match"`
	Provider         string   `yaml:"provider"`
	Window           int      `yaml:"window"`
	Output           int      `yaml:"output"`
	Format           string   `yaml:"format"`
	Weak             string   `yaml:"weak"`
	Tokenizer        string   `yaml:"tokenizer"`
	Temperature      *bool    `yaml:"temperature"`
	SystemPrompt     *bool    `yaml:"systemPrompt"`
	ExamplesAsSystem bool     `yaml:"examplesAsSystem"`
	Vision           bool     `yaml:"vision"`
	Lazy             bool     `yaml:"lazy"`
	Overeager        bool     `yaml:"overeager"`
	Reminder         string   `yaml:"reminder"`
	ReasoningTag     string   `yaml:"reasoningTag"`
	Price            Price    `yaml:"price"`
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

// Resolve returns the profile for a name: an entry of the user's, an alias, provider/model, or a bare
// name. An unknown name gets a cautious profile without an endpoint, never an error. The maps of the
// profile are shared: do not change them.
func (c *Catalog) Resolve(name string) Profile {
	name = strings.TrimSpace(name)
	u, ok := c.user[name]
	if !ok {
		return c.known(name, name)
	}
	p := c.known(name, orElse(u.Model, name))
	u.over(&p)
	return p
}

// known looks a model up without the user's entries.
func (c *Catalog) known(name, full string) Profile {
	if target, ok := c.table.Aliases[strings.ToLower(full)]; ok {
		full = target // one level: the table's own test sees to that
	}
	p := Profile{
		Name: name, ID: full, EditFormat: "whole", Reminder: "user",
		UseTemperature: true, Streaming: true, UseSystemPrompt: true,
	}
	first, rest, slash := strings.Cut(full, "/")
	named, isProvider := c.table.Providers[strings.ToLower(first)]
	switch {
	case slash && isProvider && rest != "":
		p.Provider, p.ID = strings.ToLower(first), rest
		p.APIBase, p.APIKeyEnv = named.Base, named.KeyEnv
	case strings.EqualFold(full, "local"):
		p.Provider = "local"
		p.APIBase = c.table.Providers["local"].Base
	}
	// The one provider of the table that takes marks passes them on to those who made them up. Others
	// cache by themselves or not at all.
	p.CacheMarks = p.Provider == "openrouter" && strings.HasPrefix(strings.ToLower(p.ID), "anthropic/")
	r, found := c.row(full)
	if !found {
		return p
	}
	if p.Provider == "" && !slash {
		p.Provider = r.Provider
		p.APIBase, p.APIKeyEnv = c.table.Providers[r.Provider].Base, c.table.Providers[r.Provider].KeyEnv
	}
	p.ContextWindow, p.MaxOutput = r.Window, r.Output
	p.EditFormat = orElse(r.Format, p.EditFormat)
	p.Reminder = orElse(r.Reminder, p.Reminder)
	p.Tokenizer, p.ReasoningTag = r.Tokenizer, r.ReasoningTag
	p.ExamplesAsSystem, p.Vision, p.Lazy, p.Overeager = r.ExamplesAsSystem, r.Vision, r.Lazy, r.Overeager
	if r.Temperature != nil {
		p.UseTemperature = *r.Temperature
	}
	if r.SystemPrompt != nil {
		p.UseSystemPrompt = *r.SystemPrompt
	}
	if p.Provider == r.Provider {
		// Elsewhere the weak model has another name and the same weights another price.
		p.WeakModel, p.Price = r.Weak, r.Price
	}
	switch p.Provider {
	case "ollama", "lmstudio", "local":
		// The window is what the server was started with, which only the user knows.
		p.ContextWindow, p.MaxOutput = 0, 0
	}
	return p
}

// row finds the first row that fits the last part of a name.
func (c *Catalog) row(full string) (row, bool) {
	name := strings.ToLower(full[strings.LastIndexByte(full, '/')+1:])
	name = strings.TrimSuffix(strings.TrimSuffix(name, ":free"), ":latest")
	for _, r := range c.table.Models {
		for _, pattern := range r.Match {
			if matches(pattern, name) {
				return r, true
			}
		}
	}
	return row{}, false
}

// matches is a glob of * and ?, without the special meaning that path.Match gives to slashes.
func matches(pattern, s string) bool {
	for pattern != "" {
		switch pattern[0] {
		case '*':
			rest := strings.TrimLeft(pattern, "*")
			for i := 0; i <= len(s); i++ {
				if matches(rest, s[i:]) {
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

// At returns the profile for another endpoint. The parts of a name that only chose the endpoint
// ("local/", "ollama/", "openai/" …) stay off; other prefixes belong to the name there, as resellers
// write it ("anthropic/claude-sonnet-4.5"). keyEnv replaces the key; "" keeps it only where it belongs
// to the same host.
func (p Profile) At(base, keyEnv string) Profile {
	if base == "" || base == p.APIBase {
		return p.withKey(keyEnv)
	}
	switch p.Provider {
	case "", "openai", "local", "ollama", "lmstudio":
	default:
		if strings.Contains(p.Name, "/") {
			p.ID = p.Name
		}
	}
	if hostOf(base) != hostOf(p.APIBase) {
		p.APIKeyEnv = ""
	}
	p.APIBase = base
	return p.withKey(keyEnv)
}

func (p Profile) withKey(keyEnv string) Profile {
	switch keyEnv {
	case "":
	case NoKey:
		p.APIKeyEnv, p.NoKey = "", true
	default:
		p.APIKeyEnv, p.NoKey = keyEnv, false
	}
	return p
}

// SameHost says whether two URLs as people write them name the same host and port.
func SameHost(a, b string) bool { return hostOf(a) == hostOf(b) }

// hostOf returns host and port of a URL as people write it.
func hostOf(base string) string {
	if _, after, ok := strings.Cut(base, "://"); ok {
		base = after
	}
	host, _, _ := strings.Cut(base, "/")
	return strings.ToLower(host)
}

// over puts the user's word over a profile.
func (u UserModel) over(p *Profile) {
	if u.APIBase != "" {
		*p = p.At(u.APIBase, "")
		p.ID = orElse(u.Model, p.ID) // to an endpoint of their own, exactly what the user wrote
		p.WeakModel, p.Price = "", Price{}
	}
	*p = p.withKey(u.APIKeyEnv)
	p.EditFormat = orElse(u.EditFormat, p.EditFormat)
	p.WeakModel = orElse(u.WeakModel, p.WeakModel)
	p.EditorModel = orElse(u.EditorModel, p.EditorModel)
	p.Reminder = orElse(u.Reminder, p.Reminder)
	p.ReasoningTag = orElse(u.ReasoningTag, p.ReasoningTag)
	p.Tokenizer = orElse(u.Tokenizer, p.Tokenizer)
	if u.ContextWindow > 0 {
		p.ContextWindow = u.ContextWindow
	}
	if u.MaxOutput > 0 {
		p.MaxOutput = u.MaxOutput
	}
	if u.Temperature != nil {
		p.Temperature, p.UseTemperature = u.Temperature, true
	}
	if u.Price != nil {
		p.Price = *u.Price
	}
	if u.Headers != nil {
		p.Headers = u.Headers
	}
	if u.ExtraBody != nil {
		p.ExtraBody = u.ExtraBody
	}
	for _, b := range []struct {
		from *bool
		to   *bool
	}{
		{u.UseTemperature, &p.UseTemperature}, {u.Streaming, &p.Streaming},
		{u.UseSystemPrompt, &p.UseSystemPrompt}, {u.ExamplesAsSystem, &p.ExamplesAsSystem},
		{u.CacheMarks, &p.CacheMarks}, {u.Lazy, &p.Lazy}, {u.Overeager, &p.Overeager},
	} {
		if b.from != nil {
			*b.to = *b.from
		}
	}
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
