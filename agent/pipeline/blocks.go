package pipeline

import "strings"

// blocks returns the bodies of the fenced blocks of an answer, in order, each with its last line break. A fence is three
// or more backticks or tildes at the beginning of a line; one of the same kind that is at least as long ends the block.
// unclosed says that the last block has no end.
func blocks(answer string) (bodies []string, unclosed bool) {
	var body strings.Builder
	fence := ""
	for line := range strings.Lines(answer) {
		text := strings.TrimSpace(line)
		mark := fenceOf(text)
		switch {
		case fence == "" && mark != "" && (mark[0] != '`' || !strings.Contains(text[len(mark):], "`")):
			fence = mark
		case fence != "" && mark != "" && mark[0] == fence[0] && len(mark) >= len(fence) && mark == text:
			bodies = append(bodies, body.String())
			body.Reset()
			fence = ""
		case fence != "":
			body.WriteString(strings.TrimRight(line, "\r\n") + "\n")
		}
	}
	if fence != "" {
		bodies = append(bodies, body.String())
	}
	return bodies, fence != ""
}

// fenceOf is the run of fence characters that a line begins with; "" for fewer than three.
func fenceOf(line string) string {
	n := 0
	for n < len(line) && (line[0] == '`' || line[0] == '~') && line[n] == line[0] {
		n++
	}
	if n < 3 {
		return ""
	}
	return line[:n]
}

// scriptOf is the script of an answer: the bodies of its blocks, a line break between them. ok is false where it has none
// with anything in it.
func scriptOf(answer string) (script string, ok bool) {
	bodies, _ := blocks(answer)
	script = strings.Join(bodies, "\n")
	return script, strings.TrimSpace(script) != ""
}
