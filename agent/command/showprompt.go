package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/prompt"
)

// LeftOut lists what the model could be shown and is not, with why.
func LeftOut(p agent.Prompt) []agent.LeftOut {
	list := slices.Clone(p.Context.LeftOut)
	for _, path := range p.Context.Unshown {
		list = append(list, agent.LeftOut{What: path, Why: "it does not fit with the other open documents"})
	}
	for _, what := range p.Dropped {
		list = append(list, agent.LeftOut{What: what, Why: fmt.Sprintf("the prompt would exceed the limit of %s", p.Model.Profile.Name)})
	}
	switch {
	case p.Context.Map.Err != nil && p.Context.Settings.RepoMap.Tokens != 0:
		list = append(list, agent.LeftOut{What: "the repository map", Why: p.Context.Map.Err.Error()})
	case p.Context.Settings.RepoMap.Tokens == 0:
		list = append(list, agent.LeftOut{What: "the repository map", Why: "repoMap.tokens is 0"})
	}
	return list
}

// Cost is what reading so many tokens of the prompt costs, in US dollars; 0 where no price is known.
func Cost(p agent.Prompt, tokens int) float64 {
	return model.Cost(p.Model.Profile.Price, event.Usage{Prompt: tokens})
}

// Document is the prompt to look at: what it is made of, with tokens and price, what is left out and why, and
// every word of it, as it would be sent.
func Document(p agent.Prompt) string {
	var b strings.Builder
	name := p.Model.Profile.Name
	fmt.Fprintf(&b, "# Coauthor: next prompt\n\nNothing was sent. %s (coder %s", name, p.Coder.Name)
	if p.Format != nil {
		fmt.Fprintf(&b, ", edit format %s", p.Format.Name)
	}
	fmt.Fprintf(&b, ") would receive about %d tokens; its limit is %d.", p.Tokens, p.Model.Room)
	if p.Over > 0 {
		fmt.Fprintf(&b, " That exceeds the limit by %d, so Coauthor asks you before sending the request.", p.Over)
	}
	if p.Model.Profile.ContextWindow <= 0 {
		b.WriteString(" The size of its context window is unknown.")
	}
	b.WriteString("\n\n")
	b.WriteString(partsTable(p).Markdown())
	if list := LeftOut(p); len(list) > 0 {
		b.WriteString("\n## Left out\n\n")
		for _, l := range list {
			fmt.Fprintf(&b, "- %s: %s.\n", l.What, l.Why)
		}
	}
	b.WriteString("\nWhen a prompt is too large, Coauthor leaves out these parts, in this order: " + strings.Join(prompt.Expendable(), "; ") + ".\n")
	b.WriteString("\n## The prompt\n")
	for _, m := range p.Messages {
		fmt.Fprintf(&b, "\n### %s\n\n", m.Role)
		fence := tildes(m.String())
		b.WriteString(fence + "text\n" + shownParts(m) + fence + "\n")
	}
	return b.String()
}

// partsTable says what the parts take.
func partsTable(p agent.Prompt) Table {
	t := Table{Head: []string{"part", "tokens", "price"}, Right: []int{1, 2}}
	add := func(what string, tokens int) {
		t.Rows = append(t.Rows, []string{what, strconv.Itoa(tokens), dollars(Cost(p, tokens), p.Model.Profile.Price)})
	}
	for _, part := range p.Parts {
		add(part.Name, part.Tokens)
		for _, f := range part.Files {
			add("· "+f.Path, f.Tokens)
		}
	}
	add("all", p.Tokens)
	return t
}

// dollars writes a price with two digits that say something.
func dollars(cost float64, of model.Price) string {
	switch {
	case of.In == 0:
		return "unknown"
	case cost > 0 && cost < 0.0001:
		return "< $0.0001"
	case cost >= 0.01:
		return fmt.Sprintf("$%.2f", cost)
	}
	return fmt.Sprintf("$%.2g", cost)
}

// shownParts is a message with what is no text in it named.
func shownParts(m llm.Message) string {
	var b strings.Builder
	for _, part := range m.Parts {
		switch part.Kind {
		case llm.PartText:
			b.WriteString(part.Text)
		default:
			fmt.Fprintf(&b, "[%s: %s, %d bytes]", part.Name, part.MIME, len(part.Data))
		}
	}
	text := b.String()
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// tildes is a fence that no line of the text ends.
func tildes(text string) string {
	fence := "~~~~"
	for strings.Contains(text, fence) {
		fence += "~"
	}
	return fence
}
