package chat

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// input is a text of several lines that is being written, and the cursor in it. Its keys are those of Emacs and of shells. It
// knows nothing of terminals: press takes the name of a key.
type input struct {
	text   []rune
	at     int    // the cursor, in runes
	killed []rune // that Ctrl+Y puts back

	past   []string // what was sent before, the oldest first
	recall int      // how far back in past; 0 is what is being written
	draft  []rune   // what was being written before past was looked at

	searching bool
	query     string
	found     int // how far back in past the search is; 0 for nothing
}

func (in *input) String() string { return string(in.text) }

// set replaces the text; the cursor stands behind it.
func (in *input) set(text string) {
	in.text = []rune(text)
	in.at = len(in.text)
}

// insert puts a text where the cursor is. Line ends of other systems become plain ones.
func (in *input) insert(text string) {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	piece := slices.DeleteFunc([]rune(text), func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' })
	in.text = slices.Insert(in.text, in.at, piece...)
	in.at += len(piece)
}

// took is what a key made of the input.
type took int

// What a key can make of the input.
const (
	tookNothing took = iota // the key is none of the input's
	tookMoved               // the text is as it was
	tookEdited
	tookSent // the text is to be sent
)

// press takes a key. text is what it types; "" for a key that types nothing.
func (in *input) press(key, text string) took {
	if in.searching {
		return in.search(key, text)
	}
	switch key {
	case "enter":
		if before := in.at; before > 0 && in.text[before-1] == '\\' && before == len(in.text) {
			in.text[before-1] = '\n'
			return tookEdited
		}
		return tookSent
	case "alt+enter", "shift+enter", "ctrl+j":
		in.insert("\n")
		return tookEdited
	case "ctrl+r":
		in.searching, in.query, in.found = true, "", 0
		return tookMoved
	}
	if in.move(key) {
		return tookMoved
	}
	if in.remove(key) || in.recase(key) {
		return tookEdited
	}
	if text == "" || strings.HasPrefix(key, "ctrl+") || strings.HasPrefix(key, "alt+") {
		return tookNothing
	}
	in.insert(text)
	return tookEdited
}

// move takes the keys that move the cursor, also to other texts.
func (in *input) move(key string) bool {
	switch key {
	case "left", "ctrl+b":
		in.at = max(0, in.at-1)
	case "right", "ctrl+f":
		in.at = min(len(in.text), in.at+1)
	case "home", "ctrl+a":
		in.at = in.lineStart()
	case "end", "ctrl+e":
		in.at = in.lineEnd()
	case "alt+b", "alt+left", "ctrl+left":
		in.at = in.wordStart()
	case "alt+f", "alt+right", "ctrl+right":
		in.at = in.wordEnd()
	case "alt+<", "ctrl+home":
		in.at = 0
	case "alt+>", "ctrl+end":
		in.at = len(in.text)
	case "up", "ctrl+p":
		in.vertical(-1)
	case "down", "ctrl+n":
		in.vertical(1)
	default:
		return false
	}
	return true
}

// remove takes the keys that remove text, or put back what they removed.
func (in *input) remove(key string) bool {
	switch key {
	case "backspace", "ctrl+h":
		in.cut(max(0, in.at-1), in.at, false)
	case "delete", "ctrl+d":
		in.cut(in.at, min(len(in.text), in.at+1), false)
	case "ctrl+k":
		end := in.lineEnd()
		if end == in.at {
			end = min(len(in.text), end+1)
		}
		in.cut(in.at, end, true)
	case "ctrl+u":
		in.cut(in.lineStart(), in.at, true)
	case "ctrl+w":
		from := in.at
		for from > 0 && unicode.IsSpace(in.text[from-1]) {
			from--
		}
		for from > 0 && !unicode.IsSpace(in.text[from-1]) {
			from--
		}
		in.cut(from, in.at, true)
	case "alt+backspace":
		in.cut(in.wordStart(), in.at, true)
	case "alt+d":
		in.cut(in.at, in.wordEnd(), true)
	case "ctrl+y":
		in.insert(string(in.killed))
	case "ctrl+t":
		if i := min(in.at, len(in.text)-1); i > 0 {
			in.text[i-1], in.text[i] = in.text[i], in.text[i-1]
			in.at = i + 1
		}
	default:
		return false
	}
	return true
}

// recase takes the keys that change the letters of the next word: large, small, or the first one large.
func (in *input) recase(key string) bool {
	end := in.wordEnd()
	word := string(in.text[in.at:end])
	switch key {
	case "alt+u":
		word = strings.ToUpper(word)
	case "alt+l":
		word = strings.ToLower(word)
	case "alt+c":
		first := strings.IndexFunc(word, isWord)
		if first >= 0 {
			_, size := utf8.DecodeRuneInString(word[first:])
			word = word[:first] + strings.ToUpper(word[first:first+size]) + strings.ToLower(word[first+size:])
		}
	default:
		return false
	}
	in.text = slices.Replace(in.text, in.at, end, []rune(word)...)
	in.at += len([]rune(word))
	return true
}

func (in *input) cut(from, to int, keep bool) {
	if from == to {
		return
	}
	if keep {
		in.killed = slices.Clone(in.text[from:to])
	}
	in.text = slices.Delete(in.text, from, to)
	in.at = from
}

func (in *input) lineStart() int {
	at := in.at
	for at > 0 && in.text[at-1] != '\n' {
		at--
	}
	return at
}

func (in *input) lineEnd() int {
	at := in.at
	for at < len(in.text) && in.text[at] != '\n' {
		at++
	}
	return at
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

func (in *input) wordStart() int {
	at := in.at
	for at > 0 && !isWord(in.text[at-1]) {
		at--
	}
	for at > 0 && isWord(in.text[at-1]) {
		at--
	}
	return at
}

func (in *input) wordEnd() int {
	at := in.at
	for at < len(in.text) && !isWord(in.text[at]) {
		at++
	}
	for at < len(in.text) && isWord(in.text[at]) {
		at++
	}
	return at
}

// vertical moves a line up or down; from the first and the last line it goes to what was sent before and after.
func (in *input) vertical(by int) {
	start, end := in.lineStart(), in.lineEnd()
	column := in.at - start
	switch {
	case by < 0 && start == 0:
		in.back(1)
	case by > 0 && end == len(in.text):
		in.back(-1)
	case by < 0:
		in.at = start - 1
		in.at = min(in.lineStart()+column, start-1)
	default:
		in.at = end + 1
		in.at = min(in.at+column, in.lineEnd())
	}
}

// back looks at what was sent before, by so many steps.
func (in *input) back(by int) {
	next := in.recall + by
	if next < 0 || next > len(in.past) {
		return
	}
	if in.recall == 0 {
		in.draft = slices.Clone(in.text)
	}
	in.recall = next
	if next == 0 {
		in.set(string(in.draft))
		return
	}
	in.set(in.past[len(in.past)-next])
}

// sent takes the text out, and remembers it.
func (in *input) sent(remember bool) string {
	text := in.String()
	if said := strings.TrimSpace(text); remember && said != "" && (len(in.past) == 0 || in.past[len(in.past)-1] != said) {
		in.past = append(in.past, said)
	}
	in.recall, in.draft = 0, nil
	in.set("")
	return text
}

// search takes a key while what was sent before is searched: what is typed narrows it, Ctrl+R goes on, Enter takes it.
func (in *input) search(key, text string) took {
	switch key {
	case "ctrl+r":
		in.look(in.found + 1)
		return tookMoved
	case "backspace", "ctrl+h":
		if q := []rune(in.query); len(q) > 0 {
			in.query = string(q[:len(q)-1])
		}
		in.look(1)
		return tookMoved
	case "esc", "ctrl+g", "ctrl+c":
		in.searching = false
		return tookMoved
	case "enter", "tab", "left", "right", "ctrl+a", "ctrl+e":
		in.searching = false
		if in.found > 0 {
			in.set(in.past[len(in.past)-in.found])
		}
		return tookEdited
	}
	if text == "" {
		return tookNothing
	}
	in.query += text
	in.look(max(1, in.found))
	return tookMoved
}

// look finds the newest text that has the query, from so many steps back on. Where none has, the last one found stays.
func (in *input) look(from int) {
	if in.query == "" {
		in.found = 0
		return
	}
	for n := max(1, from); n <= len(in.past); n++ {
		if strings.Contains(strings.ToLower(in.past[len(in.past)-n]), strings.ToLower(in.query)) {
			in.found = n
			return
		}
	}
}

// searched is what the search has found.
func (in *input) searched() string {
	if in.found == 0 {
		return ""
	}
	return in.past[len(in.past)-in.found]
}

// rows are the lines of the text on a screen of so many columns, and where the cursor is in them. They are broken between
// words, where blanks that do not fit are not seen. A tab is shown as four blanks.
func (in *input) rows(width int) (rows []string, x, y int) {
	width = max(width, 4)
	row, columns := "", 0
	end := func() { rows, row, columns = append(rows, row), "", 0 }
	for i, r := range in.text {
		if !blank(r) && (i == 0 || blank(in.text[i-1])) {
			if w := in.wordWidth(i, width); columns > 0 && columns+w > width && w <= width {
				end()
			}
		}
		shown := string(r)
		if r == '\t' {
			shown = "    "
		}
		w := ansi.StringWidth(shown)
		if r == ' ' && columns+w > width { // behind the end of the line, where it is not seen
			shown, w = "", 0
		}
		if r != '\n' && columns+w > width {
			end()
		}
		if i == in.at {
			x, y = columns, len(rows)
		}
		if r == '\n' {
			end()
			continue
		}
		row, columns = row+shown, columns+w
	}
	if columns >= width {
		end()
	}
	if in.at == len(in.text) {
		x, y = columns, len(rows)
	}
	return append(rows, row), x, y
}

// blank says whether a line may be broken behind a sign.
func blank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }

// wordWidth is how wide the word is that begins at a place; more than most, where it is wider.
func (in *input) wordWidth(at, most int) (width int) {
	for ; at < len(in.text) && !blank(in.text[at]) && width <= most; at++ {
		width += ansi.StringWidth(string(in.text[at]))
	}
	return width
}
