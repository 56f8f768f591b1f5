package pipeline

import (
	"regexp"
	"strconv"
	"strings"
)

// errorLines is how many of the last lines of an output tell whether two errors are the same.
const errorLines = 20

var (
	maskedPath = regexp.MustCompile(`(?:[A-Za-z]:)?(?:[\w.~+@-]*[/\\])+[\w.~+@-]*`)
	// A number may stand in a word, such as an address, or have a unit behind it.
	maskedNumber = regexp.MustCompile(`0[xX][0-9a-fA-F]+|\d+(?:[.,:]\d+)*`)
	// hexWord is a long word of hexadecimal digits, such as a hash.
	hexWord = regexp.MustCompile(`\b[0-9a-f]{8,}\b`)
)

// signature stands for an error: two runs that failed for the same reason have the same one. It is made of the exit
// status and the last lines of what was written, without numbers and paths, which differ from run to run.
func signature(code int, stdout, stderr string) string {
	text := stderr
	if strings.TrimSpace(text) == "" {
		text = stdout
	}
	var lines []string
	for line := range strings.Lines(text) {
		line = maskedPath.ReplaceAllString(line, "/")
		line = hexWord.ReplaceAllString(line, "0")
		line = maskedNumber.ReplaceAllString(line, "0")
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	lines = lines[max(0, len(lines)-errorLines):]
	return strconv.Itoa(code) + "\n" + strings.Join(lines, "\n")
}

// sameError is how often in a row one error may return until healing stops.
const sameError = 3

// returns counts how often the last of some signatures stands at their end.
func returns(signatures []string) int {
	n := 0
	for i := len(signatures) - 1; i >= 0 && signatures[i] == signatures[len(signatures)-1]; i-- {
		n++
	}
	return n
}
