package llm

import (
	"strings"
	"unicode/utf8"
)

// joint puts together what a server has split between two pieces of a text: the bytes of one character, or the two
// halves of a surrogate pair, which unquoted gives in three bytes each.
type joint struct{ held string }

// add gives what is whole of the text so far; the beginning of a character waits for its end. What can be no
// character becomes the sign for that.
func (j *joint) add(piece string) string {
	if j.held == "" && utf8.ValidString(piece) {
		return piece // nearly always
	}
	all := j.held + piece
	j.held = ""
	var b strings.Builder
	for i := 0; i < len(all); {
		rest := all[i:]
		r, size := utf8.DecodeRuneInString(rest)
		high := half(rest, 0xa0)
		switch {
		case r != utf8.RuneError || size > 1:
			b.WriteString(rest[:size])
			i += size
		case high && half(rest[3:], 0xb0):
			b.WriteRune(pair(rest))
			i += 6
		case high && begins(rest[3:], 0xb0), begins(rest, 0xa0), begins(rest, 0xb0), !utf8.FullRuneInString(rest):
			j.held = rest
			return b.String()
		case high, half(rest, 0xb0):
			b.WriteRune(utf8.RuneError)
			i += 3
		default:
			b.WriteRune(utf8.RuneError)
			i++
		}
	}
	return b.String()
}

// end gives what waited for an end that did not come.
func (j *joint) end() string {
	if j.held == "" {
		return ""
	}
	j.held = ""
	return string(utf8.RuneError)
}

// joined is a text of which all pieces are there.
func joined(all string) string {
	var j joint
	text := j.add(all)
	return text + j.end()
}

// half says whether a text begins with half of a pair: the first has a0 to af as its second byte, the other b0 to bf.
func half(s string, second byte) bool {
	return len(s) >= 3 && s[0] == 0xed && s[1]&0xf0 == second && s[2]&0xc0 == 0x80
}

// begins says whether a text is nothing but the beginning of half of a pair, or of any.
func begins(s string, second byte) bool {
	return s == "" || s == "\xed" || len(s) == 2 && s[0] == 0xed && s[1]&0xf0 == second
}

// pair is the character of two halves.
func pair(s string) rune {
	bits := func(s string) rune { return rune(s[1]&0x0f)<<6 | rune(s[2]&0x3f) }
	return 0x10000 + bits(s)<<10 | bits(s[3:])
}

// appendHalf adds half of a pair in three bytes.
func appendHalf(out []byte, r rune) []byte {
	return append(out, 0xed, byte(0x80|r>>6&0x3f), byte(0x80|r&0x3f))
}
