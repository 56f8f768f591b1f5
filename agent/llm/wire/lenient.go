package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Servers agree on where the text of an answer stands and on little else: what one counts another writes as a text, a
// list or false. So every answer, in whatever wire form, is read by decode into types that take what they can use of
// a value and pass the rest over. No field can make another one unread.

// Decode reads JSON into a value as far as it fits. It is false for what is no JSON at all.
func Decode(data []byte, into any) bool {
	err := json.Unmarshal(data, into)
	var other *json.UnmarshalTypeError // it has read all the rest
	return err == nil || errors.As(err, &other)
}

// Word is a string; anything else says nothing.
type Word string

// UnmarshalJSON implements json.Unmarshaler.
func (w *Word) UnmarshalJSON(b []byte) error {
	if s, ok := Unquoted(b); ok && s != "" {
		*w = Word(s)
	}
	return nil
}

// Mark is a name that servers give to things: a string, or a number.
type Mark string

// UnmarshalJSON implements json.Unmarshaler.
func (m *Mark) UnmarshalJSON(b []byte) error {
	if s, ok := Unquoted(b); ok {
		*m = Mark(s)
	} else if number(b) {
		*m = Mark(b)
	}
	return nil
}

// Count is a whole number that is not negative, also one that is written as a text or with a fraction.
type Count int

// UnmarshalJSON implements json.Unmarshaler.
func (c *Count) UnmarshalJSON(b []byte) error {
	if n, ok := numeric(b); ok && n >= 0 && n < 1<<40 {
		*c = Count(n)
	}
	return nil
}

// Amount is a number, or an object that says the total of one.
type Amount float64

// UnmarshalJSON implements json.Unmarshaler.
func (a *Amount) UnmarshalJSON(b []byte) error {
	if n, ok := numeric(b); ok && n >= 0 && n < 1e9 {
		*a = Amount(n)
		return nil
	}
	var parts struct {
		Total *Amount `json:"total_cost"`
	}
	if len(b) > 0 && b[0] == '{' && Decode(b, &parts) && parts.Total != nil {
		*a = *parts.Total
	}
	return nil
}

// Flag is true, also as a text.
type Flag bool

// UnmarshalJSON implements json.Unmarshaler.
func (f *Flag) UnmarshalJSON(b []byte) error {
	*f = string(b) == "true" || string(b) == `"true"`
	return nil
}

// Many is a list of objects, or a single one in its place.
type Many[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (m *Many[T]) UnmarshalJSON(b []byte) error {
	var list []T
	for _, raw := range Objects(b) {
		var one T
		Decode(raw, &one)
		list = append(list, one)
	}
	if list != nil {
		*m = list
	}
	return nil
}

// Objects are those of a list, or the one that a value is.
func Objects(b []byte) []json.RawMessage {
	b = bytes.TrimSpace(b)
	switch {
	case len(b) == 0:
	case b[0] == '{':
		return []json.RawMessage{b}
	case b[0] == '[':
		var all, list []json.RawMessage
		if json.Unmarshal(b, &all) == nil {
			for _, raw := range all {
				if len(raw) > 0 && raw[0] == '{' {
					list = append(list, raw)
				}
			}
		}
		return list
	}
	return nil
}

// Prose is what is said: a string, an object that has one, or a list of these. What an object of the kind of
// thinking says is set apart.
type Prose struct{ Text, Thinking string }

// Deepest is how far a text may stand inside of other parts.
const Deepest = 8

// UnmarshalJSON implements json.Unmarshaler.
func (p *Prose) UnmarshalJSON(b []byte) error {
	var said Prose
	said.Read(b, Deepest)
	if said != (Prose{}) {
		*p = said
	}
	return nil
}

// Read adds what a value says, so many levels deep.
func (p *Prose) Read(b []byte, depth int) {
	b = bytes.TrimSpace(b)
	if len(b) == 0 || depth == 0 {
		return
	}
	switch b[0] {
	case '"':
		s, _ := Unquoted(b)
		p.Text += s
	case '[':
		var parts []json.RawMessage
		if json.Unmarshal(b, &parts) != nil {
			return
		}
		for _, part := range parts {
			p.Read(part, depth-1)
		}
	case '{':
		var part struct {
			Type     Word            `json:"type"`
			Text     json.RawMessage `json:"text"`
			Value    json.RawMessage `json:"value"`
			Content  json.RawMessage `json:"content"`
			Thinking json.RawMessage `json:"thinking"`
		}
		Decode(b, &part)
		var text, thought Prose
		text.Read(part.Text, depth-1)
		if text == (Prose{}) {
			text.Read(part.Content, depth-1)
		}
		if text == (Prose{}) {
			text.Read(part.Value, depth-1)
		}
		thought.Read(part.Thinking, depth-1)
		if part.Type == "thinking" || part.Type == "reasoning" {
			p.Thinking += OrElse(thought.All(), text.All())
			return
		}
		p.Thinking += thought.All() + text.Thinking
		p.Text += text.Text
	}
}

// All is what is said, whichever kind it is.
func (p Prose) All() string { return p.Thinking + p.Text }

func number(b []byte) bool {
	return len(b) > 0 && (b[0] == '-' || b[0] >= '0' && b[0] <= '9')
}

// numeric is a number, also one that stands in a text.
func numeric(b []byte) (float64, bool) {
	s := string(b)
	if text, ok := Unquoted(b); ok {
		s = strings.TrimSpace(text)
	}
	if !number([]byte(s)) {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}

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

// Joined is a text of which all pieces are there.
func Joined(all string) string {
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

// scalar returns a JSON string or number as text, anything else as it stands.
func scalar(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	if string(raw) == "null" {
		return ""
	}
	return string(raw)
}

// OrElse is the first of two texts that says something.
func OrElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// Unquoted is what a string of JSON says, and false for any other value. Bytes that are no UTF-8 stay as they are and
// half of a pair is three bytes: what they are half of may stand in the next piece (see joint).
func Unquoted(b []byte) (string, bool) {
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return "", false
	}
	return Unescaped(b[1 : len(b)-1])
}

// Unescaped is what stands between the quotes of a string.
func Unescaped(text []byte) (string, bool) {
	if bytes.IndexByte(text, '\\') < 0 {
		return string(text), true
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\\' {
			out = append(out, c)
			continue
		}
		if i++; i == len(text) {
			return "", false
		}
		switch text[i] {
		case 'n':
			c = '\n'
		case 't':
			c = '\t'
		case 'r':
			c = '\r'
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case '"', '\\', '/':
			c = text[i]
		case 'u':
			r, ok := hex(text[i+1:])
			if !ok {
				return "", false
			}
			i += 4
			if next := text[i+1:]; len(next) > 1 && next[0] == '\\' && next[1] == 'u' {
				if low, ok := hex(next[2:]); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
					r, i = utf16.DecodeRune(r, low), i+6
				}
			}
			if utf16.IsSurrogate(r) {
				out = appendHalf(out, r)
			} else {
				out = utf8.AppendRune(out, r)
			}
			continue
		default:
			return "", false
		}
		out = append(out, c)
	}
	return string(out), true
}

// hex is the number that a text begins with, of four digits.
func hex(text []byte) (r rune, ok bool) {
	if len(text) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[:4]), 16, 16)
	return rune(n), err == nil
}
