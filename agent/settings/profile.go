package settings

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"coauthor/agent/model"
)

// Profile returns the profile of a model by name with the settings about endpoints and keys applied;
// an empty name is the setting model. A provider's key, and OPENAI_API_KEY with them, goes to that
// provider alone unless the user's apiKeyEnv names it for another host, or the host is named by a flag of the command that
// OPENAI_API_KEY stands in the environment of.
func (s Settings) Profile(c *model.Catalog, name string) model.Profile {
	if name == "" {
		name = s.Model
	}
	if s.Models != nil {
		c = c.With(s.Models)
	}
	p := c.Resolve(name)
	p = p.Based(s.EnvBases[p.BaseEnv])
	p.AllowInsecure = s.AllowInsecureHTTP
	entry, _ := c.Entry(name)
	s.thought(&p, entry)
	s.withExtra(&p)
	p = s.placed(p, entry).Keeping(p)
	p.Withheld = s.Unread
	p = p.Through(entry.API)
	if entry.CacheMarks != nil {
		p.CacheMarks = *entry.CacheMarks
	}
	return p
}

// usualKey is the variable with the key that most servers and programs mean.
const usualKey = "OPENAI_API_KEY"

// placed puts the settings about endpoints and keys into a profile.
func (s Settings) placed(p model.Profile, entry model.UserModel) model.Profile {
	switch {
	case entry.APIBase != "":
		return p // the entry says all there is to say
	case s.APIBase != "" && s.Bound.Foreign:
		return s.Bound.at(p, s.APIBase, s.APIKeyEnv, s.APIKeyCommand)
	case s.APIBase != "":
		key := orElse(s.APIKeyEnv, entry.APIKeyEnv)
		if s.Bound.ByFlag && (p.Provider == "openai" || p.Provider == "" || p.Local) {
			key = orElse(key, usualKey)
		}
		return s.ownKey(p.At(s.APIBase, key), entry)
	case s.EnvBase != "" && (p.Provider == "openai" || p.Provider == ""):
		// Whoever sets these variables means them to go together with the usual key.
		return s.ownKey(p.At(s.EnvBase, orElse(orElse(s.APIKeyEnv, entry.APIKeyEnv), usualKey)), entry)
	}
	return p
}

// ownKey puts in the command that prints the key for the user's own endpoint: that of the model's entry, or
// the one for all.
func (s Settings) ownKey(p model.Profile, entry model.UserModel) model.Profile {
	if command := orElse(entry.APIKeyCommand, s.APIKeyCommand); command != "" {
		p.APIKeyCommand, p.NoKey = command, false
	}
	return p
}

