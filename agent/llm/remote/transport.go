package remote

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"

	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
)

// call is one Stream of one client: what stays the same over its attempts, and what they learn.
type call struct {
	client  *Client
	request llm.Request
	ep      endpoint
	secret  string  // the API key
	secrets secrets // what is taken out of messages
	base    *url.URL
	missing *llm.Error // what ep.base said, once base is ep.other
	body    wire.Body
	remarks []string // what the user is to know of a reply that is otherwise good
	asked   bool     // the key's command ran once more
	list    *url.URL // where the models are listed, if not below base

	// Of the attempt under way.
	header  http.Header
	status  int
	refusal []byte // the body of an answer that is a refusal
	events  *wire.Events
}

func (c *call) model() string { return "the model " + quote(c.request.Model.ID) }

func (c *call) url() string { return c.ep.url(c.base, pathOf(c.body.Api)).String() }

// Do carries out a request that go-openai made: it sets the URL, the key and the extra headers, merges
// the extra fields into the body, and keeps the answer's events.
func (c *call) Do(req *http.Request) (*http.Response, error) {
	suffix := req.URL.Path // the library was given an empty base
	req.URL = c.ep.url(c.base, suffix)
	if c.list != nil && req.Method == http.MethodGet {
		req.URL = c.list
	}
	req.Header.Set("User-Agent", "coauthor")
	req.Header.Del("Authorization")
	// The list of Anthropic's models is no part of its OpenAI-compatible interface.
	its := c.body.Form
	list := req.Method == http.MethodGet && (c.request.Model.Provider == "anthropic" || its.OwnKey)
	own := list || its.OwnKey
	switch {
	case c.secret == "":
	case own:
		req.Header.Set("X-Api-Key", c.secret)
	case c.ep.azure:
		req.Header.Set("Api-Key", c.secret)
	default:
		req.Header.Set("Authorization", "Bearer "+c.secret)
	}
	if own {
		req.Header.Set("Anthropic-Version", "2023-06-01")
	}
	if list {
		req.URL.RawQuery = "limit=1000"
	}
	for name, value := range c.request.Model.Headers {
		req.Header.Set(name, value)
	}
	if req.Body != nil && req.Method == http.MethodPost {
		data, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		if data, err = c.body.Merge(data); err != nil {
			return nil, &llm.Error{
				Kind: llm.BadRequest, Err: err, Message: "Cannot write the request as JSON.",
				Advice: "Check extraBody in this model's settings.",
			}
		}
		req.Body = io.NopCloser(bytes.NewReader(data))
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
		req.ContentLength = int64(len(data))
	}
	start := c.client.o.Clock()
	resp, err := c.client.http(c).Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // the layer above repeats the URL, with its query
		}
		return nil, err
	}
	c.client.o.Log.Debug("model answered", "host", c.ep.host, "model", c.request.Model.ID,
		"bytes", strconv.FormatInt(req.ContentLength, 10), "status", resp.StatusCode,
		"after", c.client.o.Clock().Sub(start))
	c.header, c.status = resp.Header, resp.StatusCode
	switch {
	case resp.StatusCode < 200 || resp.StatusCode >= 300:
		said, err := io.ReadAll(limited(resp.Body, wire.MaxError))
		_ = resp.Body.Close()
		if err != nil && len(said) == 0 {
			return nil, err
		}
		c.refusal, resp.Body = said, io.NopCloser(bytes.NewReader(said))
		if resp.StatusCode < 400 {
			resp.StatusCode = http.StatusBadGateway // a redirect without a target, or not modified
		}
	case req.Method == http.MethodPost:
		c.events = wire.NewEvents(resp.Body, its)
		resp.Body = unread{c.events}
	default:
		resp.Body = limited(resp.Body, wire.MaxEvent)
	}
	return resp, nil
}

// unread is a body of which go-openai gets nothing: its events are read without it.
type unread struct{ io.Closer }

// Read implements io.Reader.
func (unread) Read([]byte) (int, error) { return 0, io.EOF }

func limited(body io.ReadCloser, n int64) io.ReadCloser {
	return struct {
		io.Reader
		io.Closer
	}{io.LimitReader(body, n), body}
}

// http returns the client's HTTP client with our rule about redirects: never to another host, never
// from https to http, never from POST to GET.
func (c *Client) http(of *call) *http.Client {
	h := *c.o.HTTP
	h.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		first := via[0]
		switch {
		case len(via) >= 5:
			return &llm.Error{
				Kind: llm.BadRequest, Message: of.ep.host + " redirects too many times.",
				Advice: "Check the apiBase setting.",
			}
		case req.URL.Host != first.URL.Host || req.URL.Scheme != first.URL.Scheme || req.Method != first.Method:
			return &llm.Error{
				Kind: llm.BadRequest,
				Message: of.ep.host + " redirects to " + redactURL(req.URL.Scheme+"://"+req.URL.Host+req.URL.Path) +
					". Coauthor sent neither the key nor the prompt there.",
				Advice: "If that is the right server, set apiBase to its URL.",
			}
		}
		return nil
	}
	return &h
}

// defaultHTTP is a client with time limits on everything before the answer's head; the rest has the
// limits of Options.
func defaultHTTP(o Options) *http.Client {
	dialer := &net.Dialer{Timeout: o.Connect, KeepAlive: 30 * time.Second}
	return &http.Client{Transport: &http.Transport{
		Proxy:                 o.Proxy,
		DialContext:           dialer.DialContext,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          8,
		IdleConnTimeout:       60 * time.Second,
		TLSClientConfig:       &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:   o.Connect,
		ExpectContinueTimeout: time.Second,
	}}
}

// NoProxy is the word for going straight to the endpoint, whatever the environment says.
const NoProxy = "none"

// Proxy returns what a transport asks for its proxy: the one at an address as people write it, but for this machine
// itself and for the hosts that NO_PROXY names in the environment; none; or, for an empty address, what the environment
// says. No error repeats a password.
func Proxy(address string) (func(*http.Request) (*url.URL, error), error) {
	address = strings.TrimSpace(address)
	switch address {
	case "":
		return http.ProxyFromEnvironment, nil
	case NoProxy:
		return nil, nil
	}
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Hostname() == "":
		return nil, errors.New("it must be a URL such as http://proxy.example:3128")
	case !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme):
		return nil, errors.New("it must begin with http://, https:// or socks5://, not " + u.Scheme + "://")
	}
	const somewhere = "http://proxy.invalid"
	hosts := (&httpproxy.Config{HTTPProxy: somewhere, HTTPSProxy: somewhere, NoProxy: httpproxy.FromEnvironment().NoProxy}).ProxyFunc()
	return func(r *http.Request) (*url.URL, error) {
		if through, err := hosts(r.URL); err == nil && through == nil || loopback(r.URL.Hostname()) {
			return nil, nil
		}
		return u, nil
	}, nil
}

// Roots returns the certificates that the system trusts and those of a PEM file.
func Roots(pem []byte) (*x509.CertPool, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // a system without any
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, errors.New("it contains no PEM certificate (-----BEGIN CERTIFICATE-----)")
	}
	return pool, nil
}
