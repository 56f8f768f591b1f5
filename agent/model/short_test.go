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
