// Package plaintext reads the files that people write for us, in the encodings that their editors write: settings,
// files of variables, commands. What is read is certain, and what is not is an error with its line. It knows nothing of
// what the text means; files of a project are read by agent/workspace, which must write them back as they were.
package plaintext

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// Error says why a file is not read, and where.
type Error struct {
	Line, Column int // 1-based
	Text         string
}

// Error implements error, without the place.
func (e *Error) Error() string { return e.Text }

// Decode returns the text of a file: UTF-8, or UTF-16 with a byte order mark. The mark is taken off, and each line
// ends with a line feed. The error is an *Error.
func Decode(raw []byte) (string, error) {
	wide := bytes.HasPrefix(raw, []byte{0xFF, 0xFE}) || bytes.HasPrefix(raw, []byte{0xFE, 0xFF})
	if wide {
		if len(raw)%2 != 0 {
			return "", &Error{Line: 1, Column: 1, Text: "the file has a UTF-16 byte order mark but an odd number of bytes; save it as UTF-8"}
		}
		text, err := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Bytes(raw)
		if err != nil {
			return "", &Error{Line: 1, Column: 1, Text: "the file has a UTF-16 byte order mark but is not valid UTF-16; save it as UTF-8"}
		}
		raw = text
	}
	raw = bytes.TrimPrefix(raw, []byte("\uFEFF"))
	if i := bytes.IndexByte(raw, 0); i >= 0 {
		return "", at(raw, i, "there is a NUL byte here; save the file as UTF-8")
	}
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && (size == 1 || wide) { // in UTF-16, half of a pair
			return "", at(raw, i, "there is a byte here that is not UTF-8; save the file as UTF-8")
		}
		i += size
	}
	return lineFeeds.Replace(string(raw)), nil
}

var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// at is an error at an offset.
func at(raw []byte, offset int, format string, args ...any) *Error {
	before := lineFeeds.Replace(string(raw[:offset]))
	return &Error{
		Line:   1 + strings.Count(before, "\n"),
		Column: 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]),
		Text:   fmt.Sprintf(format, args...),
	}
}
