package reply

import (
	"path"
	"strings"
)

// bareNames are files that have neither an extension nor a directory.
var bareNames = map[string]bool{
	"makefile": true, "dockerfile": true, "readme": true, "license": true, "licence": true, "copying": true,
	"changelog": true, "notice": true, "authors": true, "contributing": true, "procfile": true, "gemfile": true,
	"rakefile": true, "vagrantfile": true, "jenkinsfile": true, "justfile": true, "brewfile": true, "codeowners": true,
	"build": true, "workspace": true, "caddyfile": true, "podfile": true,
}

// labels are words that models put before a name.
var labels = []string{"file name:", "filename:", "filepath:", "file path:", "path:", "file:", "new file:", "updated file:", "update file:", "create file:", "modified:", "created:"}

// Name reads a line that should hold nothing but a file name, with whatever models put around it.
// chat are the names that are known.
func Name(text string, chat []string) (string, bool) {
	text = strings.TrimSpace(text)
	if known(text, chat) {
		return text, true
	}
	if name, ok := tagged(text); ok && (known(name, chat) || IsPath(name)) {
		return name, true
	}
	if strings.HasPrefix(text, ">") {
		text = strings.TrimLeft(text, "> ")
	}
	quoted := false
	for range 6 { // decorations nest: a numbered, bold, quoted name with a colon
		if isBare(text) {
			break
		}
		before := text
		text = strings.TrimSpace(text)
		text = strings.TrimSpace(strings.TrimLeft(text, "#"))
		text = strings.TrimSuffix(text, ":")
		text = trimNumber(text)
		text = trimComment(text)
		text = trimLabel(text)
		for _, pair := range []string{"**", "__", "``", `""`, "''", "[]", "()", "<>"} {
			if len(text) > 2 && text[0] == pair[0] && text[len(text)-1] == pair[1] {
				quoted = quoted || pair == "``"
				text = text[1 : len(text)-1]
			}
		}
		if known(text, chat) {
			return text, true
		}
		text, _ = dropRemark(text)
		if text == before {
			break
		}
	}
	if known(text, chat) || IsPath(text) || quoted && text != "" && !strings.ContainsAny(text, " \t`(){}=") {
		return text, true
	}
	return "", false
}

// isBare says of a text that nothing is put around it: it is one word with the signs that names have.
func isBare(text string) bool {
	for i := range len(text) {
		c := text[i]
		if letter := 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'; !letter && (i == 0 || c != '.' && c != '/' && c != '_' && c != '-') {
			return false
		}
	}
	return text != ""
}

func known(text string, chat []string) bool {
	if text == "" {
		return false
	}
	for _, c := range chat {
		if isNameOf(text, c) {
			return true
		}
	}
	return false
}

// isNameOf says whether a text is a path or the name at its end.
func isNameOf(text, file string) bool {
	return strings.HasSuffix(file, text) && (text == file || text == path.Base(file))
}

// trimNumber drops "1." and "2)" and the bullets of lists.
func trimNumber(text string) string {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	if n > 0 && n+1 < len(text) && (text[n] == '.' || text[n] == ')') && text[n+1] == ' ' {
		return text[n+2:]
	}
	for _, bullet := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(text, bullet); ok {
			return rest
		}
	}
	return text
}

func trimComment(text string) string {
	for _, pair := range [][2]string{{"<!--", "-->"}, {"/*", "*/"}, {"//", ""}, {"-- ", ""}, {"; ", ""}} {
		if rest, ok := strings.CutPrefix(text, pair[0]); ok {
			return strings.TrimSpace(strings.TrimSuffix(rest, pair[1]))
		}
	}
	return text
}

func trimLabel(text string) string {
	if strings.IndexByte(text, ':') < 0 && strings.IndexByte(text, ' ') < 0 {
		return text // every label ends in one of them
	}
	lower := strings.ToLower(text)
	for _, label := range labels {
		if strings.HasPrefix(lower, label) {
			return strings.TrimSpace(text[len(label):])
		}
	}
	for _, label := range []string{"file ", "in "} {
		if strings.HasPrefix(lower, label) && !strings.Contains(text[len(label):], " ") {
			return text[len(label):]
		}
	}
	return text
}

// dropRemark turns "app.py (new file)" into "app.py".
func dropRemark(text string) (string, bool) {
	if i := strings.Index(text, " ("); i > 0 && strings.HasSuffix(text, ")") {
		return strings.TrimSpace(text[:i]), true
	}
	return text, false
}

// inNoPath are the bytes that no path has.
var inNoPath = func() (in [256]bool) {
	for _, c := range []byte(" \t*?\"<>|{}()=;,$!") {
		in[c] = true
	}
	return in
}()

// IsPath says whether a text looks like the path of a file, and like nothing else.
func IsPath(text string) bool {
	if text == "" || len(text) > 250 || text[0] == '`' || text[len(text)-1] == '`' {
		return false
	}
	for i := range len(text) {
		if inNoPath[text[i]] {
			return false
		}
	}
	if strings.HasSuffix(text, "/") || strings.HasSuffix(text, ".") || strings.Contains(text, "://") {
		return false
	}
	base := path.Base(strings.ReplaceAll(text, `\`, "/"))
	if bareNames[strings.ToLower(base)] {
		return true
	}
	ext := path.Ext(base)
	if len(ext) > 1 && len(ext) <= 16 && isWord(ext[1:]) && !allDigits(ext[1:]) {
		return true
	}
	return strings.Contains(text, "/") && strings.Trim(text, "/.-") != ""
}

func isWord(s string) bool {
	for _, c := range s {
		if c != '_' && c != '-' && c != '+' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return s != ""
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// InfoName reads a file name from what follows an opening fence: "python app.py", "app.py",
// "python:src/app.py", `title="app.py"`.
func InfoName(info string, chat []string) (string, bool) {
	if len(chat) == 0 && !strings.ContainsAny(info, "./") {
		return "", false // the name of a language, most often
	}
	fields := strings.Fields(info)
	for i := len(fields) - 1; i >= 0; i-- {
		field := fields[i]
		if strings.IndexByte(field, '=') >= 0 {
			for _, key := range []string{"title=", "file=", "filename=", "path=", "name="} {
				field = strings.TrimPrefix(field, key)
			}
		}
		field = strings.Trim(field, "\"'`{}")
		if _, after, ok := strings.Cut(field, ":"); ok && after != "" && len(fields) == 1 {
			field = after
		}
		if known(field, chat) || strings.ContainsAny(field, "./") && IsPath(field) {
			return field, true
		}
	}
	return "", false
}

// Mention returns the one known file that a line of prose names, between blanks or in quotes.
func Mention(text string, chat []string) (string, bool) {
	found := ""
	if len(chat) == 0 {
		return "", false
	}
	for word := range strings.FieldsSeq(text) {
		word = strings.Trim(word, "`*\"'.,:;!?()[]")
		for _, c := range chat {
			if word != "" && isNameOf(word, c) {
				if found != "" && found != c {
					return "", false
				}
				found = c
			}
		}
	}
	return found, found != ""
}

// LastPath returns the path that ends a line of prose.
func LastPath(text string) (string, bool) {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return "", false
	}
	last := strings.Trim(fields[len(fields)-1], "`*\"'()[]:,;")
	return last, IsPath(last)
}
