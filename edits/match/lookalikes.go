package match

import "strings"

// plainIndents is the pattern with plain blanks where its lines begin with others.
func (p *Pattern) plainIndents() *Pattern {
	var lines []Line
	for i, l := range p.Lines {
		if isPlain(l.Text) {
			continue
		}
		text := plain(l.Text)
		head := Indent(text)
		n := 0 // the blanks of the text as it is written
		for at, c := range l.Text {
			if n = at; !IsBlank(plain(string(c))) {
				break
			}
			n = len(l.Text)
		}
		if head == l.Text[:n] || n == 0 {
			continue
		}
		if lines == nil {
			lines = append(lines, p.Lines...)
		}
		lines[i].Text = head + l.Text[n:]
	}
	if lines == nil {
		return p
	}
	return p.With(lines)
}

// plain replaces typographic characters by those that people type.
func plain(text string) string {
	if isPlain(text) {
		return text
	}
	return strings.Map(plainRune, text)
}

// plainRune is the character that people type for one, itself where there is no other, and -1 for none.
func plainRune(r rune) rune {
	switch {
	case r < 0xA0:
	case r >= 0x2010 && r <= 0x2015, r == 0x2212:
		return '-'
	case r >= 0x2018 && r <= 0x201B, r == 0x2032:
		return '\''
	case r >= 0x201C && r <= 0x201F, r == 0x2033:
		return '"'
	case r == 0x00A0, r >= 0x2002 && r <= 0x200A, r == 0x202F, r == 0x205F, r == 0x3000:
		return ' '
	case r == 0x200B, r == 0x200C, r == 0x200D, r == 0x2060, r == 0xFEFF:
		return -1
	}
	return r
}

// isPlain says whether a text is ASCII. It is asked for every line, so it reads eight bytes at a time.
func isPlain(text string) bool {
	for ; len(text) >= 8; text = text[8:] {
		eight := uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
			uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
		if eight&0x8080808080808080 != 0 {
			return false
		}
	}
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// IsLookAlike says whether a character is a typographic one for another that people type.
func IsLookAlike(c rune) bool { return plainRune(c) != c }
