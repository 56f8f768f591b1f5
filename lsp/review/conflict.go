package review

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"coauthor/agent/display"
	"coauthor/agent/proposal"
	"coauthor/edits"
)

// A conflict is shown with both sides: in short in a dialog, in full in a document, and to the model when it is asked again.

// How much of a conflict is shown: in a dialog altogether, and of each side in a document and to the model.
const sidesLines, sideLines = 10, 60

// In a dialog of one line: how many places, and how much of each side.
const sidesInLine, sideInLine = 2, 80

// Sides are both sides of conflicts in few lines; "" where there are more than a dialog bears.
func Sides(clashes []proposal.Clash) string {
	var b strings.Builder
	for i := range clashes {
		c := &clashes[i]
		for n, place := range c.Places {
			fmt.Fprintf(&b, "%s, %s\n", display.Message(c.Path), c.Lines(n))
			side(&b, "  yours: ", place.Ours)
			side(&b, "  model: ", place.Theirs)
		}
	}
	if strings.Count(b.String(), "\n") > sidesLines {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// SidesInLine are both sides of conflicts for clients that draw no line breaks; "" where they are not short.
func SidesInLine(clashes []proposal.Clash) string {
	var list []string
	for i := range clashes {
		for n, place := range clashes[i].Places {
			ours, short := inLine(place.Ours)
			theirs, also := inLine(place.Theirs)
			if !short || !also {
				return ""
			}
			list = append(list, fmt.Sprintf("%s, %s: yours %s, the model's %s.", display.Message(clashes[i].Path), clashes[i].Lines(n), ours, theirs))
		}
	}
	if len(list) > sidesInLine {
		return ""
	}
	return strings.Join(list, " ")
}

// inLine is one side in quotation marks; false where it has several lines, or a long one.
func inLine(text string) (quoted string, short bool) {
	line := strings.TrimSpace(text)
	switch {
	case text == "":
		return "deleted", true
	case strings.ContainsAny(line, "\r\n"), utf8.RuneCountInString(line) > sideInLine:
		return "", false
	}
	return "“" + display.Message(line) + "”", true
}

// side writes the lines of one side.
func side(b *strings.Builder, before, text string) {
	if text == "" {
		b.WriteString(before + "(deleted)\n")
	}
	for line := range strings.Lines(text) {
		b.WriteString(before + display.Message(strings.TrimRight(line, "\r\n")) + "\n")
	}
}

// ConflictDocument shows both sides of conflicts in full; how says how to decide.
func ConflictDocument(p *proposal.Proposal, clashes []proposal.Clash, how string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Both sides of a conflict\n\nYou asked: %s\n\nNo files changed. Keep your lines, use the model's, or ask again with your text: %s.\n",
		Harmless(display.Message(p.Label)), how)
	for i := range clashes {
		c := &clashes[i]
		for n, place := range c.Places {
			fmt.Fprintf(&b, "\n## %s, %s\n", display.Message(c.Path), c.Lines(n))
			listing(&b, "Yours", c.Path, place.Ours)
			listing(&b, "The model's", c.Path, place.Theirs)
			listing(&b, "Before both", c.Path, place.Base)
		}
		if len(c.Places) > 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n", display.Message(c.Path), display.Message(c.Reason))
		if f, ok := p.File(c.Path); ok && c.Op != edits.OpDelete {
			listing(&b, "The model's", c.Path, f.Change.After)
		}
	}
	return b.String()
}

// listing writes a text in a fence that it does not close.
func listing(b *strings.Builder, title, of, text string) {
	if text == "" {
		fmt.Fprintf(b, "\n%s: lines deleted.\n", title)
		return
	}
	lines := strings.SplitAfter(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	cut := len(lines) > sideLines
	if cut {
		lines = lines[:sideLines]
	}
	shown := strings.TrimRight(display.Text(strings.Join(lines, "")), "\n") + "\n"
	if cut {
		shown += "…\n"
	}
	fence := "```"
	for strings.Contains(shown, fence) {
		fence += "`"
	}
	language := strings.TrimPrefix(path.Ext(of), ".")
	if strings.ContainsFunc(language, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		language = ""
	}
	fmt.Fprintf(b, "\n%s:\n\n%s%s\n%s%s\n", title, fence, language, shown, fence)
}

// AskAgain is what the model is asked when the user wants the change on the text that they have now.
func AskAgain(clashes []proposal.Clash) string {
	var b strings.Builder
	b.WriteString("I have changed lines that your last edits change, too, so those were not applied. You see the files as they are now. " +
		"Make the change again on top of my text: keep what I wrote as far as the request allows it.\n")
	for i := range clashes {
		c := &clashes[i]
		if len(c.Places) == 0 {
			fmt.Fprintf(&b, "\n%s\n", c.Reason)
		}
		for n, place := range c.Places {
			fmt.Fprintf(&b, "\nIn %s (%s)\n", c.Path, c.Lines(n))
			listing(&b, "I wrote", c.Path, place.Ours)
			listing(&b, "You wanted", c.Path, place.Theirs)
		}
	}
	return b.String()
}
