package edits

import "strings"

// Fence is the pair of lines that surrounds a listing.
type Fence struct{ Open, Close string }

// Fences are the fences that replies are read with, beside longer ones of backticks, the plainest first.
var Fences = []Fence{
	{"```", "```"},
	{"````", "````"},
	{"`````", "`````"},
	{"<source>", "</source>"},
	{"<code>", "</code>"},
	{"<pre>", "</pre>"},
	{"<codeblock>", "</codeblock>"},
	{"<sourcecode>", "</sourcecode>"},
}

// ChooseFence returns a fence of backticks, three at least, that is longer than any run of them in the texts: no line
// of them can be taken for its end, nor a part of one.
func ChooseFence(texts ...string) Fence {
	n := 3
	for _, text := range texts {
		for {
			at := strings.Index(text, "```")
			if at < 0 {
				break
			}
			text = text[at:]
			rest := strings.TrimLeft(text, "`")
			n, text = max(n, len(text)-len(rest)+1), rest
		}
	}
	marks := strings.Repeat("`", n)
	return Fence{marks, marks}
}
