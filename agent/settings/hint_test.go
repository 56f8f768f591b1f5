package settings

import (
	"strings"
	"testing"
)

// TestDidYouMean: a hint is the nearest name, capitals aside, and there is none where nothing is near.
func TestDidYouMean(t *testing.T) {
	names := []string{"model", "models", "weakModel", "editFormat"}
	for wrong, want := range map[string]string{
		"mdoel":                        "model",
		"MODELSS":                      "models",
		"weak-model":                   "weakModel",
		"editformat":                   "editFormat",
		"x":                            "",
		"somethingElse":                "",
		strings.Repeat("weakMode", 30): "", // no setting has a name so long
	} {
		if want != "" {
			want = " (did you mean " + want + "?)"
		}
		if got := didYouMean(wrong, names); got != want {
			t.Errorf("%q: %q, want %q", wrong, got, want)
		}
	}
}
