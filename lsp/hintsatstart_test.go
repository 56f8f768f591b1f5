package lsp

import (
	"fmt"
	"strings"
	"testing"
)

// A client that must be told of inlay hints when it starts is told, where they are its marks.
func TestHintsAtTheStart(t *testing.T) {
	for _, c := range []struct {
		name, client, capability string
		want                     bool
	}{
		{"hints", "eglot", `{}`, true},
		{"diagnostics", "generic", `{}`, false},
		{"the client can be told later", "eglot", `{"dynamicRegistration":true}`, false},
		{"the client has none", "eglot", `null`, false},
	} {
		r := newModelHarness(t, nil, nil)
		result := r.initialize(fmt.Sprintf(`{"textDocument":{"inlayHint":%s}}`, c.capability), fmt.Sprintf(`{"settings":{"client":%q}}`, c.client))
		if strings.Contains(result, `"inlayHintProvider":true`) != c.want {
			t.Errorf("%s: declared %v: %s", c.name, !c.want, result)
		}
	}
}
