// Package wholefile is the edit format in which the model writes each changed file out as a whole,
// in a fenced listing below the file's name.
//
// It turns a reply into edits and says how the format is taught. Whether a listing may replace a
// file is package edits' business. edits/formats lists it. Start at New.
//
// A listing counts only below its name: the line above the fence, a tag around it, the fence itself, or a comment
// in its first line that is only the path of a file. Prose is no name, and blocks of commands are no files. One
// without a name is refused, unless it is the one fenced block of the reply and has half of the lines of the one
// file that was shown; beside named ones it is an illustration. A fence with a language inside a listing opens one
// that must close again, so a listing may hold listings. Where a bare fence follows that may as well belong to a
// listing, the nesting cannot be told, and the file is asked for again (nesting.go). What another language shows to
// be no text of the file is not taken for it (language.go). A listing without its closing fence was cut, and is
// refused. A second listing of a file replaces the first.
package wholefile

import (
	"strings"

	"coauthor/edits"
	"coauthor/edits/name"
	"coauthor/edits/reply"
)

// New returns a parser of the format.
func New(o edits.ParseOptions) edits.Parser { return &parser{o: o} }

type parser struct {
	o        edits.ParseOptions
	scan     reply.Scanner
	above    string   // the last line outside listings with something in it, "" for none
	tag      *tagged  // an opening tag above
	open     *listing // nil, or space
	space    listing
	list     []edits.Edit
	problems []edits.Problem
	fresh    int
	unnamed  []edits.Edit
	meant    []int // of those the ones that are no illustrations
	fences   int   // how many there are, commands and tags included
	nesting  nesting
}

// tagged is an opening tag that names a file, around a fenced listing or the listing itself.
type tagged struct {
	reply.Tag
	first int
}

// listing is an open fenced block.
type listing struct {
	fence  reply.Fence
	name   string
	first  int
	text   []byte
	inner  []uint16 // the lengths of the fences that opened inside and are not yet closed
	hidden bool     // no file: commands or output
	meant  bool     // the line above speaks of a path, or there is none: without a name, it is no illustration
	tag    bool     // around it are no fences but the tags
	line   string   // the first one with something in it
}

// Write takes the next piece.
func (p *parser) Write(piece string) []edits.Edit {
	p.scan.Write(piece, p.line)
	fresh := p.list[p.fresh:]
	p.fresh = len(p.list)
	return fresh
}

// Close ends the reply. A listing without its closing fence is refused, however the reply ended.
func (p *parser) Close(edits.Ending) ([]edits.Edit, []edits.Problem) {
	p.scan.Close(p.line)
	if p.scan.TooLong() {
		return nil, []edits.Problem{p.scan.Problem()}
	}
	if l := p.open; l != nil && !l.hidden && (l.name != "" || len(l.text) > 0) {
		p.problems = append(p.problems, edits.Problem{Edit: -1, Path: l.name, Reason: edits.ReasonUnclosed,
			First: l.first, Last: p.scan.Count(), Message: "the reply ends inside this listing; write the whole file again, and close its fence"})
	}
	p.nameless()
	p.doubtful()
	for i := range p.list {
		p.list[i].Index = i
	}
	return p.list, p.problems
}

func (p *parser) line(l reply.Line) {
	blank := reply.Blank(l.Text)
	if p.open == nil && p.tag != nil && !blank {
		tag := p.tag
		p.tag = nil
		if _, fenced := reply.OpenFence(l.Text); !fenced {
			if strings.TrimSpace(l.Text) == tag.Close {
				return // nothing in it
			}
			p.begin(listing{fence: reply.Fence{Mark: '<', Close: tag.Close}, name: name.Argument(tag.Name, p.o.Known), first: tag.first, tag: true})
		}
	}
	if p.open == nil {
		if f, ok := reply.OpenFence(l.Text); ok {
			p.begin(p.named(f, l.N))
			return
		}
		if tag, ok := reply.OpenTag(l.Text); ok {
			p.tag = &tagged{tag, l.N}
		}
		if !blank {
			p.above = l.Text
		}
		return
	}
	o := p.open
	if o.line == "" {
		o.line = strings.TrimSpace(l.Text)
	}
	if n := len(o.inner); n > 0 && o.closesInner(l.Text, int(o.inner[n-1])) {
		o.inner = o.inner[:n-1]
	} else if n == 0 && o.fence.Closes(l.Text) {
		p.finish(l.N)
		return
	} else if f, ok := reply.OpenFence(l.Text); ok && f.Info != "" && f.Mark == o.fence.Mark && f.Len >= o.fence.Len && f.Indent <= o.fence.Indent {
		o.inner = append(o.inner, uint16(min(f.Len, 1<<15))) // a closing fence says nothing more: this one opens
	}
	// A listing in a list is as far in as its fence.
	cut := min(o.fence.Indent, reply.Blanks(l.Text))
	o.text = append(append(o.text, l.Text[cut:]...), l.End...)
}

