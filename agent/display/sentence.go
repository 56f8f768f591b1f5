package display

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Count says how many there are of something whose plural ends in s.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Lower is an English text that begins in lower case.
func Lower(s string) string { return string(s[0]|0x20) + s[1:] }

// Upper begins a text with a capital letter, but for one that begins with the name of a file.
func Upper(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if strings.HasPrefix(s[size:], ".") || strings.Contains(strings.SplitN(s, " ", 2)[0], ".") {
		return s // it begins with a file name
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// Names names files, not more than a line takes.
func Names(paths []string) string {
	const most = 5
	text := ""
	for i, p := range paths {
		switch {
		case i == most:
			return text + fmt.Sprintf(" and %d more", len(paths)-most)
		case i > 0:
			text += ", "
		}
		text += p
	}
	return text
}

// Short says whether a sentence can have a text whole and as it is.
func Short(text string) bool {
	const most = 200
	return len(text) <= most && Message(text) == text
}

// Duration writes a time as people do: 12 s, 5 min.
func Duration(d time.Duration) string {
	if d >= time.Minute && d%time.Minute == 0 {
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%d s", int(d.Round(time.Second).Seconds()))
}
