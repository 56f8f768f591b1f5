package lsp

import (
	"context"
	"errors"
	"regexp"
)

// secretName is what the name of a variable for a key may look like.
var secretName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`)

// mostSecret is how long a key may be.
const mostSecret = 16 << 10

// didSetSecret is our own notification: a key that the client keeps for the user. Its errors are logged, and say nothing of
// what came: some clients confuse name and value.
func (s *server) didSetSecret(_ context.Context, p *setSecretParams) error {
	switch {
	case s.opts.SetSecret == nil:
		return errors.New("this server does not accept keys")
	case !secretName.MatchString(p.Name):
		return errors.New("the key's name is not a valid variable name")
	case len(p.Value) > mostSecret:
		return errors.New("the key is too long")
	}
	s.opts.SetSecret(p.Name, p.Value)
	return nil
}
