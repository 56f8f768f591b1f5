package prompt

import (
	"maps"
	"slices"
	"strings"

	"coauthor/agent/llm"
	"coauthor/edits"
)

// afterDemo ends the examples.
const afterDemo = "Those were examples from another project. Forget their files. My own project follows."

// usualFence is what models write unless they are told otherwise.
var usualFence = edits.Fence{Open: "```", Close: "```"}

// ackSystem is the model's answer to a system text in the user's role. What else of the user's follows each other goes into
// one message, but for a small model that writes whole files: see ackFiles.
const ackSystem = "Ok."

// ackFiles is the answer of such a model to its files, behind which the request stands alone. That and the reminder in the
// system's role behind it belong together: without the reminder it says just that to the request as well.
const ackFiles = "Ok, any changes that I make will be in these files."

// Build makes the chunks of a prompt. Its errors are broken templates, never the user's input.
func Build(in Input) (Chunks, error) {
	in.Chat, in.ReadOnly = sorted(in.Chat), sorted(in.ReadOnly)
	in.Missing, in.Unshown = slices.Sorted(slices.Values(in.Missing)), slices.Sorted(slices.Values(in.Unshown))
	data, err := dataOf(in)
	if err != nil {
		return Chunks{}, err
	}
	if terse(in.Profile) {
		in.Optional = nil
	}
	b := builder{in: in, data: data}
	c := Chunks{Fence: b.data.Fence, remind: in.Profile.Reminder, noSystem: !in.Profile.UseSystemPrompt, marks: in.Profile.CacheMarks, offered: in.Offered}
	c.files = map[string][]File{PartReadOnly: in.ReadOnly, PartFiles: in.Chat}
	for _, p := range in.Pages {
		c.files[PartReadOnly] = append(slices.Clip(c.files[PartReadOnly]), File{p.URL, p.Text})
	}
	for _, r := range in.Rules {
		c.files[PartRules] = append(c.files[PartRules], r.File)
	}
	b.system(&c)
	if len(in.Rules)+len(in.Optional) > 0 {
		c.Rules = b.said("rules")
	}
	if len(in.ReadOnly) > 0 {
		c.ReadOnly = b.said("readonly")
	}
	if len(in.Manual) > 0 {
		c.ReadOnly = append(c.ReadOnly, b.said("manual")...)
	}
	if len(in.Pages) > 0 {
		c.ReadOnly = append(c.ReadOnly, b.said("pages")...)
	}
	c.ReadOnly = append(c.ReadOnly, shownMedia(in.Media)...)
	if in.Map != "" {
		c.Map = b.said("map")
	}
	if in.Earlier != "" {
		c.Earlier = b.said("earlier")
	}
	c.Done = in.Done
	if now := b.now(); now != "" {
		c.Chat = []llm.Message{llm.Text(llm.RoleUser, now)}
	}
	if in.Format != nil || len(in.Chat)+len(in.Missing)+len(in.Unshown) > 0 {
		c.Chat = append(c.Chat, b.said("chat")...)
	}
	if c.apart = data.Short && shaped(in.Format) && len(in.Chat) > 0 && c.repeats() && !c.noSystem; c.apart {
		c.Chat = append(c.Chat, llm.Text(llm.RoleAssistant, ackFiles))
	}
	c.Current = append(b.said("message"), in.Rounds...)
	return c, b.err
}

// FenceOf is the fence for a prompt: none of what stands in it in the user's own words and files takes it, and none of the
// files that the model has seen elsewhere and may write.
func FenceOf(in Input) edits.Fence {
	all := []string{in.Map, in.Folders, in.Instruction, in.Diff, in.Commits}
	for _, p := range in.Manual {
		all = append(all, p.Text)
	}
	for _, p := range in.Pages {
		all = append(all, p.Text)
	}
	for _, f := range slices.Concat(in.Chat, in.ReadOnly, in.Seen) {
		all = append(all, f.Text)
	}
	if in.Focus != nil {
		all = append(all, in.Focus.Text)
	}
	return edits.ChooseFence(all...)
}

func sorted(files []File) []File {
	return slices.SortedFunc(slices.Values(files), func(a, b File) int { return strings.Compare(a.Path, b.Path) })
}

// builder keeps the first error, so that Build reads as the list of chunks it is.
type builder struct {
	in   Input
	data templateData
	err  error
}

func (b *builder) keep(text string, err error) string {
	if err != nil && b.err == nil {
		b.err = err
	}
	return text
}

func (b *builder) said(name string) []llm.Message {
	return []llm.Message{llm.Text(llm.RoleUser, b.text(name))}
}

