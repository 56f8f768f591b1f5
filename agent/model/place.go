package model

import (
	"net/url"
	"regexp"
	"strings"
)

// At returns the profile for another endpoint. The parts of a name that only chose the endpoint
// ("local/", "ollama/", "openai/" …) stay off; other prefixes belong to the name there, as resellers
// write it ("anthropic/claude-sonnet-4.5"). keyEnv replaces the key; "" keeps it only where it belongs
// to the same host.
func (p Profile) At(base, keyEnv string) Profile {
	if base == "" || base == p.APIBase {
		return p.withKey(keyEnv)
	}
	switch p.Provider {
	case "", "openai", "azure", "github":
	default:
		if strings.Contains(p.Name, "/") && !p.Local {
			p.ID = p.Name
		}
	}
	if hostOf(base) != hostOf(p.APIBase) {
		p.APIKeyEnv, p.APIKeyCommand = "", ""
		if !p.Local { // else the name still says which server it is
			p = p.Through(Chat) // whoever answers there, it is what every server has
			p.Prefill = ""      // whether another server goes on with an answer, nobody knows
		}
	}
	p.APIBase, p.WholeBase, p.ListURL = base, false, ""
	if p.Provider == "azure" && (versioned(base) || azureHost.MatchString(hostOf(base))) {
		p.APIBase = p.resource(base)
	}
	return p.withKey(keyEnv)
}

// resource completes the address of an Azure resource by the path of the interface, unless it has that already. An
// api-version behind it asks for the older interface, where each deployment has a path of its own.
func (p Profile) resource(address string) string {
	base, query, _ := strings.Cut(strings.TrimSpace(address), "?")
	base = strings.TrimRight(base, "/")
	if strings.Contains(base, "/openai/") { // some copy more of the address than is asked for
		return address
	}
	base = strings.TrimSuffix(base, "/openai")
	if versioned(address) {
		return base + deployments + url.PathEscape(p.ID) + "?" + query
	}
	return base + p.BasePath
}

// versioned says that an address asks for a version of Azure's older interface.
func versioned(address string) bool {
	_, query, _ := strings.Cut(address, "?")
	return strings.Contains("&"+query, "&api-version=")
}

// azureHost are the hosts where a resource of Azure is.
var azureHost = regexp.MustCompile(`\.openai\.azure\.(com|us|cn)$|\.cognitiveservices\.azure\.(com|us|cn)$`)

// deployments is the path of the older interface of Azure.
const deployments = "/openai/deployments/"

// Based returns the profile with the address of the user's own resource, which the variable BaseEnv holds.
// A profile whose provider has an address, or "", stays as it is.
func (p Profile) Based(address string) Profile {
	address = strings.TrimRight(strings.TrimSpace(address), "/")
	if p.BaseEnv == "" || p.APIBase != "" || address == "" {
		return p
	}
	p.APIBase = p.resource(address)
	if strings.Contains(p.APIBase, deployments) {
		p = p.Through(Chat) // the older way of asking has nothing else
	}
	return p
}

func (p Profile) withKey(keyEnv string) Profile {
	switch keyEnv {
	case "":
	case NoKey:
		p.APIKeyEnv, p.APIKeyCommand, p.NoKey = "", "", true
	default:
		p.APIKeyEnv, p.APIKeyCommand, p.NoKey = keyEnv, "", false
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

// Keeping notes which key the profile does not send where it answers now, and would where it was before.
func (p Profile) Keeping(before Profile) Profile {
	p.KeptKey = ""
	if p.APIKeyEnv != "" || p.APIKeyCommand != "" || p.NoKey || hostOf(p.APIBase) == hostOf(before.APIBase) {
		return p
	}
	if p.KeptKey = before.APIKeyEnv; p.KeptKey == "" {
		p.KeptKey = "OPENAI_API_KEY"
	}
	return p
}
