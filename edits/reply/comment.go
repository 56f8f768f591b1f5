package reply

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	tagAttribute = regexp.MustCompile(`^<(file|document|code|listing)\s[^<>]*?\b(?:path|name|file|filename|file_path)\s*=\s*(?:"([^"<>]+)"|'([^'<>]+)')[^<>]*>$`)
	tagContent   = regexp.MustCompile(`^<(file|path|name|filename|file_name|filepath|file_path)>\s*([^<>]+?)\s*</([a-z_]+)>$`)
)

// Tag is an opening tag that names a file: <file path="a.py">.
type Tag struct{ Name, Close string }

// OpenTag reads such a tag.
func OpenTag(text string) (Tag, bool) {
	if cannotBegin(text[Blanks(text):], '<') {
		return Tag{}, false
	}
	m := tagAttribute.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil || strings.HasSuffix(strings.TrimSpace(text), "/>") {
		return Tag{}, false
	}
	return Tag{Name: strings.TrimSpace(m[2] + m[3]), Close: "</" + m[1] + ">"}, true
}

// tagged reads a line that names a file by a tag.
func tagged(text string) (string, bool) {
	if !strings.HasPrefix(text, "<") || len(text) > 300 {
		return "", false
	}
	if t, ok := OpenTag(text); ok {
		return t.Name, true
	}
	if m := tagContent.FindStringSubmatch(text); m != nil && m[1] == m[3] {
		return m[2], true
	}
	return "", false
}

// sources are extensions of files whose name a comment may be, though no one knows the file.
var sources = []string{".py", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".go", ".rs", ".c", ".h", ".cc", ".cpp", ".hpp", ".java", ".kt",
	".rb", ".php", ".cs", ".swift", ".scala", ".lua", ".sh", ".sql", ".html", ".css", ".scss", ".vue", ".json", ".yaml", ".yml", ".toml", ".md", ".txt"}

// CommentName reads a line that is only a comment with the name of a file: "# a.py",
// "// filename: src/a.js". chat are the names that are known.
func CommentName(text string, chat []string) (string, bool) {
	text = strings.TrimSpace(text)
	if len(text) > 250 {
		return "", false
	}
	inner, ok := "", false
	for _, pair := range [][2]string{{"<!--", "-->"}, {"{/*", "*/}"}, {"/*", "*/"}, {"//", ""}, {"--", ""}, {"#", ""}, {";", ""}, {"%", ""}} {
		if rest, has := strings.CutPrefix(text, pair[0]); has {
			inner, ok = strings.TrimSuffix(rest, pair[1]), true
			break
		}
	}
	if !ok || strings.HasPrefix(inner, "!") {
		return "", false
	}
	inner = strings.Trim(inner, "-=#/* \t")
	bare := trimLabel(inner)
	labelled := bare != inner
	bare = strings.Trim(bare, "`*\"' \t")
	bare, _ = dropRemark(bare)
	if known(bare, chat) {
		return bare, true
	}
	if !IsPath(bare) || !labelled && !slices.Contains(sources, strings.ToLower(path.Ext(bare))) {
		return "", false
	}
	return bare, true
}

// Quoted returns the one known file that some lines of prose name in backquotes.
func Quoted(lines []string, chat []string) (string, bool) {
	found := ""
	for _, text := range lines {
		for i, part := range strings.Split(text, "`") {
			if i%2 == 0 || part == "" {
				continue
			}
			for _, c := range chat {
				if !SameName(part, c) {
					continue
				}
				if found != "" && found != c {
					return "", false
				}
				found = c
			}
		}
	}
	return found, found != ""
}

// SameName says whether a name may be that of a file: its path, a part of it that ends it, or a longer
// one, in any case.
func SameName(name, file string) bool {
	name, file = strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, "./"), "\\", "/")), strings.ToLower(file)
	return name != "" && (name == file || strings.HasSuffix(file, "/"+name) || strings.HasSuffix(name, "/"+file))
}
