package syntax

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"

	"coauthor/repomap/syntax/tag"
)

// declaration is a line that begins with a word that declares, or a label or section.
var declaration = regexp.MustCompile(`^[ \t]*(?:(?:export|public|private|protected|static|abstract|final|async|pub|local|inline|override|default)[ \t]+)*` +
	`([A-Za-z_-]+)[ \t]+(?:\w+[ \t]+)?([A-Za-z_$][\w$?!-]*)[ \t]*(?:[({:=<\[]|$|\b(?:extends|implements|is|as|where)\b)`)

// marker is a line that names something by its form: a section, a label, an assignment, a sigil.
var marker = regexp.MustCompile(`^[ \t]*(?:\[+([\w .:-]+)\]+[ \t]*$|LABEL="([^"]+)"|[%~@]\[([^\]]+)\]|([A-Z][A-Z0-9_]{2,})[ \t]*[:?+]?=|[a-z_]+ +(?:"[^"]+" +)?"([^"]+)" *\{|ENV\{([\w-]+)\}=[^=])`)

// function is a line that defines one without a word in front: `name() {` and `name <- function(`.
var function = regexp.MustCompile(`^[ \t]*(?:([\w:-]+)[ \t]*\(\)[ \t]*\{?[ \t]*$|([\w.]+)[ \t]*(?:<-|=)[ \t]*(?:async[ \t]+)?function\b)`)

// In documents and data a heading begins with hashes, and a key of the outermost level ends with a sign.
var (
	heading = regexp.MustCompile(`^#{1,6} +(.{1,100}?) *#*$`)
	key     = regexp.MustCompile(`^([A-Za-z_][\w.-]{0,80})[ \t]*(?:=|:(?:[ \t]|$))`)
)

// plain finds definitions in any text by the look of its lines.
func plain(l *Language, src []byte) []tag.Tag {
	var tags []tag.Tag
	seen := map[string]bool{}
	offset := 0
	for number, line := range bytes.Split(src, []byte("\n")) {
		if len(line) > 0 && len(line) < 400 {
			t, ok := plainLine(l, line)
			if ok && !seen[string(t.Kind)+t.Name] {
				seen[string(t.Kind)+t.Name] = true
				t.Def, t.Line, t.First, t.Last = true, number, number, number
				t.Start, t.End = offset, offset+len(line)
				tags = append(tags, t)
			}
		}
		offset += len(line) + 1
	}
	return tags
}

func plainLine(l *Language, line []byte) (tag.Tag, bool) {
	if l.Prose {
		if m := heading.FindSubmatch(line); m != nil && l.Name == "markdown" {
			return tag.Tag{Name: string(m[1]), Kind: tag.Heading}, true
		}
		if m := key.FindSubmatch(line); m != nil {
			return tag.Tag{Name: string(m[1]), Kind: tag.Key}, true
		}
	}
	if m := declaration.FindSubmatch(line); m != nil {
		if kind, ok := declares[string(m[1])]; ok {
			return tag.Tag{Name: string(m[2]), Kind: kind}, true
		}
	}
	if m := function.FindSubmatch(line); m != nil {
		return tag.Tag{Name: string(m[1]) + string(m[2]), Kind: tag.Function}, true
	}
	if m := marker.FindSubmatch(line); m != nil {
		for _, name := range m[1:] {
			if len(name) > 0 {
				return tag.Tag{Name: string(bytes.TrimSpace(name)), Kind: tag.Key}, true
			}
		}
	}
	return tag.Tag{}, false
}

// withEnds gives definitions that were found by their first line an end: the line before the next one
// that is not indented deeper, or before the next definition at their own depth.
func withEnds(tags []tag.Tag, src []byte) []tag.Tag {
	starts := lineStarts(src)
	for i := range tags {
		t := &tags[i]
		if !t.Def || t.Line+1 >= len(starts) {
			continue
		}
		own := indent(src, starts, t.Line)
		last := t.Line
		for n := t.Line + 1; n+1 <= len(starts) && n-t.Line < 5000; n++ {
			text := bytes.TrimSpace(lineAt(src, starts, n))
			if len(text) == 0 {
				continue
			}
			if in := indent(src, starts, n); in <= own {
				if in == own && closers.Match(text) {
					last = n
					if text[0] != '{' {
						break
					}
					continue
				}
				break
			}
			last = n
		}
		t.Last = last
		t.Start = starts[t.Line]
		t.End = t.Start + len(lineAt(src, starts, t.Line))
		if last > t.Line {
			t.End = starts[last] + len(lineAt(src, starts, last))
		}
	}
	slices.SortStableFunc(tags, func(a, b tag.Tag) int { return cmp.Compare(a.Line, b.Line) })
	return tidy(tags)
}

var closers = regexp.MustCompile(`^(?:[{})\]]|end\b|END\b|fi\b|done\b|esac\b)`)

func lineStarts(src []byte) []int {
	starts := []int{0}
	for i, c := range src {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func lineAt(src []byte, starts []int, n int) []byte {
	end := len(src)
	if n+1 < len(starts) {
		end = starts[n+1] - 1
	}
	return src[starts[n]:end]
}

func indent(src []byte, starts []int, n int) int {
	width := 0
	for _, c := range lineAt(src, starts, n) {
		switch c {
		case ' ':
			width++
		case '\t':
			width += 8
		default:
			return width
		}
	}
	return width
}
