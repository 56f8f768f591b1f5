// Package auto finds out in which edit format a reply is written.
//
// It holds a reply back until a line shows the format, and then is that format's parser.
// edits/formats lists it. Start at New.
package auto

import (
	"regexp"
	"strings"

	"coauthor/edits"
	"coauthor/edits/function"
	"coauthor/edits/patch"
	"coauthor/edits/reply"
	"coauthor/edits/searchreplace"
	"coauthor/edits/udiff"
	"coauthor/edits/wholefile"
)

// New returns a parser that recognises the format.
func New(o edits.ParseOptions) edits.Parser { return &parser{o: o} }

type parser struct {
	o     edits.ParseOptions
	scan  reply.Scanner
	held  strings.Builder
	inner edits.Parser
	found func(edits.ParseOptions) edits.Parser
	first string // the first line with something in it
	minus bool   // the line before was the old name of a diff
}

// Write takes the next piece.
func (p *parser) Write(piece string) []edits.Edit {
	if p.inner != nil {
		return p.inner.Write(piece)
	}
	p.held.WriteString(piece)
	p.scan.Write(piece, p.line)
	if p.found == nil {
		return nil
	}
	p.inner = p.found(p.o)
	held := p.held.String()
	p.held.Reset()
	return p.inner.Write(held)
}

// Close ends the reply. What shows no format is read as whole files.
func (p *parser) Close(how edits.Ending) ([]edits.Edit, []edits.Problem) {
	if p.inner == nil {
		p.scan.Close(p.line)
		if p.found == nil {
			p.found = wholefile.New
		}
		p.inner = p.found(p.o)
		p.inner.Write(p.held.String())
	}
	return p.inner.Close(how)
}

var (
	operation = regexp.MustCompile(`^\s*\*\*\* (?:Begin Patch|(?:Update|Add|Delete) File: )`)
	hunk      = regexp.MustCompile(`^@@ .*@@`)
	arguments = regexp.MustCompile(`^\s*\{\s*"(?:explanation|files|edits|path|content|name|arguments)"`)
)

// line looks for the first line that only one format has.
func (p *parser) line(l reply.Line) {
	if p.found != nil {
		return
	}
	text := l.Text
	if p.first == "" {
		p.first = strings.TrimSpace(text)
	}
	minus := p.minus
	p.minus = strings.HasPrefix(text, "--- ")
	switch {
	case operation.MatchString(text):
		p.found = patch.New
	case searchreplace.IsHead(text):
		p.found = searchreplace.New
	case strings.HasPrefix(text, "diff --git ") || minus && strings.HasPrefix(text, "+++ ") || hunk.MatchString(text) || diffFence(text):
		p.found = udiff.NewRenaming
	case p.first != "" && (arguments.MatchString(text) || strings.TrimSpace(text) == "{" && p.first == "{"):
		p.found = function.New
	}
}

func diffFence(text string) bool {
	f, ok := reply.OpenFence(text)
	lang, _, _ := strings.Cut(strings.ToLower(f.Info), " ")
	return ok && (lang == "diff" || lang == "udiff" || lang == "patch")
}
