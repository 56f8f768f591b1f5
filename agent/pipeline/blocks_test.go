package pipeline

import (
	"slices"
	"strings"
	"testing"
)

func TestBlocks(t *testing.T) {
	for answer, want := range map[string][]string{
		"":                                       nil,
		"no block":                               nil,
		"```\na\n```":                            {"a\n"},
		"```sh\na\n```\ntext\n```bash x\nb\n```": {"a\n", "b\n"},
		"~~~\na\n```\nb\n~~~\n":                  {"a\n```\nb\n"},
		"````\n```\na\n```\n````\n":              {"```\na\n```\n"},
		"```sh\r\na\r\n```\r\n":                  {"a\n"},
		"```\na":                                 {"a\n"},
		"Use ```a``` here":                       nil,
		"```a``` is no block\nnor this":          nil,
		"  ```sh\n  a\n  ```":                    {"  a\n"},
		"```\n```":                               {""},
	} {
		if got, _ := blocks(answer); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", answer, got, want)
		}
	}
}

// What stands in blocks is in the answer, and quoting a text in a block gives it back.
func FuzzBlocks(f *testing.F) {
	f.Add("```sh\na\n```\n")
	f.Add("~~~\n```\n~~~")
	f.Fuzz(func(t *testing.T, text string) {
		bodies, _ := blocks(text)
		for _, body := range bodies {
			for line := range strings.Lines(body) {
				if !strings.Contains(text, strings.TrimRight(line, "\n")) {
					t.Fatalf("%q is not in %q", line, text)
				}
			}
		}
		if strings.ContainsAny(text, "\r") {
			return
		}
		fence := "```"
		for strings.Contains(text, fence) {
			fence += "`"
		}
		got, unclosed := blocks(fence + "\n" + text + "\n" + fence + "\n")
		if unclosed || len(got) != 1 || got[0] != text+"\n" {
			t.Fatalf("%q came back as %q", text, got)
		}
	})
}

// Offered answers are lines of the question.
func FuzzOffers(f *testing.F) {
	f.Add("Which?\na) x\nb) y\n")
	f.Add("1. x\n2. y\n3. z")
	f.Fuzz(func(t *testing.T, question string) {
		list := offers(question)
		if n := len(list); n == 1 || n > 8 {
			t.Fatalf("%d answers", n)
		}
		for _, o := range list {
			if o.text == "" || strings.Contains(o.text, "\n") || !strings.Contains(question, o.text) {
				t.Fatalf("%q of %q", o.text, question)
			}
		}
	})
}
