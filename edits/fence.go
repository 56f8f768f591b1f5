package edits

import "strings"

// Fence is the pair of lines that surrounds a listing.
type Fence struct{ Open, Close string }

// Fences are the fences to choose from, the plainest first.
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

// ChooseFence returns the first fence that no line of the texts begins with. Without such a one it
// returns the first fence and false.
func ChooseFence(texts ...string) (Fence, bool) {
next:
	for _, f := range Fences {
		for _, text := range texts {
			for line := range strings.Lines(text) {
				line = strings.TrimLeft(line, " \t")
				if strings.HasPrefix(line, f.Open) || strings.HasPrefix(line, f.Close) {
					continue next
				}
			}
		}
		return f, true
	}
	return Fences[0], false
}
