package prose

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"coauthor/edits"
)

// A text goes round in circles when the same so many characters have come so many times.
const (
	repeatedChars = 50
	repeatedTimes = 10
	longestCircle = 2000 // bytes from one time to the next
)

// Repeats notices that one channel of a growing reply goes round in circles. Code and edits may repeat
// themselves, so it looks at each stretch of prose by itself.
type Repeats struct {
	Own    edits.Fence // that the model was asked to put around code
	line   []byte      // the line that is coming, as far as it decides what it is
	known  bool        // it is decided
	fence  string      // of the code block around; "" for none
	until  string      // the line that ends the edit around; "" for none
	prose  []byte      // of this stretch; the older part may be gone
	start  int         // where prose begins in the reply
	at     int         // bytes of the reply so far
	looked int         // characters since the last look
	list   bool        // the line is an item of a list, of a table or the like, which begin alike

	From int // what comes from here on has been there before; set once found
}

// Write takes the next piece and says whether the text goes round in circles.
func (r *Repeats) Write(piece string) bool {
	for _, c := range []byte(piece) {
		r.at++
		if !r.known {
			r.line = append(r.line, c)
			if c == '\n' || len(r.line) == repeatedChars {
				r.decide()
			}
		} else {
			r.add(c)
		}
		if c == '\n' {
			r.line, r.known, r.list = r.line[:0], false, false
		}
		if r.looked >= repeatedChars && r.circles() {
			return true
		}
	}
	return false
}

// add takes a byte of prose; in code there is none.
func (r *Repeats) add(c byte) {
	if r.fence != "" || r.until != "" {
		return
	}
	if len(r.prose) == 0 {
		r.start = r.at - 1
	}
	r.prose = append(r.prose, c)
	if utf8.RuneStart(c) {
		r.looked++
	}
	if most := 2 * repeatedTimes * longestCircle; len(r.prose) > most {
		r.prose = append(r.prose[:0], r.prose[most/2:]...)
		r.start += most / 2
	}
}

// listed is how a line begins that is one of many of its kind.
var listed = regexp.MustCompile(`^\s*(?:[-*+|>#]|\d+[.)])`)

// marks are lines that begin an edit, with what ends it: a line that begins with it, or, for "", the first
// one that is none of a diff.
var marks = []struct{ begin, end string }{
	{"<<<<<<< SEARCH", ">>>>>>> REPLACE"}, {"*** Begin Patch", "*** End Patch"},
	{"diff --git", inDiff}, {"--- ", inDiff}, {"@@", inDiff},
}

const inDiff = "diff"

// decide says what the line is, by its beginning.
func (r *Repeats) decide() {
	r.known = true
	line := string(r.line)
	text := strings.TrimSpace(line)
	switch {
	case r.fence != "":
		if strings.HasPrefix(text, r.fence) && strings.Trim(text, r.fence[:1]) == "" {
			r.fence = ""
		}
		return
	case r.until == inDiff:
		if line == "\n" || strings.ContainsAny(line[:1], "+-@ \\") || strings.HasPrefix(line, "diff ") || strings.HasPrefix(line, "index ") {
			return
		}
		r.until = ""
	case r.until != "":
		if strings.HasPrefix(text, r.until) {
			r.until = ""
		}
		return
	}
	if fence := fenceOf(text); fence != "" {
		r.fence = fence
		r.forget()
		return
	}
	if r.Own.Open != "" && strings.HasPrefix(text, r.Own.Open) {
		r.until = r.Own.Close
		r.forget()
		return
	}
	for _, m := range marks {
		if strings.HasPrefix(text, m.begin) {
			r.until = m.end
			r.forget()
			return
		}
	}
	r.list = listed.MatchString(line)
	r.at -= len(r.line)
	for _, c := range r.line {
		r.at++
		r.add(c)
	}
}

// fenceOf is the run of backticks or tildes that a line begins with, if it is a fence.
func fenceOf(text string) string {
	for _, sign := range []string{"`", "~"} {
		if n := len(text) - len(strings.TrimLeft(text, sign)); n >= 3 {
			return text[:n]
		}
	}
	return ""
}

func (r *Repeats) forget() { r.prose, r.looked = r.prose[:0], 0 }

// circles says whether the last characters were there often enough: with the same text between them each
// time, or, where lines do not all begin alike, with less than as much text between them.
func (r *Repeats) circles() bool {
	r.looked = 0
	n := len(r.prose)
	size := 0 // of the last characters, in bytes
	for chars := 0; chars < repeatedChars; chars++ {
		_, width := utf8.DecodeLastRune(r.prose[:n-size])
		if width == 0 {
			return false
		}
		size += width
	}
	last := r.prose[n-size:]
	first, period, same, near := n-size, 0, true, !r.list
	second := first
	for range repeatedTimes - 1 {
		begin := max(0, first-longestCircle)
		at := bytes.LastIndex(r.prose[begin:first], last)
		if at < 0 {
			return false
		}
		at += begin
		distance := first - at
		if period == 0 {
			period = distance
		}
		same = same && distance == period
		near = near && distance < 2*size
		first, second = at, first
	}
	if same && bytes.Equal(r.prose[first:n-period], r.prose[first+period:]) || near {
		r.From = r.start + second
		return true
	}
	return false
}
