package llm

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpproxy"
)

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
