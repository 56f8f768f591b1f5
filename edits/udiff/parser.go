// Package udiff is the edit format in which the model writes a unified diff without line numbers.
//
// It turns a reply into edits and says how the format is taught. It reads numbers where there are
// some, so that edits/gitdiff, the format with numbers, shares it. Where a hunk belongs in a file is
// package edits' business. edits/formats lists it. Start at New.
//
// What is written loosely is read like this. A block is a fence that says diff, or any fence or bare
// text with a header or hunks in it; prose before the header is no part of the first hunk. "---" and
// "+++" are a header only as a pair that the counts of the hunk do not claim: a removed comment of SQL
// or Lua may look like one. Before the first hunk of a file "---" alone is one, right above a hunk with numbers. Names lose "a/" and "b/", time stamps and quotes; without a header, a hunk
// belongs to the file named last. A blank line without its blank is a line that stays, and those at the
// end of a hunk belong to none. A line without a sign stays. Counts never cut a hunk. A fence among the
// lines that closes the block too early is reported, and the hunks after it still count. A hunk on a
// file that goes away is not applied. A block without its closing fence was cut, and its last
// hunk is refused; a diff that stands in no fence ends with the reply.
package udiff

import (
	"strings"

	"coauthor/edits"
	"coauthor/edits/name"
	"coauthor/edits/reply"
)

// New returns a parser of the format.
func New(o edits.ParseOptions) edits.Parser { return &parser{o: o} }

// NewRenaming returns a parser for which two different names of one file mean that it is renamed.
func NewRenaming(o edits.ParseOptions) edits.Parser { return &parser{o: o, renames: true} }

type parser struct {
	o        edits.ParseOptions
	renames  bool
	scan     reply.Scanner
	above    string // the last line outside blocks that is not blank
	fence    *reply.Fence
	bare     bool         // in a diff without a fence
	early    bool         // whose fence was closed before its end
	held     []reply.Line // "---" and "+++" lines that may be a header or content
	sec      section
	hunk     *hunk // nil, or space
	space    hunk
	begun    bool   // the block has shown that it is a diff
	tail     bool   // only lines that may be of a hunk came since the closing fence
	name     string // of the last section
	list     []edits.Edit
	problems []edits.Problem
	fresh    int
}

// Write takes the next piece.
func (p *parser) Write(piece string) []edits.Edit {
	p.list = reply.Room(p.list, piece, "@@")
	p.scan.Write(piece, p.line)
	fresh := p.list[p.fresh:]
	p.fresh = len(p.list)
	return fresh
}

// Close ends the reply. The last hunk of a block without its closing fence is refused, and that of a diff without a fence
// if the reply was Cut.
func (p *parser) Close(how edits.Ending) ([]edits.Edit, []edits.Problem) {
	p.scan.Close(p.line)
	if p.scan.TooLong() {
		return nil, []edits.Problem{p.scan.Problem()}
	}
	if p.fence != nil || p.bare {
		p.release()
		last := p.scan.Count()
		if (how == edits.Cut || p.fence != nil || p.early) && (p.hunk != nil || p.sec.pending()) {
			first := last
			if p.hunk != nil {
				first = p.hunk.first
			}
			p.problems = append(p.problems, edits.Problem{Edit: -1, Path: p.sec.path(p.name), Reason: edits.ReasonUnclosed, First: first, Last: last,
				Message: "the reply ends inside this hunk; write it again, and close its fence"})
			p.hunk, p.sec = nil, section{}
		}
		p.endSection(last)
	}
	for i := range p.list {
		p.list[i].Index = i
	}
	return p.list, p.problems
}

func (p *parser) line(l reply.Line) {
	switch {
	case p.fence != nil && p.fence.Closes(l.Text):
		// A fence inside a hunk has a sign or a blank before it.
		if p.hunk != nil && len(p.hunk.lines) == 0 {
			p.problems = append(p.problems, edits.Problem{Edit: -1, Path: p.sec.path(p.name), Reason: edits.ReasonMalformed,
				First: p.hunk.first, Last: l.N, Message: "the hunk holds no line: a fence closed the block right below its header; " + closedEarly})
		}
		p.end(l.N - 1)
		p.tail = true
	case p.fence != nil:
		p.content(outdent(l, p.fence.Indent))
	case p.bare && p.hunk != nil && version.MatchString(l.Text):
		p.content(l) // perhaps below a signature
	case p.bare && (reply.IsFence(l.Text) || !Belongs(l.Text)):
		p.end(l.N - 1)
		p.outside(l)
	case p.bare:
		p.content(l)
	default:
		p.outside(l)
	}
}

// end closes a block.
func (p *parser) end(last int) {
	p.release()
	p.endSection(last)
	p.fence, p.bare, p.early, p.begun, p.above = nil, false, false, false, ""
}

func (p *parser) outside(l reply.Line) {
	if f, ok := reply.OpenFence(l.Text); ok {
		p.release()
		p.fence, p.begun = &f, IsDiffFence(f)
		if found, ok := name.Line(p.above, p.o.Known); ok || name.InProse(p.above, p.name, p.o.Known) {
			p.name = found // none, where the line may be meant to name another file
		}
		return
	}
	if strings.HasPrefix(l.Text, "diff --git ") || strings.HasPrefix(l.Text, "--- ") || IsNumbered(l.Text) {
		p.bare = true
		p.content(l)
		return
	}
	if strings.HasPrefix(l.Text, "@@") && p.name != "" {
		p.bare, p.early, p.begun = true, p.tail, true // a fence among its lines had closed the block before its end
		p.content(l)
		return
	}
	if p.tail && signed(l.Text) {
		p.problems = append(p.problems, edits.Problem{Edit: -1, Path: p.name, Reason: edits.ReasonMalformed, First: l.N, Last: l.N,
			Message: "a fence among the lines of a hunk has closed the block; " + closedEarly})
	}
	p.tail = p.tail && (l.Text == "" || l.Text[0] == ' ') // prose ends what may be the rest of a hunk
	if strings.TrimSpace(l.Text) != "" {
		p.above = l.Text
	}
}

const closedEarly = "write the hunk again, with a blank, a plus or a minus before each of its lines"

// signed says whether a line has the sign of a hunk's line and is no item of a list.
func signed(text string) bool {
	return len(text) > 1 && (text[0] == '+' || text[0] == '-') && text[1] != ' ' && text[1] != text[0]
}

// IsDiffFence says whether a fence announces a diff.
func IsDiffFence(f reply.Fence) bool {
	lang, _, _ := strings.Cut(f.Info, " ")
	lang = strings.ToLower(lang)
	return lang == "diff" || lang == "patch" || lang == "udiff"
}

// Belongs says whether a line can be part of a diff that stands in no fence.
func Belongs(text string) bool {
	if text == "" || strings.ContainsAny(text[:1], " +-@\\") {
		return true
	}
	_, meta := metadata(text)
	return meta
}

// outdent takes off the indentation of a block in a list.
func outdent(l reply.Line, n int) reply.Line {
	l.Text = l.Text[min(n, reply.Blanks(l.Text)):]
	return l
}
