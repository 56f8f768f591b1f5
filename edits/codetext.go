package edits

import (
	"path"
	"strings"
)

// codeText blanks out the strings and comments of a file in one of the languages of ownModule, so that
// only names of code are left. Quotes stay, so that what they held is seen to have been there.
func codeText(file string, lines []string) []string {
	s := stripper{python: strings.ToLower(path.Ext(file)) == ".py"}
	out := make([]string, len(lines))
	for i, text := range lines {
		out[i] = s.line(text)
	}
	return out
}

// stripper is what a line of code leaves open for the next one.
type stripper struct {
	python bool
	until  string // the text that ends an open string or comment, "" outside
}

func (s *stripper) line(text string) string {
	if s.until == "" && !strings.ContainsAny(text, "\"'`#/") {
		return text
	}
	out := make([]byte, 0, len(text))
	for text != "" {
		if s.until != "" {
			i := closeAt(text, s.until)
			if i < 0 {
				break
			}
			text = text[i+len(s.until):]
			out = append(out, s.until...)
			s.until = ""
			continue
		}
		open, until, comment := s.opens(text)
		switch {
		case comment:
			return string(out)
		case open != "":
			out = append(out, open...)
			text = text[len(open):]
			s.until = until
		default:
			out = append(out, text[0])
			text = text[1:]
		}
	}
	if len(s.until) == 1 && s.until != "`" {
		s.until = "" // such a string ends with its line
	}
	return string(out)
}

// opens says whether the text begins with what opens a string or a comment, and what ends that.
func (s *stripper) opens(text string) (open, until string, comment bool) {
	if s.python {
		switch {
		case text[0] == '#':
			return "", "", true
		case strings.HasPrefix(text, `"""`), strings.HasPrefix(text, "'''"):
			return text[:3], text[:3], false
		case text[0] == '"', text[0] == '\'':
			return text[:1], text[:1], false
		}
		return "", "", false
	}
	switch {
	case strings.HasPrefix(text, "//"):
		return "", "", true
	case strings.HasPrefix(text, "/*"):
		return text[:2], "*/", false
	case text[0] == '"', text[0] == '\'', text[0] == '`':
		return text[:1], text[:1], false
	}
	return "", "", false
}

// closeAt returns where a string or comment ends, -1 when it goes on.
func closeAt(text, until string) int {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && until != "*/" {
			i++
			continue
		}
		if strings.HasPrefix(text[i:], until) {
			return i
		}
	}
	return -1
}
