package client

import (
	"strings"

	"coauthor/agent/display"
)

// Spoken makes a message fit to be shown: a name that nobody could read is cut, and what the client
// would obey, or draw as nothing, is made visible. Line ends stay.
func Spoken(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		lines[i] = display.Message(line)
	}
	return strings.Join(lines, "\n")
}
