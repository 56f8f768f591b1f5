package settings

import (
	"errors"
	"strings"
	"testing"
)

// TestRewrite: what is given gets a line, the one that is there or a new one, and everything else stays as it is.
func TestRewrite(t *testing.T) {
	model, base := Given{"model.name", "ollama/qwen3:8b"}, Given{"apiBase", "http://127.0.0.1:8080/v1"}
	for name, x := range map[string]struct {
		file  string
		given []Given
		want  string // "" is a refusal
	}{
		"nothing yet":               {"", []Given{model, base}, "model: ollama/qwen3:8b\napiBase: http://127.0.0.1:8080/v1\n"},
		"a comment":                 {"# mine", []Given{model}, "# mine\nmodel: ollama/qwen3:8b\n"},
		"others":                    {"preview: diff # so\nmodels:\n  mine: {apiBase: https://a.example}\n", []Given{model}, "preview: diff # so\nmodels:\n  mine: {apiBase: https://a.example}\nmodel: ollama/qwen3:8b\n"},
		"another one":               {"# a\nmodel:   gpt-5   # the best\npreview: diff\n", []Given{model}, "# a\nmodel: ollama/qwen3:8b   # the best\npreview: diff\n"},
		"a quoted one":              {"\"model\": \"gpt # 5\"\n", []Given{model}, "\"model\": ollama/qwen3:8b\n"},
		"in its group":              {"model:\n  weak: gpt-5-mini\n  name: gpt-5\n", []Given{model}, "model:\n  weak: gpt-5-mini\n  name: ollama/qwen3:8b\n"},
		"beside its group":          {"model:\n  weak: gpt-5-mini\n", []Given{model}, "model:\n  weak: gpt-5-mini\nmodel.name: ollama/qwen3:8b\n"},
		"with the ends of Windows":  {"preview: diff\r\nmodel: gpt-5\r\n", []Given{model, base}, "preview: diff\r\nmodel: ollama/qwen3:8b\r\napiBase: http://127.0.0.1:8080/v1\r\n"},
		"one less":                  {"apiBase: https://a.example\nmodel: x\napiKeyEnv: A_KEY\n", []Given{model, {"apiBase", nil}, {"apiKeyEnv", nil}, {"apiKeyCommand", nil}}, "model: ollama/qwen3:8b\n"},
		"lists":                     {"", []Given{{"shell.allow", []string{"A_KEY", "B_KEY"}}, {"env.files", []string{"~/.env", "/a b/.env"}}}, "shell.allow: [A_KEY, B_KEY]\nenv.files: [~/.env, /a b/.env]\n"},
		"what looks otherwise":      {"", []Given{{"model.name", "yes"}}, "model: \"yes\"\n"},
		"what hides in a value":     {"", []Given{{"model.name", "a: b # c"}}, "model: \"a: b # c\"\n"},
		"several lines":             {"model: >-\n  gpt-5\npreview: diff\n", []Given{model}, ""},
		"several lines less":        {"editFormat: diff\napiBase: >-\n  https://a.example\n", []Given{{"apiBase", nil}}, ""},
		"in brackets":               {"{model: gpt-5, preview: diff}\n", []Given{model}, ""},
		"no settings":               {"- a\n- b\n", []Given{model}, ""},
		"not YAML":                  {"a: b: c\n\t", []Given{model}, ""},
		"a mistake that may matter": {"apiBas: https://a.example\n", []Given{model}, ""},
		"a value that is no value":  {"", []Given{{"apiBase", "x\x00y"}}, ""},
		"no UTF-8":                  {"# caf\xe9\n", []Given{model}, ""},
	} {
		got, err := Rewrite([]byte(x.file), x.given...)
		if string(got) != x.want || (err == nil) != (x.want != "") {
			t.Errorf("%s: %q, %v\nwant %q", name, got, err, x.want)
		}
		if err != nil && !errors.Is(err, ErrNoPlace) && !strings.Contains(err.Error(), ":") {
			t.Errorf("%s: %v says no place", name, err)
		}
	}
}
