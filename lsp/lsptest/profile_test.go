package lsptest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProfilesAgreeWithCaptures: what a profile declares is what the real client was recorded to declare.
func TestProfilesAgreeWithCaptures(t *testing.T) {
	shared := os.Getenv("COAUTHOR_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	for _, name := range ProfileNames() {
		t.Run(name, func(t *testing.T) {
			p, err := LoadProfile(name)
			if err != nil {
				t.Fatal(err)
			}
			if p.Name != name {
				t.Errorf("the profile calls itself %q", p.Name)
			}
			if p.Capture == "" {
				return
			}
			raw, err := os.ReadFile(filepath.Join(shared, "clients", "captures", p.Capture+".json"))
			if err != nil {
				t.Skipf("the recorded clients are not here: %v", err)
			}
			var capture struct {
				ClientInfo   *ClientInfo `json:"clientInfo"`
				Capabilities any         `json:"capabilities"`
			}
			if err := json.Unmarshal(raw, &capture); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(capture.ClientInfo, p.ClientInfo); diff != "" {
				t.Errorf("client info (-capture +profile):\n%s", diff)
			}
			var declared any
			body, err := json.Marshal(p.Capabilities)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(body, &declared); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(capture.Capabilities, declared); diff != "" {
				t.Errorf("capabilities (-capture +profile):\n%s", diff)
			}
		})
	}
}
