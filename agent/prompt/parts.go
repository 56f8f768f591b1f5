package prompt

import (
	"slices"
	"strings"

	"coauthor/agent/llm"
)

// The names of the parts of a prompt, as users read them.
const (
	PartTools        = "tools"
	PartSystem       = "system"
	PartExamples     = "examples"
	PartRules        = "rules"
	PartReadOnly     = "read-only files"
	PartMap          = "repository map"
	PartSummary      = "summary"
	PartConversation = "conversation"
	PartFiles        = "files"
	PartRequest      = "request"
	PartReminder     = "reminder"
)

// Part is one part of a prompt to look at.
type Part struct {
	Name   string
	Tokens int
	Files  []Sized // the files whose texts it holds
}

// Sized is a file with the tokens of its text.
type Sized struct {
	Path   string
	Tokens int
}

// perMessage is what the chat protocols add to each message, roughly.
const perMessage = 4

// partOf is a part with its messages.
type partOf struct {
	name     string
	messages []llm.Message
	files    []File
}

// parts are the chunks in the order in which they are sent, without the reminder.
func (c Chunks) parts() []partOf {
	return []partOf{
		{PartSystem, c.head(), nil}, {PartExamples, c.Examples, nil}, {PartRules, c.Rules, c.files[PartRules]},
		{PartReadOnly, c.ReadOnly, c.files[PartReadOnly]}, {PartMap, c.Map, nil}, {PartSummary, c.Earlier, nil},
		{PartConversation, c.Done, nil}, {PartFiles, c.Chat, c.files[PartFiles]}, {PartRequest, c.Current, nil},
	}
}

// sizes counts every message once, by the part that it belongs to.
func (c Chunks) sizes(count func(string) int) map[string][]int {
	sizes := map[string][]int{}
	for _, t := range c.offered {
		sizes[PartTools] = append(sizes[PartTools], count(t.Name+t.Description+string(t.Schema))+perMessage)
	}
	for _, p := range c.parts() {
		for _, m := range p.messages {
			sizes[p.name] = append(sizes[p.name], Tokens(m, count)+perMessage)
		}
	}
	if text := c.last(); text != "" {
		sizes[PartReminder] = []int{count(text) + perMessage}
	}
	return sizes
}

// repeats says whether something stands behind the request.
func (c Chunks) repeats() bool { return c.remind != "none" && c.reminder+c.manner != "" }

// last is what stands behind the request; "" for nothing.
func (c Chunks) last() string {
	switch {
	case !c.repeats():
		return ""
	case c.quiet:
		return c.manner
	}
	return strings.TrimSpace(c.reminder + "\n\n" + c.manner)
}

// Parts tells what the prompt is made of, in the order in which it is sent. Parts of nothing are left out.
func (c Chunks) Parts(count func(string) int) []Part {
	sizes := c.sizes(count)
	var list []Part
	for _, p := range slices.Concat([]partOf{{name: PartTools}}, c.parts(), []partOf{{name: PartReminder}}) {
		if len(sizes[p.name]) == 0 {
			continue
		}
		part := Part{Name: p.name, Tokens: sum(map[string][]int{p.name: sizes[p.name]})}
		for _, f := range p.files {
			part.Files = append(part.Files, Sized{f.Path, count(f.Text)})
		}
		list = append(list, part)
	}
	return list
}
