package settings

import "coauthor/agent/model"

// Binding ties the user's keys to the hosts that they were meant for, where a layer that is not the
// user's (a file of the workspace, an editor whose settings a repository can write) names the endpoint.
// Such a layer counts here only in a trusted workspace; trust lets it choose an endpoint, and still not
// who gets a key.
type Binding struct {
	Foreign  bool   // apiBase is not the user's word
	UserBase string // the user's own apiBase, for which apiKeyEnv was written; "" has none
	KeyToo   bool   // apiKeyEnv stands in such a layer too: then it says which key is for its endpoint
	ByFlag   bool   // apiBase is a flag: the user has given it in one command with the environment that the command has
}

// bind notes which layer said where the model answers and which key it gets.
func (l *loader) bind(key string, from origin) {
	b := &l.s.Bound
	switch {
	case key == "apiBase" && from.users():
		b.Foreign, b.UserBase = false, l.s.APIBase
	case key == "apiBase":
		b.Foreign = true
	case key == "apiKeyEnv":
		b.KeyToo = !from.users()
	}
}

// at moves a profile to an endpoint that is not the user's word, without what was meant for another
// host: neither key nor headers, which often hold one.
func (b Binding) at(p model.Profile, base, keyEnv, keyCommand string) model.Profile {
	to := p.At(base, "")
	same := model.SameHost(base, p.APIBase)
	if !same {
		to.Headers = nil
	}
	if keyEnv != "" && (b.KeyToo || b.UserBase != "" && model.SameHost(base, b.UserBase)) {
		to = to.At("", keyEnv)
	}
	if keyCommand != "" && !b.KeyToo && b.UserBase != "" && model.SameHost(base, b.UserBase) {
		to.APIKeyCommand, to.NoKey = keyCommand, false // always the user's word, so only where they meant it
	}
	return to
}
