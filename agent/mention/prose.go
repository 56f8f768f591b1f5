package mention

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"coauthor/repomap/syntax"
)

// mostProse is how much may be selected to be taken for an instruction.
const mostProse = 8 << 10

// proseFiles are the endings of files that hold text for people.
var proseFiles = []string{".md", ".markdown", ".mdx", ".txt", ".rst", ".adoc", ".asciidoc", ".org", ".tex"}

// ProseFile says whether a file holds text for people, by its name.
func ProseFile(name string) bool { return slices.Contains(proseFiles, strings.ToLower(path.Ext(name))) }

// Prose returns what a part of a file says, where that is prose: it lies in a text for people outside of examples of code, or
// in comments alone, whose signs are left out then. "" is for everything else, and for less than two words. The error is that
// of ctx.
func Prose(ctx context.Context, name, text string, start, end int) (string, error) {
	if start < 0 || end > len(text) || end-start > mostProse || start >= end || !spoken(text[start:end]) {
		return "", ctx.Err()
	}
	if ProseFile(name) {
		if fenced(text[:start]) || strings.Contains(text[start:end], "```") {
			return "", ctx.Err()
		}
		return strings.TrimSpace(text[start:end]), ctx.Err()
	}
	if !mayBeComment(text, start) {
		return "", ctx.Err()
	}
	comments, err := syntax.Comments(ctx, name, []byte(text))
	if err != nil {
		return "", ctx.Err() // what cannot be parsed has no comments
	}
	var said []string
	for at := start; at < end; {
		line := text[at:end]
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line = line[:n+1]
		}
		if !within(comments, text, at, at+len(line)) {
			return "", ctx.Err()
		}
		if words := unsigned(line); words != "" || len(said) > 0 {
			said = append(said, words)
		}
		at += len(line)
	}
	out := strings.TrimSpace(strings.Join(said, "\n"))
	if !spoken(out) {
		return "", ctx.Err()
	}
	return out, ctx.Err()
}

// within says whether all of a part but white space lies in comments, which are in order.
func within(comments []syntax.Comment, text string, start, end int) bool {
	i, _ := slices.BinarySearchFunc(comments, start, func(c syntax.Comment, at int) int {
		if c.End <= at {
			return -1
		}
		return 1
	})
	for at := start; at < end; at++ {
		for i < len(comments) && comments[i].End <= at {
			i++
		}
		if in := i < len(comments) && comments[i].Start <= at; !in && !strings.ContainsRune(" \t\r\n", rune(text[at])) {
			return false
		}
	}
	return true
}

// spoken says whether a text has two words at least.
func spoken(text string) bool {
	words := 0
	for _, word := range strings.Fields(text) {
		if strings.ContainsFunc(word, unicode.IsLetter) {
			words++
		}
	}
	return words > 1
}

// fenced says whether what follows a text is within a fence of Markdown.
func fenced(before string) bool {
	open := false
	for line := range strings.Lines(before) {
		if trimmed := strings.TrimLeft(line, " \t"); strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			open = !open
		}
	}
	return open
}

var (
	signBefore = regexp.MustCompile(`(?:^|\s)(?://|#|--|;|%)|/\*|<!--|\(\*|\{-|"""|'''`)
	blockSign  = regexp.MustCompile(`/\*|\*/|<!--|-->|\(\*|\*\)|\{-|-\}|"""|'''|--\[=*\[|\]=*\]|#\||\|#|<#|#>|=begin|=end`)
)

// linesBack is how far the beginning of a comment of several lines is looked for.
const linesBack = 200

// mayBeComment says whether a place may lie in a comment, without a parse, for which code that is selected would be too
// large too often.
func mayBeComment(text string, at int) bool {
	from := strings.LastIndexByte(text[:at], '\n') + 1
	to := len(text)
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		to = at + n
	}
	line := strings.TrimSpace(text[from:to])
	if line == "" || opening.MatchString(line) || signBefore.MatchString(text[from:to]) {
		return true
	}
	back := from
	for n := 0; n < linesBack && back > 0; n++ {
		back = strings.LastIndexByte(text[:back-1], '\n') + 1
	}
	return blockSign.MatchString(text[back:from])
}
