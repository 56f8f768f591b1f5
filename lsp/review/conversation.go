package review

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"coauthor/agent/display"
	"coauthor/agent/event"
)

// Below its head a prompt document is a conversation: what the user said, what was answered, and what they were asked, in
// sections that begin with a heading each. What stands behind the last heading of the user's is what they write next. What a
// heading is for stands in a comment of it; no text of a model, a file or a program can make a line that reads so, since
// such a line of theirs gets a backslash before it.

// SectionKind says whose words a section holds.
type SectionKind string

// The kinds of sections.
const (
	SectionUser     SectionKind = "you"      // what the user said, or is writing
	SectionAnswer   SectionKind = "answer"   // to it, or what else is to be told
	SectionQuestion SectionKind = "question" // of ours, with its choices to tick
)

// Section is one part of a conversation. Title and Text are not escaped.
type Section struct {
	Kind  SectionKind
	ID    string // of the turn or the question; "" for the user's
	Title string // of the heading
	Text  string // without empty lines around it
}

var (
	// sectionHead is the line with which a section begins.
	sectionHead = regexp.MustCompile(`^## (.*?) *<!-- coauthor: (you|answer|question)(?: ([\w.:-]+))? -->[ \t\r]*$`)
	// likeHead are the lines of others that a program or a person could take for one.
	likeHead = regexp.MustCompile(`^\\*## *(?:You\b|Coauthor\b|.*<!-- coauthor:)`)
	tickBox  = regexp.MustCompile(`^- \[([ xX])\] (.*?)[ \t\r]*$`)
	notID    = regexp.MustCompile(`[^\w.:-]`)
)

// part is where a section stands in a document.
type part struct {
	Section
	at, text, end int // of its heading, of what stands below it, and of what follows
}

// parts are the sections of a document. The first one has no heading: it is of the user, and begins where the head of the
// document ends.
func parts(doc string) []part {
	at := PromptBody(doc)
	list := []part{{Section: Section{Kind: SectionUser}, at: at, text: at}}
	for at < len(doc) {
		line, _, _ := strings.Cut(doc[at:], "\n")
		next := min(at+len(line)+1, len(doc))
		if m := sectionHead.FindStringSubmatch(line); m != nil {
			list[len(list)-1].end = at
			list = append(list, part{Section: Section{Kind: SectionKind(m[2]), ID: m[3], Title: m[1]}, at: at, text: next})
		}
		at = next
	}
	list[len(list)-1].end = len(doc)
	for i := range list {
		p := &list[i]
		p.Text = trimmed(doc[p.text:p.end])
		if p.Kind != SectionUser {
			p.Text = unescapeHeads(p.Text)
		}
	}
	return list
}

// Sections are what was said in a prompt document, without what is empty.
func Sections(doc string) []Section {
	var list []Section
	for _, p := range parts(doc) {
		if p.Text != "" || p.Kind != SectionUser {
			list = append(list, p.Section)
		}
	}
	return list
}

// Newer says whether one text of a conversation has sections of ours that the other one lacks, and lacks none that it has.
func Newer(text, than string) bool {
	ours := func(doc string) map[Section]bool {
		found := map[Section]bool{}
		for _, s := range Sections(doc) {
			if s.Kind != SectionUser {
				found[Section{Kind: s.Kind, ID: s.ID, Text: s.Text}] = true
			}
		}
		return found
	}
	here, there := ours(text), ours(than)
	for s := range there {
		if !HasSection(text, s) {
			return false
		}
	}
	for s := range here {
		if !there[s] {
			return true
		}
	}
	return false
}

// OpenText is where what the user writes next stands in a document.
func OpenText(doc string) (start, end int) {
	list := parts(doc)
	if last := list[len(list)-1]; last.Kind == SectionUser {
		return last.text, last.end
	}
	return len(doc), len(doc) // the heading was deleted: what stands there belongs to the answer
}

// WithSaid has what the user wrote stand as said, because it was run, and opens the place where they go on: behind it. What
// they have written behind it meanwhile is there. Where it is no longer what the document ends with, such as a request
// that came from elsewhere, it is added above what they are writing. It is the document as it was while its head is written.
func WithSaid(doc, said string) string {
	said = trimmed(said)
	if said == "" || !wholeHead(doc) {
		return doc
	}
	nl := lineEnd(doc)
	start, end := OpenText(doc)
	open := doc[start:end]
	blank := len(open) - len(strings.TrimLeft(open, " \t\r\n"))
	if written := strings.ReplaceAll(said, "\n", nl); strings.HasPrefix(open[blank:], written) {
		at := start + blank + len(written)
		rest := strings.TrimLeft(doc[at:end], " \t")
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "\r"), "\n")
		if strings.TrimSpace(rest) == "" {
			rest = nl
		}
		return doc[:at] + nl + nl + headOf(Section{Kind: SectionUser, Title: "You"}) + nl + ifMissing(rest, nl) + doc[end:]
	}
	return insertAbove(doc, Section{Kind: SectionUser, Title: "You", Text: said})
}

