package agent

import (
	"regexp"
	"slices"
	"strings"

	"coauthor/edits"
)

// markupWords are how people speak of lines that mark edits.
var markupWords = regexp.MustCompile(`(?i)<<<<|>>>>|@@|\*\*\* (?:begin|update|add|delete|end)|search/replace|apply_patch|\bv4a\b|\bunified diff|\bgit diff|\.(?:diff|patch)\b` +
	`|\b(?:conflict|merge|edit|diff|patch|hunk) (?:markers?|formats?|blocks?|files?|headers?|output|syntax)\b`)

// speaksOfMarkup says whether the user asks for text about edits: then lines that mark edits may be
// content.
func (t *turn) speaksOfMarkup() bool {
	return markupWords.MatchString(t.r.Instruction) || t.before != nil && markupWords.MatchString(t.before.r.Instruction)
}

// examples are the names that the examples of the prompt give to files, without those that the request uses.
func (t *turn) examples() []string {
	if t.format == nil {
		return nil
	}
	return slices.DeleteFunc(t.format.ExampleFiles(), func(name string) bool {
		return strings.Contains(t.r.Instruction, name) || t.before != nil && strings.Contains(t.before.r.Instruction, name)
	})
}

// closeTwice takes a block without its end that comes a second time as it came the first: a cut comes
// once, a model that leaves the end out does so again.
func (t *turn) closeTwice() {
	var open []edits.Edit
	t.problems = slices.DeleteFunc(slices.Clone(t.problems), func(p edits.Problem) bool {
		if p.Open == nil {
			return false
		}
		e := *p.Open
		open = append(open, e)
		if !slices.ContainsFunc(t.unclosed, func(o edits.Edit) bool {
			return o.Path == e.Path && o.Search == e.Search && o.Replace == e.Replace
		}) {
			return false
		}
		e.Index, e.Note = len(t.edits), "the block came twice without its end marker; it was taken to its fence or to the end of the reply"
		t.edits = append(slices.Clone(t.edits), e)
		return true
	})
	t.unclosed = open
}
