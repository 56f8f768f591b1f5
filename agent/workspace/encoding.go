package workspace

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// Encoding names how a file's text is written on disk: "utf-8", "utf-16le", "utf-16be" or the name
// of the setting. "" stands for UTF-8.
type Encoding string

// The encodings that are recognised without a setting.
const (
	UTF8    Encoding = "utf-8"
	UTF16LE Encoding = "utf-16le"
	UTF16BE Encoding = "utf-16be"
)

type codec struct {
	name Encoding
	enc  encoding.Encoding // nil is UTF-8
}

func codecOf(name string) (codec, error) {
	switch Encoding(strings.ToLower(name)) {
	case "", UTF8:
		return codec{name: UTF8}, nil
	case UTF16LE:
		return codec{UTF16LE, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)}, nil
	case UTF16BE:
		return codec{UTF16BE, unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}, nil
	}
	enc, err := htmlindex.Get(name)
	if err != nil {
		return codec{}, fmt.Errorf("unknown encoding %q; use a name such as windows-1252 or shift_jis", name)
	}
	return codec{Encoding(strings.ToLower(name)), enc}, nil
}

// decode turns a file's bytes into text. fallback is for bytes that are not UTF-8, and for those
// that are plain ASCII, so that what is added to them is written the same way. Nothing is guessed:
// what would not come back as the same bytes is an error. A NUL makes a file binary wherever it stands: an edit above it
// must not make the file one that no longer can be read, and so not be taken back.
func decode(raw []byte, fallback codec) (string, Encoding, error) {
	switch {
	case bytes.HasPrefix(raw, []byte{0xFF, 0xFE}) && len(raw)%2 == 0:
		return decodeWith(raw, UTF16LE)
	case bytes.HasPrefix(raw, []byte{0xFE, 0xFF}) && len(raw)%2 == 0:
		return decodeWith(raw, UTF16BE)
	case bytes.IndexByte(raw, 0) >= 0 && !isUTF16(fallback.name):
		return "", "", ErrBinary
	case fallback.enc == nil && utf8.Valid(raw):
		return string(raw), UTF8, nil
	case fallback.enc == nil:
		return "", "", fmt.Errorf("%w: the file is not UTF-8; set files.encoding", ErrUndecodable)
	case utf8.Valid(raw) && !isASCII(raw) && !isUTF16(fallback.name):
		return string(raw), UTF8, nil
	}
	return decodeWith(raw, fallback.name)
}

func decodeWith(raw []byte, name Encoding) (string, Encoding, error) {
	c, err := codecOf(string(name))
	if err != nil {
		return "", "", err
	}
	text, failed := c.enc.NewDecoder().Bytes(raw)
	back, err := c.enc.NewEncoder().Bytes(text)
	if failed != nil || err != nil || !bytes.Equal(back, raw) {
		return "", "", fmt.Errorf("%w as %s without loss", ErrUndecodable, name)
	}
	return string(text), name, nil
}

// encode is the way back. A character that the encoding does not have is an error.
func encode(text string, name Encoding) ([]byte, error) {
	c, err := codecOf(string(name))
	if err != nil {
		return nil, err
	}
	if c.enc == nil {
		return []byte(text), nil
	}
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("%w: the new text is not valid UTF-8 and cannot be saved as %s", ErrUndecodable, name)
	}
	raw, err := c.enc.NewEncoder().Bytes([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%w: %s has no %q", ErrUndecodable, name, firstForeign(c, text))
	}
	return raw, nil
}

func firstForeign(c codec, text string) string {
	for _, r := range text {
		if _, err := c.enc.NewEncoder().String(string(r)); err != nil {
			return string(r)
		}
	}
	return ""
}

func isUTF16(name Encoding) bool { return name == UTF16LE || name == UTF16BE }

func isASCII(raw []byte) bool {
	for _, b := range raw {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
