package lsptest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEveryCaptureHasItsProfile: no client was recorded that nobody plays.
func TestEveryCaptureHasItsProfile(t *testing.T) {
	found, err := filepath.Glob(filepath.Join(shared(), "clients", "captures", "*.json"))
	if err != nil || len(found) == 0 {
		t.Skipf("the recorded clients are not here: %v", err)
	}
	played := map[string]bool{}
	for _, name := range ProfileNames() {
		p, err := LoadProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		played[p.Capture] = true
	}
	for _, name := range found {
		if name = strings.TrimSuffix(filepath.Base(name), ".json"); !strings.HasSuffix(name, ".behaviour") && !played[name] {
			t.Errorf("nobody plays %s", name)
		}
	}
}

// shared is the folder with what is provided.
func shared() string {
	if dir := os.Getenv("COAUTHOR_SHARED"); dir != "" {
		return dir
	}
	return filepath.Join("..", "..", "..", "shared")
}

// TestProfilesAgreeWithCaptures: what a profile declares is what the real client was recorded to declare.
func TestProfilesAgreeWithCaptures(t *testing.T) {
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
			raw, err := os.ReadFile(filepath.Join(shared(), "clients", "captures", p.Capture+".json"))
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