// ifMissing is a text with an empty line before it.
func ifMissing(text, nl string) string {
	if strings.HasPrefix(text, nl) {
		return text
	}
	return nl + text
}

// WithSection has a section of ours read as it does now. One that is not there yet is added above what the user is writing.
func WithSection(doc string, s Section) string {
	if !wholeHead(doc) {
		return doc
	}
	for _, p := range parts(doc) {
		if p.is(s) {
			return doc[:p.at] + render(s, lineEnd(doc)) + doc[p.end:]
		}
	}
	return insertAbove(doc, s)
}

// WithMore is WithSection for a section that grows. was is what it read when it was written last: where the user has changed
// it since, only what is new is added to it.
func WithMore(doc string, s Section, was string) string {
	for _, p := range parts(doc) {
		if !p.is(s) || p.Text == "" {
			continue
		}
		now, rounds := cutRounds(p.Text) // what became of them stays behind all that is said
		if now != trimmed(was) && now != trimmed(s.Text) {
			s.Text = now + "\n\n" + trimmed(s.Text[shared(was, s.Text):])
		}
		s.Text = trimmed(s.Text) + rounds
	}
	return WithSection(doc, s)
}

// HasSection says whether a document has a section of this kind and id.
func HasSection(doc string, s Section) bool {
	return slices.ContainsFunc(parts(doc), func(p part) bool { return p.is(s) })
}

// LineOf is the line, from 0, in which a section begins; false where there is none.
func LineOf(doc string, s Section) (line int, ok bool) {
	for _, p := range parts(doc) {
		if p.is(s) {
			return strings.Count(doc[:p.at], "\n"), true
		}
	}
	return 0, false
}

// is says whether it is the same section, however it reads.
func (p *part) is(s Section) bool { return p.Kind == s.Kind && p.ID == idOf(s.ID) && p.at < p.text }

// shared is how long the common beginning of two texts is, in whole lines.
func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n == len(a) && n == len(b) {
		return n
	}
	return strings.LastIndexByte(b[:n], '\n') + 1
}

// insertAbove adds a section above what the user is writing, and the heading of that where it has none.
func insertAbove(doc string, s Section) string {
	nl := lineEnd(doc)
	list := parts(doc)
	last := list[len(list)-1]
	text := render(s, nl)
	switch {
	case last.Kind != SectionUser:
		before := strings.TrimRight(doc, " \t\r\n")
		return before + nl + nl + text + headOf(Section{Kind: SectionUser, Title: "You"}) + nl + nl
	case len(list) == 1: // it has no heading
		rest := doc[last.text:]
		before := ""
		if last.text > 0 && !strings.HasSuffix(doc[:last.text], "\n") {
			before = nl
		}
		if strings.TrimSpace(rest) == "" {
			rest = nl
		}
		return doc[:last.text] + before + nl + text + headOf(Section{Kind: SectionUser, Title: "You"}) + nl + ifMissing(rest, nl)
	}
	return doc[:last.at] + text + doc[last.at:]
}

// render is a section as it stands in a document.
func render(s Section, nl string) string {
	text := escapeHeads(trimmed(s.Text))
	if text != "" {
		text += "\n\n"
	}
	return strings.ReplaceAll(headOf(s)+"\n\n"+text, "\n", nl)
}

// headOf is the heading of a section.
func headOf(s Section) string {
	title := strings.TrimSpace(strings.NewReplacer("<", "", ">", "").Replace(display.Line(s.Title)))
	mark := string(s.Kind)
	if id := idOf(s.ID); id != "" {
		mark += " " + id
	}
	return "## " + title + " <!-- coauthor: " + mark + " -->"
}

