package wire

import (
	"slices"
	"strings"

	"coauthor/agent/llm"
)

// splitter keeps the thinking that some models write into their answer, between tags at its very
// beginning, apart from the answer while it arrives. What tags further down mean shows only when all
// is there: then Thinking looks again.
type splitter struct {
	tags []llm.Tag
	end  string // the closing tag of the thinking that goes on
	emit func(thinking bool, text string)

	state   splitState
	thought bool   // a tag was closed
	pending string // held back until it is clear what it is
}

// maxHeld is how much white space before a reply is held back.
const maxHeld = 4 << 10

type splitState int

const (
	splitStart  splitState = iota // only white space so far
	splitInside                   // after an opening tag
	splitAnswer                   // the answer has begun
)

// newSplitter returns a splitter for some tags.
func newSplitter(tags []llm.Tag, emit func(thinking bool, text string)) *splitter {
	return &splitter{tags: tags, emit: emit}
}

func (s *splitter) write(text string) {
	for text != "" {
		all := s.pending + text
		text, s.pending = "", ""
		switch s.state {
		case splitStart:
			body := strings.TrimLeft(all, " \t\r\n")
			if i := slices.IndexFunc(s.tags, func(t llm.Tag) bool { return strings.HasPrefix(body, t.Open) }); i >= 0 {
				s.state, s.end, text = splitInside, s.tags[i].Close, body[len(s.tags[i].Open):]
			} else if len(all) < maxHeld && slices.ContainsFunc(s.tags, func(t llm.Tag) bool { return strings.HasPrefix(t.Open, body) }) {
				s.pending = all
			} else {
				s.state, text = splitAnswer, all
				if s.thought {
					text = strings.TrimLeft(all, "\r\n") // the blank lines belong to the tag
				}
			}
		case splitInside:
			if before, after, ok := strings.Cut(all, s.end); ok {
				s.think(before)
				// Some models think twice in a row.
				s.state, s.thought, text = splitStart, true, after
				continue
			}
			keep := overlap(all, s.end)
			s.think(all[:len(all)-keep])
			s.pending = all[len(all)-keep:]
		case splitAnswer:
			s.emit(false, all)
		}
	}
}

// finish gives out what was held back; nothing is written afterwards. unclosed says that the thinking never
// ended.
func (s *splitter) finish() (unclosed bool) {
	if s.state == splitInside {
		s.think(s.pending)
		return true
	}
	if strings.TrimSpace(s.pending) != "" {
		s.emit(false, s.pending)
	}
	return false
}

func (s *splitter) think(text string) {
	if text != "" {
		s.emit(true, text)
	}
}

// overlap returns the length of the longest end of s that begins tag.
func overlap(s, tag string) int {
	for n := min(len(s), len(tag)-1); n > 0; n-- {
		if strings.HasPrefix(tag, s[len(s)-n:]) {
			return n
		}
	}
	return 0
}
