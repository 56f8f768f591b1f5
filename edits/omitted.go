package edits

import (
	"regexp"
	"strings"
)

// omission is a line of a new text that looks as if it stood for code.
type omission struct {
	text string
	// lost says that it stands in the place of code: then the code was left out. Without that it may be
	// a comment like any other.
	lost bool
}

// maybeOmitted tells the user of an omission that is not shown to be one.
const maybeOmitted = "%q may stand for code that was left out of %s; nothing shows that it does"

// omitted returns the first line of the new text that stands in the place of code, or else the first
// that only looks like it. lines are those that stay, go and come; what the file had before is none.
func omitted(lines []ChunkLine, before []line) (omission, bool) {
	var out omission
	old := trimmedSet{lines: before}
	for i, l := range lines {
		if l.Sign != '+' || !looksOmitted(l.Text) || old.has(l.Text) {
			continue
		}
		text := foldTrim.apply(l.Text)
		var lost bool
		if isBareDots(text) {
			head, ok := stubHead(lines[:i])
			if ok && head == '+' || ok && !replacesCode(lines, i) {
				continue
			}
			lost = removes(lines)
		} else {
			lost = namesCode(text) && replacesCode(lines, i)
		}
		if lost {
			return omission{text, true}, true
		}
		if out.text == "" {
			out.text = text
		}
	}
	return out, out.text != ""
}

// omittedIn is omitted for the whole new text of a file. It compares the two only where a line gives
// reason to.
func omittedIn(before []line, after []string, spare *int) (omission, bool) {
	old := trimmedSet{lines: before}
	for _, text := range after {
		if !looksOmitted(text) || old.has(text) {
			continue
		}
		list := make([]string, len(before))
		for i, l := range before {
			list[i] = l.text
		}
		return omitted(replacePattern(joined(list), joined(after), spare), before)
	}
	return omission{}, false
}

func isBareDots(trimmed string) bool { return trimmed == "..." || trimmed == "…" }

func looksOmitted(text string) bool {
	text = foldTrim.apply(text)
	return isBareDots(text) || isElisionComment(text)
}

// trimmedSet are lines without the blanks around them, gathered when first asked for.
type trimmedSet struct {
	lines []line
	set   map[string]bool
}

func (s *trimmedSet) has(text string) bool {
	if s.set == nil {
		s.set = map[string]bool{}
		for _, l := range s.lines {
			s.set[foldTrim.apply(l.text)] = true
		}
	}
	return s.set[foldTrim.apply(text)]
}

// replacesCode says whether the comment at index i stands where code was: around it, more lines of code
// go than come, or a definition goes that does not come back. Lines that stay part one place from
// another, but for those without a word.
func replacesCode(lines []ChunkLine, i int) bool {
	from, to := i, i+1
	for from > 0 && !parts(lines[from-1]) {
		from--
	}
	for to < len(lines) && !parts(lines[to]) {
		to++
	}
	gone, come := 0, 0
	for _, l := range lines[from:to] {
		if isBlank(l.Text) || isComment(l.Text) || isDots(l.Text) {
			continue
		}
		switch l.Sign {
		case '-':
			gone++
		case '+':
			come++
		}
	}
	return gone > come || losesDefinition(lines, from, to)
}

// losesDefinition says whether one of the lines from..to takes a definition away that no line brings.
func losesDefinition(lines []ChunkLine, from, to int) bool {
	var gone []string
	for _, l := range lines[from:to] {
		if name, ok := definedIn(l.Text); ok && l.Sign == '-' {
			gone = append(gone, name)
		}
	}
	if len(gone) == 0 {
		return false
	}
	have := map[string]bool{}
	for _, l := range lines {
		if name, ok := definedIn(l.Text); ok && l.Sign != '-' {
			have[name] = true
		}
	}
	for _, name := range gone {
		if !have[name] {
			return true
		}
	}
	return false
}

func parts(l ChunkLine) bool {
	return l.Sign == ' ' && strings.ContainsFunc(l.Text, func(c rune) bool { return c < 0x80 && c != '_' && isName(byte(c)) || c >= 0x80 })
}

// codeWords are what a comment that stands for code says that it stands for.
const codeWords = `(?:code|file|functions?|methods?|class(?:es)?|implementations?|logic|body|imports?|contents?|parts?|tests?|cases?|fields?|lines?|` +
	`definitions?|declarations?|statements?|routes?|handlers?|components?|setup|styles?|rules?|props|properties|attributes?|fixtures?|constants?|variables?|` +
	`params|parameters?|arguments?|elements?|entries|entry|items?|sections?|helpers?|types?|scripts?|modules?|program|html|css|markup|members?|stuff|things?)`

// elisionPhrase is a comment that is a phrase on code that stays, and no sentence on something else: what
// is meant by "rest" or "existing", in a few words, and that it stays.
var elisionPhrase = regexp.MustCompile(`(?i)^(?:keep |leave |include |add |insert |put |see )?(?:the |your |all |of |any |and |\d+ )*` +
	`(?:(?:rest|remaining|remainder|existing|others?|previous|original|unchanged|everything else|as before|unmodified)\b(?: [\pL_'/-]+){0,3}` +
	`|same(?: ` + codeWords + `)?(?: as (?:before|above|is|it was|original\w*|previous\w*))?` +
	`|(?:[\pL_]+ ){0,2}` + codeWords + `)` +
	`(?: (?:here|unchanged|as (?:before|is|above|it was)|goes here|go here|is unchanged|are unchanged|(?:remains?|stays?|continues?)(?: [\pL-]+){0,3}|follows?|omitted|for brevity))*\s*$`)

// namesCode says whether a comment that looks as if it stood for code is a phrase on code.
func namesCode(text string) bool {
	text = uncommented(text)
	if elisionDots.MatchString(text) || elisionWords.MatchString(text) {
		return true
	}
	text = strings.Trim(text, "#/*{}<>!-;%\"'.…()[] \t")
	return elisionPhrase.MatchString(strings.Join(strings.Fields(strings.NewReplacer("...", " ", "…", " ", ",", " ", ".", " ", ":", " ").Replace(text)), " "))
}

// stubHead returns the sign of the line that the new lines so far end in, if it is a head that takes
// "..." as its whole body, as in Python.
func stubHead(lines []ChunkLine) (sign byte, ok bool) {
	for i := len(lines) - 1; i >= 0; i-- {
		text := foldTrim.apply(lines[i].Text)
		if text == "" || lines[i].Sign == '-' {
			continue
		}
		for _, end := range []string{":", `"""`, "'''"} {
			if strings.HasSuffix(text, end) {
				return lines[i].Sign, true
			}
		}
		return lines[i].Sign, text[0] == '@' || text[0] == '#'
	}
	return 0, false
}

// placeholder says whether the text of a new file is only comments, of which one stands for what should
// be there.
func placeholder(text string) bool {
	dots := false
	for _, l := range texts(text) {
		l = foldTrim.apply(l)
		if l == "" {
			continue
		}
		if !isBareDots(l) && !isComment(l) {
			return false
		}
		dots = dots || isBareDots(l) || (strings.Contains(l, "...") || strings.Contains(l, "…")) && namesCode(l)
	}
	return dots
}
