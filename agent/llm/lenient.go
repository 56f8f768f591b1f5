package llm

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

// decode reads JSON into a value as far as it fits. It is false for what is no JSON at all.
func decode(data []byte, into any) bool {
	err := json.Unmarshal(data, into)
	var other *json.UnmarshalTypeError // it has read all the rest
	return err == nil || errors.As(err, &other)
}

// word is a string; anything else says nothing.
type word string

// UnmarshalJSON implements json.Unmarshaler.
func (w *word) UnmarshalJSON(b []byte) error {
	if s, ok := unquoted(b); ok && s != "" {
		*w = word(s)
	}
	return nil
}

// mark is a name that servers give to things: a string, or a number.
type mark string

// UnmarshalJSON implements json.Unmarshaler.
func (m *mark) UnmarshalJSON(b []byte) error {
	if s, ok := unquoted(b); ok {
		*m = mark(s)
	} else if number(b) {
		*m = mark(b)
	}
	return nil
}

// count is a whole number that is not negative, also one that is written as a text or with a fraction.
type count int

// UnmarshalJSON implements json.Unmarshaler.
func (c *count) UnmarshalJSON(b []byte) error {
	if n, ok := numeric(b); ok && n >= 0 && n < 1<<40 {
		*c = count(n)
	}
	return nil
}

// amount is a number, or an object that says the total of one.
type amount float64

// UnmarshalJSON implements json.Unmarshaler.
func (a *amount) UnmarshalJSON(b []byte) error {
	if n, ok := numeric(b); ok && n >= 0 && n < 1e9 {
		*a = amount(n)
		return nil
	}
	var parts struct {
		Total *amount `json:"total_cost"`
	}
	if len(b) > 0 && b[0] == '{' && decode(b, &parts) && parts.Total != nil {
		*a = *parts.Total
	}
	return nil
}

// flag is true, also as a text.
type flag bool

// UnmarshalJSON implements json.Unmarshaler.
func (f *flag) UnmarshalJSON(b []byte) error {
	*f = string(b) == "true" || string(b) == `"true"`
	return nil
}

// many is a list of objects, or a single one in its place.
type many[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (m *many[T]) UnmarshalJSON(b []byte) error {
	var list []T
	for _, raw := range objects(b) {
		var one T
		decode(raw, &one)
		list = append(list, one)
	}
	if list != nil {
		*m = list
	}
	return nil
}

// objects are those of a list, or the one that a value is.
func objects(b []byte) []json.RawMessage {
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

// prose is what is said: a string, an object that has one, or a list of these. What an object of the kind of
// thinking says is set apart.
type prose struct{ Text, Thinking string }

// deepest is how far a text may stand inside of other parts.
const deepest = 8

// UnmarshalJSON implements json.Unmarshaler.
func (p *prose) UnmarshalJSON(b []byte) error {
	var said prose
	said.read(b, deepest)
	if said != (prose{}) {
		*p = said
	}
	return nil
}

func (p *prose) read(b []byte, depth int) {
	b = bytes.TrimSpace(b)
	if len(b) == 0 || depth == 0 {
		return
	}
	switch b[0] {
	case '"':
		s, _ := unquoted(b)
		p.Text += s
	case '[':
		var parts []json.RawMessage
		if json.Unmarshal(b, &parts) != nil {
			return
		}
		for _, part := range parts {
			p.read(part, depth-1)
		}
	case '{':
		var part struct {
			Type     word            `json:"type"`
			Text     json.RawMessage `json:"text"`
			Value    json.RawMessage `json:"value"`
			Content  json.RawMessage `json:"content"`
			Thinking json.RawMessage `json:"thinking"`
		}
		decode(b, &part)
		var text, thought prose
		text.read(part.Text, depth-1)
		if text == (prose{}) {
			text.read(part.Content, depth-1)
		}
		if text == (prose{}) {
			text.read(part.Value, depth-1)
		}
		thought.read(part.Thinking, depth-1)
		if part.Type == "thinking" || part.Type == "reasoning" {
			p.Thinking += orElse(thought.all(), text.all())
			return
		}
		p.Thinking += thought.all() + text.Thinking
		p.Text += text.Text
	}
}

// all is what is said, whichever kind it is.
func (p prose) all() string { return p.Thinking + p.Text }

func number(b []byte) bool {
	return len(b) > 0 && (b[0] == '-' || b[0] >= '0' && b[0] <= '9')
}

// numeric is a number, also one that stands in a text.
func numeric(b []byte) (float64, bool) {
	s := string(b)
	if text, ok := unquoted(b); ok {
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

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// unquoted is what a string of JSON says, and false for any other value. Bytes that are no UTF-8 stay as they are and
// half of a pair is three bytes: what they are half of may stand in the next piece (see joint).
func unquoted(b []byte) (string, bool) {
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return "", false
	}
	return unescaped(b[1 : len(b)-1])
}

// unescaped is what stands between the quotes of a string.
func unescaped(text []byte) (string, bool) {
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
