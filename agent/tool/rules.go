package tool

import (
	"embed"
	"strings"
)

//go:embed native.md text.md
var rules embed.FS

// Rules is what a model is told of the tools that it is offered.
func Rules() string { return taught("native.md") }

// TextRules is what a model without tools of its own is told: how to call them in its reply.
func TextRules() string { return taught("text.md") }

func taught(name string) string {
	text, err := rules.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return strings.TrimSpace(string(text))
}
