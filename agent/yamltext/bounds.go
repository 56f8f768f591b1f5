package yamltext

import (
	"bytes"
	"fmt"
	"regexp"
)

// MaxBytes is how large a text may be.
const MaxBytes = 1 << 20

// What a text may hold at most: many times what anybody writes, and so little that the YAML
// library, which takes quadratic time and memory in some of it, reads it in a moment.
const (
	maxDocuments = 16
	maxDepth     = 48
	maxIndent    = 256
	maxNodes     = 10_000 // lines and items that are no comments
	maxAnchors   = 16
)

var anchor = regexp.MustCompile(`(?:^|[\s,\[{:-])&[^\s,\]}&]`)

// TooMuchError says why a text is not read: it holds more than anybody writes.
type TooMuchError string

// Error implements error.
func (e TooMuchError) Error() string { return string(e) }

// tooMuch says why a text is not read, "" when it is. Brackets count wherever they stand outside of
// comments: a text that has more of them than is allowed was written by nobody.
func tooMuch(data []byte) TooMuchError {
	if len(data) > MaxBytes {
		return TooMuchError(fmt.Sprintf("it is larger than %d MB", MaxBytes>>20))
	}
	documents, depth, nodes, anchors := 0, 0, 0, 0
	for line := range bytes.Lines(data) {
		trimmed := bytes.TrimLeft(line, " \t")
		if len(bytes.TrimSpace(trimmed)) == 0 || trimmed[0] == '#' {
			continue
		}
		if bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("...")) {
			documents++
		}
		nodes += 1 + bytes.Count(line, []byte(","))
		anchors += len(anchor.FindAllIndex(line, maxAnchors+1))
		indent, marks := len(line)-len(trimmed), 0
		for rest := trimmed; len(rest) > 1 && (rest[0] == '-' || rest[0] == '?' || rest[0] == ':') && (rest[1] == ' ' || rest[1] == '\t'); marks++ {
			rest = bytes.TrimLeft(rest[1:], " \t")
		}
		for _, c := range line {
			switch c {
			case '[', '{':
				depth++
			case ']', '}':
				depth = max(depth-1, 0)
			}
			if depth > maxDepth {
				return "its brackets are nested too deep"
			}
		}
		switch {
		case indent > maxIndent || marks > maxDepth:
			return "it is nested too deep"
		case documents > maxDocuments:
			return "it contains too many documents"
		case nodes > maxNodes:
			return "it contains too much"
		case anchors > maxAnchors:
			return "it contains too many anchors"
		}
	}
	return ""
}