// thought puts into a profile how much the model is to think, as far as it is known to take that: an entry that says how
// much says that it does. What the entry says was put in before, and stays unless the user said otherwise for now.
func (s Settings) thought(p *model.Profile, entry model.UserModel) {
	router := p.Provider == "openrouter"
	var unsent []string
	if v := s.ReasoningEffort; s.Said.Effort || entry.ReasoningEffort == "" {
		switch {
		case v == "" || v == model.Auto:
			p.ReasoningEffort = ""
		case slices.Contains(p.Efforts, v) || router || entry.ReasoningEffort != "":
			p.ReasoningEffort = v
		case len(p.Efforts) > 0:
			unsent = append(unsent, "model.reasoningEffort "+v+" (supported: "+strings.Join(p.Efforts, ", ")+")")
		default:
			unsent = append(unsent, "model.reasoningEffort")
		}
	}
	if v := s.ThinkingTokens; s.Said.Thinking || entry.ThinkingTokens == nil {
		switch {
		case v == 0 || p.TakesThinking || router || entry.ThinkingTokens != nil:
			p.ThinkingTokens = v
		default:
			unsent = append(unsent, "model.thinkingTokens")
		}
	}
	if len(unsent) > 0 {
		p.Unsent = "Not sent, because " + p.Name + " may not support it: " + strings.Join(unsent, ", ") + ". If the model supports it, set it in the model's entry in models."
	}
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

// trustsRoot says whether a workspace is trusted, given what the editor says about it (nil: nothing).
// Only the user's own layers may be in s: load them first, without the workspace file.
func (s Settings) trustsRoot(root string, editor *bool) bool {
	switch {
	case slices.Contains(s.Trust, TrustNever):
		return false
	case slices.Contains(s.Trust, TrustAlways):
		return true
	}
	if editor != nil {
		return *editor
	}
	for _, trusted := range s.Trust {
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

func setDuration(p any, v any) {
	if d, ok := p.(*time.Duration); ok {
		*d, _ = v.(time.Duration)
	}
}

// entryFields lists the fields of an entry of the setting models.
func entryFields() []string {
	var names []string
	for _, f := range ModelFieldDocs() {
		names = append(names, f.Name)
	}
	return names
}

// FieldDoc documents one field of an entry of the setting models.
type FieldDoc struct {
	Name, Type, Doc string
}

// ModelFieldDocs documents the fields of an entry of the setting models.
func ModelFieldDocs() []FieldDoc {
	return []FieldDoc{
		{Name: "model", Type: "string", Doc: "The model ID to send to the server, or a built-in model to inherit from. On its own, also another entry to use under this name. Default: the entry's name."},
		{Name: "apiBase", Type: "string", Doc: "URL of the model server. For Azure, with `?api-version=VERSION` if you need an API version."},
		{Name: "api", Type: "string", Doc: "The server's API: `chat` (`/chat/completions`), `responses` (OpenAI), `anthropic` (`/messages`) or `ollama` (`/api/chat`). Default: the provider's API at its own endpoint; otherwise `chat`."},
		{Name: "apiKeyEnv", Type: "string", Doc: "Environment variable that contains the API key, or `none`."},
		{Name: "apiKeyCommand", Type: "string", Doc: "Shell command that prints the API key. Workspaces cannot set it."},
		{Name: "headers", Type: "map", Doc: "Extra HTTP headers for every request."},
		{Name: "contextWindow", Type: "int", Doc: fmt.Sprintf("Context window size in tokens, including prompt and answer. Default: the built-in size; %d for unknown models, with a quarter reserved for the answer.", model.AssumedWindow)},
		{Name: "maxOutputTokens", Type: "int", Doc: "Maximum number of tokens in an answer."},
		{Name: "editFormat", Type: "string", Doc: "See the setting `editFormat`."},
		{Name: "weakModel", Type: "string", Doc: "See `model.weak`. Default: the model itself."},
		{Name: "editorModel", Type: "string", Doc: "See `model.editor`. Default: the model itself."},
		{Name: "fallbackModel", Type: "string", Doc: "The model to use for five minutes when this one is unavailable or its account has no credit."},
		{Name: "editorFormat", Type: "string", Doc: "Edit format for `editorModel`, such as `editor-diff`. Default: the variant that matches its `editFormat`."},
		{Name: "temperature", Type: "number", Doc: "Sampling temperature. Default: the recommended value, or 0."},
		{Name: "useTemperature", Type: "bool", Doc: "Set to `false` if the model rejects a temperature."},
		{Name: "streaming", Type: "bool", Doc: "Set to `false` if the server cannot stream."},
		{Name: "useSystemPrompt", Type: "bool", Doc: "Set to `false` to send the system prompt as a user message."},
		{Name: "systemPrefix", Type: "string", Doc: "First line of every system prompt, such as `/no_think`. An empty value removes a built-in one."},
		{Name: "examplesAsSystem", Type: "bool", Doc: "Send examples in the system prompt."},
		{Name: "cacheMarks", Type: "bool", Doc: "The server accepts prompt-cache markers (`cache_control`)."},
		{Name: "shortPrompt", Type: "bool", Doc: "Send shorter prompts, for small models. Default: `true` for unknown models on this machine."},
		{Name: "vision", Type: "bool", Doc: "The model accepts images (PNG, JPEG, GIF, WebP)."},
		{Name: "pdf", Type: "bool", Doc: "The model and its server accept PDF files."},
		{Name: "lazy", Type: "bool", Doc: "The model tends to omit code."},
		{Name: "overeager", Type: "bool", Doc: "The model tends to change too much."},
		{Name: "reminder", Type: "string", Doc: "Where to repeat the edit format's rules: `user`, `sys` or `none`."},
		{Name: "tools", Type: "string", Doc: "How the model calls tools: `native` (through the API), `text` (as lines in its reply) or `never`. Default: `native`; `never` for models with 4 billion parameters or fewer and for local models that Coauthor does not know."},
		{Name: "reasoningTag", Type: "string", Doc: "Tag around thinking in an answer, if other than `think`, `thinking`, `thought` or `reasoning`."},
		{Name: "reasoningEffort", Type: "string", Doc: "Overrides `model.reasoningEffort`. Always sent, unless `auto`."},
		{Name: "thinkingTokens", Type: "tokens", Doc: "Overrides `model.thinkingTokens`. Always sent, unless 0."},
		{Name: "prefill", Type: "string", Doc: "How to continue a cut-off answer: `plain` (send it as the last message), `prefix` or `partial` (also set that field), `continue` (vLLM) or `none`."},
		{Name: "tokenizer", Type: "string", Doc: "How to count tokens: `o200k`, `cl100k` or `chars4`. Default: an estimate."},
		{Name: "extraBody", Type: "map", Doc: "Extra fields for the request body; `null` removes a field."},
		{Name: "price", Type: "map", Doc: "Prices in US dollars per million tokens: `in`, `out`, `cacheRead`, `cacheWrite`. Replaces all built-in prices."},
		{Name: "checked", Type: "string", Doc: "Date of these prices and sizes, such as 2026-07-02."},
	}
}
