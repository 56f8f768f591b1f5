package reply

import (
	"regexp"
	"strings"
)

var tagAttribute = regexp.MustCompile(`^<(file|document|code|listing)\s[^<>]*?\b(?:path|name|file|filename|file_path)\s*=\s*(?:"([^"<>]+)"|'([^'<>]+)')[^<>]*>$`)

// Tag is an opening tag that names a file: <file path="a.py">.
type Tag struct{ Name, Close string }

// OpenTag reads such a tag.
func OpenTag(text string) (Tag, bool) {
	if cannotBegin(text[Blanks(text):], '<') {
		return Tag{}, false
	}
	m := tagAttribute.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil || strings.HasSuffix(strings.TrimSpace(text), "/>") {
		return Tag{}, false
	}
	return Tag{Name: strings.TrimSpace(m[2] + m[3]), Close: "</" + m[1] + ">"}, true
}
