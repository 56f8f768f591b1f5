package match

import "strings"

// IsDots says whether a line stands for others: it is dots, or only a comment that begins or ends with dots.
func IsDots(text string) bool {
	text = Trim(text)
	if text == "" || len(text) > maxDots {
		return false
	}
	if IsComment(text) {
		text = strings.Trim(text, commentSigns)
		return hasDots(strings.HasPrefix, text) || hasDots(strings.HasSuffix, text)
	}
	return text == "..." || text == "…"
}

// maxDots is the longest line that is looked at as dots.
const maxDots = 160

// commentSigns are what comments begin and end with.
const commentSigns = "#/*{}<>!-;% "

func hasDots(has func(text, dots string) bool, text string) bool {
	return has(text, "...") || has(text, "…")
}

// isRemark says whether a line is a comment for sure: "#if" and "#x" may be code.
func isRemark(text string) bool {
	rest, hash := strings.CutPrefix(Trim(text), "#")
	return IsComment(text) && (!hash || rest == "" || rest[0] == ' ' || rest[0] == '#')
}

// IsComment says whether a line is only a comment, in any language.
func IsComment(text string) bool {
	text = Trim(text)
	for _, open := range []string{"#", "//", "--", ";", "%", "/*", "{/*", "<!--"} {
		if strings.HasPrefix(text, open) {
			return true
		}
	}
	return false
}
