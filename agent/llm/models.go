package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"sort"

	openai "github.com/sashabaranov/go-openai"

	"coauthor/agent/model"
)

// ModelInfo is a model that an endpoint offers.
type ModelInfo struct {
	ID            string
	ContextWindow int // 0: the server does not say
}

// modelList is the answer in the dialects that tell the size of the context window.
type modelList struct {
	Data []struct {
		ID            string `json:"id"`
		ContextLength int    `json:"context_length"`
		MaxModelLen   int    `json:"max_model_len"`
		ContextWindow int    `json:"context_window"`
		Meta          struct {
			Context int `json:"n_ctx"`
		} `json:"meta"`
	} `json:"data"`
}

// Models asks the profile's endpoint what it offers, sorted by name. Every error is an *Error. It does
// not try again, and it is as quick as ctx allows.
func (c *OpenAI) Models(ctx context.Context, p model.Profile) ([]ModelInfo, error) {
	call, err := c.newCall(Request{Model: p})
	if err != nil {
		return nil, err
	}
	for {
		list, err := call.models(ctx)
		call.settle(err)
		switch {
		case err == nil:
			return list, nil
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
	var list modelList
	if err := json.Unmarshal(keep.data, &list); err != nil {
		return nil, c.unreadable(string(keep.data), err)
	}
	var out []ModelInfo
	for _, m := range list.Data {
		out = append(out, ModelInfo{
			ID:            m.ID,
			ContextWindow: max(m.ContextLength, m.MaxModelLen, m.ContextWindow, m.Meta.Context),
		})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
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
	u := url.URL{Scheme: e.base.Scheme, Host: e.base.Host, Path: e.base.Path + chatPath}
	return u.String(), nil
}
