package userfiles

import (
	"crypto/x509"
	"fmt"

	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// Roots reads the certificates of network.caFile; nil are the system's alone.
func (f *Files) Roots(name string) (*x509.CertPool, error) {
	if name == "" {
		return nil, nil
	}
	bad := func(why string) error {
		return &llm.Error{
			Kind: llm.BadRequest, Message: fmt.Sprintf("Cannot use the certificates in network.caFile: %s: %s.", name, why),
			Advice: "Set network.caFile in your user settings to a valid PEM file.",
		}
	}
	path, err := f.resolve(name, "the path")
	if err != nil {
		return nil, bad(err.Error())
	}
	pem, err := workspace.ReadRegular(path, settings.MaxFileBytes)
	if err != nil {
		return nil, bad(err.Error())
	}
	pool, err := remote.Roots(pem)
	if err != nil {
		return nil, bad(err.Error())
	}
	return pool, nil
}
