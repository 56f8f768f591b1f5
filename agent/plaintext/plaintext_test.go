package plaintext_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"coauthor/agent/plaintext"
)

// wide writes a text as UTF-16, its mark first.
func wide(text string, little bool) []byte {
	var raw []byte
	for _, u := range utf16.Encode([]rune("\uFEFF" + text)) {
		if little {
			raw = append(raw, byte(u), byte(u>>8))
		} else {
			raw = append(raw, byte(u>>8), byte(u))
		}
	}
	return raw
}

// TestDecode: a text is the same in every encoding that editors write.
func TestDecode(t *testing.T) {
	for _, text := range []string{"", "a", "model: x\n# é 𝛼\napiBase: y\n", "\n\n"} {
		crlf := strings.ReplaceAll(text, "\n", "\r\n")
		for name, raw := range map[string][]byte{
			"plain": []byte(text), "mark": []byte("\uFEFF" + text), "CRLF": []byte(crlf), "mark and CRLF": []byte("\uFEFF" + crlf),
			"CR": []byte(strings.ReplaceAll(text, "\n", "\r")), "little": wide(text, true), "big": wide(text, false), "little, CRLF": wide(crlf, true), "big, CRLF": wide(crlf, false),
		} {
			if got, err := plaintext.Decode(raw); err != nil || got != text {
				t.Errorf("%q as %s is %q: %v", text, name, got, err)
			}
		}
	}
}

// TestDecodeRefuses: what is not certain is an error with its place.
func TestDecodeRefuses(t *testing.T) {
	for name, x := range map[string]struct {
		raw          string
		line, column int
	}{
		"Latin-1":             {"a: b\nc: \xfc\n", 2, 4},
		"Latin-1 and CRLF":    {"é: b\r\n\r\né: \xfc\r\n", 3, 4},
		"UTF-16 without mark": {"m\x00o\x00", 1, 2},
		"UTF-16, odd":         {"\xff\xfem\x00o", 1, 1},
		"UTF-16, half a pair": {"\xff\xfem\x00\n\x00\x3d\xd8\n\x00", 2, 1},
		"UTF-32":              {"\xff\xfe\x00\x00m\x00\x00\x00", 1, 1},
		"a NUL byte":          {"a\n\x00", 2, 1},
	} {
		_, err := plaintext.Decode([]byte(x.raw))
		var e *plaintext.Error
		if !errors.As(err, &e) || e.Line != x.line || e.Column != x.column || !strings.Contains(e.Text, "UTF-8") {
			t.Errorf("%s: %#v, want line %d, column %d", name, err, x.line, x.column)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\xef\xbb\xbfa: b\r\n"))
	f.Add([]byte("\xff\xfea\x00\r\x00\n\x00"))
	f.Add([]byte("\xfe\xff\xd8\x3d"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		text, err := plaintext.Decode(raw)
		if err == nil && (!utf8.ValidString(text) || strings.ContainsAny(text, "\r\x00")) {
			t.Errorf("%q was read as %q", raw, text)
		}
		var e *plaintext.Error
		if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Column < 1) {
			t.Errorf("%q: %#v", raw, err)
		}
	})
}
