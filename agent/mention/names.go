package mention

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names splits a text into names: words, or what stands in double quotes, where a backslash stands before a quotation mark
// or a backslash that is meant.
func Names(text string) ([]string, error) {
	var list []string
	var b strings.Builder
	quoted, begun, escaped := false, false, false
	for rest := text; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		one := rest[:size] // as it is: a name need not be UTF-8
		rest = rest[size:]
		switch {
		case escaped:
			if r != '"' && r != '\\' {
				b.WriteByte('\\')
			}
			b.WriteString(one)
			escaped = false
		case r == '\\' && quoted:
			escaped = true
		case r == '"':
			quoted, begun = !quoted, true
		case unicode.IsSpace(r) && !quoted:
			if begun {
				list = append(list, b.String())
			}
			begun = false
			b.Reset()
		default:
			begun = true
			b.WriteString(one)
		}
	}
	if quoted {
		return nil, fmt.Errorf("%s: missing closing quotation mark", strings.TrimSpace(text))
	}
	if begun {
		list = append(list, b.String())
	}
	return list, nil
}

// QuoteName writes a name as Names reads it.
func QuoteName(name string) string {
	if name != "" && !strings.ContainsFunc(name, unicode.IsSpace) && !strings.Contains(name, `"`) {
		return name
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
}

// MostMatches is how many files one name may stand for. Nobody means more, and a glob that matches half of the repository was not
// meant.
const MostMatches = 200

// IsGlob says whether a name is a pattern of names.
func IsGlob(name string) bool { return strings.ContainsAny(name, "*?[{") }