func (b *builder) text(name string) string {
	files := b.in.Chat
	if name == "readonly" {
		files = b.in.ReadOnly
	}
	return b.keep(render(name, struct {
		templateData
		Input
		Files        []File
		EarlierFence edits.Fence
	}{b.data, b.in, files, edits.ChooseFence(b.in.Earlier)}))
}

func (b *builder) fill(name, source string) string { return b.keep(fill(name, source, b.data)) }

func (b *builder) system(c *Chunks) {
	source := b.keep(b.in.Coder.Text())
	parts := []string{b.fill("coder "+b.in.Coder.Name, source)}
	if facts := b.facts(); facts != "" && !b.in.Profile.Small() {
		parts = append(parts, facts)
	}
	if b.in.Tools != "" {
		parts = append(parts, b.in.Tools)
	}
	if f := b.in.Format; f != nil {
		parts = append(parts, b.fill(f.Name+" rules", f.Rules))
		if b.data.Fence != usualFence {
			parts = append(parts, b.keep(render("fence", b.data)))
		}
		b.examples(c, &parts)
		c.reminder = b.fill(f.Name+" reminder", f.Reminder)
	}
	if b.in.Format != nil {
		c.manner = b.keep(render("manner", b.in.Profile))
	}
	if c.manner != "" && !c.repeats() {
		parts = append(parts, c.manner)
	}
	c.System = []llm.Message{llm.Text(llm.RoleSystem, strings.Join(parts, "\n\n"))}
}

// facts are what hardly ever changes, for the system text. A small model repeats what stands there in the form of its answer, and
// reads it with its files.
func (b *builder) facts() string {
	if b.in.Coder.Manual {
		return ""
	}
	return b.keep(b.in.Around.Facts())
}

// now is what stands before the files.
func (b *builder) now() string {
	if b.in.Coder.Manual {
		return ""
	}
	now := b.keep(b.in.Around.Now())
	if b.in.Profile.Small() {
		now = strings.TrimSpace(b.facts() + "\n" + now)
	}
	return now
}

func (b *builder) examples(c *Chunks, parts *[]string) {
	f, list := b.in.Format, slices.DeleteFunc(slices.Clone(b.in.Format.Examples), func(x edits.Example) bool { return x.Tool != b.data.Tool })
	switch {
	case b.data.Short && shaped(f):
		return
	case b.data.Short:
		list = briefly(list)
	default:
		list = slices.DeleteFunc(list, forSmall)
	}
	if len(list) == 0 {
		return
	}
	if b.in.Profile.ExamplesAsSystem {
		var text strings.Builder
		text.WriteString("Examples, from another project:")
		for _, x := range list {
			text.WriteString("\n\nThe user wrote:\n\n" + b.exampleAsked(x))
			text.WriteString("\n\nYou answered:\n\n" + b.fill(f.Name+" example", x.Assistant))
		}
		*parts = append(*parts, text.String())
		return
	}
	for _, x := range list {
		c.Examples = append(c.Examples,
			llm.Text(llm.RoleUser, b.exampleAsked(x)),
			llm.Text(llm.RoleAssistant, b.fill(f.Name+" example", x.Assistant)))
	}
	c.Examples = append(c.Examples, llm.Text(llm.RoleUser, afterDemo))
}

// exampleAsked is what the user says in an example.
func (b *builder) exampleAsked(x edits.Example) string {
	asked := b.fill(b.in.Format.Name+" example", x.User)
	if !x.Small {
		return asked
	}
	var files []File
	for _, path := range slices.Sorted(maps.Keys(x.Before)) {
		files = append(files, File{Path: path, Text: x.Before[path]})
	}
	return b.keep(render("chat", struct {
		templateData
		Input
		Files []File
	}{b.data, Input{Format: b.in.Format}, files})) + "\n\n" + asked
}

// briefExample is the longest example that a model gets which is to have a short prompt, in lines: small
// models answer with a long one instead of the user's files.
const briefExample = 30

// briefly is the example for small models, or the shortest, if it is short enough.
func briefly(list []edits.Example) []edits.Example {
	if i := slices.IndexFunc(list, forSmall); i >= 0 {
		return list[i : i+1]
	}
	lines := func(x edits.Example) int { return strings.Count(x.User, "\n") + strings.Count(x.Assistant, "\n") }
	list = slices.DeleteFunc(slices.Clone(list), func(x edits.Example) bool { return lines(x) > briefExample })
	if len(list) == 0 {
		return nil
	}
	return []edits.Example{slices.MinFunc(list, func(a, b edits.Example) int { return lines(a) - lines(b) })}
}
