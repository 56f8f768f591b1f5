package settings

import (
	"strings"
	"testing"
)

// TestAModelHalfWrongIsNoModel: one field that cannot be used spoils the entry and is named; the settings
// beside it take effect.
func TestAModelHalfWrongIsNoModel(t *testing.T) {
	for fields, wrong := range map[string]string{
		"reminder: sys":                    "",
		"reminder: user":                   "",
		"reminder: none":                   "",
		"reminder: ''":                     "",
		"reminder: often":                  "reminder",
		"api: responses":                   "",
		"api: chat":                        "",
		"api: anthropic":                   "",
		"api: soap":                        "api",
		"prefill: plain":                   "",
		"prefill: none":                    "",
		"prefill: always":                  "prefill",
		"thinkingTokens: 8k":               "",
		"thinkingTokens: 0":                "",
		"thinkingTokens: 0.5M":             "",
		"thinkingTokens: 0.5x":             "m",
		"thinkingTokens: -1":               "thinkingTokens",
		"thinkingTokens: 2M":               "thinkingTokens",
		"thinkingTokens: lots":             "m",
		"checked: 2026-10-01":              "",
		"checked: lately":                  "checked",
		"contextWindow: 8192":              "",
		"contextWindow: many":              "m",
		"contextWindow: [1]":               "m",
		"temperature: 0.5":                 "",
		"temperature: hot":                 "m",
		"headers: {X-Team: core}":          "",
		"headers: [a]":                     "m",
		"price: {in: 1, out: 2}":           "",
		"price: cheap":                     "m",
		"extraBody: {a: {b: [1, null]}}":   "",
		"modell: x":                        "modell",
		"apibase: 'http://127.0.0.1:1'":    "apiBase",
		"reasoningTag: ponder, lazy: true": "",
	} {
		s, ws := Load(LoadOptions{UserFile: []byte("models: {m: {" + fields + "}}\nturn.maxReflections: 1\n")})
		_, taken := s.Models["m"]
		if taken != (wrong == "") || (len(ws) == 0) != (wrong == "") || s.MaxReflections != 1 {
			t.Errorf("%s: %+v, %v", fields, s.Models, ws)
		}
		if len(ws) > 0 && (len(ws) != 1 || !strings.Contains(ws[0].Text, wrong) || !strings.Contains(ws[0].Text, `"m"`) || ws[0].Line != 1) {
			t.Errorf("%s: told %v", fields, ws)
		}
	}
	for _, value := range []string{"{m: 5}", "{m: [a]}", "{m: text}", "[m]", "5"} {
		if s, ws := Load(LoadOptions{UserFile: []byte("models: " + value)}); len(s.Models) > 0 || len(ws) != 1 {
			t.Errorf("%s: %+v, %v", value, s.Models, ws)
		}
	}
	if s, ws := Load(LoadOptions{UserFile: []byte("models: {m: null}")}); len(s.Models) != 1 || len(ws) > 0 {
		t.Errorf("an entry of nothing: %+v, %v", s.Models, ws)
	}
}
