package auto

import (
	"regexp"
	"slices"
	"strings"

	"coauthor/edits"
	"coauthor/edits/reply"
	"coauthor/edits/searchreplace"
	"coauthor/edits/udiff"
)

// stretch is where lines go.
type stretch int

const (
	undecided stretch = iota // held until a line tells
	prose                    // to all: words outside of everything
	listing                  // to all: a fenced block that shows no form
	content                  // to the parser of listings only
	blocks
	diff
	operations // of a patch
	nobody     // it was read already
)

// form is the one whose parser alone gets the lines; Unasked for none or all.
func (s stretch) form() Form {
	switch s {
	case content:
		return Listings
	case blocks:
		return Blocks
	case diff:
		return Diff
	case operations:
		return Patch
	case undecided, prose, listing, nobody:
	}
	return Unasked
}

// position is where the parser is in the reply.
type position struct {
	in        stretch // of what is open; prose outside
	block     bool    // in a SEARCH/REPLACE block
	indent    int     // of its start marker
	fence     *reply.Fence
	diffFence bool   // the fence announces a diff
	inner     []int  // the lengths of the fences that opened inside and are not yet closed
	name      string // the line above the fence
	above     string // the last line of prose that is not blank
	lines     int    // with something in them, since the fence
	before    string // the line before in the fence, or of the prose
	literal   edits.Literal
	mark      stretch // a form that the fence has shown, though it may be its content
	held      bool    // the file may hold such lines
	opened    int     // the line of the fence
	shown     int     // its place among the fences with markup, from 1; 0 for none
	braces    bool    // the fence holds what may be a tool call
	call      bool    // so does what follows, until its braces are closed
	open      nesting // the braces that are open there
	noCall    bool    // it was none
	diffs     bool    // there was a diff
}

// route says where a line goes. Where that settles where the held lines go, it says that as well;
// undecided means that there are none, or that they wait on.
func (p *parser) route(text string) (to, held stretch) {
	at := &p.at
	switch {
	case at.call:
		return p.inCall(text, false)
	case at.block:
		return at.inBlock(text), undecided
	case at.fence != nil:
		return p.inFence(text)
	case at.in == diff:
		if udiff.Belongs(text) {
			return diff, undecided
		}
		at.in = prose
	case at.in == operations:
		if begins, _, indent := boundary(text, firstSign(text)); begins && indent == 0 {
			break
		}
		if text != "" && text[0] == '*' && isEndPatch(text) {
			at.in = prose
		}
		return operations, undecided
	}
	at.in = prose
	return p.outside(text)
}

// outside reads a line that stands in nothing.
func (p *parser) outside(text string) (to, held stretch) {
	at := &p.at
	if at.before != "" { // "--- name" is held until the next line tells what it is
		at.before = ""
		if strings.HasPrefix(text, "+++ ") {
			at.in, at.diffs = diff, true
			return diff, diff
		}
		to, _ = p.outside(text)
		return to, prose
	}
	first := firstSign(text)
	switch first {
	case 0:
		return prose, undecided
	case '<', '>', '*', 'd', '@', '-', '`', '~', '{': // what begins something begins so
	default:
		at.above = text
		return prose, undecided
	}
	begins, _, indent := boundary(text, first)
	switch {
	case begins:
		at.block, at.indent, at.above = true, indent, ""
		return blocks, undecided
	case first == '*' && isOperation(text):
		at.in, at.above = operations, ""
		return operations, undecided
	case strings.HasPrefix(text, "diff --git ") || udiff.IsNumbered(text) || at.diffs && strings.HasPrefix(text, "@@"):
		at.in, at.diffs, at.above = diff, true, ""
		return diff, undecided
	case strings.HasPrefix(text, "--- "):
		at.before = text
		return undecided, undecided
	}
	if f, ok := reply.OpenFence(text); ok {
		p.openFence(f)
		return undecided, undecided
	}
	if first == '{' && !at.noCall && at.isCall(text) {
		at.call = true
		return p.inCall(text, true)
	}
	at.above = text
	return prose, undecided
}

