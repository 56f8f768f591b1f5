package edits

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"coauthor/edits/match"
)

// definition finds the names that a line defines, in the shapes that most languages share.
var definition = regexp.MustCompile(`^\s*(?:export\s+|default\s+|public\s+|private\s+|protected\s+|static\s+|async\s+|pub(?:\([a-z]+\))?\s+|unsafe\s+|abstract\s+|final\s+|inline\s+)*` +
	`(?:(?:def|class|function\*?|func(?:\s*\([^)]*\))?|fn|struct|enum|trait|interface|module|type)\s+([\pL_$][\pL\pN_$]*)` +
	`|(?:const|let|var)\s+([\pL_$][\pL\pN_$]*)\s*=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>|[\pL_$][\pL\pN_$]*\s*=>)` +
	`|([\pL_$][\pL\pN_$]*)\s*\([^;{}]*\)\s*\{\s*$)`)

// defining are the words that such a line may begin with, but for one that ends in the brace of a body. Few
// lines do, and the rest need no closer look.
var defining = wordSet("export default public private protected static async pub unsafe abstract final inline " +
	"def class function func fn struct enum trait interface module type const let var")

// firstWord is the run of small letters that a line begins with, behind blanks.
func firstWord(text string) string {
	text = strings.TrimLeft(text, spaces)
	n := 0
	for n < len(text) && 'a' <= text[n] && text[n] <= 'z' {
		n++
	}
	return text[:n]
}

// opensBody says whether a line ends in the brace of a body, with parentheses before it.
func opensBody(text string) bool {
	return strings.HasSuffix(strings.TrimRight(text, spaces), "{") && strings.IndexByte(text, ')') >= 0
}

// spaces are what a pattern takes for blanks.
const spaces = " \t\n\f\r"

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		out[word] = true
	}
	return out
}

// notNames are words that look like a definition with a body: "if (x) {".
var notNames = map[string]bool{
	"if": true, "for": true, "while": true, "switch": true, "catch": true, "return": true, "else": true, "with": true, "match": true, "function": true,
}

// maxDefinition is the longest line that is searched for a definition.
const maxDefinition = 400

func definedIn(text string) (string, bool) {
	if len(text) > maxDefinition || !defining[firstWord(text)] && !opensBody(text) {
		return "", false
	}
	m := definition.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	for _, name := range m[1:] {
		if name != "" && !notNames[name] {
			return name, true
		}
	}
	return "", false
}

func definitions(lines []string) map[string]bool {
	out := map[string]bool{}
	for _, text := range lines {
		if name, ok := definedIn(text); ok {
			out[name] = true
		}
	}
	return out
}

// keyword finds the definitions that say so by a word.
var keyword = regexp.MustCompile(`^\s*(?:export\s+|default\s+|async\s+)*(?:def|class|function\*?)\s+([\pL_$][\pL\pN_$]*)`)

// saying are the words that those lines begin with.
var saying = wordSet("export default async def class function")

// HasHalf says whether a text has half of the lines of a file that has some.
func HasHalf(file, text string) bool {
	n, in := heldBy(file, text)
	return n > 0 && 2*in >= n
}

// HasAny says whether a text has a line of the file. Lines without a letter or digit are in any code.
func HasAny(file, text string) bool {
	_, in := heldBy(file, text)
	return in > 0
}

// heldBy counts the lines of a file with a letter or digit in them, and those that a text has as well.
func heldBy(file, text string) (n, in int) {
	have := match.Set(match.Lines(text))
	for _, l := range match.Lines(file) {
		if l = match.Trim(l); strings.ContainsFunc(l, isWordRune) {
			n++
			if have[l] {
				in++
			}
		}
	}
	return n, in
}

// ownModule are the extensions of languages in which a file sees only what it defines or imports.
var ownModule = map[string]bool{".py": true, ".js": true, ".mjs": true, ".cjs": true, ".jsx": true, ".ts": true, ".tsx": true}

var (
	inherited = regexp.MustCompile(`^\s*(?:export\s+|default\s+|abstract\s+)*class\s+\w+\s*(?:\(\s*(?:[^)\s]+)|extends\b)`)
	// unnamed brings names into a file that it does not write out.
	unnamed = regexp.MustCompile(`\bimport\s*\*\s*$|\bimport\s*\*\s*;|\b(?:__getattr__|globals|locals|exec|eval|setattr)\b`)
	// moduleText is what shows that a script is a module, which sees no names of other scripts.
	moduleText = regexp.MustCompile(`^\s*(?:import\b|export\b)|\brequire\s*\(|\bmodule\.exports\b|\bexports\.`)
)

// builtin are the functions that each file sees: one of that name that goes may have stood in for it.
var builtin = wordSet(`abs all any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex
		delattr dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex input int
		isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr
		reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip
		alert atob btoa clearInterval clearTimeout confirm fetch isFinite isNaN parseFloat parseInt prompt queueMicrotask require
		requestAnimationFrame setImmediate setInterval setTimeout structuredClone`)

