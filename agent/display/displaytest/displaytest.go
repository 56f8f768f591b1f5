// Package displaytest looks for what a user would not see in texts that are shown. Tests alone use it.
package displaytest

import (
	"strings"

	"coauthor/agent/display"
)

// Hidden says whether there is something in a text that would not be seen, or obeyed, if it was shown
// as it is.
func Hidden(s string) bool {
	for line := range strings.Lines(s) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if display.Text(line) != line {
			return true
		}
	}
	return false
}
