package remote_test

import (
	"strings"
	"testing"

	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
)

// TestWithheld: with settings that cannot be read nothing is asked, whatever else the profile says.
func TestWithheld(t *testing.T) {
	for _, base := range []string{"https://api.openai.com/v1", "http://127.0.0.1:1", ""} {
		p := model.Profile{Name: "a", ID: "a", APIBase: base, NoKey: true, Withheld: "config.yaml:5:1: it is broken"}
		_, err := remote.Endpoint(p)
		if err == nil || !strings.Contains(err.Error(), p.Withheld) || strings.Contains(err.Error(), "openai") {
			t.Errorf("%s: %v", base, err)
		}
		if err := remote.KeyMissing(p, func(string) string { return "key" }, remote.ByEditor); err == nil {
			t.Errorf("%s: it could be asked", base)
		}
	}
}
