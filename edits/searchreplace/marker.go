package searchreplace

import (
	"strings"

	"coauthor/edits/reply"
)

type kind int

const (
	head kind = iota
	divider
	tail
)

// marker is a line that structures a block.
type marker struct {
	kind   kind
	indent int
	length int    // how many signs
	rest   string // what follows the word
}

// Markers have four to twelve signs: models miscount.
const (
	shortest = 4
	longest  = 12
)

// readMarker reads a marker line: signs and their word, in any case, with or without a blank.
func readMarker(line string) (marker, bool) {
	indent := reply.Blanks(line)
	trimmed := line[indent:]
	if trimmed == "" || trimmed[0] != '<' && trimmed[0] != '=' && trimmed[0] != '>' {
		return marker{}, false
	}
	sign := trimmed[0]
	n := 1
	for n < len(trimmed) && trimmed[n] == sign {
		n++
	}
	if n < shortest || n > longest {
		return marker{}, false
	}
	rest := strings.TrimSpace(trimmed[n:])
	m := marker{indent: indent, length: n}
	if sign == '=' {
		m.kind = divider
		return m, rest == ""
	}
	// The word counts, not the direction of the signs: models swap them.
	m.kind = head
	if m.word(rest, "SEARCH", "ORIGINAL") {
		return m, true
	}
	m.kind = tail
	return m, m.word(rest, "REPLACE", "UPDATED")
}

func (m *marker) word(rest string, words ...string) bool {
	for _, w := range words {
		if len(rest) < len(w) || rest[:len(w)] != w && !strings.EqualFold(rest[:len(w)], w) {
			continue
		}
		after := rest[len(w):]
		if after == "" {
			return true
		}
		if !strings.ContainsAny(after[:1], " \t>:<") {
			continue
		}
		m.rest = strings.TrimSpace(strings.TrimLeft(after, " \t>:<"))
		return true
	}
	return false
}

// Boundary says whether a line begins a block, or ends one, and how far in it stands.
func Boundary(line string) (begins, ends bool, indent int) {
	m, ok := readMarker(line)
	return ok && m.kind == head, ok && m.kind == tail, m.indent
}
