package remote

import (
	"net"
	"net/url"
	"regexp"
	"strings"

	"coauthor/agent/llm"
	"coauthor/agent/model"
)

// endpoint is where a model answers and how to knock.
type endpoint struct {
	base  *url.URL // without trailing slash; the query, if any, goes with every request
	host  string   // for messages
	azure bool     // the key goes in the header api-key
	local bool     // this machine
	other *url.URL // base with /v1 taken off or put on, to be tried when base answers 404; nil: none
}

var versionSegment = regexp.MustCompile(`^v[0-9]+([a-z][a-z0-9]*)?$`)

// newEndpoint reads a base URL as people write it: with or without /v1, with or without a slash at
// its end, or copied together with the path of the call.
func newEndpoint(p model.Profile) (endpoint, *llm.Error) {
	if p.Withheld != "" {
		return endpoint{}, &llm.Error{
			Kind:    llm.BadRequest,
			Message: "Nothing was sent, because Coauthor cannot read part of your settings, which might set another endpoint. " + p.Withheld + ".",
			Advice:  "Fix the settings and try again.",
		}
	}
	raw := strings.TrimSpace(p.APIBase)
	if raw == "" && p.BaseEnv != "" {
		return endpoint{}, &llm.Error{
			Kind:    llm.BadRequest,
			Message: "The Azure resource for " + quote(p.Name) + " is not set.",
			Advice: "Set the environment variable " + p.BaseEnv + " to its URL, such as https://NAME.openai.azure.com, and restart Coauthor, " +
				"or set apiBase in the model's entry in models." + setUp,
		}
	}
	if raw == "" {
		return endpoint{}, &llm.Error{
			Kind:    llm.BadRequest,
			Message: "No endpoint is known for the model " + quote(p.Name) + ".",
			Advice:  "Set apiBase to the URL of an OpenAI-compatible server, or choose a model of a supported provider, such as openai/gpt-4o." + setUp,
		}
	}
	if !strings.Contains(raw, "://") {
		raw = guessScheme(raw) + raw
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return endpoint{}, &llm.Error{
			Kind:    llm.BadRequest,
			Message: "apiBase is not a server URL: " + quote(redactURL(p.APIBase)) + ".",
			Advice:  "Set apiBase to a URL such as https://api.example.com/v1 or http://127.0.0.1:8080/v1.",
		}
	}
	u.Fragment = ""
	u.Path = strings.TrimRight(TrimCall(strings.TrimRight(u.Path, "/")), "/")
	u.RawPath = ""
	e := endpoint{base: u, host: u.Host, local: loopback(u.Hostname())}
	e.azure = p.Provider == "azure" || strings.HasSuffix(u.Hostname(), ".openai.azure.com") ||
		strings.HasSuffix(u.Hostname(), ".cognitiveservices.azure.com") || strings.HasSuffix(u.Hostname(), ".services.ai.azure.com") ||
		strings.Contains(u.Path, "/openai/deployments/")
	if u.Scheme == "http" && !e.local && !p.AllowInsecure {
		return endpoint{}, &llm.Error{
			Kind:    llm.BadRequest,
			Message: "The endpoint http://" + u.Host + " is neither encrypted nor on this machine, so nothing was sent.",
			Advice:  "Use https, or set network.allowInsecureHttp: true in your user settings if you trust the network.",
		}
	}
	if e.azure || p.WholeBase {
		return e, nil
	}
	segments := strings.Split(strings.Trim(u.Path, "/"), "/")
	versioned := false
	for _, s := range segments {
		versioned = versioned || versionSegment.MatchString(s)
	}
	other := *u
	switch {
	case !versioned:
		e.other = u
		other.Path += "/v1"
		e.base = &other
	case segments[len(segments)-1] == "v1":
		other.Path = strings.TrimSuffix(u.Path, "/v1")
		e.other = &other
	}
	return e, nil
}

// guessScheme completes "localhost:8080": plain http is right only on this machine.
func guessScheme(raw string) string {
	host, _, _ := strings.Cut(raw, "/")
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if loopback(host) {
		return "http://"
	}
	return "https://"
}

func (e endpoint) url(base *url.URL, suffix string) *url.URL {
	u := *base
	if suffix == pathOf(model.Ollama) { // which is no part of the interface that the base is of
		u.Path = strings.TrimSuffix(u.Path, "/v1")
	}
	if before, _, ok := strings.Cut(u.Path, "/openai/deployments/"); ok && e.azure && suffix == "/models" { // which are those of the resource
		u.Path = before + "/openai"
	}
	u.Path += suffix
	return &u
}

// loopback reports whether a host name can only mean this machine.
func loopback(host string) bool {
	host = strings.ToLower(strings.Trim(host, "[]"))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	return net.ParseIP(host).IsLoopback() // false for what is no address
}

// Local reports whether the profile's endpoint is on this machine.
func Local(p model.Profile) bool {
	e, err := newEndpoint(p)
	return err == nil && e.local
}

// key looks up the API key. A server on this machine needs none.
func (c *Client) key(p model.Profile, e endpoint) (string, *llm.Error) {
	if p.APIKeyEnv == "" {
		if e.local || p.NoKey || e.hasKey(p) {
			return "", nil
		}
		return "", &llm.Error{
			Kind:    llm.NoKey,
			Message: "No API key is set for " + e.host + ", so nothing was sent.",
			Advice: c.o.keptBack(p, e) + "Set apiKeyEnv, or the variable COAUTHOR_API_KEY_ENV, to the name of the environment variable that contains the key for " + e.host +
				" (OPENAI_API_KEY only if that key is for this server). If the server needs no key, set it to none." + c.o.Starter.setUp(),
		}
	}
	key := strings.TrimSpace(c.o.Env(p.APIKeyEnv))
	if key != "" || e.local {
		return key, nil
	}
	name := redact(p.APIKeyEnv) // some write the key itself there
	return "", &llm.Error{
		Kind:    llm.NoKey,
		Message: "There is no API key for " + e.host + ".",
		Advice:  c.o.Starter.set(name, "") + ", or set apiKeyEnv to another variable (none if the server needs no key)." + c.o.Starter.setUp(),
	}
}

// keptBack says that the user has a key which was not sent, and how to have it sent, as the beginning of an advice; "" where
// they have none.
func (o Options) keptBack(p model.Profile, e endpoint) string {
	if p.KeptKey == "" || strings.TrimSpace(o.Env(p.KeptKey)) == "" {
		return ""
	}
	return p.KeptKey + " was not sent, because your settings do not assign it to " + e.host + ". To send it there, set apiKeyEnv: " + p.KeptKey +
		" next to apiBase in the same file. "
}

// hasKey says whether a key goes along in another way: in a header of the model's, or in the URL.
func (e endpoint) hasKey(p model.Profile) bool {
	for name := range p.Headers {
		if secretHeader.MatchString(name) {
			return true
		}
	}
	return e.base.User != nil || keyParameter.MatchString("?"+e.base.RawQuery)
}

// KeyMissing returns why a call with this profile would end for want of a key, nil when it would not.
func KeyMissing(p model.Profile, env func(string) string, by Starter) error {
	e, err := newEndpoint(p)
	if err == nil && p.APIKeyCommand == "" {
		_, err = (&Client{o: Options{Env: env, Starter: by}}).key(p, e)
	}
	if err != nil {
		return err
	}
	return nil
}
