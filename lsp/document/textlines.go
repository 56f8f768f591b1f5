package document

import "strings"

// SplitLines are the lines of a text, without their ends; at least one.
func SplitLines(text string) []string {
	lines := strings.Split(text, "\n")
	if n := len(lines); n > 1 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

// LineAt is where a line of a text stands, counted from 0, without the white space around it.
func LineAt(text string, line int) (start, end int) {
	for ; line > 0 && start < len(text); start++ {
		if text[start] == '\n' {
			line--
		}
	}
	for end = start; end < len(text) && text[end] != '\n' && text[end] != '\r'; {
		end++
	}
	for start < end && (text[start] == ' ' || text[start] == '\t') {
		start++
	}
	for end > start && (text[end-1] == ' ' || text[end-1] == '\t') {
		end--
	}
	return start, end
}
