package model_test

import (
	"testing"

	"coauthor/agent/model"
)

// TestToolsOfSmallModels: a model that is too small, or one of the user's machine that nobody knows, is given no tools, unless the
// user says so.
func TestToolsOfSmallModels(t *testing.T) {
	c, err := model.Load(map[string]model.UserModel{
		"mine": {Model: "qwen2.5-coder:1.5b"}, "sure": {Model: "qwen2.5-coder:1.5b", Tools: "native"}, "words": {Model: "gpt-5", Tools: "text"},
		"told": {Model: "local", Tools: "native"}, "other": {Model: "local", EditFormat: "diff"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"ollama/qwen2.5-coder:1.5b": "never", "local/Qwen2.5-Coder-1.5B-Instruct-Q4_K_M.gguf": "never", "llama3.2:3b": "never", "smollm2:0.5b": "never",
		"ollama/qwen2.5-coder:7b": "", "qwen3-30b-a3b": "", "gpt-5": "", "unknown": "", "x4bx": "", "deepseek-r1:1.5b": "never", "gemma-3-4b-it": "never",
		"local": "never", "ollama/nobody-knows": "never", "ollama/gpt-oss:20b": "", "told": "native", "other": "",
		"mine": "never", "sure": "native", "words": "text",
	} {
		if got := c.Resolve(name).Tools; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