// orphan is a definition that a new text no longer has but still calls.
type orphan struct {
	name string
	line int    // of its first call, from 1
	call string // that line
}

// orphaned returns the first definition that was lost, if there is one. It is lost only if each use of its name is a
// call of it: a parameter, a loop variable, an import, an assignment or an argument of that name may be where it comes
// from now.
func orphaned(file string, before, after []string) (orphan, bool) {
	if !ownModule[strings.ToLower(path.Ext(file))] {
		return orphan{}, false
	}
	kept := definitions(after)
	var gone []string
	for _, text := range before {
		if name, ok := saidIn(text); ok && !kept[name] {
			gone = append(gone, name)
		}
	}
	if len(gone) == 0 || slices.ContainsFunc(after, inherits) {
		return orphan{}, false
	}
	called := calledIn(after)
	gone = slices.DeleteFunc(gone, func(name string) bool { return !called[name] || builtin[name] })
	if len(gone) == 0 {
		return orphan{}, false
	}
	code := codeText(file, after)
	closed := !slices.ContainsFunc(code, unnamed.MatchString)
	if ext := strings.ToLower(path.Ext(file)); ext != ".py" && ext != ".mjs" {
		closed = closed && slices.ContainsFunc(slices.Concat(before, after), moduleText.MatchString)
	}
	if !closed {
		return orphan{}, false
	}
	for _, name := range gone {
		if use := usesOf(code, after, name); use.called && !use.other {
			at := slices.IndexFunc(code, func(text string) bool { return usesOf([]string{text}, []string{""}, name).called })
			return orphan{name: name, line: at + 1, call: strings.TrimSpace(after[at])}, true
		}
	}
	return orphan{}, false
}

// inherits says whether a line begins a class that has more than what is written in it.
func inherits(text string) bool {
	return len(text) <= maxDefinition && strings.Contains(text, "class") && inherited.MatchString(text)
}

// calledIn returns the words before an opening parenthesis: a text calls nothing else.
func calledIn(lines []string) map[string]bool {
	out := map[string]bool{}
	for _, text := range lines {
		if len(text) > maxDefinition {
			continue
		}
		for i := range len(text) {
			if text[i] != '(' {
				continue
			}
			from := i
			for from > 0 && match.IsName(text[from-1]) {
				from--
			}
			out[text[from:i]] = true
			if from > 0 && text[from-1] == '$' { // a name in some languages, a sign before one in others
				for from > 0 && (match.IsName(text[from-1]) || text[from-1] == '$') {
					from--
				}
				out[text[from:i]] = true
			}
		}
	}
	return out
}

// saidIn returns the name that a line defines by a word, if it is long enough to tell.
func saidIn(text string) (string, bool) {
	if len(text) > maxDefinition || !saying[firstWord(text)] {
		return "", false
	}
	m := keyword.FindStringSubmatch(text)
	if m == nil || len(m[1]) < 3 {
		return "", false
	}
	return m[1], true
}

// uses are the ways in which a text uses a name.
type uses struct{ called, other bool }

// usesOf looks at each use of a name in code: a plain call or one on the object itself, or anything else
// but a member of something else. text is the code with its strings: one that is the name may be a way
// to it.
func usesOf(code, text []string, name string) uses {
	var u uses
	for i, l := range code {
		if strings.Contains(text[i], `"`+name+`"`) || strings.Contains(text[i], "'"+name+"'") {
			u.other = true
		}
		for from := 0; ; {
			at := strings.Index(l[from:], name)
			if at < 0 {
				break
			}
			at += from
			from = at + len(name)
			before, after := l[:at], l[from:]
			switch {
			case endsName(before) || startsName(after) || strings.HasSuffix(before, "$") || strings.HasPrefix(after, "$"):
			case strings.HasSuffix(before, "self."), strings.HasSuffix(before, "this."):
				u.add(strings.HasPrefix(after, "("))
			case strings.HasSuffix(before, ".") && !strings.HasSuffix(before, "..."):
			default:
				u.add(strings.HasPrefix(after, "(") && !declares(before, after) && !strings.HasSuffix(before, "new "))
			}
		}
	}
	return u
}

func (u *uses) add(call bool) {
	u.called = u.called || call
	u.other = u.other || !call
}

func startsName(text string) bool { return text != "" && match.IsName(text[0]) }
func endsName(text string) bool   { return text != "" && match.IsName(text[len(text)-1]) }

// declares says whether a name before a parenthesis is declared there: "load(): void;" in an interface,
// "get load() {".
func declares(before, after string) bool {
	words := strings.Fields(before)
	if len(words) > 0 {
		switch words[len(words)-1] {
		case "get", "set", "def", "function", "function*", "class", "declare", "override", "readonly", "abstract", "static", "public", "private", "protected":
			return true
		}
		return false
	}
	depth := 0
	for i := range len(after) {
		switch after[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				rest := match.Trim(after[i+1:])
				return strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "{")
			}
		}
	}
	return false
}
