package wholefile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"coauthor/edits"
)

// before is the text of the file that a listing names, if there is one.
func (p *parser) before(l *listing) (string, bool) {
	if p.o.Files == nil {
		return "", false
	}
	at, below := p.o.Path(l.name, p.o.Known)
	if !below || !p.o.Files.Exists(at) {
		return "", false
	}
	text, err := p.o.Files.Read(at)
	return text, err == nil
}

// language is that of a file or of what stands behind a fence; "" for none that is known.
func (p *parser) language(word string) string {
	if p.o.Language == nil || word == "" {
		return ""
	}
	return p.o.Language(word)
}

// command begins a listing that is a script for the shell.
var command = regexp.MustCompile(`^\s*(?:[$%>]\s+)?(?:sudo\s+)?(?:` +
	`(?:cat|tee|apply_patch|patch|python3?|node|ruby|perl|bash|sh|zsh|ed|ex|psql|mysql|sqlite3)\b.*<<|` + // a heredoc
	`(?:sed|perl|awk|gawk)\s+['"-]|(?:patch|ed|ex)\s+[-<]|ed\s+\S+$|(?:printf|echo|cat)\b.*[^=-]>{1,2}\s*[\w./~"'$]|git\s+(?:apply|am)\b)|^\s*\$\s+\w`)

// shebang begins a script of a shell.
var shebang = regexp.MustCompile(`^#!\s*\S*/(?:env\s+)?(?:ba|z|da|k|fi)?sh\b`)

// isScript says whether a listing below the name of a file that is there is a script and not the file: it is written
// for a shell, or begins with a command, and the file is in another language and has none of its lines.
func (p *parser) isScript(l *listing, text string) bool {
	if !l.fence.IsShell() && !command.MatchString(l.line) && !shebang.MatchString(l.line) {
		return false
	}
	before, ok := p.before(l)
	if !ok {
		return false
	}
	language := p.language(l.name)
	return language != "" && language != "bash" && !edits.HasAny(before, text)
}

// isForeign says why a listing is asked about that is in another language than the file that it names, of which it
// has no line; "" when it is not.
func (p *parser) isForeign(l *listing, text string) string {
	word, _, _ := strings.Cut(l.fence.Info, " ")
	word = strings.ToLower(strings.Trim(word, "{}.:"))
	written, language := p.language(word), p.language(l.name)
	if written == "" || language == "" || written == language || related(written, language) {
		return ""
	}
	if before, ok := p.before(l); !ok || edits.HasAny(before, text) {
		return ""
	}
	return fmt.Sprintf("the listing is marked as %s, and has no line of %s; write that file as a whole, with its own language behind the fence, or put no name above what is not that file", word, l.name)
}

// families are languages that hold each other, or are marked with the name of each other.
var families = [][]string{
	{"vue", "svelte", "astro", "html", "xml", "php", "erb", "handlebars", "twig", "jinja"},
	{"vue", "svelte", "astro", "javascript", "typescript", "tsx", "json"},
	{"vue", "svelte", "astro", "css", "scss", "sass", "less", "stylus"},
	{"c", "cpp", "arduino", "objective-c", "cuda"},
	{"ocaml", "ocaml_interface"}, {"commonlisp", "elisp", "scheme", "racket", "clojure"},
	{"yaml", "json", "toml", "ini", "properties"}, {"make", "bash"}, {"dockerfile", "bash"}, {"groovy", "java", "kotlin"}, {"markdown", "html", "rst"},
}

func related(a, b string) bool {
	return slices.ContainsFunc(families, func(f []string) bool { return slices.Contains(f, a) && slices.Contains(f, b) })
}
