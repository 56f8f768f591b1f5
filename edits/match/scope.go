package match

import (
	"slices"
	"strings"
)

// Below follows scope lines from a line on and returns the line after the last of them.
func (b *Text) Below(scopes []string, from int) (int, bool) {
	for _, text := range scopes {
		want := foldUnicode.apply(text)
		row := b.scopeLine(want, from)
		if row < 0 {
			return 0, false
		}
		from = row + 1
	}
	return from, true
}

// scopeLine finds a scope line: a whole line, else the one line that begins with it.
func (b *Text) scopeLine(want string, from int) int {
	ids := b.folded(foldUnicode)
	from = min(from, len(ids))
	if id := b.in.find(want); id != unknown {
		if i := slices.Index(ids[from:], id); i >= 0 {
			return from + i
		}
	}
	if want == "" {
		return -1
	}
	found, heads := -1, b.in.heads
	for i, id := range ids[from:] {
		if heads[id] != want[0] {
			continue
		}
		text := b.lines[from+i]
		if !begins(text, want) {
			continue // most lines are told apart by their first bytes
		}
		rest, ok := strings.CutPrefix(foldUnicode.apply(text), want)
		if !ok || rest != "" && IsName(rest[0]) && IsName(want[len(want)-1]) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = from + i
	}
	return found
}

// begins says whether a line may begin with a folded text, once it is folded itself: their bytes are
// equal up to the first that is not plain.
func begins(text, want string) bool {
	for text != "" && blank(text[0]) {
		text = text[1:]
	}
	for i := 0; i < len(want); i++ {
		if i == len(text) {
			return false
		}
		if text[i] >= 0x80 || want[i] >= 0x80 {
			return true
		}
		if text[i] != want[i] {
			return false
		}
	}
	return true
}

// IsName says whether a byte is one of names.
func IsName(c byte) bool { return inNames[c] }

// inNames are the bytes of names.
var inNames = func() (in [256]bool) {
	for c := range in {
		in[c] = c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	return in
}()
