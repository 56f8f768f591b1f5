package review

import (
	"regexp"
	"strings"

	"coauthor/agent/display"
)

var (
	imageOrCommand = strings.NewReplacer("![", "!\\[", "](command:", "](command\\:")
	definition     = regexp.MustCompile(`(?i)^(\s*\[[^\]]*\]:\s*<?)(command|vscode|javascript|data|file):`)
	scheme         = regexp.MustCompile(`(?i)(\]\(\s*<?|<)(command|vscode[a-z-]*|javascript|data|file):`)
	tag            = regexp.MustCompile(`^<([a-zA-Z][a-zA-Z0-9-]*([\s/>]|$)|[/!?])`)
)

// Harmless keeps markdown of a model from acting: links that run a command, images, which would be
// loaded from elsewhere, and HTML, which can do both, are shown as text. Listings stay as they are.
func Harmless(markdown string) string {
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(display.Text(markdown)) {
		was := fence
		if fence = fenceAfter(fence, line); was != "" || fence != "" {
			b.WriteString(line)
			continue
		}
		b.WriteString(harmlessLine(line))
	}
	return b.String()
}

// fenceAfter is the fence of the listing that is open behind a line, "" for none; fence is that before it.
func fenceAfter(fence, line string) string {
	t := strings.TrimLeft(line, " ")
	mark := t[:len(t)-len(strings.TrimLeft(t, "`"))] + t[:len(t)-len(strings.TrimLeft(t, "~"))]
	indented := len(line)-len(t) > 3
	info := strings.TrimSpace(t[min(len(t), len(mark)):])
	switch {
	case fence != "":
		if !indented && strings.HasPrefix(mark, fence) && info == "" {
			return ""
		}
	case !indented && len(mark) >= 3 && (mark[0] != '`' || !strings.Contains(info, "`")):
		return mark
	}
	return fence
}

// openFence is the fence of the listing that is open at the end of a text; "" for none.
func openFence(text string) string {
	fence := ""
	for line := range strings.Lines(text) {
		fence = fenceAfter(fence, line)
	}
	return fence
}

func harmlessLine(line string) string {
	line = imageOrCommand.Replace(line)
	line = definition.ReplaceAllString(line, "$1$2\\:")
	line = scheme.ReplaceAllString(line, "$1$2\\:")
	var b strings.Builder
	code := false
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '`':
			code = !code
		case line[i] == '<' && !code && tag.MatchString(line[i:]):
			b.WriteByte('\\')
		}
		b.WriteByte(line[i])
	}
	return b.String()
}
