package prompt

import (
	"slices"

	"coauthor/agent/llm"
	"coauthor/edits"
)

// Chunks are the parts of a prompt, in the order in which they are sent.
type Chunks struct {
	System   []llm.Message
	Examples []llm.Message
	Rules    []llm.Message // of the read-only files
	ReadOnly []llm.Message
	Map      []llm.Message
	Earlier  []llm.Message
	Done     []llm.Message
	Chat     []llm.Message
	Current  []llm.Message
	// Fence is the fence that the prompt uses and asks the model to use.
	Fence edits.Fence

	files    map[string][]File // whose texts the parts hold, by the part's name
	offered  []llm.Tool        // what is sent beside the messages
	reminder string            // of the edit format, at the end
	manner   string            // what this model in particular has to be told, at the end too
	remind   string            // how: user, sys or none
	apart    bool              // the files have an answer of their own, and the end is the system's
	noSystem bool
	marks    bool // the endpoint understands marks for its cache
	quiet    bool // there was no room for repeating it
}

// Messages returns what is sent. The last parts of the chunks up to which a provider may cache are
// marked, where the provider wants that. The caller owns the result.
func (c Chunks) Messages() []llm.Message {
	front := slices.Concat(c.head(), clone(c.Examples))
	reference := slices.Concat(clone(c.Rules), clone(c.ReadOnly), clone(c.Map))
	chat := clone(c.Chat)
	if c.marks {
		markLast(front)
		markLast(reference)
		markLast(chat)
	}
	return join(slices.Concat(front, reference, clone(c.Earlier), clone(c.Done), chat, c.tail()))
}

// join puts what one side says in several messages into one message of several parts, because
// most providers want the roles to alternate.
func join(list []llm.Message) []llm.Message {
	var joined []llm.Message
	for _, m := range list {
		last := len(joined) - 1
		if last < 0 || joined[last].Role != m.Role || m.Role == llm.RoleSystem || len(m.Parts) == 0 {
			joined = append(joined, m)
			continue
		}
		m.Parts[0].Text = "\n\n" + m.Parts[0].Text
		joined[last].Parts = append(joined[last].Parts, m.Parts...)
	}
	return joined
}

// head is the system text, in the role that the model understands.
func (c Chunks) head() []llm.Message {
	if !c.noSystem || len(c.System) == 0 {
		return clone(c.System)
	}
	return []llm.Message{llm.Text(llm.RoleUser, c.System[0].String()), llm.Text(llm.RoleAssistant, ackSystem)}
}

// tail is the current exchange with the reminder, whose place is after everything else: what a
// model read last it follows best.
func (c Chunks) tail() []llm.Message {
	list := clone(c.Current)
	text := c.last()
	if text == "" || len(list) == 0 {
		return list
	}
	switch {
	case (c.remind == "sys" || c.apart) && !c.noSystem:
		list = append(list, llm.Text(llm.RoleSystem, text))
	default:
		last := &list[len(list)-1]
		if last.Role == llm.RoleUser {
			last.Parts = append(last.Parts, llm.Part{Kind: llm.PartText, Text: "\n\n" + text})
		}
	}
	return list
}

// clone copies messages with their parts, so that marks on the copy do not show in the original.
func clone(list []llm.Message) []llm.Message {
	list = slices.Clone(list)
	for i := range list {
		list[i].Parts = slices.Clone(list[i].Parts)
	}
	return list
}

func markLast(list []llm.Message) {
	if len(list) == 0 {
		return
	}
	if parts := list[len(list)-1].Parts; len(parts) > 0 {
		parts[len(parts)-1].Cache = true
	}
}
