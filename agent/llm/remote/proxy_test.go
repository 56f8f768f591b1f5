package remote_test

import (
	"net/http"
	"testing"

	"coauthor/agent/llm/remote"
)

// TestTheProxyLeavesOutWhatTheEnvironmentNames: hosts of NO_PROXY and this machine are asked without the proxy of the settings.
func TestTheProxyLeavesOutWhatTheEnvironmentNames(t *testing.T) {
	t.Setenv("NO_PROXY", "near.example, .corp.example,10.0.0.0/8")
	for _, scheme := range []string{"http", "socks5h"} {
		proxy, err := remote.Proxy(scheme + "://proxy.example:3128")
		if err != nil {
			t.Fatal(err)
		}
		for url, through := range map[string]bool{
			"https://far.example/v1": true, "http://far.example:8000/v1": true, "https://near.example/v1": false, "https://models.corp.example/v1": false,
			"http://10.1.2.3:8000/v1": false, "http://11.1.2.3:8000/v1": true, "http://127.0.0.1:8080/v1": false, "http://localhost/v1": false,
		} {
			r, err := http.NewRequest(http.MethodPost, url, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := proxy(r)
			if err != nil || (got != nil) != through || through && got.String() != scheme+"://proxy.example:3128" {
				t.Errorf("%s through %s: %v, %v", url, scheme, got, err)
			}
		}
	}
}