// trimmed is a text as a section holds it.
func trimmed(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r", "")) }

func idOf(id string) string { return notID.ReplaceAllString(id, "-") }

// escapeHeads keeps lines of others from being taken for headings of sections.
func escapeHeads(text string) string {
	return eachLine(text, likeHead, func(line string) string { return `\` + line })
}

func unescapeHeads(text string) string {
	return eachLine(text, likeHead, func(line string) string { return strings.TrimPrefix(line, `\`) })
}

func eachLine(text string, which *regexp.Regexp, change func(string) string) string {
	if !strings.Contains(text, "##") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if which.MatchString(line) {
			lines[i] = change(line)
		}
	}
	return strings.Join(lines, "\n")
}

// WithDraft puts words before the user, behind what they are writing already.
func WithDraft(doc, words string) string {
	if words == "" || !wholeHead(doc) {
		return doc
	}
	start, end := OpenText(doc)
	written := strings.TrimRight(doc[start:end], " \t\r\n")
	nl := lineEnd(doc)
	switch {
	case strings.TrimSpace(written) != "":
		return doc[:start] + written + nl + nl + words + nl + doc[end:]
	case start > 0 && !strings.HasSuffix(doc[:start], "\n"):
		words = nl + words
	case start > 0 && sectionHead.MatchString(doc[strings.LastIndexByte(doc[:start-1], '\n')+1:start-1]):
		words = nl + words
	}
	return doc[:start] + words + nl + doc[end:]
}

// DraftEnd is where the user goes on writing: behind what they have written, else in the first line that is free for it. Both
// count from 0, the column in UTF-16 units.
func DraftEnd(doc string) (line, column int) {
	start, end := OpenText(doc)
	at := start + len(strings.TrimRight(doc[start:end], " \t\r\n"))
	if strings.TrimSpace(doc[start:at]) == "" {
		at = start
	} else if rest := doc[at:end]; strings.HasPrefix(rest, " ") { // "/tidy ", which wants words
		at++
	}
	line = strings.Count(doc[:at], "\n")
	return line, len(utf16.Encode([]rune(doc[strings.LastIndexByte(doc[:at], '\n')+1 : at])))
}

// lineEnd is that of a document.
func lineEnd(doc string) string {
	if strings.Contains(doc, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// wholeHead says whether the head of a document is closed, or there is none.
func wholeHead(doc string) bool { return !promptHead.MatchString(doc) || promptEnd.MatchString(doc) }

// AnswerText is what a model said as it stands in a conversation: without what would act in it, and with its listings
// closed, so that the next heading is none of them.
func AnswerText(answer string) string {
	text := strings.TrimSpace(Harmless(answer))
	if fence := openFence(text); fence != "" {
		text += "\n" + fence
	}
	return text
}

// QuestionText is a question of ours as it stands in a conversation. Its choices are lines to tick: see Ticked.
func QuestionText(q *event.Question) string {
	var b strings.Builder
	b.WriteString(quoted(q.Text))
	if body := strings.TrimSpace(q.Body); body != "" {
		b.WriteString(">\n")
		for line := range strings.SplitSeq(display.Text(body), "\n") {
			b.WriteString(strings.TrimRight(">     "+line, " ") + "\n")
		}
	}
	b.WriteString("\n")
	for _, choice := range q.Choices {
		b.WriteString("- [ ] " + choiceTitle(q, choice) + "\n")
	}
	switch {
	case len(q.Choices) == 0:
		b.WriteString("Type your answer below, then choose the code action \"Coauthor: run this instruction\".\n")
	case q.FreeText:
		b.WriteString("\nMark one choice with an x, or type your answer below and run it.\n")
	default:
		b.WriteString("\nMark one choice with an x.\n")
	}
	return b.String()
}

// QuestionSection is a question that is open.
func QuestionSection(q *event.Question) Section {
	return Section{Kind: SectionQuestion, ID: q.ID, Title: "Coauthor asks", Text: QuestionText(q)}
}

// AnsweredText is a question that is no longer open, and what was answered.
func AnsweredText(q *event.Question, a event.Answer) string {
	answer := a.Text
	if a.Choice != "" {
		answer = q.Title(a.Choice)
	}
	text := quoted(q.Text) + "\n"
	if a.Defaulted {
		return text + "No answer in time; used the default: " + Cut(display.Line(answer), 200)
	}
	return text + "Answered: " + Cut(display.Line(answer), 200)
}

func quoted(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(Harmless(text)), "\n") { // as a whole: a link may span lines
		b.WriteString(strings.TrimRight("> "+line, " \n") + "\n")
	}
	return b.String()
}

// choiceTitle is a choice as a line to tick has it.
func choiceTitle(q *event.Question, choice string) string {
	return strings.TrimSpace(Cut(display.Line(q.Title(choice)), 200))
}

// Ticked returns the choice of a question that is ticked in a document; "" where none is, or more than one.
func Ticked(doc string, q *event.Question) string {
	ticked := ""
	for _, p := range parts(doc) {
		if p.Kind != SectionQuestion || p.ID != idOf(q.ID) {
			continue
		}
		for line := range strings.SplitSeq(p.Text, "\n") {
			m := tickBox.FindStringSubmatch(line)
			if m == nil || m[1] == " " {
				continue
			}
			if ticked != "" {
				return ""
			}
			for _, choice := range q.Choices {
				if choiceTitle(q, choice) == m[2] {
					ticked = choice
					break
				}
			}
		}
	}
	return ticked
}
