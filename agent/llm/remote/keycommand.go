package remote

import (
	"context"
	"errors"
	"strings"

	"coauthor/agent/llm"
	"coauthor/agent/model"
)

// keyFor returns the key of a call: what the profile's command prints, once for a client, or what its
// variable holds.
func (c *Client) keyFor(ctx context.Context, p model.Profile, e endpoint) (string, *llm.Error) {
	if p.APIKeyCommand == "" || p.NoKey {
		return c.key(p, e)
	}
	c.mu.Lock()
	key := c.keys[p.APIKeyCommand]
	c.mu.Unlock()
	if key != "" {
		return key, nil
	}
	if c.o.KeyCommand == nil {
		return "", badKeyCommand(errors.New("no commands can run here"))
	}
	text, err := c.o.KeyCommand(ctx, p.APIKeyCommand)
	switch {
	case ctx.Err() != nil:
		return "", canceled(context.Cause(ctx))
	case err != nil:
		return "", badKeyCommand(err)
	}
	key = firstLine(text)
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "", badKeyCommand(errors.New("it printed no key"))
	}
	c.mu.Lock()
	c.keys[p.APIKeyCommand] = key
	c.mu.Unlock()
	return key, nil
}

// firstLine is what a program like pass prints before its remarks.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// badKeyCommand says why there is no key. What the command printed stays out of it: it may be the key.
func badKeyCommand(err error) *llm.Error {
	return &llm.Error{
		Kind: llm.NoKey, Err: err,
		Message: "The command in apiKeyCommand returned no API key: " + err.Error() + ".",
		Advice:  "Run the command in a terminal. The first line of its output must be only the key. Then correct apiKeyCommand.",
	}
}

// freshKey asks the command once more, for a key that the server refuses may have grown too old.
func (c *call) freshKey(ctx context.Context, err *llm.Error) bool {
	p := c.request.Model
	if err.Kind != llm.Auth || p.APIKeyCommand == "" || c.asked {
		return false
	}
	c.asked = true
	c.client.mu.Lock()
	if c.client.keys[p.APIKeyCommand] == c.secret {
		delete(c.client.keys, p.APIKeyCommand)
	}
	c.client.mu.Unlock()
	key, failed := c.client.keyFor(ctx, p, c.ep)
	if failed != nil || key == c.secret {
		return false
	}
	c.secret = key
	c.secrets = append(secretsOf(key, p.Headers), c.secrets...)
	return true
}
