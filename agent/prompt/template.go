package prompt

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"text/template"

	"coauthor/edits"
)

//go:embed *.md.tmpl
var texts embed.FS

// templateData is what the templates of coders and edit formats may use.
type templateData struct {
	Fence edits.Fence
}

// render fills one embedded text. Surrounding white space belongs to whoever joins the pieces.
func render(name string, data any) (string, error) {
	source, err := fs.ReadFile(texts, name+".md.tmpl")
	if err != nil {
		return "", fmt.Errorf("prompt text %s: %w", name, err)
	}
	return fill(name, string(source), data)
}

func fill(name, source string, data any) (string, error) {
	t, err := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{
		"fenced": fenced,
		"inc":    func(n int) int { return n + 1 },
	}).Parse(source)
	if err != nil {
		return "", fmt.Errorf("prompt text %s: %w", name, err)
	}
	var b strings.Builder
	if err := t.Execute(&b, data); err != nil {
		return "", fmt.Errorf("prompt text %s: %w", name, err)
	}
	return strings.TrimSpace(b.String()), nil
}

// fenced fences a text. The closing fence always stands on a line of its own.
func fenced(f edits.Fence, text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return f.Open + "\n" + text + f.Close
}

// chooseFence returns a fence that no line of the texts begins with. Where all the common ones are
// taken, it makes one of more backticks than any line begins with.
func chooseFence(all ...string) edits.Fence {
	if f, ok := edits.ChooseFence(all...); ok {
		return f
	}
	longest := 3
	for _, text := range all {
		for line := range strings.Lines(text) {
			line = strings.TrimLeft(line, " \t")
			longest = max(longest, len(line)-len(strings.TrimLeft(line, "`")))
		}
	}
	f := strings.Repeat("`", longest+1)
	return edits.Fence{Open: f, Close: f}
}
