package settings

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/model"
)

// TestExtraFieldsForEveryModel: those of the table, of the user and of nobody have them, and a model's own entry stands
// above them.
func TestExtraFieldsForEveryModel(t *testing.T) {
	c, err := model.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, ws := Load(LoadOptions{UserFile: []byte(`
models:
  "*": {extraBody: {store: false, seed: 1, provider: {sort: price, only: [a]}}}
  short: {model: mine}
  mine: {model: gpt-4o, extraBody: {seed: null, top_k: 5, provider: {sort: speed}}}
`)})
	if len(ws) > 0 {
		t.Fatal(ws)
	}
	all := map[string]any{"store": false, "seed": uint64(1), "provider": map[string]any{"sort": "price", "only": []any{"a"}}}
	own := map[string]any{"store": false, "seed": nil, "top_k": uint64(5), "provider": map[string]any{"sort": "speed", "only": []any{"a"}}}
	for name, want := range map[string]map[string]any{"gpt-4o": all, "sonnet": all, "nobody/knows": all, "mine": own, "short": own} {
		if diff := cmp.Diff(want, s.Profile(c, name).ExtraBody); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if _, ok := s.Models["*"]; ok || len(s.Models) != 2 {
		t.Errorf("the models are %v", s.Models)
	}
	for _, fields := range []string{"{headers: {a: b}}", "{extraBody: {a: 1}, lazy: true}", "{}", "null", "{model: x}"} {
		if s, ws := Load(LoadOptions{UserFile: []byte("models: {'*': " + fields + "}")}); len(ws) != 1 || !strings.Contains(ws[0].Text, `"*"`) || len(s.Models) > 0 || s.ExtraBody != nil {
			t.Errorf("%s: %v, %v", fields, s.Models, ws)
		}
	}
}
