package model

import "strings"

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
	return p.withKey(keyEnv)
}

// Based returns the profile with the address of the user's own resource, which the variable BaseEnv holds.
// A profile whose provider has an address, or "", stays as it is.
func (p Profile) Based(address string) Profile {
	address = strings.TrimRight(strings.TrimSpace(address), "/")
	if p.BaseEnv == "" || p.APIBase != "" || address == "" {
		return p
	}
	p.APIBase = address
	if !strings.Contains(address, "/openai/") { // some copy more of the address than is asked for
		p.APIBase = strings.TrimSuffix(address, "/openai") + p.BasePath
	}
	if strings.Contains(address, "/openai/deployments/") {
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
