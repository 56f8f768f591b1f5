package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"

	openai "github.com/sashabaranov/go-openai"

	"coauthor/agent/model"
)

// ModelInfo is a model that an endpoint offers. What the server does not say is 0 or nil.
type ModelInfo struct {
	ID            string
	ContextWindow int
	MaxOutput     int
	Price         *model.Price
}

// Models asks the profile's endpoint what it offers, sorted by name. Every error is an *Error. It does
// not try again, and it is as quick as ctx allows.
func (c *OpenAI) Models(ctx context.Context, p model.Profile) ([]ModelInfo, error) {
	call, err := c.newCall(ctx, Request{Model: p})
	if err != nil {
		return nil, err
	}
	if call.list, err = call.ep.listAt(p.ListURL); err != nil {
		return nil, err
	}
	for {
		list, err := call.models(ctx)
		call.settle(err)
		switch {
		case err == nil:
			return list, nil
		case ctx.Err() == nil && call.freshKey(ctx, err):
		case call.missing != nil && err.pathMissing:
			return nil, call.missing
		case err.pathMissing && call.ep.other != nil && call.base == call.ep.base:
			call.base, call.missing = call.ep.other, err
		default:
			return nil, err
		}
	}
}

func (c *call) models(ctx context.Context) ([]ModelInfo, *Error) {
	config := openai.DefaultConfig("")
	keep := &keeper{call: c}
	config.BaseURL, config.HTTPClient = "", keep
	// What the library makes of a good answer does not matter: it is strict about fields nobody needs.
	if _, err := openai.NewClientWithConfig(config).ListModels(ctx); err != nil && keep.data == nil {
		return nil, c.refused(ctx, err)
	}
	out, err := readList(keep.data)
	if err != nil {
		return nil, c.unreadable(string(keep.data), err)
	}
	return out, nil
}

// keeper lets the library fetch and keeps the bytes, of which the library's types drop the sizes.
type keeper struct {
	*call
	data []byte
}

// Do implements the library's interface.
func (k *keeper) Do(req *http.Request) (*http.Response, error) {
	resp, err := k.call.Do(req)
	if err != nil || resp.StatusCode >= http.StatusBadRequest {
		return resp, err
	}
	var all bytes.Buffer
	_, err = all.ReadFrom(resp.Body)
	_ = resp.Body.Close() // read to its end
	k.data = all.Bytes()
	if !json.Valid(k.data) {
		return nil, k.unreadable(string(k.data), err)
	}
	resp.Body = io.NopCloser(&all)
	return resp, err
}

// Endpoint returns the URL that a profile's calls go to, without key and query, for messages.
func Endpoint(p model.Profile) (string, error) {
	e, err := newEndpoint(p)
	if err != nil {
		return "", err
	}
	u := url.URL{Scheme: e.base.Scheme, Host: e.base.Host, Path: e.base.Path + pathOf(p.API)}
	return u.String(), nil
}
