package hunks

import (
	"testing"

	"coauthor/lsp/client"
)

// Hunks are marked as the client's profile says, and not where the client shows them itself.
func TestMarking(t *testing.T) {
	for _, x := range []struct {
		profile string
		itself  bool
		want    string
	}{
		{"hints", false, "hints"},
		{"diagnostics", false, "diagnostics"},
		{"hints", true, "none"},
		{"", false, "none"},
	} {
		v := Views{Client: &client.Client{Caps: &client.Capabilities{}, Quirks: &client.Quirks{}}}
		v.Client.Caps.Review, v.Client.Quirks.Marks = x.itself, x.profile
		if got := v.Marking(); got != x.want {
			t.Errorf("%+v: marked by %s", x, got)
		}
	}
}