func (o *listing) closesInner(text string, length int) bool {
	inner := o.fence
	inner.Len = length
	return inner.Closes(text)
}

func (p *parser) begin(l listing) {
	l.text, l.inner = p.space.text[:0], p.space.inner[:0]
	p.space = l
	p.open = &p.space
	p.above = ""
	p.fences++
}

// named is the listing that begins with a fence, with the name that the fence or the line above it gives it.
func (p *parser) named(f reply.Fence, n int) listing {
	l := listing{fence: f, first: n}
	if found, ok := name.Info(f.Info, p.o.Known); ok {
		l.name = found
	} else if p.above != "" {
		l.name, _ = name.Line(p.above, p.o.Known)
	}
	l.hidden = l.name == "" && f.IsShell()
	l.meant = p.above == "" || name.InProse(p.above, "", p.o.Known)
	p.nesting.opened(&l, len(p.list))
	return l
}

func (p *parser) finish(last int) {
	l := p.open
	p.open = nil
	if l.name == "" {
		if found, ok := name.Comment(l.line, p.o.Known); ok {
			l.name, l.hidden = found, false
		}
	}
	text := string(l.text)
	if l.hidden || l.name != "" && p.isScript(l, text) {
		return
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	e := edits.Edit{Path: l.name, Op: edits.OpUpdate, Kind: edits.KindWhole, Replace: text, Listing: true, First: l.first, Last: last}
	if l.name == "" {
		if l.meant {
			p.meant = append(p.meant, len(p.unnamed))
		}
		p.unnamed = reply.Add(p.unnamed, e)
		return
	}
	if message := p.isForeign(l, text); message != "" {
		p.problems = append(p.problems, edits.Problem{Edit: -1, Path: l.name, Reason: edits.ReasonMalformed, First: l.first, Last: last, Message: message})
		return
	}
	p.nesting.closed(p, l, text)
	e.Index = len(p.list)
	p.list = reply.Add(p.list, e)
}

// nameless decides about listings without a name. Beside named ones they are illustrations, but for those that may be
// meant to be a file.
func (p *parser) nameless() {
	if len(p.list) > 0 {
		for _, i := range p.meant {
			p.noName(p.unnamed[i])
		}
		return
	}
	if file, ok := p.onlyFile(); ok {
		e := p.unnamed[0]
		e.Path = file
		p.list = []edits.Edit{e}
		return
	}
	for _, e := range p.unnamed {
		p.noName(e)
	}
}

func (p *parser) noName(e edits.Edit) {
	p.problems = append(p.problems, edits.Problem{Edit: -1, Reason: edits.ReasonNoName, First: e.First, Last: e.Last, Listing: e.Replace,
		Message: "the listing has no file name; put the path alone on the line before the fence"})
}

// onlyFile is the one file that was shown, if the one fenced block of the reply has half of its lines.
func (p *parser) onlyFile() (string, bool) {
	if p.fences != 1 || len(p.unnamed) != 1 || len(p.o.Chat) != 1 || p.o.Files == nil {
		return "", false
	}
	file := p.o.Chat[0]
	before, err := p.o.Files.Read(file)
	return file, err == nil && edits.HasHalf(before, p.unnamed[0].Replace)
}
