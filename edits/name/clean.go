package name

import (
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// around is what stood around a name, as far as that says something of it.
type around struct {
	quoted   bool // in quotes, backticks or a tag
	labelled bool // behind a word for a file and a colon
}

// steps is how many things may stand around one name: a numbered, labelled, bold, quoted one with a remark.
const steps = 10

// clean takes off a name what models put around it: quotes, backticks, bold and italic, `\_`, the signs of
// lists, headings, quotations and comments, tags, "./", a label that ends in a colon, a number of lines behind
// it, a remark in brackets, a byte order mark and characters without width. At each step what is left may be
// a known file; then it is that. `\` is "/".
func clean(text string, known Known) (name string, a around, ok bool) {
	if len(text) > longest {
		return "", a, false
	}
	if isBare(text) {
		return path.Clean(text), a, true
	}
	text = visible(text)
	for range steps {
		text = strings.TrimSpace(text)
		if found, is := spelling(text, known); is {
			return found, a, true
		}
		next := a.peel(text)
		if next == text {
			break
		}
		text = next
	}
	if strings.ContainsAny(text, "\n\r\x00") || strings.Trim(text, "`*\"'_#<>()[]:：-") == "" {
		return "", a, false
	}
	return plain(text), a, true
}

// isBare says of a text that nothing stands around it: it is one word with the signs that names have. Most
// names are such.
func isBare(text string) bool {
	for i := range len(text) {
		c := text[i]
		if letter := 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'; !letter && (i == 0 || c != '.' && c != '/' && c != '_' && c != '-') {
			return false
		}
	}
	return text != ""
}

// visible takes out what nobody sees.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\ufeff', r == '\u200b', r == '\u200c', r == '\u200d', r == '\u2060', r == '\u200e', r == '\u200f', r == '\u00ad':
			return -1
		case unicode.IsSpace(r) && r != '\t' && r != '\n' && r != '\r':
			return ' ' // also those of other widths
		}
		return r
	}, text)
}

// spelling is the known file that a text is, if it is one as it stands, with the escapes of Markdown undone, or
// with slashes for backslashes.
func spelling(text string, known Known) (string, bool) {
	if text == "" {
		return "", false
	}
	try := []string{path.Clean(text)}
	if strings.Contains(text, `\`) {
		try = append(try, Slashed(unescaped(text)), Slashed(text))
	}
	for _, name := range try {
		if known(name) {
			return name, true
		}
	}
	return "", false
}

// unescaped undoes what Markdown needs to show an underscore.
func unescaped(text string) string { return strings.ReplaceAll(text, `\_`, "_") }

// plain is the name that is left, where it is no known file.
func plain(text string) string { return Slashed(unescaped(text)) }

// pairs stand on both sides of a name. The first ones quote it.
var pairs = []struct {
	open, close string
	quotes      bool
}{
	{"``", "``", true}, {"`", "`", true}, {`"`, `"`, true}, {"'", "'", true}, {"“", "”", true}, {"‘", "’", true}, {"„", "“", true},
	{"«", "»", true}, {"「", "」", true}, {"『", "』", true}, {"《", "》", true}, {"***", "***", false}, {"**", "**", false}, {"__", "__", false}, {"*", "*", false}, {"_", "_", false}, {"~~", "~~", false},
}

var (
	listSign  = regexp.MustCompile(`^(?:[-*+•‣·]|\d{1,3}[.)])\s+`)
	heading   = regexp.MustCompile(`^#{1,6}\s+|^>\s*`)
	closing   = regexp.MustCompile(`\s+#+$`)
	attribTag = regexp.MustCompile(`^<[A-Za-z][\w:-]*\s[^<>]*?\b(?:path|name|file|filename|file_name|filepath|file_path|src|href|title)\s*=\s*(?:"([^"<>]+)"|'([^'<>]+)')[^<>]*>(?:\s*</[\w:-]+>)?$`)
	pairTag   = regexp.MustCompile(`^<([A-Za-z][\w:-]*)>\s*([^<>]+?)\s*</([\w:-]+)>$`)
	openTag   = regexp.MustCompile(`^<(?:file|path|name|filename|file_name|filepath|file_path)>\s*([^<>]+)$`)
	lineOf    = regexp.MustCompile(`(?:(?::|#L)\d+(?:(?::|-|-L|–)\d+)*)$`)
	remark    = regexp.MustCompile(`^(.*\S)(?:\s+\([^()]*\)|\s+\[[^\[\]]*\]|\s*（[^（）]*）|\s*【[^【】]*】)$`)
	label     = regexp.MustCompile("^[^`\"“«/\\\\<:：]*?[^\\s`\"“«/\\\\<:：](?::[*_]*\\s+|：[*_]*\\s*)(\\S.*)$")
)

