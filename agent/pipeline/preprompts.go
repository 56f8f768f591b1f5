package pipeline

import (
	"embed"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"coauthor/agent/prompt"
	"coauthor/edits"
	"coauthor/edits/formats"
)

//go:embed preprompts/*.md
var builtIn embed.FS

// fileFormat is the slot of a text where the form of files stands.
const fileFormat = "FILE_FORMAT"

// formatRules is the slot of file_format and file_format_diff where the rules of the edit format stand.
const formatRules = "FORMAT_RULES"

// withSlot are the texts that have it.
func withSlot() []string { return []string{"generate", "improve"} }

// Preprompts are the texts that steer the steps, by their names.
type Preprompts map[string]string

// BuiltIn returns our own texts.
func BuiltIn() Preprompts {
	p := Preprompts{}
	entries, err := builtIn.ReadDir("preprompts")
	for _, e := range entries {
		var text []byte
		if text, err = builtIn.ReadFile(path.Join("preprompts", e.Name())); err != nil {
			break
		}
		p[strings.TrimSuffix(e.Name(), ".md")] = string(text)
	}
	for name, format := range map[string]string{"file_format": filesFormat, "file_format_diff": diffFormat} {
		f, _ := formats.ByName(format)
		rules, failed := prompt.FormatRules(f, format == diffFormat)
		err = errors.Join(err, failed)
		p[name] = strings.Replace(p[name], formatRules, rules, 1)
	}
	if err != nil {
		panic(err) // they are in the binary
	}
	return p
}

// Names returns the names of the texts, sorted.
func (p Preprompts) Names() []string {
	var names []string
	for name := range p {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// textOf is the name of the text that a file of a folder of the user's stands for: with or without an ending.
func textOf(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path.Base(file), ".md"), ".txt")
}

// Overlay returns the texts with those of a folder of the user's in the place of ours. files are its files, each read by
// read. unknown are those that are no text of ours. The error says which text cannot be used, and why.
func (p Preprompts) Overlay(files []string, read func(file string) (string, error)) (all Preprompts, unknown []string, err error) {
	all = Preprompts{}
	for name, text := range p {
		all[name] = text
	}
	from := map[string]string{}
	for _, file := range files {
		name := textOf(file)
		if _, ok := p[name]; !ok {
			unknown = append(unknown, file)
			continue
		}
		if before := from[name]; before != "" {
			return nil, nil, fmt.Errorf("%s and %s are both the prompt %q; remove one", before, file, name)
		}
		text, err := read(file)
		if err != nil {
			return nil, nil, err
		}
		from[name] = file
		switch {
		case strings.TrimSpace(text) == "":
			return nil, nil, fmt.Errorf("%s is empty; write the prompt, or delete the file to use the built-in one", file)
		case slices.Contains(withSlot(), name) && !strings.Contains(text, fileFormat):
			return nil, nil, fmt.Errorf("%s lacks the line %s; add it, because Coauthor replaces it with the answer format", file, fileFormat)
		}
		all[name] = strings.TrimRight(text, "\n") + "\n"
	}
	return all, unknown, nil
}

// filled is a text with its slot filled.
func (p Preprompts) filled(name, format string) string {
	return strings.ReplaceAll(p[name], fileFormat, strings.TrimSpace(p[format]))
}

// system is what a model is told that generates (format file_format) or improves (file_format_diff). Only one that
// generates is told to write a whole program.
func (p Preprompts) system(name, format string) string {
	begin := ""
	if name == "generate" {
		begin = p["roadmap"] + "\n"
	}
	return begin + p.filled(name, format) + "\nUseful to know:\n" + p["philosophy"]
}

// Eject makes the changes that write the built-in texts into a folder, to begin one's own from. Files that are there
// stay as they are; skipped names them. names are the texts, nil for all.
func Eject(folder string, names []string, exists func(file string) bool) (changes []edits.Change, skipped []string, err error) {
	p := BuiltIn()
	if len(names) == 0 {
		names = p.Names()
	}
	there := map[string]bool{}
	for _, name := range p.Names() {
		for _, file := range []string{name, name + ".txt"} {
			if exists(path.Join(folder, file)) {
				there[name] = true
			}
		}
	}
	for _, name := range names {
		text, ok := p[name]
		if !ok {
			return nil, nil, fmt.Errorf("there is no prompt %q; choose from: %s", name, strings.Join(p.Names(), ", "))
		}
		file := path.Join(folder, name+".md")
		if exists(file) || there[name] {
			skipped = append(skipped, file)
			continue
		}
		changes = append(changes, edits.Change{Path: file, Op: edits.OpCreate, After: text})
	}
	return changes, skipped, nil
}
