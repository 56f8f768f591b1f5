package llm

import (
	"slices"

	"coauthor/agent/model"
)

// Prefixed is a prompt as a model gets it: behind the line by which the model is switched, where it has one. The line is
// the first of all that the model reads, in whichever role that stands. Every call goes through here, so that the model that
// answers gets its own line, be it the one that was chosen, a fall-back or the one for small tasks. The messages given are
// not changed.
func Prefixed(p model.Profile, list []Message) []Message {
	if p.SystemPrefix == "" || len(list) == 0 {
		return list
	}
	list = slices.Clone(list)
	parts := list[0].Parts
	line := Part{Kind: PartText, Text: p.SystemPrefix + "\n"}
	if len(parts) > 0 && parts[0].Kind == PartText {
		line.Text, line.Cache = line.Text+parts[0].Text, parts[0].Cache
		parts = parts[1:]
	}
	list[0].Parts = append([]Part{line}, parts...)
	return list
}
