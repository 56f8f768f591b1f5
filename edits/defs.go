package edits

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// definition finds the names that a line defines, in the shapes that most languages share.
var definition = regexp.MustCompile(`^\s*(?:export\s+|default\s+|public\s+|private\s+|protected\s+|static\s+|async\s+|pub(?:\([a-z]+\))?\s+|unsafe\s+|abstract\s+|final\s+|inline\s+)*` +
	`(?:(?:def|class|function\*?|func(?:\s*\([^)]*\))?|fn|struct|enum|trait|interface|module|type)\s+([\pL_$][\pL\pN_$]*)` +
	`|(?:const|let|var)\s+([\pL_$][\pL\pN_$]*)\s*=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>|[\pL_$][\pL\pN_$]*\s*=>)` +
	`|([\pL_$][\pL\pN_$]*)\s*\([^;{}]*\)\s*\{\s*$)`)

// notNames are words that look like a definition with a body: "if (x) {".
var notNames = map[string]bool{
	"if": true, "for": true, "while": true, "switch": true, "catch": true, "return": true, "else": true, "with": true, "match": true, "function": true,
}

// maxDefinition is the longest line that is searched for a definition.
const maxDefinition = 400

func definedIn(text string) (string, bool) {
	if len(text) > maxDefinition {
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

// Keeps says whether a text has all the definitions of a file, and nothing that stands for code that
// was left out. A listing that only prose names must pass this.
func Keeps(before, after string) bool {
	old, _ := cutLines(before)
	list := texts(after)
	spare := maxDiffProduct
	if o, _ := omittedIn(old, list, &spare); o.lost {
		return false
	}
	have := definitions(list)
	for name := range definitions(texts(before)) {
		if !have[name] {
			return false
		}
	}
	return true
}

// Resembles says whether a text is a file again as a whole, changed here and there: it has most of
// its lines and all of its definitions, and nothing in it stands for code that was left out. A code
// block that nothing else marks as the new content of a file must pass this.
func Resembles(before, after string) bool {
	old, _ := cutLines(before)
	new, _ := cutLines(after)
	if len(old) == 0 || shared(new, old) < 0.6 {
		return false
	}
	return Keeps(before, after)
}

// ownModule are the extensions of languages in which a file sees only what it defines or imports.
var ownModule = map[string]bool{".py": true, ".js": true, ".mjs": true, ".cjs": true, ".jsx": true, ".ts": true, ".tsx": true}

var (
	imports   = regexp.MustCompile(`^\s*(?:import\b|from\b|export\b.*\bfrom\b|(?:const|let|var)\b.*\brequire\()`)
	inherited = regexp.MustCompile(`^\s*(?:export\s+|default\s+|abstract\s+)*class\s+\w+\s*(?:\(\s*(?:[^)\s]+)|extends\b)`)
)

// orphaned returns a definition that the new text no longer has but still calls: code was lost.
func orphaned(file string, before, after []string) (string, bool) {
	if !ownModule[strings.ToLower(path.Ext(file))] {
		return "", false
	}
	kept := definitions(after)
	var gone []string
	for _, text := range before {
		if name, ok := saidIn(text); ok && !kept[name] {
			gone = append(gone, name)
		}
	}
	if len(gone) == 0 || slices.ContainsFunc(after, inherits) {
		return "", false
	}
	called := calledIn(after)
	for _, name := range gone {
		if called[name] && calls(after, name) {
			return name, true
		}
	}
	return "", false
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
			for from > 0 && isName(text[from-1]) {
				from--
			}
			out[text[from:i]] = true
			if from > 0 && text[from-1] == '$' { // a name in some languages, a sign before one in others
				for from > 0 && (isName(text[from-1]) || text[from-1] == '$') {
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
	if len(text) > maxDefinition {
		return "", false
	}
	m := keyword.FindStringSubmatch(text)
	if m == nil || len(m[1]) < 3 {
		return "", false
	}
	return m[1], true
}

// calls says whether a text without heirs calls a name of its own: plainly, or on the object itself.
func calls(lines []string, name string) bool {
	called := false
	for _, text := range lines {
		if len(text) > maxDefinition {
			continue
		}
		at := strings.Index(text, name)
		if at < 0 {
			continue
		}
		if imports.MatchString(text) || strings.Contains(text, name+" =") || strings.Contains(text, name+",") || strings.Contains(text, name+" as") {
			return false // it may come from elsewhere
		}
		if isComment(text) {
			continue
		}
		called = called || callAt(text, name)
	}
	return called
}

func callAt(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name+"(")
		if i < 0 {
			return false
		}
		i += from
		before := text[:i]
		switch {
		case strings.HasSuffix(before, "self."), strings.HasSuffix(before, "this."):
			return true
		case before == "" || !isName(before[len(before)-1]) && before[len(before)-1] != '.' && !strings.HasSuffix(before, "new "):
			return !strings.ContainsAny(before, `"'`+"`")
		}
		from = i + len(name)
	}
}
