package hunks

import (
	"testing"

	"coauthor/lsp/client"
)

// Hunks are marked as the setting says; left to us, as the client's profile does, and not where the client shows them itself.
func TestMarking(t *testing.T) {
	for _, x := range []struct {
		setting, profile string
		itself           bool
		want             string
	}{
		{"hints", "diagnostics", true, "hints"},
		{"none", "hints", false, "none"},
		{"auto", "hints", false, "hints"},
		{"auto", "hints", true, "none"},
		{"auto", "", false, "none"},
	} {
		v := Views{Client: &client.Client{Caps: &client.Capabilities{}, Quirks: &client.Quirks{}}}
		v.Client.Caps.Review, v.Client.Quirks.Marks = x.itself, x.profile
		if got := v.Marking(x.setting); got != x.want {
			t.Errorf("%+v: marked by %s", x, got)
		}
	}
}
