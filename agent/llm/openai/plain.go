package openai

import (
	"bytes"

	"coauthor/agent/llm/wire"
)

// Nearly every event of a stream is one token in the same hundreds of bytes around it. plainText reads those
// without taking them apart: it knows the form by its fields, and what has any other field, or a value that says
// something, is left to encoding/json, which reads every dialect and takes twenty times as long.

// idle are the fields of an event that say nothing about the reply, whatever plain value they have.
var idle = map[string]bool{"id": true, "object": true, "created": true, "model": true, "system_fingerprint": true,
	"service_tier": true, "obfuscation": true, "provider": true, "native_finish_reason": true, "role": true}

// plainText gives the text that an event adds to the answer, where it does that and nothing else.
func plainText(event []byte) (text string, ok bool) {
	p := plainReader{rest: bytes.TrimSpace(event)}
	var said []byte
	choices, contents := 0, 0
	p.object(func(key []byte) bool {
		if string(key) != "choices" {
			return p.idle(key)
		}
		choices++
		return p.take('[') && p.object(func(key []byte) bool {
			if string(key) == "index" {
				return p.take('0')
			}
			if string(key) != "delta" {
				return p.idle(key)
			}
			return p.object(func(key []byte) bool {
				if string(key) != "content" {
					return p.idle(key)
				}
				contents++
				said, ok = p.text()
				return ok
			})
		}) && p.take(']')
	})
	if p.bad || len(p.rest) > 0 || choices != 1 || contents != 1 {
		return "", false
	}
	return wire.Unescaped(said)
}

// plainReader takes an event off its beginning.
type plainReader struct {
	rest []byte
	bad  bool // it is not plain
}

func (p *plainReader) space() {
	for len(p.rest) > 0 && p.rest[0] <= ' ' && (p.rest[0] == ' ' || p.rest[0] == '\t' || p.rest[0] == '\n' || p.rest[0] == '\r') {
		p.rest = p.rest[1:]
	}
}

// take takes one character, with the white space around it.
func (p *plainReader) take(c byte) bool {
	if len(p.rest) == 0 || p.rest[0] != c {
		if p.space(); len(p.rest) == 0 || p.rest[0] != c {
			return false
		}
	}
	p.rest = p.rest[1:]
	p.space()
	return true
}

// object takes an object whose values member takes.
func (p *plainReader) object(member func(key []byte) bool) bool {
	if !p.take('{') {
		p.bad = true
		return false
	}
	if p.take('}') {
		return true
	}
	for {
		key, ok := p.text()
		if !ok || !p.take(':') || !member(key) {
			break
		}
		if p.take('}') {
			return true
		}
		if !p.take(',') {
			break
		}
	}
	p.bad = true
	return false
}

// text takes a string and gives what stands between its quotes, as it is written.
func (p *plainReader) text() ([]byte, bool) {
	if len(p.rest) == 0 || p.rest[0] != '"' {
		return nil, false
	}
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '"':
			text := p.rest[1:i]
			p.rest = p.rest[i+1:]
			return text, true
		case c == '\\':
			i++
		case c < ' ':
			return nil, false
		}
	}
	return nil, false
}

// idle takes a value that says nothing: null, or that of a field that has nothing to say.
func (p *plainReader) idle(key []byte) bool {
	if bytes.HasPrefix(p.rest, []byte("null")) {
		p.rest = p.rest[len("null"):]
		return true
	}
	if !idle[string(key)] {
		return false
	}
	if len(p.rest) > 0 && p.rest[0] == '"' {
		text, ok := p.text()
		return ok && bytes.IndexByte(text, '\\') < 0
	}
	n := 0
	for n < len(p.rest) && p.rest[n] >= '0' && p.rest[n] <= '9' {
		n++
	}
	if n == 0 || n > 1 && p.rest[0] == '0' {
		return false
	}
	p.rest = p.rest[n:]
	return true
}
