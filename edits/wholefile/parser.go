// Package wholefile is the edit format in which the model writes each changed file out as a whole,
// in a fenced listing below the file's name.
//
// It turns a reply into edits and says how the format is taught. Whether a listing may replace a
// file is package edits' business. edits/formats lists it. Start at New.
//
// What is written loosely is read like this. The name is the line above the fence, or stands on the
// fence; prose above it is none, and blocks of commands are no files. A fence with a language inside a
// listing opens one that must close again, so a listing may hold listings. Listings without a name
// beside named ones are illustrations; a single one is the file that the prose or the chat names, if it
// has all that the file defines; of several, those that are files of the chat again by their text. A
// listing without its closing fence was cut, and is refused. A second listing of a file replaces the first. A tag
// with a path around a listing names it, and so do a comment in its first line that is only a file's name
// and a block above it with nothing else.
package wholefile

import (
	"slices"
	"strings"

	"coauthor/edits"
	"coauthor/edits/reply"
)

// New returns a parser of the format.
func New(o edits.ParseOptions) edits.Parser { return &parser{o: o} }

// NewLoose returns a parser that also takes the path at the end of a line of prose as the name.
func NewLoose(o edits.ParseOptions) edits.Parser { return &parser{o: o, loose: true} }

type parser struct {
	o        edits.ParseOptions
	loose    bool
	scan     reply.Scanner
	above    string   // the last line outside listings with something in it, "" for none
	mention  string   // the chat file that the prose named last
	prose    []string // the last paragraph outside listings
	ended    bool     // a blank line has ended it
	tag      *tagged  // an opening tag above
	open     *listing // nil, or space
	space    listing
	list     []edits.Edit
	problems []edits.Problem
	fresh    int
	unnamed  []edits.Edit
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
	guess  bool // the name is from prose
	first  int
	text   []byte
	inner  []uint16 // the lengths of the fences that opened inside and are not yet closed
	hidden bool     // no file: commands or output
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
	if l := p.open; l != nil && !l.hidden && (l.name != "" && !l.guess || len(l.text) > 0) {
		p.problems = append(p.problems, edits.Problem{Edit: -1, Path: l.name, Reason: edits.ReasonUnclosed,
			First: l.first, Last: p.scan.Count(), Message: "the reply ends inside this listing; write the whole file again, and close its fence"})
	}
	p.nameless()
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
			p.begin(listing{fence: reply.Fence{Mark: '<', Close: tag.Close}, name: tag.Name, first: tag.first, tag: true})
		}
	}
	if p.open == nil {
		if f, ok := reply.OpenFence(l.Text); ok {
			p.begin(p.named(f, l.N))
			return
		}
		if name, ok := reply.Mention(l.Text, p.o.Chat); ok {
			p.mention = name
		}
		if tag, ok := reply.OpenTag(l.Text); ok {
			p.tag = &tagged{tag, l.N}
		}
		p.paragraph(l.Text, blank)
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

// maxParagraph is how many lines of a paragraph are looked at.
const maxParagraph = 16

func (p *parser) paragraph(text string, blank bool) {
	if blank {
		p.ended = len(p.prose) > 0
		return
	}
	if p.ended {
		p.prose, p.ended = p.prose[:0], false
	}
	if len(p.prose) == maxParagraph {
		p.prose = slices.Delete(p.prose, 0, 1)
	}
	p.prose = append(p.prose, text)
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
	p.above, p.mention, p.prose = "", "", p.prose[:0]
}

// named is the listing that begins with a fence, with the name that the fence or what stands above it gives it.
func (p *parser) named(f reply.Fence, n int) listing {
	l := listing{fence: f, first: n}
	if name, ok := reply.InfoName(f.Info, p.o.Chat); ok {
		l.name = name
	} else if p.above != "" {
		if name, ok := reply.Name(p.above, p.o.Chat); ok {
			l.name = name
		} else if name, ok := reply.LastPath(p.above); ok && p.loose && !f.IsShell() {
			l.name = name
		}
	}
	if l.name == "" && f.IsShell() {
		l.hidden = true
	}
	if name, ok := reply.Quoted(p.prose, p.o.Chat); ok && l.name == "" {
		l.name, l.guess = name, true
	} else if l.name == "" && p.mention != "" {
		l.name, l.guess = p.mention, true
	}
	return l
}

func (p *parser) finish(last int) {
	l := p.open
	p.open = nil
	if l.name == "" || l.guess || l.hidden {
		if name, ok := reply.CommentName(l.line, p.o.Chat); ok && (!l.hidden || p.isChat(name)) {
			l.name, l.guess, l.hidden = name, false, false
		}
	}
	text := string(l.text)
	if only := strings.TrimSpace(text); l.name == "" || l.guess || l.hidden {
		if name, ok := reply.Name(only, p.o.Chat); ok && p.isChat(name) { // nothing but the name of what follows
			p.above = only
			return
		}
	}
	if l.hidden {
		return
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	e := edits.Edit{Path: l.name, Op: edits.OpUpdate, Kind: edits.KindWhole, Replace: text, Listing: true, First: l.first, Last: last}
	if l.name == "" || l.guess {
		p.unnamed = reply.Add(p.unnamed, e)
		return
	}
	e.Index = len(p.list)
	p.list = reply.Add(p.list, e)
}

func (p *parser) isChat(name string) bool {
	return slices.ContainsFunc(p.o.Chat, func(c string) bool { return reply.SameName(name, c) })
}

// nameless decides about listings without a name of their own. Beside named ones they are only
// illustrations; alone, one of them is the file that the prose or the chat names.
func (p *parser) nameless() {
	if len(p.list) > 0 || len(p.unnamed) == 0 {
		return
	}
	if len(p.unnamed) == 1 {
		e := p.unnamed[0]
		if e.Path == "" && len(p.o.Chat) == 1 {
			e.Path = p.o.Chat[0]
		}
		if p.isFile(&e) {
			p.list = []edits.Edit{e}
		}
		return
	}
	if p.distinct() {
		for _, e := range p.unnamed {
			if p.isFile(&e) {
				p.list = append(p.list, e)
			}
		}
		return
	}
	if p.list = p.alike(); len(p.list) > 0 {
		return
	}
	for _, e := range p.unnamed {
		p.problems = append(p.problems, edits.Problem{Edit: -1, Path: e.Path, Reason: edits.ReasonNoName, First: e.First, Last: e.Last,
			Message: "the listing has no file name; put the path on the line before the fence"})
	}
}

// alike are the listings that their text shows to be files of the chat: each is one file again, changed here
// and there, and no other listing is. The rest are illustrations.
func (p *parser) alike() []edits.Edit {
	if p.o.Files == nil || len(p.unnamed)*len(p.o.Chat) > mostAlike {
		return nil
	}
	of, times := make([]string, len(p.unnamed)), map[string]int{}
	for _, chat := range p.o.Chat {
		before, err := p.o.Files.Read(chat)
		if err != nil {
			continue
		}
		for i, e := range p.unnamed {
			if !edits.Resembles(before, e.Replace) {
				continue
			}
			if of[i] != "" {
				return nil // two files are alike
			}
			of[i] = chat
			times[chat]++
		}
	}
	var out []edits.Edit
	for i, e := range p.unnamed {
		if times[of[i]] == 1 {
			e.Path = of[i]
			out = append(out, e)
		}
	}
	return out
}

// mostAlike is how many pairs of listings and files are compared.
const mostAlike = 64

// distinct says whether the prose names another file for each listing.
func (p *parser) distinct() bool {
	seen := map[string]bool{}
	for _, e := range p.unnamed {
		if e.Path == "" || seen[e.Path] {
			return false
		}
		seen[e.Path] = true
	}
	return true
}

// isFile says whether a listing without a name is the chat file that it was taken for. A part of the
// file would replace the whole, so it must have all that the file defines; where the files are not at
// hand, the name alone decides.
func (p *parser) isFile(e *edits.Edit) bool {
	if p.o.Files == nil || e.Path == "" {
		return true
	}
	before, err := p.o.Files.Read(e.Path)
	if err != nil || edits.Keeps(before, e.Replace) {
		return true
	}
	p.problems = append(p.problems, edits.Problem{Edit: -1, Path: e.Path, Reason: edits.ReasonNoName, First: e.First, Last: e.Last,
		Message: "the listing has no file name and lacks definitions of " + e.Path + "; write the whole file below its path"})
	return false
}
