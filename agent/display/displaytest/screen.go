package displaytest

import (
	"regexp"
	"strconv"
	"strings"
)

// Screen plays what a terminal shows of a text: its lines, as they are left.
func Screen(text string) string {
	for { // what was taken back with the lines above it
		i := takenBack.FindStringSubmatchIndex(text)
		if i == nil {
			break
		}
		rows, _ := strconv.Atoi(text[i[2]:i[3]])
		before := strings.Split(text[:i[0]], "\n")
		before = before[:max(0, len(before)-1-rows)]
		text = strings.Join(append(before, text[i[1]:]), "\n")
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if i := strings.LastIndex(line, "\r\x1b[K"); i >= 0 {
			line = line[i+len("\r\x1b[K"):]
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

var takenBack = regexp.MustCompile("\x1b\\[([0-9]+)A\r\x1b\\[J")