// firstSign is the first byte of a line that is no blank, 0 when there is none.
func firstSign(text string) byte {
	if n := reply.Blanks(text); n < len(text) {
		return text[n]
	}
	return 0
}

// boundary says whether a line that begins with that sign begins or ends a block.
func boundary(text string, first byte) (begins, ends bool, indent int) {
	if first != '<' && first != '>' {
		return false, false, 0
	}
	return searchreplace.Boundary(text)
}

func (p *parser) openFence(f reply.Fence) {
	p.closeFence(p.line() - 1)
	p.at = position{fence: &f, opened: p.line(), diffFence: udiff.IsDiffFence(f), name: p.at.above, noCall: p.at.noCall, diffs: p.at.diffs, inner: p.at.inner[:0]}
}

// inBlock reads a line of a SEARCH/REPLACE block. Until its end marker nothing else is looked for: the
// lines may be anything.
func (at *position) inBlock(text string) stretch {
	switch begins, ends, indent := boundary(text, firstSign(text)); {
	case begins && indent <= at.indent:
		at.indent = indent
	case ends && indent <= at.indent:
		at.block = false
	}
	return blocks
}

// inFence reads a line of a fenced block.
func (p *parser) inFence(text string) (to, held stretch) {
	at := &p.at
	first := firstSign(text)
	if (first == '`' || first == '~' || first == '<') && at.closesFence(text) {
		return p.endFence()
	}
	begins, _, indent := boundary(text, first)
	switch {
	case at.in == blocks:
		if begins {
			at.block, at.indent = true, indent
		} else if f, ok := reply.OpenFence(text); ok && f.Info != "" {
			p.openFence(f) // the fence before was not closed
			return undecided, undecided
		}
		return blocks, undecided
	case at.in != undecided:
		if begins && indent == 0 && p.asked == Blocks {
			at.in, at.block, at.indent = blocks, true, 0
			return blocks, undecided
		}
		return at.in, undecided
	}
	now := at.recognise(text, begins && (indent <= at.fence.Indent || p.asked != Listings), p.asked)
	if first != 0 {
		if at.lines++; at.lines == 1 {
			at.braces = first == '{'
		}
	}
	quoted := at.literal.Open()
	at.literal.Read(text)
	at.before = text
	if now == undecided || at.mark != undecided {
		return undecided, undecided
	}
	p.noteFence()
	deep := at.lines > deepLines
	if deep && !quoted && now != blocks && p.asked != Listings {
		return undecided, undecided
	}
	if at.held = p.mayHold(now); at.held || quoted || deep && p.asked == Listings {
		at.mark = now // what the whole of it is, its end will tell
		return undecided, undecided
	}
	at.in = now
	switch now {
	case blocks:
		at.block, at.indent = true, indent
	case diff:
		at.diffs = true
	case undecided, prose, listing, content, operations, nobody:
	}
	return now, now
}

// closesFence says whether a line closes the fence. A listing may hold listings, and so may not a diff
// or a patch, whose lines have a sign.
func (at *position) closesFence(text string) bool {
	f := *at.fence
	if at.in != undecided {
		return f.Closes(text)
	}
	if n := len(at.inner); n > 0 {
		f.Len = at.inner[n-1]
		if f.Closes(text) {
			at.inner = at.inner[:n-1]
			return false
		}
	} else if f.Closes(text) {
		return true
	}
	if in, ok := reply.OpenFence(text); ok && in.Info != "" && in.Mark == f.Mark && in.Len >= at.fence.Len && in.Indent <= f.Indent {
		at.inner = append(at.inner, in.Len)
	}
	return false
}

// endFence leaves the fence with the line that closes it.
func (p *parser) endFence() (to, held stretch) {
	at := p.at
	p.closeFence(p.line())
	p.at = position{in: prose, noCall: at.noCall, diffs: at.diffs, inner: at.inner[:0]}
	switch {
	case at.in != undecided:
		return at.in, undecided
	case at.mark != undecided || at.braces:
		// What is held is looked at as a whole, with the line that is not yet there.
		return p.wholeFence(at)
	}
	return listing, listing
}

