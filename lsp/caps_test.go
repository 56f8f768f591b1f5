package lsp

import (
	"strings"
	"testing"

	"coauthor/lsp/client"
	"coauthor/lsp/wire"
)

// TestStrangeDeclarations: what a client sends beside the types of the protocol costs only itself.
func TestStrangeDeclarations(t *testing.T) {
	for _, raw := range []string{
		`{"capabilities":null}`, `{"capabilities":{"workspace":5,"window":{"showDocument":true,"workDoneProgress":true}}}`,
		`{"processId":"x","capabilities":{"window":{"workDoneProgress":true}},"workspaceFolders":{}}`,
		`{"capabilities":{"general":{"positionEncodings":"utf-8"},"window":{"workDoneProgress":true}},"clientInfo":[]}`,
	} {
		p := &initializeParams{}
		if err := wire.Decode([]byte(raw), p); err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		if c := client.CapabilitiesOf(p.ClientInfo.Name, p.ClientInfo.Version, &p.Capabilities, false); strings.Contains(raw, "workDoneProgress") && !c.Progress {
			t.Errorf("%s: progress was lost", raw)
		}
	}
}
