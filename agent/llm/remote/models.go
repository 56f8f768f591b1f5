package remote

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/url"
	"sort"
	"strconv"
	"strings"

	"coauthor/agent/llm"
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
func (c *Client) Models(ctx context.Context, p model.Profile) ([]ModelInfo, error) {
	call, err := c.newCall(ctx, llm.Request{Model: p})
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
		case call.missing != nil && err.PathMissing:
			return nil, call.missing
		case err.PathMissing && call.ep.other != nil && call.base == call.ep.base:
			call.base, call.missing = call.ep.other, err
		default:
			return nil, err
		}
	}
}

func (c *call) models(ctx context.Context) ([]ModelInfo, *llm.Error) {
	c.refusal = nil
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "/models", nil)
	if err != nil {
		return nil, c.failed(ctx, err)
	}
	req.Header.Set("Accept", "application/json")
	resp, err := c.Do(req)
	if err != nil {
		return nil, c.failed(ctx, err)
	}
	defer resp.Body.Close()
	if c.refusal != nil {
		return nil, c.refused(ctx, nil)
	}
	data, err := io.ReadAll(resp.Body)
	if len(data) == 0 && err != nil {
		return nil, c.failed(ctx, err)
	}
	if !json.Valid(data) {
		return nil, c.unreadable(string(data), err)
	}
	out, err := readList(data)
	if err != nil {
		return nil, c.unreadable(string(data), err)
	}
	return out, nil
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

// listed is one model of a list, in the dialects that tell sizes and prices.
type listed struct {
	ID               string `json:"id"`
	ContextLength    int    `json:"context_length"`
	MaxContextLength int    `json:"max_context_length"`
	MaxModelLen      int    `json:"max_model_len"`
	ContextWindow    int    `json:"context_window"`
	MaxCompletion    int    `json:"max_completion_tokens"`
	Meta             struct {
		Context int `json:"n_ctx"`
	} `json:"meta"`
	Limits struct {
		Input  int `json:"max_input_tokens"`
		Output int `json:"max_output_tokens"`
	} `json:"limits"`
	Top struct {
		Output int `json:"max_completion_tokens"`
	} `json:"top_provider"`
	Pricing map[string]json.RawMessage `json:"pricing"` // dollars for one token, most often as strings
}

// mostListed is how many models of a list are read: thousands are offered by nobody who can be believed.
const mostListed = 5000

// readList reads {"data": [...]} and a bare list. A model without a name, and what cannot be read of one,
// is passed over: the rest is of use.
func readList(data []byte) ([]ModelInfo, error) {
	var raws []json.RawMessage
	if err := json.Unmarshal(data, &raws); err != nil {
		var outer struct {
			Data []json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal(data, &outer); err != nil {
			return nil, err
		}
		raws = outer.Data
	}
	var out []ModelInfo
	for _, raw := range raws[:min(len(raws), mostListed)] {
		var m listed
		if json.Unmarshal(raw, &m) != nil {
			m = listed{}
			var name struct {
				ID string `json:"id"`
			}
			if json.Unmarshal(raw, &name) != nil {
				continue
			}
			m.ID = name.ID
		}
		if strings.TrimSpace(m.ID) == "" {
			continue
		}
		out = append(out, ModelInfo{
			ID:            m.ID,
			ContextWindow: max(m.ContextLength, m.MaxContextLength, m.MaxModelLen, m.ContextWindow, m.Meta.Context, m.Limits.Input, 0),
			MaxOutput:     max(m.MaxCompletion, m.Limits.Output, m.Top.Output, 0),
			Price:         m.price(),
		})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out, nil
}

// price is what the list says for a million tokens; nil when it names no price for prompt and answer.
func (m listed) price() *model.Price {
	of := func(name string) (float64, bool) {
		text := strings.Trim(string(m.Pricing[name]), `"`)
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(n) || n < 0 || n > 1 {
			return 0, false // some write -1 for "it depends"
		}
		return math.Round(n*1e12) / 1e6, true
	}
	in, ok := of("prompt")
	out, too := of("completion")
	if !ok || !too {
		return nil
	}
	read, _ := of("input_cache_read")
	write, _ := of("input_cache_write")
	return &model.Price{In: in, Out: out, CacheRead: read, CacheWrite: write}
}

// listAt reads where a provider lists its models, if elsewhere than below its base. The key goes along, so
// it must be the same host.
func (e endpoint) listAt(raw string) (*url.URL, *llm.Error) {
	if raw == "" {
		return nil, nil
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != e.base.Scheme || u.Host != e.base.Host {
		return nil, &llm.Error{
			Kind: llm.BadRequest, Message: "No model list found at " + e.host + ".",
			Advice: "Check the apiBase setting.",
		}
	}
	return u, nil
}