// recognise says which form the line of a fenced block shows, undecided for none.
func (at *position) recognise(text string, begins bool, asked Form) stretch {
	if begins {
		return blocks
	}
	text = text[min(at.fence.Indent, reply.Blanks(text)):]
	if text == "" {
		return undecided
	}
	first, diffs := at.lines == 0, at.diffFence
	// What was asked for needs less to be read as such, also in a literal.
	quoted := at.literal.Open()
	switch text[0] {
	case '*':
		if strings.HasPrefix(text, "*** Begin Patch") || (first || diffs || quoted && asked == Patch) && isOperation(text) {
			return operations
		}
	case '@':
		if udiff.IsNumbered(text) || (first || diffs || quoted && asked == Diff) && strings.HasPrefix(text, "@@") || strings.HasPrefix(text, "@@ ... @@") {
			return diff
		}
	case 'd':
		if strings.HasPrefix(text, "diff --git ") {
			return diff
		}
	case '+', '-', ' ':
		if diffs || text[0] == '+' && strings.HasPrefix(text, "+++ ") && strings.HasPrefix(strings.TrimLeft(at.before, " \t"), "--- ") {
			return diff
		}
	}
	return undecided
}

// deepLines is how many lines may come before the first one that shows a form: a name, a command. What
// comes later may as well be in a literal of the code.
const deepLines = 2

// begun are the words behind the stars of a line that begins a patch, or an operation of one.
var begun = []string{"Begin Patch", "Update File: ", "Add File: ", "Delete File: "}

// arguments begins a tool call that is written out.
var arguments = regexp.MustCompile(`^\s*\{\s*"(?:explanation|files|edits|path|content|name|arguments)"`)

// isOperation says whether a line begins a patch, or an operation of one.
func isOperation(text string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \t\n\f\r"), "*** ")
	return ok && slices.ContainsFunc(begun, func(word string) bool { return strings.HasPrefix(rest, word) })
}

// isEndPatch says whether a line ends a patch.
func isEndPatch(text string) bool {
	const end = "*** End Patch"
	text = strings.TrimSpace(text)
	return len(text) >= len(end) && strings.EqualFold(text[:len(end)], end)
}

// inCall reads a line of what may be a tool call that is written out, or the first one, above which
// the lines are that have not been handed on. What follows its last brace is read as anything else.
func (p *parser) inCall(text string, first bool) (to, held stretch) {
	if p.at.noCall || !p.at.open.read(text) {
		return undecided, undecided
	}
	text, above := text+"\n", p.lines
	if first {
		above += strings.Count(string(p.held), "\n") + strings.Count(p.pending, "\n")
	} else {
		text = string(p.held) + p.pending + text
	}
	if !p.asCall(text, above) {
		p.at.noCall = true // nor will what follows make it one
		return undecided, undecided
	}
	p.at = position{in: prose, diffs: p.at.diffs, inner: p.at.inner[:0]}
	if first {
		return nobody, undecided
	}
	p.held = append(p.held, p.pending...)
	p.pending = ""
	return nobody, nobody
}

// nesting is where one stands in a JSON text.
type nesting struct {
	depth  int
	quoted bool // in a string
}

// read goes over a line and says whether all braces are closed behind it.
func (n *nesting) read(line string) (closed bool) {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case n.quoted && c == '\\':
			i++
		case c == '"':
			n.quoted = !n.quoted
		case n.quoted:
		case c == '{' || c == '[':
			n.depth++
		case c == '}' || c == ']':
			n.depth--
		}
	}
	return n.depth <= 0 && !n.quoted
}

// isCall says whether a line may begin the arguments of a tool call that are written out.
func (at *position) isCall(text string) bool {
	trimmed := strings.TrimSpace(text)
	return strings.HasPrefix(trimmed, "{") && (trimmed == "{" && at.above == "" || arguments.MatchString(trimmed))
}
