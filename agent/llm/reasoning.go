package llm

import "strings"

// splitter keeps the thinking that some models write into their answer, between <tag> and </tag> at
// its very beginning, apart from the answer. A tag further down belongs to the answer: a model may
// well be asked about such a tag.
type splitter struct {
	open, close string
	emit        func(thinking bool, text string)

	state   splitState
	thought bool   // a tag was closed
	pending string // held back until it is clear what it is
}

type splitState int

const (
	splitStart  splitState = iota // only white space so far
	splitInside                   // after an opening tag
	splitAnswer                   // the answer has begun
)

// newSplitter returns a splitter for a tag by name; without one everything is answer.
func newSplitter(tag string, emit func(thinking bool, text string)) *splitter {
	if tag == "" {
		return &splitter{emit: emit, state: splitAnswer}
	}
	return &splitter{open: "<" + tag + ">", close: "</" + tag + ">", emit: emit}
}

func (s *splitter) write(text string) {
	for text != "" || s.pending != "" {
		if s.state == splitAnswer {
			text = s.pending + text
			s.pending = ""
			s.emit(false, text)
			return
		}
		all := s.pending + text
		text, s.pending = "", ""
		switch s.state {
		case splitStart:
			body := strings.TrimLeft(all, " \t\r\n")
			if rest, ok := strings.CutPrefix(body, s.open); ok {
				s.state, text = splitInside, rest
			} else if strings.HasPrefix(s.open, body) {
				s.pending = all
				return
			} else {
				s.state, text = splitAnswer, all
				if s.thought {
					text = strings.TrimLeft(all, "\r\n") // the blank lines belong to the tag
				}
			}
		case splitInside:
			if before, after, ok := strings.Cut(all, s.close); ok {
				s.think(before)
				// Some models think twice in a row.
				s.state, s.thought, text = splitStart, true, after
				continue
			}
			keep := overlap(all, s.close)
			s.think(all[:len(all)-keep])
			s.pending = all[len(all)-keep:]
			return
		case splitAnswer: // handled above
		}
	}
}

// finish gives out what was held back. unclosed says that the thinking never ended.
func (s *splitter) finish() (unclosed bool) {
	switch s.state {
	case splitInside:
		s.think(s.pending)
		unclosed = true
	case splitStart, splitAnswer:
		if strings.TrimSpace(s.pending) != "" {
			s.emit(false, s.pending)
		}
	}
	s.pending = ""
	return unclosed
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

// strayClose separates at a closing tag that no opening one preceded: with some chat templates the
// opening tag is part of the prompt, so the reply begins in the middle of the thinking.
func strayClose(text, tag string) (thinking, answer string, ok bool) {
	if tag == "" {
		return "", text, false
	}
	before, after, ok := strings.Cut(text, "</"+tag+">")
	if !ok || strings.Contains(before, "```") || strings.Contains(before, "<"+tag+">") {
		return "", text, false // within a code block it is code; with an opening tag it is no stray
	}
	return before, strings.TrimLeft(after, "\r\n"), true
}
