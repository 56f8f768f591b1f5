package chat

import (
	"strings"

	"coauthor/agent/proposal"
)

// Painter draws what the commands that hold no session print on a terminal. Without colours it draws the same lines.
type Painter struct {
	Colour bool
	Width  int // in columns; 0 unknown
}

// unknownWidth is how wide a terminal is taken to be that does not say it.
const unknownWidth = 80

func (p Painter) differ() differ {
	d := differ{style{p.Colour}, p.Width}
	if d.width <= 0 {
		d.width = unknownWidth
	}
	return d
}

// Diff draws what is undecided of a change.
func (p Painter) Diff(x proposal.Proposal) string { return ended(p.differ().diff(x)) }

// DiffText draws a unified diff whose text is fit to be shown.
func (p Painter) DiffText(text string) string { return ended(p.differ().paint(text)) }

// Summary names the files of a change, a line each.
func (p Painter) Summary(x proposal.Proposal) string {
	return ended(strings.Join(p.differ().summary(x), "\n"))
}

// Markdown draws whole blocks of an answer.
func (p Painter) Markdown(text string) string {
	d := p.differ()
	return ended(strings.Join(markdown(d).render(text), "\n"))
}

func ended(text string) string {
	if text == "" {
		return ""
	}
	return text + "\n"
}

// Blocks cuts an answer that is being written behind its last block that nothing which comes can change.
func Blocks(text string) (done, rest string) {
	n := whole(text)
	return text[:n], text[n:]
}
