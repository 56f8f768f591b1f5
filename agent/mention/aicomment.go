package mention

import (
	"context"
	"regexp"
	"strings"

	"coauthor/repomap/syntax"
)

// AIKind says what a comment that is marked for the model wants.
type AIKind string

// The marks.
const (
	AIDo   AIKind = "AI!" // the model is to do what it says
	AIAsk  AIKind = "AI?" // it is to answer
	AINote AIKind = "AI"  // it is for the model, too, and starts nothing
)

// AIComment is one line of a comment that is marked, in any case of letters, at its beginning or at its end. Lines are
// counted from 0.
type AIComment struct {
	Kind AIKind
	Line int
	Raw  string // the line as it stands in the file, without the white space around it
	Said string // what the comment says on this line, without its signs and marks
	// First and Last are the lines of the comment, of which several that follow each other are one.
	First, Last int
	Text        string // what the comment says, in one line, without its signs and marks
}

// marked finds in a text, quickly, whether it may hold a mark.
var marked = regexp.MustCompile(`(?i)\bai\b`)

// MayHoldAI says whether a text is worth a look by AIComments, which has the same answer and costs a parse.
func MayHoldAI(text string) bool { return marked.MatchString(text) }

// AIComments lists the marked lines of the comments in a file, in order. The error is that of ctx, or says why the
// file cannot be parsed.
func AIComments(ctx context.Context, path, text string) ([]AIComment, error) {
	if !MayHoldAI(text) {
		return nil, ctx.Err()
	}
	comments, err := syntax.Comments(ctx, path, []byte(text))
	if err != nil || len(comments) == 0 {
		return nil, err
	}
	var list []AIComment
	for _, b := range blocks(text, comments) {
		list = append(list, b.marked()...)
	}
	return list, nil
}

// block is a comment, or several on lines that follow each other.
type block struct {
	first int      // line of the file
	lines []string // of the file
	said  []string // what the comment says on them, without its signs
	alone bool     // nothing else stands on its lines
	whole bool     // a comment that needs no other line to go on, such as /* … */
}

// marked lists the marked lines of a block.
func (b block) marked() []AIComment {
	var list []AIComment
	var words []string
	for i, said := range b.said {
		kind, rest := mark(said)
		if kind != "" {
			list = append(list, AIComment{Kind: kind, Line: b.first + i, Raw: strings.TrimSpace(b.lines[i]), Said: rest,
				First: b.first, Last: b.first + len(b.lines) - 1})
		}
		words = append(words, rest)
	}
	text := strings.Join(strings.Fields(strings.Join(words, " ")), " ")
	for i := range list {
		list[i].Text = text
	}
	return list
}

// blocks cuts the comments of a text into lines, and joins line comments that go on in the next line.
func blocks(text string, comments []syntax.Comment) []block {
	var list []block
	line, at := 0, 0 // line is that of the byte at
	for _, c := range comments {
		start, end := c.Start, c.Start+len(strings.TrimRight(text[c.Start:c.End], " \t\r\n"))
		if end <= start {
			continue
		}
		line += strings.Count(text[at:start], "\n")
		at = start
		from := strings.LastIndexByte(text[:start], '\n') + 1
		to := len(text)
		if n := strings.IndexByte(text[end:], '\n'); n >= 0 {
			to = end + n
		}
		one := block{first: line, lines: strings.Split(text[from:to], "\n"), said: strings.Split(text[start:end], "\n")}
		one.alone = strings.TrimSpace(text[from:start])+strings.TrimSpace(text[end:to]) == ""
		one.whole = closed(text[start:end])
		for i := range one.said {
			one.said[i] = unsigned(one.said[i])
		}
		if n := len(list) - 1; n >= 0 && list[n].goesOn(one) {
			list[n].lines, list[n].said = append(list[n].lines, one.lines...), append(list[n].said, one.said...)
			continue
		}
		list = append(list, one)
	}
	return list
}

// goesOn says whether the next comment is part of this one: both stand alone on their lines, equally far in.
func (b block) goesOn(next block) bool {
	return b.alone && next.alone && !b.whole && !next.whole && next.first == b.first+len(b.lines) && indent(b.lines[0]) == indent(next.lines[0])
}

func indent(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// closed says whether a comment has a sign of its end.
func closed(comment string) bool {
	for _, sign := range []string{"*/", "*/}", "-->", "%>", "#}", "}}", "*@", "*)", "-}", "]]", "|#", "#>", "=end", `"""`, "'''"} {
		if strings.HasSuffix(comment, sign) {
			return true
		}
	}
	return false
}

var (
	opening = regexp.MustCompile("^(?:<!--|<%!?--|<%#|\\{#-?|\\{/\\*+|\\{\\{!?-*|@\\*|-#|::+|@(?i:rem)\\b|--\\[=*\\[|/\\*+!?|\\(\\*+|\\{-|#\\||<#|=begin\\b|\"{1,3}|'{1,3}|//+!?|--+|#+|;+|%+|\\*+|!+|(?i:rem)\\b|\\.\\. )")
	closing = regexp.MustCompile("(?:\\*+/\\}?|-->|--%>|-?%>|-?#\\}|-*\\}\\}|\\*@|\\*+\\)|-\\}|\\]=*\\]|\\|#|#>|=end|\"{1,3}|'{1,3})$")
)

// unsigned takes the signs of comments off the ends of a line of one.
func unsigned(line string) string {
	line = strings.TrimSpace(line)
	line = strings.TrimSpace(line[:len(line)-len(closing.FindString(line))]) // first: "*/" also begins like a line of a block
	return strings.TrimSpace(line[len(opening.FindString(line)):])
}

var (
	markFirst = regexp.MustCompile(`^(?i:ai)(?:([!！])|([?？])|[:,]|\s|$)[:,]?`)
	markLast  = regexp.MustCompile(`(?:^|[\s(\[,.;:–—])(?i:ai)(?:([!！])|([?？])|)$`)
)

// mark reads the mark of a line of a comment, "" for none, and returns the line without it. One at the end is the
// one that counts where both are there, and one that asks for something rather than one that does not.
func mark(said string) (kind AIKind, rest string) {
	rest = said
	for _, form := range []*regexp.Regexp{markFirst, markLast} {
		at := form.FindStringSubmatchIndex(rest)
		if at == nil {
			continue
		}
		found := AINote
		switch {
		case at[2] >= 0:
			found = AIDo
		case at[4] >= 0:
			found = AIAsk
		}
		if kind == "" || found != AINote {
			kind = found
		}
		rest = strings.TrimSpace(rest[:at[0]] + " " + rest[at[1]:])
	}
	return kind, rest
}
