package settings

import (
	"errors"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"coauthor/agent/model"
)

// Profile returns the profile of a model by name with the settings about endpoints and keys applied;
// an empty name is the setting model. apiBase, when not empty, stands above the setting of that name:
// it is a single request's wish.
func (s Settings) Profile(c *model.Catalog, name, apiBase string) model.Profile {
	if name == "" {
		name = s.Model
	}
	p := c.Resolve(name)
	p.AllowInsecure = s.AllowInsecureHTTP
	own := s.Models[name].APIBase != ""
	base, keyEnv := apiBase, s.APIKeyEnv
	switch {
	case base != "":
	case own:
		keyEnv = "" // the entry says all there is to say
	case s.APIBase != "":
		base = s.APIBase
	case s.EnvBase != "" && (p.Provider == "openai" || p.Provider == ""):
		// Whoever sets these variables means them to go together with the usual key.
		if keyEnv == "" {
			keyEnv = "OPENAI_API_KEY"
		}
		base = s.EnvBase
	default:
		keyEnv = ""
	}
	if own && apiBase == "" {
		return withUsualKey(p)
	}
	if s.Models[name].APIKeyEnv != "" && keyEnv == "" {
		keyEnv = s.Models[name].APIKeyEnv
	}
	p = p.At(base, keyEnv)
	if base != "" && keyEnv == "" {
		p = withUsualKey(p)
	}
	return p
}

// DefaultModel returns the name of the model when none is set: with an endpoint on this machine whatever
// that server runs, else the catalogue's choice by the keys in the environment.
func (s Settings) DefaultModel(c *model.Catalog, env func(string) string) string {
	if s.Model != "" {
		return s.Model
	}
	if s.APIBase != "" && localURL(s.APIBase) {
		return "local"
	}
	name, _ := c.Default(env)
	return name
}

// withUsualKey names the usual variable where a server elsewhere wants some key and nobody said which.
func withUsualKey(p model.Profile) model.Profile {
	if p.APIKeyEnv == "" && !p.NoKey && !localURL(p.APIBase) {
		p.APIKeyEnv = "OPENAI_API_KEY"
	}
	return p
}

// localURL reports whether a base URL means this machine.
func localURL(base string) bool {
	if !strings.Contains(base, "://") {
		base = "http://" + base
	}
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// TrustsRoot says whether a workspace is trusted, given what the editor says about it (nil: nothing).
// Only the user's own layers may be in s: load them first, without the workspace file.
func (s Settings) TrustsRoot(root string, editor *bool) bool {
	switch s.Trust {
	case "always":
		return true
	case "never":
		return false
	}
	if editor != nil {
		return *editor
	}
	for _, trusted := range s.TrustedRoots {
		rel, err := filepath.Rel(filepath.Clean(trusted), filepath.Clean(root))
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// Files returns where the user's and the workspace's files of settings lie. home is the user's home
// directory; user is "" when neither it nor XDG_CONFIG_HOME is known, workspace "" without a root.
func Files(env func(string) string, home, root string) (user, workspace string) {
	dir := env("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) { // the standard says to ignore a relative one
		dir = ""
		if home != "" {
			dir = filepath.Join(home, ".config")
		}
	}
	if dir != "" {
		user = filepath.Join(dir, "coauthor", "config.yaml")
	}
	if root != "" {
		workspace = filepath.Join(root, ".coauthor", "config.yaml")
	}
	return user, workspace
}

func asYAML(err error, target *yaml.Error) bool { return errors.As(err, target) }

func setDuration(p any, v any) {
	if d, ok := p.(*time.Duration); ok {
		*d, _ = v.(time.Duration)
	}
}

// ModelFields lists the fields of an entry of the setting models.
func ModelFields() []string {
	var names []string
	for _, f := range ModelFieldDocs() {
		names = append(names, f.Name)
	}
	return names
}

// FieldDoc documents one field of an entry of the setting models.
type FieldDoc struct{ Name, Type, Doc string }

// ModelFieldDocs documents the fields of an entry of the setting models.
func ModelFieldDocs() []FieldDoc {
	return []FieldDoc{
		{"model", "string", "Name of the model on the wire, or one of the table to build upon. Default: the entry's name."},
		{"apiBase", "string", "URL of the server, with or without `/v1`."},
		{"apiKeyEnv", "string", "Name of the environment variable with the key; `none` for none."},
		{"headers", "map", "Extra headers of every request."},
		{"contextWindow", "int", "Tokens of prompt and answer together."},
		{"maxOutputTokens", "int", "Tokens of one answer."},
		{"editFormat", "string", "The edit format that suits the model, a value of the setting editFormat."},
		{"weakModel", "string", "Model for summaries and commit messages."},
		{"editorModel", "string", "Model that carries out an architect's plan."},
		{"temperature", "number", "Randomness; default 0."},
		{"useTemperature", "bool", "false: the model refuses the parameter."},
		{"streaming", "bool", "false: the server cannot stream."},
		{"useSystemPrompt", "bool", "false: the system text goes as a user message."},
		{"examplesAsSystem", "bool", "Whether examples stand in the system text instead of as messages."},
		{"cacheMarks", "bool", "Whether the server understands marks for its prompt cache (`cache_control`); some servers refuse them."},
		{"lazy", "bool", "The model tends to leave code out."},
		{"overeager", "bool", "The model tends to change more than was asked."},
		{"reminder", "string", "Where the format's reminder is repeated: `user`, `sys` or `none`."},
		{"reasoningTag", "string", "Name of the tag around thinking in the answer, such as `think`."},
		{"tokenizer", "string", "`o200k`, `cl100k` or `chars4`; default an estimate."},
		{"extraBody", "map", "Extra fields of the request; null takes a field away."},
		{"price", "map", "`in`, `out`, `cacheRead`, `cacheWrite`: US dollars for a million tokens."},
		{"vision", "bool", "The model understands images."},
	}
}
