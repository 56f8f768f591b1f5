package model

import "testing"

// Which models get the short form of prompts, and which see; the user's word is the last.
func TestShortAndVision(t *testing.T) {
	yes, no := true, false
	c := catalog(t, map[string]UserModel{
		"big":   {Model: "qwen2.5-coder:7b", ShortPrompt: &no},
		"small": {Model: "gpt-4o", ShortPrompt: &yes, Vision: &no},
		"eye":   {Model: "llava", APIBase: "http://127.0.0.1:4000", Vision: &yes},
	})
	for name, want := range map[string][2]bool{
		"qwen2.5-coder:1.5b": {true, false}, "ollama/qwen2.5-coder:7b": {true, false}, "qwen-coder-1.5b": {true, false}, "deepseek-coder:6.7b": {true, false},
		"qwen2.5-coder:32b": {false, false}, "qwen3-coder-480b": {false, false}, "local": {false, false}, "nobody-knows": {false, false},
		"gpt-4o": {false, true}, "big": {false, false}, "small": {true, false}, "eye": {false, true},
	} {
		if p := c.Resolve(name); p.Short != want[0] || p.Vision != want[1] {
			t.Errorf("%s: short %v, sees %v", name, p.Short, p.Vision)
		}
	}
}

// A model that takes images need not take PDFs: by its row, by who serves it, and by the user's word.
func TestPDFs(t *testing.T) {
	yes, no := true, false
	c := catalog(t, map[string]UserModel{
		"eye": {Model: "llava", APIBase: "http://127.0.0.1:4000", Vision: &yes}, "reader": {Model: "gemini/gemini-2.5-pro", PDF: &yes},
		"narrow": {Model: "gpt-4o", PDF: &no}, "paper": {Model: "x", PDF: &yes},
	})
	for name, want := range map[string][2]bool{
		"gpt-4o": {true, true}, "gpt-5.2": {true, true}, "sonnet": {true, true}, "gpt-4-turbo": {true, false}, "claude-3-opus-latest": {true, false},
		"grok-4.3": {true, false}, "mistral-large-latest": {true, false}, "gemini-2.5-pro": {true, false}, "openrouter/google/gemini-2.5-pro": {true, true},
		"nobody-knows": {false, false}, "eye": {true, false}, "reader": {true, true}, "narrow": {true, false}, "paper": {false, true},
	} {
		p := c.Resolve(name)
		if p.Takes("image/png") != want[0] || p.Takes("application/pdf") != want[1] {
			t.Errorf("%s: images %v, PDFs %v", name, p.Vision, p.PDF)
		}
	}
}
