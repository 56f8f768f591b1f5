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
			unsent = append(unsent, "model.reasoningEffort "+v+" (it takes "+strings.Join(p.Efforts, ", ")+")")
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
		p.Unsent = p.Name + " is not known to take " + strings.Join(unsent, " and ") + ", so that was not sent. If it does, set it for the model in the setting models."
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
		{Name: "model", Type: "string", Doc: "Name of the model on the wire, or one of the table to build upon. Default: the entry's name."},
		{Name: "apiBase", Type: "string", Doc: "URL of the server, with or without `/v1`."},
		{Name: "api", Type: "string", Doc: "The interface through which the server is asked: `chat` (`/chat/completions`, which nearly every server has), `responses` (`/responses`, as OpenAI has it), `anthropic` (`/messages`, as Anthropic has it) or `ollama` (`/api/chat`, Ollama's own). Default what the table says of the model at its maker's own endpoint, and `chat` everywhere else."},
		{Name: "apiKeyEnv", Type: "string", Doc: "Name of the environment variable with the key; `none` for none."},
		{Name: "apiKeyCommand", Type: "string", Doc: "A command whose first line of output is the key; see the setting of that name."},
		{Name: "headers", Type: "map", Doc: "Extra headers of every request."},
		{Name: "contextWindow", Type: "int", Doc: fmt.Sprintf("Tokens of prompt and answer together. Where neither this nor the table knows it, %d is assumed, a quarter of it for the answer, so that a file of megabytes is not sent; set this to send more, or for a server that takes less.", model.AssumedWindow)},
		{Name: "maxOutputTokens", Type: "int", Doc: "Tokens of one answer."},
		{Name: "editFormat", Type: "string", Doc: "The edit format that suits the model, a value of the setting `editFormat`."},
		{Name: "weakModel", Type: "string", Doc: "Model for what needs no better one, such as questions about Coauthor itself; default the model itself."},
		{Name: "editorModel", Type: "string", Doc: "Model that writes the edits of an architect's plan; default the model itself."},
		{Name: "editorFormat", Type: "string", Doc: "The edit format in which `editorModel` writes, such as `editor-diff`; default what goes with that model's `editFormat`."},
		{Name: "temperature", Type: "number", Doc: "Randomness; default 0, and for models whose makers warn of that, what they advise."},
		{Name: "useTemperature", Type: "bool", Doc: "false: the model refuses the parameter."},
		{Name: "streaming", Type: "bool", Doc: "false: the server cannot stream."},
		{Name: "useSystemPrompt", Type: "bool", Doc: "false: the system text goes as a user message."},
		{Name: "systemPrefix", Type: "string", Doc: "The first line of every system text, for models that are switched by one, such as `/no_think` or `detailed thinking off`. An empty text takes away that of the table."},
		{Name: "examplesAsSystem", Type: "bool", Doc: "Whether examples stand in the system text instead of as messages."},
		{Name: "cacheMarks", Type: "bool", Doc: "Whether the server understands marks for its prompt cache (`cache_control`); some servers refuse them."},
		{Name: "shortPrompt", Type: "bool", Doc: "The model is small: it gets the short form of prompts, without long examples, which such models repeat in place of an answer. So does one that nobody knows on this machine (`local`), in a format other than `whole`."},
		{Name: "vision", Type: "bool", Doc: "The model sees images (PNG, JPEG, GIF, WebP) that a request names by path."},
		{Name: "pdf", Type: "bool", Doc: "The model, and the server that it answers at, take PDFs that a request names by path."},
		{Name: "lazy", Type: "bool", Doc: "The model tends to leave code out."},
		{Name: "overeager", Type: "bool", Doc: "The model tends to change more than was asked."},
		{Name: "reminder", Type: "string", Doc: "Where the format's reminder is repeated: `user`, `sys` or `none`."},
		{Name: "tools", Type: "string", Doc: "How the model is given the tools to look around with: `native` (offered by the interface), `text` (told in words) or `never`. Unset is `native`, and `never` for a model whose name says that it has 4 billion parameters or less: such models call nothing and make the answer up."},
		{Name: "reasoningTag", Type: "string", Doc: "Name of the tag around thinking in the answer, where it is none of the usual ones (`think`, `thinking`, `thought`, `reasoning`)."},
		{Name: "reasoningEffort", Type: "string", Doc: "How hard the model thinks, in the server's own word; it is sent in any case, and stands above the setting of that name. `auto` sends nothing."},
		{Name: "thinkingTokens", Type: "tokens", Doc: "How many tokens the model may think with, such as `8k` or `0.5M`; it is sent in any case, and stands above the setting of that name. 0 sends nothing."},
		{Name: "prefill", Type: "string", Doc: "How the server is told to go on with an answer that it cut off at its length: `plain` (the beginning is the last message), `prefix` or `partial` (a mark of that name on it), `continue` (`continue_final_message`, as vLLM has it), `none`. An answer goes on four times at most."},
		{Name: "tokenizer", Type: "string", Doc: "`o200k`, `cl100k` or `chars4`; default an estimate."},
		{Name: "extraBody", Type: "map", Doc: "Extra fields of the request; null takes a field away. An entry with the name `*` has this field alone, and it holds for every model; the model's own entry stands above it."},
		{Name: "price", Type: "map", Doc: "`in`, `out`, `cacheRead`, `cacheWrite`: US dollars for a million tokens. It replaces all of the table's."},
		{Name: "checked", Type: "string", Doc: "The day from which the price and the sizes of this entry are, such as 2026-07-02."},
	}
}
