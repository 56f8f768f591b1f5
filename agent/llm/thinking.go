package llm

import (
	"regexp"
	"slices"
	"strings"
)

// Tag is the pair of words around the thinking that some models write into their reply.
type Tag struct{ Open, Close string }

// ThinkTags returns the pairs that models are known to use, after the tag of that name; "" names none.
func ThinkTags(name string) []Tag {
	var list []Tag
	for _, n := range []string{name, "think", "thinking", "thought", "reasoning"} {
		if t := (Tag{"<" + n + ">", "</" + n + ">"}); n != "" && !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return append(list, Tag{"[THINK]", "[/THINK]"})
}

// Thinking sets the thinking in a whole reply apart from the answer. Thinking is what stands between
// a pair of tags whose first begins a line, and all before a closing tag that no opening one precedes:
// with many chat templates the opening tag is part of the prompt. Tags inside of a fenced block, of an
// edit or of quotes are the text of a file, or are spoken of. open says that the reply began with
// thinking that never ended, so that nothing in it is an answer.
func Thinking(text string, tags []Tag) (thinking, answer string, open bool) {
	if !slices.ContainsFunc(tags, func(t Tag) bool { return strings.Contains(text, t.Open) || strings.Contains(text, t.Close) }) {
		return "", text, false
	}
	if strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") {
		return "", text, false // the arguments of a call: all of it is content
	}
	s := separate(text, tags)
	if s.broken >= 0 && !s.cut && s.inBlock() {
		// A block was begun and not ended before a closing tag. If all blocks behind the tag end, the
		// thinking broke off in the middle of one; else it is one block that has the tag in its text.
		if rest := separate(text[s.broken:], tags); rest.blocks > 0 && !rest.inBlock() {
			return text[:s.broken] + rest.thinking.String(), trimAfterTag(rest.answer.String()), false
		}
	}
	return s.thinking.String(), s.answer.String(), s.open
}

// separation is a reply while it is read line by line.
type separation struct {
	text             string
	tags             []Tag
	ends             [][]ending // by tag, once they were asked for
	thinking, answer strings.Builder
	open             bool // it began with thinking that never ended
	cut              bool // a closing tag without an opening one was found

	fence   fence
	edit    bool // between the markers of a block
	patch   bool // between the ends of a patch
	spoken  bool // an opening tag in the middle of a line
	blocks  int
	broken  int // after the first closing tag that has a line inside of a block for itself; -1
	started bool
}

var (
	editHead  = regexp.MustCompile(`^\s*<{4,12}\s*(?i:SEARCH|ORIGINAL)\b`)
	editTail  = regexp.MustCompile(`^\s*>{4,12}\s*(?i:REPLACE|UPDATED)\b`)
	patchHead = regexp.MustCompile(`^\s*\*\*\* Begin Patch\s*$`)
	patchTail = regexp.MustCompile(`^\s*\*\*\* End Patch\s*$`)
)

func separate(text string, tags []Tag) *separation {
	s := &separation{text: text, tags: tags, broken: -1, ends: make([][]ending, len(tags))}
	for at := 0; at < len(text); {
		end := at + strings.IndexByte(text[at:], '\n') + 1
		if end == at {
			end = len(text)
		}
		at = s.line(at, end)
	}
	return s
}

// line takes the line text[at:end] and returns where the next one begins, which is earlier when a
// tag ended in it and later when thinking goes over lines.
func (s *separation) line(at, end int) int {
	text := s.text
	line := text[at:end]
	if s.inBlock() {
		if tag, ok := s.alone(line); ok && s.broken < 0 {
			s.broken = at + len(tag)
		}
		s.take(line)
		return end
	}
	body := strings.TrimLeft(line, " \t")
	for i, t := range s.tags {
		if !strings.HasPrefix(body, t.Open) {
			continue
		}
		from := at + len(line) - len(body) + len(t.Open)
		if n := s.closing(i, from); n >= 0 {
			s.thinking.WriteString(text[from:n])
			return s.behind(n + len(t.Close))
		}
		if !s.started {
			s.open = true
			s.answer.Reset()
			s.thinking.WriteString(text[from:])
			return len(text)
		}
	}
	if i, tag := s.stray(line); i >= 0 {
		s.thinking.WriteString(s.answer.String() + line[:i])
		s.answer.Reset()
		s.started, s.cut = false, true
		return s.behind(at + i + len(tag))
	}
	s.take(line)
	return end
}

// fence is what closes a listing: so many backticks or tildes and no fewer, or a tag.
type fence struct {
	close  string
	indent int
}

var (
	fenceMarks = regexp.MustCompile("^(\\s*)(```+|~~~+)([^`]*)$")
	fenceTags  = regexp.MustCompile(`^(\s*)<(source|code|pre|codeblock|sourcecode)>[^<>\s]*\s*$`)
)

