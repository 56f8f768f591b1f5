package help

import "strings"

// longest is how many bytes a passage has at most, unless one line alone is longer: a page of settings is one
// section, and a question is about one of them.
const longest = 1500

// passages cuts a document at its headings, and long sections at their lines.
func passages(t Text) []Passage {
	var list []Passage
	var above []string // the headings in force
	var body []string
	size, fenced := 0, ""
	flush := func() {
		if text := strings.TrimSpace(strings.Join(body, "\n")); text != "" {
			list = append(list, Passage{Name: t.Name, Heading: strings.Join(above, " › "), Text: text})
		}
		body, size = nil, 0
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(t.Text, "\r\n", "\n"), "\n") {
		mark := fenceOf(line)
		level, title := heading(line)
		if fenced == "" && level > 0 {
			flush()
			above = append(above[:min(len(above), level-1):min(len(above), level-1)], title)
			continue
		}
		if size > 0 && size+len(line) > longest && (fenced == "" || size > 2*longest) {
			flush()
		}
		switch {
		case fenced == "":
			fenced = mark
		case mark == fenced:
			fenced = ""
		}
		body = append(body, line)
		size += len(line) + 1
	}
	flush()
	return list
}

// heading returns the level and the text of a heading; level 0 for any other line.
func heading(line string) (level int, title string) {
	rest := strings.TrimLeft(line, "#")
	level = len(line) - len(rest)
	if level == 0 || level > 6 || !strings.HasPrefix(rest, " ") {
		return 0, ""
	}
	return level, strings.TrimSpace(rest)
}

// fenceOf returns the mark with which a line begins or ends a block of code; "" for any other line.
func fenceOf(line string) string {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}