// peel takes off one thing, the outermost.
func (a *around) peel(text string) string {
	if text == "" {
		return ""
	}
	if rest, ok := strings.CutPrefix(text, "file://"); ok {
		return rest
	}
	for _, takes := range []func(string) (string, bool){a.tag, a.pair, brackets, uncomment} {
		if rest, ok := takes(text); ok {
			return rest
		}
	}
	for _, sign := range []*regexp.Regexp{listSign, heading, closing} {
		if at := sign.FindStringIndex(text); at != nil {
			return text[:at[0]] + text[at[1]:]
		}
	}
	for _, colon := range []string{":", "："} {
		if rest, ok := strings.CutSuffix(text, colon); ok {
			return rest
		}
	}
	if m := remark.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	if rest, ok := a.label(text); ok {
		return rest
	}
	if at := lineOf.FindStringIndex(text); at != nil {
		return text[:at[0]]
	}
	return text
}

// tag takes off a tag around a name, or before it.
func (a *around) tag(text string) (string, bool) {
	if !strings.HasPrefix(text, "<") {
		return "", false
	}
	if m := attribTag.FindStringSubmatch(text); m != nil {
		a.quoted = true
		return m[1] + m[2], true
	}
	if m := pairTag.FindStringSubmatch(text); m != nil && m[1] == m[3] {
		a.quoted = true
		return m[2], true
	}
	if m := openTag.FindStringSubmatch(text); m != nil {
		return m[1], true
	}
	rest, ok := strings.CutSuffix(text[1:], ">")
	return rest, ok && LooksLikePath(rest)
}

// pair takes off quotes and signs of emphasis that stand on both sides.
func (a *around) pair(text string) (string, bool) {
	for _, p := range pairs {
		rest, ok := strings.CutPrefix(text, p.open)
		if !ok {
			continue
		}
		if rest, ok = strings.CutSuffix(rest, p.close); ok && strings.TrimSpace(rest) != "" &&
			(p.open[0] == '_' && (LooksLikePath(rest) || strings.ContainsAny(rest, ":：")) || p.open[0] != '_' && !strings.Contains(rest, p.open) && !strings.Contains(rest, p.close)) {
			a.quoted = a.quoted || p.quotes
			return rest, true
		}
	}
	return "", false
}

// brackets takes off round or square ones around a path, or around a file's label and its path.
func brackets(text string) (string, bool) {
	last := text[len(text)-1]
	if len(text) < 2 || text[0] == '(' && last != ')' || text[0] == '[' && last != ']' || text[0] != '(' && text[0] != '[' {
		return "", false
	}
	rest := text[1 : len(text)-1]
	before, _, labelled := strings.Cut(rest, ":")
	return rest, LooksLikePath(strings.Trim(rest, "`*\"'")) || labelled && fileWords[strings.ToLower(word(before))]
}

// label takes off a word before a colon: one that says "file", or one behind which a blank stands.
func (a *around) label(text string) (string, bool) {
	if before, after, ok := strings.Cut(text, ":"); ok && after != "" && fileWords[strings.ToLower(word(before))] {
		a.labelled = true
		stars := before[:len(before)-len(strings.TrimLeft(before, "*_"))] // "**File:** a.py"
		return strings.TrimPrefix(after, stars), true
	}
	if m := label.FindStringSubmatch(text); m != nil && !LooksLikePath(word(text[:len(text)-len(m[1])])) {
		a.labelled = a.labelled || fileWords[strings.ToLower(word(text[:len(text)-len(m[1])]))]
		return m[1], true
	}
	return "", false
}

// word is a label without what stands around it.
func word(label string) string {
	return strings.Trim(strings.TrimSpace(strings.TrimRight(strings.TrimSpace(label), ":：")), "*_#->• ")
}

// comments are the signs of comments, with what closes them. Of those that are also something else, a blank
// must follow.
var comments = [][2]string{{"<!--", "-->"}, {"{/*", "*/}"}, {"/*", "*/"}, {"//", ""}, {"-- ", ""}, {"; ", ""}, {"% ", ""}, {"rem ", ""}, {"REM ", ""}, {"(*", "*)"}, {"{-", "-}"}, {"\"\"\"", "\"\"\""}}

// uncomment takes the signs of a comment off a line that is nothing else.
func uncomment(text string) (string, bool) {
	for _, pair := range comments {
		if rest, ok := strings.CutPrefix(text, pair[0]); ok && strings.HasSuffix(rest, pair[1]) {
			return strings.Trim(strings.TrimSuffix(rest, pair[1]), "-=#/* \t"), true
		}
	}
	return "", false
}

// fileWords are words for a file: behind one of them and a colon a name may have blanks.
var fileWords = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Split("file,files,filename,file name,filepath,file path,path,name,new file,updated file,update file,create file,modified file,full path,"+
		"datei,dateiname,pfad,fichier,nom du fichier,chemin,archivo,fichero,ruta,nombre del archivo,arquivo,ficheiro,caminho,nome do arquivo,percorso,nome del file,"+
		"bestand,plik,ścieżka,soubor,fil,tiedosto,dosya,файл,путь,имя файла,文件,文件名,文件路径,路径,檔案,檔名,路徑,ファイル,ファイル名,パス,파일,파일명,파일 이름,경로,फ़ाइल,ملف,קובץ", ",") {
		set[w] = true
	}
	return set
}()

// unquoted undoes the quotes that git puts around a name with unusual characters.
func unquoted(text string) string {
	if len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' {
		if plain, err := strconv.Unquote(text); err == nil {
			return plain
		}
	}
	return text
}
