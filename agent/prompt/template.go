package prompt

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"coauthor/edits"
)

//go:embed *.md.tmpl
var texts embed.FS

// templateData is what the templates of coders and edit formats may use. Whatever is empty is not to be
// spoken of.
type templateData struct {
	Fence    edits.Fence
	Platform string // system and machine of the user
	Shell    string // the user's
	Alone    string // what of the user's linters and tests runs by itself: words of a sentence
	Language string // in what the user is answered; never empty, as words of a sentence
	Chosen   string // the same when the user has chosen it
	Commands string // how to suggest commands for the shell
	GoAhead  string // what a bare "do it" means
	Tag      string // that rules stand in
	Short    bool   // the coder's text is to be as short as it can be
	Small    bool   // the same, and the edit format has an example for small models, which shows all that they are to write
	Looks    bool   // the model has tools to look around with
	Reach    string // which files the model may change, in a few sentences
	Finish   bool   // the model has a tool to say how far the task is
	Tool     string // the tool whose call the answer has to be; "" where it is text
	Full     bool   // an edit format may say also what matters only now and then
	Numbers  bool   // the files are shown with the numbers of their lines
}

// goAhead is for models that describe a change and ask whether they should make it.
const goAhead = `When the user then only says "yes", "ok" or "do it", write the change at once.`

// dataOf is what the templates of a prompt may use.
func dataOf(in Input) (templateData, error) {
	d := templateData{Fence: FenceOf(in), Language: in.Around.language(), Chosen: in.Around.Language, Tag: tagFor(in.Rules), Short: Short(in), Looks: in.Tools != "", Finish: in.Finish}
	if in.Format != nil {
		d.Tool = in.Format.Tool()
	}
	d.Small = small(d.Short, in.Format)
	var err error
	if d.Reach, err = render("reach", d); err != nil {
		return d, err
	}
	d.Platform, d.Shell, d.Alone = in.Around.Platform, in.Around.Shell, in.Around.Alone
	if terse(in.Profile) {
		d.Language = firstOf(d.Chosen, theirs)
		return d, nil
	}
	if in.Format == nil {
		return d, nil
	}
	d.GoAhead, d.Full = goAhead, true
	if in.Around.Commands && besideBlocks(in.Format.Name) {
		d.Commands, err = render("commands", d)
	}
	return d, err
}

// Short says whether the model gets the short form of prompts. One of the user's own machine that nobody knows gets it for
// edits alone, and where it has no tools: whoever gives it some says by that that it is no small one.
func Short(in Input) bool {
	return in.Profile.Short || in.Profile.Unknown() && in.Format != nil && in.Tools == ""
}

// small says whether a model that gets the short form learns the format from its example for small ones.
func small(short bool, f *edits.Format) bool {
	return short && f != nil && slices.ContainsFunc(f.Examples, forSmall)
}

// shaped says whether the rules of the format show all of an edit, so that a small model needs no example beside them.
func shaped(f *edits.Format) bool {
	return f != nil && strings.TrimPrefix(f.Name, "editor-") == "whole"
}

// forSmall says whether an example is the one for small models.
func forSmall(x edits.Example) bool { return x.Small }

// besideBlocks says whether a block of commands can stand beside the edits of a format. In the others a
// fenced block is a file, or nothing stands beside the edits.
func besideBlocks(format string) bool { return format == "diff" || format == "diff-fenced" }

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
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
		"lines":  wholeLines,
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

// FormatRules is what a format says of itself, for who writes a prompt of their own. numbers says that files are shown with the
// numbers of their lines.
func FormatRules(f edits.Format, numbers bool) (string, error) {
	return fill(f.Name+" rules", f.Rules, templateData{Fence: edits.Fences[0], Full: true, Tool: f.Tool(), Numbers: numbers})
}

// fenced fences a text. The closing fence always stands on a line of its own.
func fenced(f edits.Fence, text string) string { return f.Open + "\n" + wholeLines(text) + f.Close }

// wholeLines ends a text with the end of a line.
func wholeLines(text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// tagFor makes a tag that none of the texts has. Rules stand in a tag and not in a fence: nearly all of them
// hold fences, and then every file and every edit would need a longer one.
func tagFor(list []Rule) string {
	tag := "rules"
	for n := 2; slices.ContainsFunc(list, func(r Rule) bool { return holdsTag(r.Text, tag) }); n++ {
		tag = "rules-" + strconv.Itoa(n)
	}
	return tag
}

func holdsTag(text, tag string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "<"+tag) || strings.Contains(text, "</"+tag)
}
