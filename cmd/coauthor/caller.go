package main

import (
	"context"
	"fmt"
	"sync"

	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
	"coauthor/agent/settings"
)

// callers are the llm.Clients of an engine, one for each set of limits: new ones hold from the next turn on, and folders
// may have different ones.
type callers struct {
	wiring *wiring
	once   bool // no request is sent again

	mu   sync.Mutex
	made map[limits]*remote.Client // guarded by mu
}

// limits are what a client is made with.
type limits struct {
	total              int64
	caFile, proxy, env string
	prompts            bool
}

// mostCallers is how many clients are kept; whoever changes limits that often needs no connections of old ones.
const mostCallers = 8

// caller is the client for some settings. Its error is told when it is called.
type caller struct {
	from *callers
	s    settings.Settings
}

// of returns the client for some settings.
func (c *callers) of(s settings.Settings) llm.Client { return caller{c, s} }

// Stream implements llm.Client.
func (c caller) Stream(ctx context.Context, r llm.Request, on func(llm.Delta)) (llm.Reply, error) {
	client, err := c.from.client(c.s)
	if err != nil {
		return llm.Reply{}, err
	}
	return client.Stream(ctx, r, on)
}

func (c *callers) client(s settings.Settings) (*remote.Client, error) {
	l := limits{int64(s.RequestTimeout), s.CAFile, s.Proxy, fmt.Sprintf("%q", s.EnvFiles), s.Log.Level == settings.LogPrompts}
	c.mu.Lock()
	defer c.mu.Unlock()
	if client := c.made[l]; client != nil {
		return client, nil
	}
	client, err := c.wiring.client(s, c.once)
	if err != nil {
		return nil, err
	}
	if c.made == nil || len(c.made) == mostCallers {
		c.made = map[limits]*remote.Client{}
	}
	c.made[l] = client
	return client, nil
}

// client makes a client with what the settings say of the network. A network.caFile or network.proxy that cannot be
// used fails each call: without it nobody knows whom the connection leads to.
func (w *wiring) client(s settings.Settings, once bool) (*remote.Client, error) {
	roots, err := w.user.Roots(s.CAFile)
	if err != nil {
		return nil, err
	}
	proxy, err := remote.Proxy(s.Proxy)
	if err != nil {
		return nil, &llm.Error{
			Kind: llm.BadRequest, Message: "Cannot use the proxy in network.proxy: " + err.Error() + ".",
			Advice: "Fix network.proxy in your user settings, or set it to none to connect directly.",
		}
	}
	retries := 0 // the client's default
	if once {
		retries = -1
	}
	return remote.New(remote.Options{
		Env: w.keys(s), Starter: w.starter, Log: w.log, LogPrompts: s.Log.Level == settings.LogPrompts, Roots: roots, Proxy: proxy, KeyCommand: w.user.KeyCommand,
		Total: s.RequestTimeout, Retries: retries,
	}), nil
}

// offers asks an endpoint what it offers.
func (w *wiring) offers(s settings.Settings) func(context.Context, model.Profile) ([]remote.ModelInfo, error) {
	return func(ctx context.Context, p model.Profile) ([]remote.ModelInfo, error) {
		client, err := w.client(s, true)
		if err != nil {
			return nil, err
		}
		return client.Models(ctx, p)
	}
}
