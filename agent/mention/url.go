package mention

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestURL is how long an address may be; what is longer is data.
const longestURL = 2048

// urlLike begins with a scheme and goes on to white space or what quotes an address in prose and markup.
var urlLike = regexp.MustCompile("(?i)https?://[^\\pZ\\p{Cc}\"<>`“”„«»]+")

// URLs returns the web addresses that a text names, in its order, each once. The punctuation of the sentence around an
// address is none of it, nor is a bracket that it does not open.
func URLs(text string) []string {
	var list []string
	for _, at := range urlLike.FindAllStringIndex(text, -1) {
		if before, _ := utf8.DecodeLastRuneInString(text[:at[0]]); at[0] > 0 && (unicode.IsLetter(before) || unicode.IsDigit(before) || strings.ContainsRune("+-.", before)) {
			continue // git+https://… and the like
		}
		address := text[at[0]:at[1]]
		if len(address) > longestURL {
			continue
		}
		address = withoutEnd(address)
		u, err := url.Parse(address)
		if err != nil || u.Hostname() == "" || !utf8.ValidString(address) || slices.Contains(list, address) {
			continue
		}
		list = append(list, address)
	}
	return list
}

// withoutEnd takes off what ends a sentence, a link or emphasis behind an address.
func withoutEnd(address string) string {
	open := map[rune]int{} // brackets that are closed more often than opened
	pairs := map[rune]rune{')': '(', ']': '[', '}': '{'}
	for _, r := range address {
		switch r {
		case '(', '[', '{':
			open[r]++
		case ')', ']', '}':
			open[pairs[r]]--
		}
	}
	for address != "" {
		last, size := utf8.DecodeLastRuneInString(address)
		opening, closes := pairs[last]
		switch {
		case closes && open[opening] >= 0:
			return address
		case closes:
			open[opening]++
		case last == '(' || last == '[' || last == '{':
			open[last]--
		case !strings.ContainsRune(".,:;!?'*_~|\\…’”、。，）】」", last):
			return address
		}
		address = address[:len(address)-size]
	}
	return address
}