// fenceOf reads a line that opens a listing; without one, nothing closes it.
func fenceOf(line string) fence {
	if m := fenceMarks.FindStringSubmatch(line); m != nil {
		return fence{m[2], len(m[1])}
	}
	if m := fenceTags.FindStringSubmatch(line); m != nil {
		return fence{"</" + m[2] + ">", len(m[1])}
	}
	return fence{}
}

func (f fence) ends(line string) bool {
	text := strings.TrimSpace(line)
	if len(line)-len(strings.TrimLeft(line, " \t")) > f.indent {
		return false // further in, it is content
	}
	if f.close[0] == '<' {
		return text == f.close
	}
	return len(text) >= len(f.close) && strings.Trim(text, f.close[:1]) == ""
}

// behind skips the blank lines that belong to a tag.
func (s *separation) behind(at int) int {
	if s.started {
		return at
	}
	return len(s.text) - len(trimAfterTag(s.text[at:]))
}

func trimAfterTag(text string) string { return strings.TrimLeft(text, "\r\n") }

// take adds a line to the answer.
func (s *separation) take(line string) {
	s.answer.WriteString(line)
	s.started = s.started || strings.TrimSpace(line) != ""
	text := strings.TrimRight(line, "\r\n")
	switch {
	case s.edit:
		s.edit = !editTail.MatchString(text)
	case editHead.MatchString(text):
		s.edit = true
		s.blocks++
	case s.fence.close != "":
		if s.fence.ends(text) {
			s.fence = fence{}
		}
	case s.patch:
		s.patch = !patchTail.MatchString(text)
	case patchHead.MatchString(text):
		s.patch = true
		s.blocks++
	default:
		if s.fence = fenceOf(text); s.fence.close != "" {
			s.blocks++
		}
		s.spoken = s.spoken || slices.ContainsFunc(s.tags, func(t Tag) bool { return strings.Contains(text, t.Open) })
	}
}

func (s *separation) inBlock() bool { return s.fence.close != "" || s.edit || s.patch }

// alone returns the closing tag that a line consists of.
func (s *separation) alone(line string) (string, bool) {
	line = strings.TrimRight(line, " \t\r\n")
	i := slices.IndexFunc(s.tags, func(t Tag) bool { return t.Close == line })
	if i < 0 {
		return "", false
	}
	return line, true
}

// stray finds a closing tag that ends thinking whose beginning is not in the reply: alone on its line,
// or without a blank on one side. Lines of a diff and words in quotes are something else.
func (s *separation) stray(line string) (int, string) {
	if tag, ok := s.alone(line); ok {
		return 0, tag
	}
	if s.spoken || strings.ContainsAny(line[:1], "+- \t@") {
		return -1, ""
	}
	for _, t := range s.tags {
		i := strings.Index(line, t.Close)
		if i < 0 || strings.Contains(line[:i], t.Open) || quoted(line, i, len(t.Close)) {
			continue
		}
		before, after := line[:i], strings.TrimRight(line[i+len(t.Close):], "\r\n")
		blank := before != "" && strings.HasSuffix(before, " ")
		if after == "" && !blank || after != "" && (!blank || !strings.HasPrefix(after, " ")) {
			return i, t.Close
		}
	}
	return -1, ""
}

// ending is a closing tag.
type ending struct {
	at     int
	spoken bool // it stands in quotes
	next   int  // the first one from here on that does not; -1
}

// closing returns where the tag stands that ends the thinking that begins at from: the first that is
// not only spoken of, else the first; -1 for none.
func (s *separation) closing(tag, from int) int {
	if s.ends[tag] == nil {
		s.ends[tag] = endings(s.text, s.tags[tag].Close)
	}
	list := s.ends[tag]
	i, _ := slices.BinarySearchFunc(list, from, func(e ending, at int) int { return e.at - at })
	switch {
	case i == len(list):
		return -1
	case list[i].next >= 0:
		return list[i].next
	}
	return list[i].at
}

func endings(text, tag string) []ending {
	list := []ending{}
	for at := 0; ; {
		i := strings.Index(text[at:], tag)
		if i < 0 {
			break
		}
		list = append(list, ending{at: at + i, spoken: quoted(text, at+i, len(tag))})
		at += i + len(tag)
	}
	next := -1
	for i := len(list) - 1; i >= 0; i-- {
		if !list[i].spoken {
			next = list[i].at
		}
		list[i].next = next
	}
	return list
}

func quoted(text string, at, length int) bool {
	const quotes = "`\"'"
	end := at + length
	return at > 0 && strings.IndexByte(quotes, text[at-1]) >= 0 || end < len(text) && strings.IndexByte(quotes, text[end]) >= 0
}
