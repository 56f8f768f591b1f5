package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"coauthor/lsp/lsptest"
)

// Only where a client can be asked to watch files, and it costs the user nothing, it is asked to watch all of them.
func TestWhoIsAskedToWatch(t *testing.T) {
	for _, c := range []struct {
		can   bool
		quirk string
		asked bool
	}{
		{true, "true", true}, {true, "false", false}, {false, "true", false}, {false, "false", false},
	} {
		asked := make(chan string, 8)
		r := newModelHarness(t, nil, nil)
		r.Answer = func(method string, params json.RawMessage) string {
			if method == "client/registerCapability" && strings.Contains(string(params), "didChangeWatchedFiles") {
				asked <- string(params)
			}
			return "null"
		}
		r.initialize(fmt.Sprintf(`{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":%v}}}`, c.can), `{"client.quirks":{"watchTree":`+c.quirk+`}}`)
		r.command("status", "")
		if c.asked {
			mustHold(t, lsptest.Receive(t, "a registration", asked), `"globPattern":"**/*"`)
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), lsptest.Hung)
		r.call("shutdown", "null")
		r.s.tasks.Wait(ctx)
		cancel()
		if len(asked) != 0 {
			t.Errorf("%+v: asked %s", c, <-asked)
		}
	}
}
