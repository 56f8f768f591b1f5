package prompt

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// columns is how wide the lines of a commit's message are at most.
const columns = 72

// A message of a commit as a model may write it at most: lines of its body.
const mostBody = 40

var (
	trailerLine = regexp.MustCompile(`(?i)^\s*[a-z][a-z-]*-by\s*:`)
	introducing = regexp.MustCompile(`(?i)^(here is|here's|commit message|subject|message)\b[^\n]{0,60}:\s*$`)
	listItem    = regexp.MustCompile(`^(\s*(?:[-*+]|[0-9]{1,3}[.)])\s+)`)
)

// CommitMessage makes the message of a commit of what a model answered: lines of at most columns, but for words
// that are longer. What names somebody, such as a sign-off, is left out: a model cannot sign. It is ""
// where the answer says nothing.
func CommitMessage(answer string) string {
	lines := strings.Split(unwrapped(plainText(answer)), "\n")
	var kept []string
	for _, line := range lines {
		line = strings.TrimRight(line, " \t")
		if trailerLine.MatchString(line) || len(kept) == 0 && (line == "" || introducing.MatchString(line)) {
			continue
		}
		kept = append(kept, line)
	}
	if len(kept) == 0 {
		return ""
	}
	first, over := cutLine(strings.Join(strings.Fields(kept[0]), " "))
	if first == "" {
		return ""
	}
	body := kept[1:]
	if over != "" {
		body = append([]string{over, ""}, body...)
	}
	var wrapped []string
	blank := true // lines before the body's first
	for _, line := range body {
		if line == "" {
			if !blank {
				wrapped = append(wrapped, "")
			}
			blank = true
			continue
		}
		blank = false
		for _, part := range wrapLine(line) {
			if !trailerLine.MatchString(part) { // what a break has made one is none either
				wrapped = append(wrapped, part)
			}
		}
	}
	if len(wrapped) > mostBody {
		wrapped = wrapped[:mostBody]
	}
	if text := strings.TrimRight(strings.Join(wrapped, "\n"), "\n"); text != "" {
		return first + "\n\n" + text + "\n"
	}
	return first + "\n"
}

// plainText drops signs that do not show, and brings all ends of lines into one form.
func plainText(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", " ", "\u2028", "\n", "\u2029", "\n").Replace(strings.ToValidUTF8(text, "\ufffd"))
	return strings.Map(func(r rune) rune {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			return -1
		}
		return r
	}, text)
}

// unwrapped takes a text out of the fence and out of the pair of quotes around it.
func unwrapped(text string) string {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "```"); ok {
		_, inner, _ := strings.Cut(rest, "\n") // the language
		inner, _, _ = strings.Cut(inner, "\n```")
		text = strings.TrimSpace(strings.TrimSuffix(inner, "```"))
	}
	for _, quote := range []string{`"`, "`", "'", "**"} {
		if inner, ok := strings.CutPrefix(text, quote); ok && len(inner) > len(quote) {
			if inner, ok = strings.CutSuffix(inner, quote); ok && !strings.Contains(inner, quote) {
				text = strings.TrimSpace(inner)
			}
		}
	}
	return text
}

// cutLine cuts a line behind the last word that fits, and returns the rest.
func cutLine(line string) (fits, over string) {
	if columnsOf(line) <= columns {
		return line, ""
	}
	at, used := 0, 0
	for i, r := range line {
		if used += columnsOf(string(r)); used > columns {
			break
		}
		at = i + len(string(r))
	}
	if at < len(line) && line[at] != ' ' {
		if space := strings.LastIndexByte(line[:at], ' '); space > 0 {
			at = space
		}
	}
	return strings.TrimRight(line[:at], " "), strings.TrimLeft(line[at:], " ")
}

// wrapLine breaks a line between words; the lines after the first stand below the text of a list's item. A word that
// is longer than a line stays whole.
func wrapLine(line string) []string {
	indent := listItem.FindString(line)
	begin := line[len(indent):]
	if indent == "" {
		begin = strings.TrimLeft(line, " ")
		indent = line[:len(line)-len(begin)]
	}
	hang := strings.Repeat(" ", min(columnsOf(indent), columns/2))
	if columnsOf(indent) > columns/2 {
		indent = hang
	}
	var list []string
	now := indent
	for i, word := range strings.Fields(begin) {
		switch {
		case i == 0:
			now += word
		case columnsOf(now)+1+columnsOf(word) <= columns:
			now += " " + word
		default:
			list, now = append(list, now), hang+word
		}
	}
	return append(list, strings.TrimRight(now, " "))
}

// columnsOf is how many columns a text takes in a terminal.
func columnsOf(text string) int {
	n := 0
	for _, r := range text {
		switch kind := width.LookupRune(r).Kind(); {
		case unicode.Is(unicode.Mn, r):
		case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}
