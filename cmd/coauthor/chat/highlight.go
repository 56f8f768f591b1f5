package chat

import "strings"

// highlight gives the lines of a listing the colours of its language.
func (s style) highlight(listing, language string) []string {
	return strings.Split(listing, "\n")
}
